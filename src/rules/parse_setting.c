// SPDX-License-Identifier: GPL-2.0-or-later
/* Options that are no part of a rule: checked as auditctl and the kernel would, and noted. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "parse.h"

/* The kernel refuses more than ten times its default of 60 s, in ticks; Debian's kernels have HZ = 250. */
#define BACKLOG_WAIT_TIME_MAX (10 * 60 * 250)

/* Options that auditctl obeys at once, and then looks at nothing more. */
static int obey(struct laf_parse *p, const struct laf_option *o)
{
	p->stop = true;
	p->command->act = o->name;
	p->command->text = o->value;
	return 0;
}

/* The same, but it doesn't mind further words either. */
static int obey_clean(struct laf_parse *p, const struct laf_option *o)
{
	p->stop_clean = true;
	return obey(p, o);
}

static int note(struct laf_parse *p, const struct laf_option *o, uint32_t value)
{
	struct laf_command *c = p->command;

	if (c->n_settings == LAF_COMMAND_SETTINGS_MAX)
		return laf_parse_fail(p, o->own_column, "more than %d settings in one command", LAF_COMMAND_SETTINGS_MAX);
	c->settings[c->n_settings++] = (struct laf_command_setting){ .name = o->name, .value = value };
	c->sets_first |= laf_parse_list(p) == LAF_LIST_UNSET;
	return 0;
}

/* One of -e, -f: 0, 1 or 2. */
static int take_mode(struct laf_parse *p, const struct laf_option *o)
{
	const char *s = o->value;

	if (strlen(s) != 1 || *s < '0' || *s > '2')
		return laf_parse_fail(p, o->column, "%s must be 0, 1, or 2 was %s",
				      o->name == 'e' ? "Enable" : "Failure", s);
	return note(p, o, *s - '0');
}

/* -r, -b and --backlog_wait_time. */
static int take_number(struct laf_parse *p, const struct laf_option *o)
{
	const char *upper = o->name == 'r' ? "Rate" : o->name == 'b' ? "Backlog" : "Backlog_wait_time";
	const char *lower = o->name == 'r' ? "rate" : o->name == 'b' ? "backlog" : "backlog_wait_time";
	unsigned long value;

	if (!isdigit((unsigned char)o->value[0]))
		return laf_parse_fail(p, o->column, "%s must be a numeric value was %s", upper, o->value);
	errno = 0;
	value = strtoul(o->value, NULL, 0);
	if (errno)
		return laf_parse_fail(p, o->column, "Error converting %s", lower);
	if (o->name == LAF_OPTION_BACKLOG_WAIT_TIME && (uint32_t)value > BACKLOG_WAIT_TIME_MAX) {
		laf_parse_fail(p, o->column, "Error sending backlog limit request (Invalid argument)");
		laf_parse_hint(p, "the kernel takes at most %d", BACKLOG_WAIT_TIME_MAX);
		return -EINVAL;
	}
	return note(p, o, value);
}

/* -s, -l and -D must stand alone, but for one further word or two. */
static int take_lone(struct laf_parse *p, const struct laf_option *o, const char *short_form,
		     const char *long_form, const char *too_many, const char *unknown)
{
	const struct laf_word *words = p->options.words->list;
	unsigned next = p->options.next;
	const char *want = p->n_words == 2 ? short_form : p->n_words == 3 ? long_form : NULL;

	p->command->interpret = p->n_words == 2 && next == 1;
	if (p->n_words == 3)
		strncpy(p->command->key, words[2].text, AUDIT_MAX_KEY_LEN);
	if (p->n_words == 1)
		return obey_clean(p, o);
	if (!want)
		return laf_parse_fail(p, o->own_column, "%s", too_many);
	if (o->name == 's' && next >= p->n_words) /* behind a word that is no option */
		return obey_clean(p, o);
	if (next >= p->n_words || strcmp(words[next].text, want))
		return laf_parse_fail(p, next < p->n_words ? words[next].column : o->own_column, "%s",
				      unknown);
	return obey_clean(p, o);
}

static int take_list_rules(struct laf_parse *p, const struct laf_option *o)
{
	p->listed = true;
	return take_lone(p, o, "-i", "-k", "Wrong number of options for list request",
			 "Only -k or -i options are allowed");
}

static int take_clear(struct laf_parse *p, const struct laf_option *o)
{
	int r = take_lone(p, o, NULL, "-k", "Wrong number of options for Delete all request",
			  "Only the -k option is allowed");

	if (!r)
		p->command->kind = LAF_COMMAND_CLEAR;
	return r;
}

static int take_message(struct laf_parse *p, const struct laf_option *o)
{
	if (p->n_words > 2)
		return laf_parse_fail(p, o->own_column,
				      "The -m option must be only the only option and takes 1 parameter");
	for (const char *s = o->value; *s; s++)
		if ((signed char)*s < ' ')
			return laf_parse_fail(p, o->column, "Illegal character in audit event");
	return obey_clean(p, o);
}

static int check_exists(struct laf_parse *p, const struct laf_option *o, const char *path)
{
	struct stat st;
	int r;

	if (!lstat(path, &st))
		return 0;
	r = -errno;
	laf_parse_fail(p, o->column, "Error sending make_equivalent command (%s)", strerror(-r));
	return r;
}

/* -q mount,subtree */
static int take_equivalent(struct laf_parse *p, const struct laf_option *o)
{
	char *mount, *subtree;
	int r;

	if (p->has_call)
		return laf_parse_fail(p, o->own_column, "Syscall auditing requested for make equivalent");
	subtree = strchr(o->value, ',');
	if (!subtree || !subtree[1] || strchr(subtree + 1, ','))
		return laf_parse_fail(p, o->column, "Error parsing equivalent parts");
	mount = strndup(o->value, subtree - o->value);
	if (!mount)
		return -ENOMEM;
	r = check_exists(p, o, subtree + 1);
	if (!r)
		r = check_exists(p, o, mount);
	free(mount);
	return r ? r : obey_clean(p, o);
}

static int take_signal(struct laf_parse *p, const struct laf_option *o)
{
	static const char *const names[] = {
		"TERM", "HUP", "USR1", "USR2", "CONT", "stop", "reload", "rotate", "resume", "state",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcasecmp(names[i], o->value))
			return obey(p, o);
	return laf_parse_fail(p, o->column, "%s is an unsupported signal", o->value);
}

/* auditctl names the word that getopt is behind: not the one at fault where letters are left in that. */
static int fail_option(struct laf_parse *p, const struct laf_option *o)
{
	unsigned next = p->options.next, line = p->err ? p->err->line : 0;
	const char *word = next ? p->options.words->list[next - 1].text : " ";

	if (line)
		laf_parse_say(p, "Option %s on line %u is invalid", word, line);
	else
		laf_parse_say(p, "Option %s is invalid", word);
	return laf_parse_fail_unsaid(p, o->own_column, "Option %s is invalid", o->word);
}

int laf_parse_setting(struct laf_parse *p, const struct laf_option *o)
{
	switch (o->name) {
	case 'e': case 'f':
		return take_mode(p, o);
	case 'r': case 'b': case LAF_OPTION_BACKLOG_WAIT_TIME:
		return take_number(p, o);
	case 'i': case 'c':
		p->command->ignores_errors = true;
		p->command->reports_errors |= o->name == 'c';
		return obey(p, o);
	case 'l':
		return take_list_rules(p, o);
	case 's':
		return take_lone(p, o, "-i", NULL, "Too many options for status command",
				 "Only -i option is allowed");
	case 'D':
		return take_clear(p, o);
	case 'm':
		return take_message(p, o);
	case 'q':
		return take_equivalent(p, o);
	case LAF_OPTION_SIGNAL:
		return take_signal(p, o);
	case 'v':
		return obey(p, o);
	case 't': case LAF_OPTION_LOGINUID_IMMUTABLE: case LAF_OPTION_RESET_LOST:
	case LAF_OPTION_RESET_WAIT_ACTUAL:
		return obey_clean(p, o);
	case 'R':
		return laf_parse_fail(p, o->own_column, "Error - nested rule files not supported");
	case 'h':
		p->command->act = 'h';
		return laf_parse_fail_unsaid(p, o->own_column, "-h prints a help text, which is no use in a rule");
	default:
		return fail_option(p, o);
	}
}
