/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One rule on its way from struct audit_rule_data to struct policy_rule. */
#ifndef LAF_POLICY_RULE_H
#define LAF_POLICY_RULE_H

#include "policy_build.h"

struct reading {
	struct policy_build *b;
	const struct audit_rule_data *data;
	struct policy_rule rule;
	uint32_t tests[TESTS_MAX];
	uint32_t n_tests;
	bool never; /* it can't match */
	bool ends;  /* exclude, user: it has a field that ends the kernel's walk */
};

/* Take one field in; `text` is that of a string (val bytes), else NULL. Returns 0 or a negative errno. */
typedef int (*policy_field_fn)(struct reading *r, uint32_t field, uint32_t op, uint32_t val, const char *text);
/* Every field of the rule in turn. Returns 0, -EINVAL for a rule that does not hold together, or what fn returned. */
int policy_read_fields(struct reading *r, policy_field_fn fn);
/* By cost, then by number: equal tests stand in the same order in every rule. */
void policy_sort_tests(struct reading *r);

/* policy_fields.c: add what the field asks to r->tests. Returns 0, -ENOMEM, or -EINVAL for a field that the
 * exit list does not take. */
int policy_put_test(struct reading *r, uint8_t what, uint8_t op, uint32_t val);
int policy_read_number(struct reading *r, uint32_t field, uint32_t op, uint32_t val);
int policy_read_perm(struct reading *r, uint32_t op, uint32_t val);
int policy_read_compare(struct reading *r, uint32_t op, uint32_t val);
int policy_read_filetype(struct reading *r, uint32_t op, uint32_t val);
int policy_read_string(struct reading *r, uint32_t field, uint32_t op, const char *text, uint32_t len);

#endif
