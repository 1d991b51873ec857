// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of fields: text to the 32 bits that the kernel compares. */
#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "field.h"

#define UNSET 4294967295u /* of auid and sessionid */
#define NAME_BYTES_MAX (1u << 20) /* of one entry of the user or group data base */

static bool is_digit(char c)
{
	return isdigit((unsigned char)c);
}

static bool is_number(const char *s)
{
	return is_digit(*s);
}

static bool is_negative(const char *s)
{
	return *s == '-' && is_digit(s[1]);
}

static int fail_value(struct laf_parse *p, const struct laf_field_text *text, const char *what,
		      const char *of)
{
	return laf_parse_fail(p, text->column, "%s%s", what, of);
}

static int fail_name(struct laf_parse *p, const struct laf_field_text *text, const char *kind, const char *name)
{
	p->direct = false;
	return laf_parse_fail(p, text->column, "Unknown %s: %s", kind, name);
}

/* One entry of the user or group data base, however large it is. */
static int look_up(const char *name, bool group, unsigned *ret_id)
{
	struct passwd user, *found_user = NULL;
	struct group grp, *found_group = NULL;
	int r = ERANGE;

	for (size_t size = 1024; r == ERANGE && size <= NAME_BYTES_MAX; size *= 4) {
		char *buf = malloc(size);

		if (!buf)
			return -ENOMEM;
		if (group)
			r = getgrnam_r(name, &grp, buf, size, &found_group);
		else
			r = getpwnam_r(name, &user, buf, size, &found_user);
		free(buf);
	}
	if (!found_user && !found_group)
		return -ENOENT;
	*ret_id = group ? grp.gr_gid : user.pw_uid;
	return 0;
}

int laf_value_user(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	const char *s = text->value;
	int r;

	if (is_number(s))
		*ret_value = strtoul(s, NULL, 0);
	else if (is_negative(s))
		*ret_value = strtol(s, NULL, 0);
	else if (!strcmp(s, "unset"))
		*ret_value = UNSET;
	else if ((r = look_up(s, false, ret_value)))
		return r == -ENOMEM ? r : fail_name(p, text, "user", s);
	return 0;
}

int laf_value_group(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	int r;

	if (is_number(text->value))
		*ret_value = strtol(text->value, NULL, 0);
	else if ((r = look_up(text->value, true, ret_value)))
		return r == -ENOMEM ? r : fail_name(p, text, "group", text->value);
	return 0;
}

int laf_value_exit(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	const char *s = text->value;

	if (is_number(s) || is_negative(s))
		*ret_value = strtol(s, NULL, 0);
	else
		*ret_value = audit_name_to_errno(s);
	if (!*ret_value && !is_number(s) && !is_negative(s))
		return fail_value(p, text, "-F unknown errno - ", text->name);
	return 0;
}

int laf_value_msgtype(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	int type;

	if (is_number(text->value)) {
		*ret_value = strtol(text->value, NULL, 0);
		return 0;
	}
	type = audit_name_to_msg_type(text->value);
	if (type <= 0)
		return fail_value(p, text, "-F unknown message type - ", text->name);
	*ret_value = type;
	return 0;
}

/* The value of a string field is its length. */
int laf_value_string(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	size_t len = strlen(text->value);

	if (len > PATH_MAX)
		return fail_value(p, text, "String value too long", "");
	*ret_value = len;
	return 0;
}

int laf_value_key(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	size_t len = strlen(text->value);

	if (!(p->has_call || p->has_perm || p->has_exe || p->has_fstype))
		return fail_value(p, text, "Key field needs a watch, syscall or exe path given ",
				  "prior to it");
	if (len > AUDIT_MAX_KEY_LEN)
		return fail_value(p, text, "String value too long", "");
	*ret_value = len;
	return 0;
}

/* The ELF machine by number or name. Returns 0 for none that libaudit knows. */
static unsigned find_arch(const char *s)
{
	unsigned long elf;
	int machine;

	if (!is_digit(*s)) {
		machine = audit_determine_machine(s);
		return machine < 0 ? 0 : audit_machine_to_elf(machine);
	}
	errno = 0;
	elf = strtoul(s, NULL, 0);
	return errno || audit_elf_to_machine(elf) < 0 ? 0 : elf;
}

int laf_value_arch(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	unsigned elf;

	if (p->has_call)
		return fail_value(p, text, text->name, " must be before -S");
	if (text->op != AUDIT_EQUAL && text->op != AUDIT_NOT_EQUAL)
		return fail_value(p, text, text->name, " only takes = or != operators");
	elf = find_arch(text->value);
	if (!elf) {
		fail_value(p, text, text->name, " elf mapping not found");
		laf_parse_hint(p, "b64 and b32 are this machine's");
		return -EINVAL;
	}
	p->arch = *ret_value = elf;
	return 0;
}

int laf_value_perm(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	unsigned perm = 0;

	if (strlen(text->value) > 4)
		return fail_value(p, text, "String value too long", "");
	for (const char *s = text->value; *s; s++)
		switch (tolower((unsigned char)*s)) {
		case 'r':
			perm |= AUDIT_PERM_READ;
			break;
		case 'w':
			perm |= AUDIT_PERM_WRITE;
			break;
		case 'x':
			perm |= AUDIT_PERM_EXEC;
			break;
		case 'a':
			perm |= AUDIT_PERM_ATTR;
			break;
		default:
			return fail_value(p, text, "Permission can only contain  'rwxa'", "");
		}
	*ret_value = perm;
	return 0;
}

int laf_value_filetype(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	int type = audit_name_to_ftype(text->value);

	if (type < 0)
		return fail_value(p, text, "-F unknown file type -  ", text->name);
	*ret_value = type;
	return 0;
}

int laf_value_fstype(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	if (is_number(text->value))
		*ret_value = strtoul(text->value, NULL, 0);
	else
		*ret_value = audit_name_to_fstype(text->value);
	if (*ret_value == UNSET)
		return fail_value(p, text, "file system type is unknown for field: ", text->name);
	return 0;
}

int laf_value_signed(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	if (is_number(text->value))
		*ret_value = strtoul(text->value, NULL, 0);
	else if (is_negative(text->value))
		*ret_value = strtol(text->value, NULL, 0);
	else
		return fail_value(p, text, "-F value should be number for ", text->name);
	return 0;
}

/* What is no number and not "unset" counts as 0, as in libaudit. */
int laf_value_session(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	*ret_value = 0;
	if (is_number(text->value))
		*ret_value = strtoul(text->value, NULL, 0);
	else if (is_negative(text->value))
		*ret_value = strtol(text->value, NULL, 0);
	else if (!strcmp(text->value, "unset"))
		*ret_value = UNSET;
	return 0;
}

int laf_value_family(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	*ret_value = strtoul(text->value, NULL, 0);
	if (*ret_value >= AF_MAX)
		return fail_value(p, text, "value is too large for field: ", text->name);
	return 0;
}

int laf_value_inode(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	if (!is_number(text->value))
		return fail_value(p, text, "-F value should be number for ", text->name);
	*ret_value = strtoul(text->value, NULL, 0);
	return 0;
}

int laf_value_number(struct laf_parse *p, const struct laf_field_text *text, unsigned *ret_value)
{
	if (!is_number(text->value))
		return fail_value(p, text, "-F value should be number for ", text->name);
	*ret_value = strtol(text->value, NULL, 0);
	return 0;
}
