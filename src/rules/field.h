/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -F knows of each field: where it may stand, with which operators, and what its value is. */
#ifndef LAF_RULES_FIELD_H
#define LAF_RULES_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "parse.h"

/* "field op value", cut. */
struct laf_field_text {
	char *name;      /* the text up to the operator, NUL-terminated; to be freed */
	const char *value;
	unsigned op;     /* AUDIT_EQUAL, … */
	unsigned column; /* of the whole */
};

struct laf_field_kind;

/* Read the value into *ret_value. 0 or a negative errno with p->err filled. */
typedef int (*laf_field_value_fn)(struct laf_parse *p, const struct laf_field_text *text,
				  unsigned *ret_value);

struct laf_field_kind {
	unsigned field, last; /* all from `field` to `last` */
	laf_field_value_fn value;
	unsigned lists;       /* bit 1 << list: where auditctl lets it stand; the kernel may still say no */
	const char *list_text; /* what it says elsewhere; %s: the name */
	enum { LAF_OPS_ALL, LAF_OPS_EQUALITY, LAF_OPS_EQUAL } ops;
	bool string;          /* the value goes to the rule's text buffer, its length to values[] */
};

/* Never NULL: fields without a row of their own take a decimal number. */
const struct laf_field_kind *laf_field_kind(unsigned field);

/* Does the kernel keep this field's value as text? */
bool laf_field_is_string(unsigned field);

/* Readers of values, one a kind (field_value.c). */
int laf_value_user(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_group(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_exit(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_msgtype(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_string(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_key(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_arch(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_perm(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_filetype(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_fstype(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_signed(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_session(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_family(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_inode(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);
int laf_value_number(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value);

/* Cut a text at its operator. Returns 0, -EINVAL without any, or -ENOMEM. */
int laf_field_cut(const char *text, bool equality_only, struct laf_field_text *ret);

#endif
