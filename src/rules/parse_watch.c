// SPDX-License-Identifier: GPL-2.0-or-later
/* -w, -W and -p: a watch is a rule of the exit list with a path or a folder and permissions. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "parse.h"

static size_t base_name_len(const char *path)
{
	size_t end = strlen(path), start;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/'; start--)
		;
	return end - start;
}

static int check_path(struct laf_parse *p, const char *path, unsigned column)
{
	if (strlen(path) >= PATH_MAX)
		return laf_parse_fail(p, column, "The path passed for the watch is too big");
	if (path[0] != '/')
		return laf_parse_fail(p, column, "The path must start with '/'");
	if (base_name_len(path) > NAME_MAX)
		return laf_parse_fail(p, column, "The base name of the path is too big");
	if (strstr(path, ".."))
		laf_parse_say(p, "Warning - relative path notation is not supported");
	if (strpbrk(path, "*?"))
		laf_parse_say(p, "Warning - wildcard notation is not supported");
	return 0;
}

static void strip_slashes(char *path)
{
	size_t len = strlen(path);

	if (len <= 2)
		return;
	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
}

/* The rule becomes the watch; calls named before are forgotten. */
static int begin_watch(struct laf_parse *p, const char *path, unsigned column)
{
	struct stat st;
	int type = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? AUDIT_DIR : AUDIT_WATCH;

	if (p->command->rule->field_count) {
		laf_parse_fail(p, column, "Rule is not empty");
		laf_parse_say(p, "%s", "");
		return -EINVAL;
	}
	if (audit_add_watch_dir(type, &p->command->rule, path))
		return -ENOMEM;
	p->command->columns[0] = p->command->columns[1] = column;
	return 0;
}

int laf_parse_watch(struct laf_parse *p, const struct laf_option *o)
{
	char *path;
	int r;

	if (o->name == 'w' && laf_parse_list(p) != LAF_LIST_UNSET)
		return laf_parse_fail(p, o->own_column, "watch option can't be given with a syscall");
	*(o->name == 'w' ? &p->add : &p->del) = AUDIT_FILTER_EXIT;
	p->action = AUDIT_ALWAYS;
	p->has_call = p->has_perm = true;
	r = check_path(p, o->value, o->column);
	if (r)
		return r;
	path = strdup(o->value);
	if (!path)
		return -ENOMEM;
	strip_slashes(path);
	r = begin_watch(p, path, o->column);
	free(path);
	p->send = !r;
	return r;
}

static int perm_bit(char letter)
{
	switch (tolower((unsigned char)letter)) {
	case 'r':
		return AUDIT_PERM_READ;
	case 'w':
		return AUDIT_PERM_WRITE;
	case 'x':
		return AUDIT_PERM_EXEC;
	case 'a':
		return AUDIT_PERM_ATTR;
	default:
		return 0;
	}
}

int laf_parse_perm(struct laf_parse *p, const struct laf_option *o)
{
	struct audit_rule_data *rule = p->command->rule;
	unsigned n = rule->field_count;
	int perms = 0;

	if (laf_parse_list(p) == LAF_LIST_UNSET)
		return laf_parse_fail(p, o->own_column, "permission option needs a watch given prior to it");
	if (strlen(o->value) > 4)
		return laf_parse_fail(p, o->column, "permission %s is too long", o->value);
	for (const char *s = o->value; *s; s++) {
		if (!perm_bit(*s))
			return laf_parse_fail(p, o->column, "Permission %c isn't supported", *s);
		perms |= perm_bit(*s);
	}
	if (!n)
		return laf_parse_fail(p, o->own_column, "Permissions should be preceeded by other fields");
	if (audit_update_watch_perms(rule, perms))
		return laf_parse_fail(p, o->own_column, "Too many fields when adding permissions");
	if (rule->field_count > n)
		p->command->columns[n] = o->column;
	p->has_perm = p->send = true;
	return 0;
}
