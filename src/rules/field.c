// SPDX-License-Identifier: GPL-2.0-or-later
/* -F: the table of fields, and one field test into a rule. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "text_near.h"

#define IN(list) (1u << AUDIT_FILTER_##list)
#define EXIT_LIST .lists = IN(EXIT), .list_text = "%s can only be used with exit filter list"
#define ANY_LIST  .lists = ~0u
#define FIELDS(from, to, how, ...) { .field = from, .last = to, .value = laf_value_##how, __VA_ARGS__ }
#define FIELD(f, how, ...)         FIELDS(f, f, how, __VA_ARGS__)

/* As audit_rule_fieldpair_data() of libaudit 3.0.9 has it. */
static const struct laf_field_kind kinds[] = {
	FIELDS(AUDIT_UID, AUDIT_FSUID, user, ANY_LIST),
	FIELDS(AUDIT_GID, AUDIT_FSGID, group, ANY_LIST),
	FIELD(AUDIT_LOGINUID, user, ANY_LIST),
	FIELD(AUDIT_ARCH, arch, ANY_LIST),
	FIELD(AUDIT_MSGTYPE, msgtype, .lists = IN(EXCLUDE) | IN(USER),
	      .list_text = "msgtype field can only be used with exclude or user filter list"),
	FIELDS(AUDIT_SUBJ_USER, AUDIT_SUBJ_CLR, string, ANY_LIST, .string = true),
	FIELD(AUDIT_PPID, number, EXIT_LIST),
	FIELDS(AUDIT_OBJ_USER, AUDIT_OBJ_LEV_HIGH, string, EXIT_LIST, .string = true),
	FIELD(AUDIT_SESSIONID, session, .lists = IN(EXIT) | IN(USER) | IN(EXCLUDE),
	      .list_text = "%s must be used with exclude, user, or exit filter"),
	FIELD(AUDIT_FSTYPE, fstype, .lists = IN(FS), .list_text = "%s field is not valid for the filter",
	      .ops = LAF_OPS_EQUALITY),
	FIELDS(AUDIT_DEVMAJOR, AUDIT_DEVMINOR, number, EXIT_LIST),
	FIELD(AUDIT_INODE, inode, EXIT_LIST, .ops = LAF_OPS_EQUALITY),
	FIELD(AUDIT_EXIT, exit, EXIT_LIST),
	FIELD(AUDIT_SUCCESS, number, EXIT_LIST),
	FIELD(AUDIT_WATCH, string, EXIT_LIST, .string = true),
	FIELD(AUDIT_PERM, perm, EXIT_LIST, .ops = LAF_OPS_EQUAL),
	FIELD(AUDIT_DIR, string, EXIT_LIST, .string = true),
	FIELD(AUDIT_FILETYPE, filetype, EXIT_LIST),
	FIELD(AUDIT_OBJ_UID, user, ANY_LIST),
	FIELD(AUDIT_OBJ_GID, group, ANY_LIST),
	FIELD(AUDIT_EXE, string, ANY_LIST, .ops = LAF_OPS_EQUALITY, .string = true),
	FIELD(AUDIT_SADDR_FAM, family, ANY_LIST),
	FIELDS(AUDIT_ARG0, AUDIT_ARG3, signed, ANY_LIST),
	FIELD(AUDIT_FILTERKEY, key, ANY_LIST, .string = true),
};

const struct laf_field_kind *laf_field_kind(unsigned field)
{
	static const struct laf_field_kind number = { .value = laf_value_number, ANY_LIST };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (field >= kinds[i].field && field <= kinds[i].last)
			return &kinds[i];
	return &number;
}

bool laf_field_is_string(unsigned field)
{
	return laf_field_kind(field)->string;
}

/* Two-character operators are looked for first, anywhere in the text: "key=a!=b" is cut at "!=". */
int laf_field_cut(const char *text, bool equality_only, struct laf_field_text *ret)
{
	static const struct { const char *text; unsigned op; } ops[] = {
		{ "!=", AUDIT_NOT_EQUAL },
		{ ">=", AUDIT_GREATER_THAN_OR_EQUAL },
		{ "<=", AUDIT_LESS_THAN_OR_EQUAL },
		{ "&=", AUDIT_BIT_TEST },
		{ "=", AUDIT_EQUAL },
		{ ">", AUDIT_GREATER_THAN },
		{ "<", AUDIT_LESS_THAN },
		{ "&", AUDIT_BIT_MASK },
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		const char *at = strstr(text, ops[i].text);

		if (!at || (equality_only && ops[i].op != AUDIT_NOT_EQUAL && ops[i].op != AUDIT_EQUAL))
			continue;
		ret->name = strndup(text, at - text);
		ret->value = at + strlen(ops[i].text);
		ret->op = ops[i].op;
		return ret->name ? 0 : -ENOMEM;
	}
	return -EINVAL;
}

/* What the exclude list takes in auditctl 3.0.9; later ones leave it to the kernel. */
static bool fits_exclude(unsigned field)
{
	switch (field) {
	case AUDIT_PID: case AUDIT_UID: case AUDIT_GID: case AUDIT_LOGINUID:
	case AUDIT_MSGTYPE: case AUDIT_EXE:
		return true;
	default:
		return field >= AUDIT_SUBJ_USER && field <= AUDIT_SUBJ_CLR;
	}
}

static int check_place(struct laf_parse *p, const struct laf_field_text *text, unsigned field)
{
	const struct laf_field_kind *kind = laf_field_kind(field);
	int list = laf_parse_list(p);

	if (list == AUDIT_FILTER_EXCLUDE && !fits_exclude(field))
		return laf_parse_fail(p, text->column, "Only msgtype, *uid, *gid, pid, and subj* fields "
				      "can be used with exclude filter");
	if (!(kind->lists & 1u << list)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		return laf_parse_fail(p, text->column, kind->list_text, text->name);
#pragma GCC diagnostic pop
	}
	if (kind->ops == LAF_OPS_EQUALITY && text->op != AUDIT_EQUAL && text->op != AUDIT_NOT_EQUAL)
		return laf_parse_fail(p, text->column, "%s only takes = or != operators", text->name);
	if (kind->ops == LAF_OPS_EQUAL && text->op != AUDIT_EQUAL)
		return laf_parse_fail(p, text->column, "%s only takes = operator", text->name);
	return 0;
}

static int append_string(struct laf_parse *p, const char *value, size_t len)
{
	struct audit_rule_data **rule = &p->command->rule;
	struct audit_rule_data *larger = realloc(*rule, sizeof(*larger) + (*rule)->buflen + len);

	if (!larger)
		return -ENOMEM;
	memcpy(larger->buf + larger->buflen, value, len);
	larger->buflen += len;
	*rule = larger;
	return 0;
}

/* What a field brings with it for the options behind it. */
static void note_field(struct laf_parse *p, unsigned field)
{
	p->has_perm |= field == AUDIT_PERM || field == AUDIT_WATCH || field == AUDIT_DIR;
	p->has_exe |= field == AUDIT_EXE;
	p->has_fstype |= field == AUDIT_FSTYPE;
}

static int put_field(struct laf_parse *p, const struct laf_field_text *text, unsigned field)
{
	const struct laf_field_kind *kind = laf_field_kind(field);
	struct audit_rule_data *rule = p->command->rule;
	unsigned n = rule->field_count, value = 0;
	int r = check_place(p, text, field);

	if (!r)
		r = kind->value(p, text, &value);
	if (!r && kind->string)
		r = append_string(p, text->value, value);
	if (r)
		return r;
	rule = p->command->rule;
	rule->fields[n] = field;
	rule->fieldflags[n] = text->op;
	rule->values[n] = value;
	rule->field_count++;
	p->command->columns[n] = text->column;
	note_field(p, field);
	return 0;
}

static int find_field(struct laf_parse *p, const struct laf_field_text *text)
{
	int field = text->name[0] ? audit_name_to_field(text->name) : -1;

	if (!text->name[0])
		return laf_parse_fail(p, text->column, "-F missing field name before operator for ");
	if (!text->value[0])
		return laf_parse_fail(p, text->column, "-F missing value after operation for %s", text->name);
	if (field >= 0)
		return field;
	laf_parse_fail(p, text->column, "-F unknown field: %s", text->name);
	if (laf_near_field(text->name))
		laf_parse_hint(p, "did you mean %s?", laf_near_field(text->name));
	return -EINVAL;
}

static int add(struct laf_parse *p, const char *text, unsigned column)
{
	struct laf_field_text cut = { .column = column };
	int r;

	if (p->command->rule->field_count >= AUDIT_MAX_FIELDS - 1)
		return laf_parse_fail(p, column, "Too many fields in rule: %s", text);
	r = laf_field_cut(text, false, &cut);
	if (r == -EINVAL)
		return laf_parse_fail(p, column, "-F missing operation for %s", text);
	if (r)
		return r;
	r = find_field(p, &cut);
	if (r >= 0)
		r = put_field(p, &cut, r);
	free(cut.name);
	return r;
}

int laf_field_add(struct laf_parse *p, const char *text, unsigned column)
{
	int r;

	p->direct = true;
	r = add(p, text, column);
	p->direct = false;
	return r;
}
