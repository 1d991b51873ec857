/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One rule on its way from struct audit_rule_data to struct policy_rule. */
#ifndef LAF_POLICY_RULE_H
#define LAF_POLICY_RULE_H

#include "policy_build.h"

struct reading {
	struct policy_build *b;
	const struct audit_rule_data *data;
	uint32_t buf_at; /* strings stand in data->buf in the order of their fields */
	struct policy_rule rule;
	uint32_t tests[TESTS_MAX];
	uint32_t n_tests;
	bool never; /* it can't match */
};

/* policy_fields.c: add what the field asks to r->tests. Returns 0, -ENOMEM, or -EINVAL for a field that the
 * exit list does not take. */
int policy_read_number(struct reading *r, uint32_t field, uint32_t op, uint32_t val);
int policy_read_perm(struct reading *r, uint32_t op, uint32_t val);
int policy_read_compare(struct reading *r, uint32_t op, uint32_t val);
int policy_read_filetype(struct reading *r, uint32_t op, uint32_t val);
int policy_read_string(struct reading *r, uint32_t field, uint32_t op, const char *text, uint32_t len);

#endif
