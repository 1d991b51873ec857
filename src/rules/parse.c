// SPDX-License-Identifier: GPL-2.0-or-later
/* The walk over a command's options: lists, actions and keys here, the rest in the files beside. It follows
 * auditctl 3.0.9 step by step, its oddities included: what it accepts depends on the order of the options. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "text_near.h"

/* Without memory it stays unsaid: the command will fail for the same reason. */
static void say(struct laf_parse *p, const char *format, va_list args)
{
	struct laf_command *c = p->command;
	struct laf_said *said = realloc(c->said, (c->n_said + 1) * sizeof(*said));
	char *text;

	if (!said)
		return;
	c->said = said;
	if (vasprintf(&text, format, args) >= 0)
		said[c->n_said++] = (struct laf_said){ .text = text, .direct = p->direct };
}

void laf_parse_say(struct laf_parse *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(p, format, args);
	va_end(args);
}

static int fail(struct laf_parse *p, unsigned column, const char *format, va_list args)
{
	if (!p->err)
		return -EINVAL;
	p->err->column = column;
	vsnprintf(p->err->text, sizeof(p->err->text), format, args);
	p->err->hint[0] = '\0';
	return -EINVAL;
}

int laf_parse_fail_unsaid(struct laf_parse *p, unsigned column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(p, column, format, args);
	va_end(args);
	return -EINVAL;
}

int laf_parse_fail(struct laf_parse *p, unsigned column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail(p, column, format, args);
	va_end(args);
	va_start(args, format);
	say(p, format, args);
	va_end(args);
	return -EINVAL;
}

void laf_parse_hint(struct laf_parse *p, const char *format, ...)
{
	va_list args;

	if (!p->err)
		return;
	va_start(args, format);
	vsnprintf(p->err->hint, sizeof(p->err->hint), format, args);
	va_end(args);
}

static bool is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

static bool find_list(struct laf_parse *p, const char *text, size_t len, int *list)
{
	static const struct { const char *name; int list; } lists[] = {
		{ "task", AUDIT_FILTER_TASK },
		{ "exit", AUDIT_FILTER_EXIT },
		{ "user", AUDIT_FILTER_USER },
		{ "exclude", AUDIT_FILTER_EXCLUDE },
		{ "filesystem", AUDIT_FILTER_FS },
		{ "io_uring", AUDIT_FILTER_URING_EXIT },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (!is(text, len, lists[i].name))
			continue;
		*list = lists[i].list;
		p->excludes |= *list == AUDIT_FILTER_EXCLUDE;
		return true;
	}
	return false;
}

enum found { FOUND, FOUND_POSSIBLE, NOT_FOUND };

static enum found find_action(const char *text, size_t len, int *action)
{
	if (is(text, len, "possible"))
		return FOUND_POSSIBLE;
	if (is(text, len, "always"))
		*action = AUDIT_ALWAYS;
	else if (is(text, len, "never"))
		*action = AUDIT_NEVER;
	else
		return NOT_FOUND;
	return FOUND;
}

/* "list,action" or "action,list". "possible" is swallowed behind a list only, and the second half is taken
 * for an action wherever the list is known already, be it from -w. */
static enum found find_list_action(struct laf_parse *p, const char *text, int *list)
{
	const char *comma = strchr(text, ','), *second = comma ? comma + 1 : NULL;
	enum found found;

	if (!comma || strchr(second, ','))
		return NOT_FOUND;
	if (find_action(text, comma - text, &p->action) == NOT_FOUND &&
	    !find_list(p, text, comma - text, list))
		return NOT_FOUND;
	if (*list == LAF_LIST_UNSET) {
		find_list(p, second, strlen(second), list);
	} else {
		found = find_action(second, strlen(second), &p->action);
		if (found != FOUND)
			return found;
	}
	return *list == LAF_LIST_UNSET || p->action == -1 ? NOT_FOUND : FOUND;
}

/* Propose a keyword for the half of "list,action" that is none. */
static void hint_keyword(struct laf_parse *p, const char *text)
{
	char half[32];
	int ignored;

	for (; text; text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL) {
		size_t len = strcspn(text, ",");

		if (len >= sizeof(half) || find_action(text, len, &ignored) == FOUND)
			continue;
		snprintf(half, sizeof(half), "%.*s", (int)len, text);
		if (!strcmp(half, "entry"))
			laf_parse_hint(p, "the entry list is gone from the kernel: use exit");
		else if (laf_near_keyword(half) && strcmp(laf_near_keyword(half), half))
			laf_parse_hint(p, "did you mean %s?", laf_near_keyword(half));
	}
}

/* -a, -A and -d. */
static int take_list(struct laf_parse *p, const struct laf_option *o)
{
	const char *verb = o->name == 'd' ? "Delete" : o->name == 'A' ? "Add" : "Append";
	int *list = o->name == 'd' ? &p->del : &p->add;

	if (o->name != 'd' && strstr(o->value, "task") && p->has_call)
		return laf_parse_fail(p, o->column, "%s requested for task list", o->name == 'a' ?
				      "Syscall auditing" : "Error: syscall auditing");
	if (p->list_given) {
		laf_parse_fail(p, o->own_column, "Multiple rule insert/delete operations are not allowed");
		if (o->name == 'a')
			laf_parse_say(p, "%s", "");
		return -EINVAL;
	}
	p->list_given = true;
	switch (find_list_action(p, o->value, list)) {
	case FOUND:
		break;
	case FOUND_POSSIBLE:
		laf_parse_say(p, "%s rule - possible is deprecated", o->name == 'd' ? "Delete" : "Append");
		p->stop = p->stop_clean = p->command->swallowed = true;
		return 0;
	case NOT_FOUND:
		laf_parse_fail(p, o->column, "%s rule - bad keyword %s", verb, o->value);
		hint_keyword(p, o->value);
		return -EINVAL;
	}
	if (o->name == 'A')
		p->add |= AUDIT_FILTER_PREPEND;
	p->send = true;
	return 0;
}

/* Several keys become one, joined by a byte that is none of theirs. */
static int append_key(struct laf_parse *p, const char *key, unsigned column)
{
	size_t len = strlen(p->key);

	p->key_column = column;
	if (strlen(key) + len + !!len > AUDIT_MAX_KEY_LEN)
		return laf_parse_fail(p, column, "key option exceeds size limit");
	if (strchr(key, AUDIT_KEY_SEPARATOR))
		laf_parse_say(p, "key %s has illegal character", key);
	if (len)
		p->key[len++] = AUDIT_KEY_SEPARATOR;
	memcpy(p->key + len, key, strlen(key) + 1);
	return 0;
}

static int take_key(struct laf_parse *p, const struct laf_option *o)
{
	if (!(p->has_call || p->has_perm || p->has_exe || p->has_fstype) ||
	    laf_parse_list(p) == LAF_LIST_UNSET)
		return laf_parse_fail(p, o->own_column,
				      "key option needs a watch or syscall given prior to it");
	return append_key(p, o->value, o->column);
}

static int take_field(struct laf_parse *p, const struct laf_option *o)
{
	if (laf_parse_list(p) == LAF_LIST_UNSET)
		return laf_parse_fail(p, o->own_column, "List must be given before field");
	if (!strncmp(o->value, "key=", 4))
		return append_key(p, o->value + 4, o->column);
	return laf_field_add(p, o->value, o->column);
}

static int take_comparison(struct laf_parse *p, const struct laf_option *o)
{
	int r;

	p->direct = true;
	r = laf_parse_compare(p, o);
	p->direct = false;
	return r;
}

static int take_option(struct laf_parse *p, const struct laf_option *o)
{
	switch (o->name) {
	case 'a': case 'A': case 'd':
		return take_list(p, o);
	case 'S':
		return laf_parse_call(p, o);
	case 'F':
		return take_field(p, o);
	case 'C':
		return take_comparison(p, o);
	case 'k':
		return take_key(p, o);
	case 'w': case 'W':
		return laf_parse_watch(p, o);
	case 'p':
		return laf_parse_perm(p, o);
	default:
		return laf_parse_setting(p, o);
	}
}

static int finish_keys(struct laf_parse *p)
{
	char field[sizeof("key=") + AUDIT_MAX_KEY_LEN];

	if (!p->key[0] || p->listed)
		return 0;
	snprintf(field, sizeof(field), "key=%s", p->key);
	return laf_field_add(p, field, p->key_column);
}

/* auditctl takes the keys into a rule that has failed already, and may find one more fault in them. */
static void fail_keys(struct laf_parse *p)
{
	p->err = NULL;
	finish_keys(p);
}

/* What is left when the options are through: words without option, and the keys. */
static int finish_words(struct laf_parse *p)
{
	unsigned extra = p->options.extra;

	if (p->stop && p->options.next < p->n_words)
		extra = p->options.words->list[p->options.next].column;
	else if (p->stop)
		extra = 0;
	if (extra && !p->any_option && !p->options.ended)
		return laf_parse_fail_unsaid(p, extra, "parameter passed without an option given");
	if (extra) {
		laf_parse_fail(p, extra, "parameter passed without an option given");
		fail_keys(p);
		return -EINVAL;
	}
	return finish_keys(p);
}

static void say_all_calls(struct audit_rule_data *rule)
{
	memset(rule->mask, 0xff, sizeof(rule->mask));
}

static int finish_rule(struct laf_parse *p)
{
	struct laf_command *c = p->command;
	int list = laf_parse_list(p);

	if (!p->send)
		return p->has_call ? laf_parse_fail(p, c->column, "Error - no list specified") : 0;
	c->kind = p->add != LAF_LIST_UNSET ? LAF_COMMAND_ADD : LAF_COMMAND_DELETE;
	if (list != AUDIT_FILTER_TASK && !p->has_call)
		say_all_calls(c->rule);
	c->rule->flags = p->add != LAF_LIST_UNSET ? p->add : p->del;
	c->rule->action = p->action;
	return 0;
}

static int walk(struct laf_parse *p)
{
	struct laf_option option;
	int r;

	while (!p->stop && laf_options_next(&p->options, &option)) {
		p->any_option = true;
		r = take_option(p, &option);
		if (r == -EINVAL)
			fail_keys(p);
		if (r)
			return r;
	}
	/* the rest of a first word is not looked at, and not forgiven: "-D" in front of a carriage return */
	if (p->stop && p->options.cluster && !p->options.next && p->command->act && strchr("Dlsicv", p->command->act))
		return laf_parse_fail_unsaid(p, 1, "the first word goes on behind -%c", p->command->act);
	if (p->stop_clean)
		return 0;
	r = finish_words(p);
	if (r || p->stop)
		return r;
	return finish_rule(p);
}

int laf_command_parse(const struct laf_words *words, struct laf_command *ret, struct laf_error *err)
{
	struct laf_parse p = {
		.command = ret, .err = err, .options.words = words, .n_words = words->n,
		.add = LAF_LIST_UNSET, .del = LAF_LIST_UNSET, .action = -1,
	};
	int r;

	*ret = (struct laf_command){ .column = words->n ? words->list[0].column : 1 };
	ret->rule = calloc(1, sizeof(*ret->rule));
	if (!ret->rule)
		return -ENOMEM;
	r = walk(&p);
	if (r && laf_parse_list(&p) != LAF_LIST_UNSET)
		ret->kind = p.add != LAF_LIST_UNSET ? LAF_COMMAND_ADD : LAF_COMMAND_DELETE;
	if (r || ret->kind == LAF_COMMAND_SETTING || ret->kind == LAF_COMMAND_CLEAR) {
		free(ret->rule);
		ret->rule = NULL;
	}
	return r;
}

void laf_command_free(struct laf_command *command)
{
	for (unsigned i = 0; i < command->n_said; i++)
		free(command->said[i].text);
	free(command->said);
	free(command->rule);
	command->said = NULL;
	command->n_said = 0;
	command->rule = NULL;
}
