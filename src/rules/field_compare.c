// SPDX-License-Identifier: GPL-2.0-or-later
/* -C: one id of the call against another. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "text_near.h"

static int fail_name(struct laf_parse *p, const struct laf_option *o, const char *text, const char *name,
		     const char *shown)
{
	laf_parse_fail(p, o->column, "%s %s", text, shown);
	if (laf_near_field(name))
		laf_parse_hint(p, "did you mean %s?", laf_near_field(name));
	return -EINVAL;
}

/* The checks of libaudit's own function, for their messages. */
static int check(struct laf_parse *p, const struct laf_option *o, const struct laf_field_text *cut)
{
	if (!cut->name[0])
		return laf_parse_fail(p, o->column, "-C missing field name before operator for ");
	if (!cut->value[0])
		return laf_parse_fail(p, o->column, "-C missing value after operation for  %s", cut->name);
	if (audit_name_to_field(cut->name) < 0)
		return fail_name(p, o, "-C unknown field:", cut->name, cut->name);
	if (audit_name_to_field(cut->value) < 0)
		return fail_name(p, o, "-C unknown right hand value for comparison with:", cut->value,
				 cut->name);
	if (laf_parse_list(p) != AUDIT_FILTER_EXIT)
		return laf_parse_fail(p, o->column, "%s can only be used with exit filter list", cut->name);
	return 0;
}

static int add(struct laf_parse *p, const struct laf_option *o, const struct laf_field_text *cut)
{
	struct audit_rule_data **rule = &p->command->rule;
	unsigned n = (*rule)->field_count;
	char *copy = strdup(o->value); /* it is cut in place */
	int r;

	if (!copy)
		return -ENOMEM;
	r = audit_rule_interfield_comp_data(rule, copy, AUDIT_FILTER_EXIT);
	free(copy);
	if (r) {
		laf_parse_fail(p, o->column, "-C incompatible comparison %s", cut->name);
		laf_parse_hint(p, "two different user ids or two different group ids can be compared");
		return -EINVAL;
	}
	p->command->columns[n] = o->column;
	return 0;
}

int laf_parse_compare(struct laf_parse *p, const struct laf_option *o)
{
	struct laf_field_text cut = { .column = o->column };
	int r;

	if (p->command->rule->field_count >= AUDIT_MAX_FIELDS - 1)
		return laf_parse_fail(p, o->column, "Too many fields in rule: %s", o->value);
	r = laf_field_cut(o->value, true, &cut);
	if (r == -EINVAL)
		return laf_parse_fail(p, o->column, "%s only takes = or != operators", o->value);
	if (r)
		return r;
	r = check(p, o, &cut);
	if (!r)
		r = add(p, o, &cut);
	free(cut.name);
	return r;
}
