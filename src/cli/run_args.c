// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the words of `laf run`: options, rules in auditctl's own words, the command. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../daemon/readrules.h"
#include "run_args.h"

/* What is audited where no rule is given: programs started, files opened for writing or changed, connections made. */
static const char *const default_rules[] = {
	"-a always,exit -F arch=b64 -S execve -S execveat -k exec",
	"-a always,exit -F arch=b32 -S execve -S execveat -k exec",
	"-a always,exit -F arch=b64 -S connect -k connect",
	"-a always,exit -F arch=b32 -S connect -k connect",
	"-a always,exit -F arch=b64 -S all -F perm=wa -k change",
	"-a always,exit -F arch=b32 -S all -F perm=wa -k change",
};

/* auditctl's options that a rule is made of; each takes one value. */
static bool is_rule_word(const char *word)
{
	return word[0] == '-' && word[1] && !word[2] && strchr("aAwSFCkp", word[1]);
}

static bool begins_rule(const char *word)
{
	return !strcmp(word, "-a") || !strcmp(word, "-A") || !strcmp(word, "-w");
}

static int add_default_rules(struct laf_rules *rules, struct laf_error *err)
{
	char text[256], *words[32], *save, *word;
	unsigned i;
	int n, r;

	for (i = 0; i < sizeof(default_rules) / sizeof(default_rules[0]); i++) {
		strcpy(text, default_rules[i]);
		for (n = 0, word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
			words[n++] = word;
		r = laf_rules_add_words(rules, n, words, err);
		if (r)
			return r;
	}
	return 0;
}

/* Put the rule before what is wrong with it. */
static int blame_rule(int argc, char **argv, int r, struct laf_error *err)
{
	char rule[256] = "", text[200];
	size_t n = 0;
	int i;

	for (i = 0; i < argc && n < sizeof(rule); i++)
		n += snprintf(rule + n, sizeof(rule) - n, "%s%s", i ? " " : "", argv[i]);
	snprintf(text, sizeof(text), "%.199s", err->text);
	return laf_error_at(err, r, 0, 0, "run: rule '%s', column %u: %s", rule, err->column, text);
}

/* Take the rule that begins at argv[at]. Returns the index after it, or a negative errno. */
static int take_rule(struct laf_rules *rules, int argc, char **argv, int at, struct laf_error *err)
{
	int end = at + 2, r;

	while (end + 1 < argc && is_rule_word(argv[end]) && !begins_rule(argv[end]))
		end += 2;
	if (end > argc || (end == argc - 1 && is_rule_word(argv[end])))
		return laf_error_set(err, -EINVAL, "run: %s wants a value", argv[end > argc ? at : end]);
	r = laf_rules_add_words(rules, end - at, argv + at, err);
	return r ? blame_rule(end - at, argv + at, r, err) : end;
}

static int parse_format(const char *word, enum laf_format *ret, struct laf_error *err)
{
	if (!strcmp(word, "short"))
		*ret = LAF_FORMAT_SHORT;
	else if (!strcmp(word, "raw"))
		*ret = LAF_FORMAT_RAW;
	else if (!strcmp(word, "enriched"))
		*ret = LAF_FORMAT_ENRICHED;
	else
		return laf_error_set(err, -EINVAL, "run: --format is short, raw or enriched, not '%s'", word);
	return 0;
}

static int parse_ring(const char *word, unsigned *ret, struct laf_error *err)
{
	char *end;
	unsigned long kib = strtoul(word, &end, 10);

	if (!isdigit((unsigned char)*word) || *end || kib < 16 || kib > 1 << 20 || (kib & (kib - 1)))
		return laf_error_set(err, -EINVAL, "run: --ring-kib is a power of two from 16 to 1048576, not '%s'",
				     word);
	*ret = kib << 10;
	return 0;
}

/* Take the option at argv[at]. Returns the index after it, or a negative errno. */
static int take_option(struct run_args *args, int argc, char **argv, int at, bool *format_given,
		       struct laf_error *err)
{
	const char *word = argv[at], *value = at + 1 < argc ? argv[at + 1] : NULL;
	int r = 0;

	if (!strcmp(word, "-q") || !strcmp(word, "--quiet")) {
		args->quiet = true;
		return at + 1;
	}
	if (is_rule_word(word))
		return laf_error_set(err, -EINVAL, "run: %s belongs to a rule, and a rule begins with -a, -A or -w",
				     word);
	if (strcmp(word, "-R") && strcmp(word, "-o") && strcmp(word, "--format") && strcmp(word, "--engine") &&
	    strcmp(word, "--ring-kib"))
		return laf_error_set(err, -EINVAL, "run: there is no option '%s'; 'laf run --help' lists them", word);
	if (!value)
		return laf_error_set(err, -EINVAL, "run: %s wants a value", word);
	if (!strcmp(word, "-R"))
		r = laf_read_rules(&args->rules, value, err);
	else if (!strcmp(word, "-o"))
		args->output = value;
	else if (!strcmp(word, "--engine"))
		args->engine = value;
	else if (!strcmp(word, "--ring-kib"))
		r = parse_ring(value, &args->ring_bytes, err);
	else
		r = parse_format(value, &args->format, err), *format_given = true;
	return r ? r : at + 2;
}

int run_args_parse(int argc, char **argv, struct run_args *ret, struct laf_error *err)
{
	bool format_given = false;
	int at = 1;

	memset(ret, 0, sizeof(*ret));
	while (at < argc && argv[at][0] == '-' && strcmp(argv[at], "--")) {
		if (!strcmp(argv[at], "-h") || !strcmp(argv[at], "--help"))
			return 1;
		at = begins_rule(argv[at]) ? take_rule(&ret->rules, argc, argv, at, err)
					   : take_option(ret, argc, argv, at, &format_given, err);
		if (at < 0)
			return at;
	}
	if (at < argc && !strcmp(argv[at], "--"))
		at++;
	if (at >= argc)
		return laf_error_set(err, -EINVAL, "run: which command? 'laf run --help' shows how");
	ret->command = argv + at;
	if (!format_given)
		ret->format = !ret->output && isatty(STDERR_FILENO) ? LAF_FORMAT_SHORT : LAF_FORMAT_RAW;
	return ret->rules.n ? 0 : add_default_rules(&ret->rules, err);
}

void run_args_clear(struct run_args *args)
{
	laf_rules_clear(&args->rules);
}
