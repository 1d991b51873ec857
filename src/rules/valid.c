// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's own checks of a rule (kernel/auditfilter.c, audit_watch.c, audit_tree.c, audit_fsnotify.c; the
 * same from 6.1 to 6.18), in its order: the first fault decides the error. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "field.h"
#include "valid.h"

/* Beyond the structure's own 1,040 bytes; auditctl's message must fit a buffer of 8,970 with its header
 * of 16. */
#define TEXT_BYTES_MAX (MAX_AUDIT_MESSAGE_LENGTH - 16 - sizeof(struct audit_rule_data))

/* Where the walk over the fields is, and what it met. */
struct walk {
	const struct audit_rule_data *rule;
	int list;
	unsigned i;
	size_t offset; /* of this field's text */
	bool has_inode, has_path, has_key, has_exe;
	struct laf_fault *fault;
};

__attribute__((format(printf, 3, 4)))
static int blame(struct laf_fault *fault, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(fault->reason, sizeof(fault->reason), format, args);
	va_end(args);
	return code;
}

static const char *name_of(const struct walk *w)
{
	const char *name = audit_field_to_name(w->rule->fields[w->i]);

	return name ? name : "this field";
}

static bool is_equality(unsigned op)
{
	return op == AUDIT_EQUAL || op == AUDIT_NOT_EQUAL;
}

static bool takes_bit_operators(unsigned field)
{
	return (field >= AUDIT_ARG0 && field <= AUDIT_ARG3) || field == AUDIT_PERS || field == AUDIT_DEVMINOR;
}

static bool takes_equality_only(unsigned field)
{
	switch (field) {
	case AUDIT_SUBJ_USER: case AUDIT_SUBJ_ROLE: case AUDIT_SUBJ_TYPE:
	case AUDIT_OBJ_USER: case AUDIT_OBJ_ROLE: case AUDIT_OBJ_TYPE:
	case AUDIT_WATCH: case AUDIT_DIR: case AUDIT_EXE: case AUDIT_FILTERKEY:
	case AUDIT_ARCH: case AUDIT_FSTYPE: case AUDIT_PERM: case AUDIT_FILETYPE: case AUDIT_FIELD_COMPARE:
		return true;
	default:
		return false;
	}
}

/* An unset auid is a field of its own for the kernel, "is an auid set", which knows two operators. */
static bool is_unset_auid(const struct walk *w)
{
	return w->rule->fields[w->i] == AUDIT_LOGINUID && w->rule->values[w->i] == (uint32_t)-1;
}

static int check_list(const struct walk *w)
{
	unsigned field = w->rule->fields[w->i];

	if (field == AUDIT_MSGTYPE && w->list != AUDIT_FILTER_EXCLUDE && w->list != AUDIT_FILTER_USER)
		return blame(w->fault, -EINVAL, "msgtype belongs to the exclude and user lists");
	if (field == AUDIT_FSTYPE && w->list != AUDIT_FILTER_FS)
		return blame(w->fault, -EINVAL, "fstype belongs to the filesystem list");
	if (field == AUDIT_PERM && w->list == AUDIT_FILTER_URING_EXIT)
		return blame(w->fault, -EINVAL, "io_uring rules have no perm");
	if (w->list == AUDIT_FILTER_FS && field != AUDIT_FSTYPE && field != AUDIT_FILTERKEY)
		return blame(w->fault, -EINVAL, "the filesystem list takes fstype and a key only");
	return 0;
}

static int check_operator(const struct walk *w)
{
	unsigned field = w->rule->fields[w->i], op = w->rule->fieldflags[w->i];

	if (takes_bit_operators(field))
		return 0;
	if ((takes_equality_only(field) || is_unset_auid(w)) && !is_equality(op))
		return blame(w->fault, -EINVAL, "%s takes = and != only",
			     is_unset_auid(w) ? "an unset auid" : name_of(w));
	if (op == AUDIT_BIT_MASK || op == AUDIT_BIT_TEST)
		return blame(w->fault, -EINVAL, "%s can't be tested with & and &=", name_of(w));
	return 0;
}

static bool is_id(unsigned field)
{
	return (field >= AUDIT_UID && field <= AUDIT_LOGINUID) || field == AUDIT_OBJ_UID ||
	       field == AUDIT_OBJ_GID;
}

/* Of values, the kernel really checks ids only: what it has for perm, filetype, field_compare and saddr_fam
 * looks at the field before its value is there (6.1 to 6.18). */
static int check_value(const struct walk *w)
{
	if (is_id(w->rule->fields[w->i]) && w->rule->values[w->i] == (uint32_t)-1 && !is_unset_auid(w))
		return blame(w->fault, -EINVAL, "only auid can be unset");
	return 0;
}

/* path=, dir= and inode= exclude each other. The first two take "=" only. */
static int check_place(struct walk *w, const char *text, size_t len)
{
	unsigned field = w->rule->fields[w->i];

	if (field != AUDIT_INODE && text[0] != '/')
		return blame(w->fault, -EINVAL, "the path must start with /");
	if (field == AUDIT_WATCH && text[len - 1] == '/')
		return blame(w->fault, -EINVAL, "the path must not end with /");
	if (w->list != AUDIT_FILTER_EXIT && w->list != AUDIT_FILTER_URING_EXIT)
		return blame(w->fault, -EINVAL, "%s belongs to the exit list", name_of(w));
	if (!is_equality(w->rule->fieldflags[w->i]) ||
	    (field != AUDIT_INODE && w->rule->fieldflags[w->i] != AUDIT_EQUAL))
		return blame(w->fault, -EINVAL, "%s takes = only", name_of(w));
	if (w->has_inode || w->has_path)
		return blame(w->fault, -EINVAL, "a rule takes one of path, dir and inode");
	*(field == AUDIT_INODE ? &w->has_inode : &w->has_path) = true;
	return 0;
}

static int check_key(struct walk *w, size_t len)
{
	if (w->has_key || len > AUDIT_MAX_KEY_LEN)
		return blame(w->fault, -EINVAL, "%s",
			     w->has_key ? "one field with keys is all a rule takes" : "too long");
	w->has_key = true;
	return 0;
}

static int check_exe(struct walk *w, const char *text, size_t len)
{
	if (w->has_exe)
		return blame(w->fault, -EINVAL, "a rule takes one exe");
	w->has_exe = true;
	if (text[0] != '/' || text[len - 1] == '/')
		return blame(w->fault, -EINVAL, "the path must start with / and not end with it");
	return laf_path_parent(text, len, w->fault);
}

static int check_text(struct walk *w, const char *text, size_t len)
{
	switch (w->rule->fields[w->i]) {
	case AUDIT_WATCH: case AUDIT_DIR:
		return check_place(w, text, len);
	case AUDIT_FILTERKEY:
		return check_key(w, len);
	case AUDIT_EXE:
		return check_exe(w, text, len);
	default: /* labels: those that the running security module doesn't know are kept for later */
		return 0;
	}
}

static int check_field(struct walk *w)
{
	unsigned field = w->rule->fields[w->i], len = w->rule->values[w->i];
	const char *text = w->rule->buf + w->offset;
	int r = check_list(w);

	if (!r)
		r = check_operator(w);
	if (!r)
		r = check_value(w);
	if (r)
		return r;
	if (field == AUDIT_INODE)
		return check_place(w, NULL, 0);
	if (!laf_field_is_string(field))
		return 0;
	if (!len || len > w->rule->buflen - w->offset)
		return blame(w->fault, -EINVAL, "the text is missing");
	if (len > PATH_MAX)
		return blame(w->fault, -ENAMETOOLONG, "longer than %d bytes", PATH_MAX);
	w->offset += len;
	return check_text(w, text, len);
}

int laf_rule_valid(struct audit_rule_data *rule, struct laf_fault *ret)
{
	struct walk w = { .rule = rule, .list = rule->flags & AUDIT_FILTER_MASK, .fault = ret };
	int r;

	*ret = (struct laf_fault){ .field = -1 };
	if (rule->buflen > TEXT_BYTES_MAX)
		return blame(ret, -EINVAL, "the rule's texts take %u bytes, of %zu", rule->buflen,
			     TEXT_BYTES_MAX);
	for (w.i = 0; w.i < rule->field_count; w.i++) {
		ret->field = w.i;
		r = check_field(&w);
		if (r)
			return r;
	}
	ret->field = -1;
	laf_rule_spell_classes(rule);
	return 0;
}

int laf_rule_reachable(const struct audit_rule_data *rule, struct laf_fault *ret)
{
	size_t offset = 0;
	int r = 0;

	*ret = (struct laf_fault){ .field = -1 };
	for (unsigned i = 0; i < rule->field_count && !r; i++) {
		const char *text = rule->buf + offset;

		ret->field = i;
		if (rule->fields[i] == AUDIT_WATCH)
			r = laf_path_parent(text, rule->values[i], ret);
		else if (rule->fields[i] == AUDIT_DIR)
			r = laf_path_exists(text, rule->values[i], ret);
		if (laf_field_is_string(rule->fields[i]))
			offset += rule->values[i];
	}
	return r;
}
