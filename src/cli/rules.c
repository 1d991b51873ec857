// SPDX-License-Identifier: GPL-2.0-or-later
/* laf rules check: says of every line of rule files whether it is good, and if not, what is wrong and where.
 * laf rules list FILE: shows the rules of files as auditctl -l would. What is about the daemon's rules is beside, in rules_daemon.c. */
#include <getopt.h>
#include <libaudit.h>
#include <stdio.h>
#include <string.h>

#include <laf/rules.h>

#include "../rules/shadow.h"
#include "cli.h"

static const char help[] =
	"usage: laf rules list [-k KEY]         the running daemon's rules, as auditctl -l prints them\n"
	"       laf rules add RULE              one more: -a LIST,ACTION ..., -A ..., -w PATH ...\n"
	"       laf rules delete RULE|-k KEY    the rule equal to this one, or all with that key\n"
	"       laf rules clear                 all\n"
	"       laf rules load FILE...          the commands of rule files: of each file all or none\n"
	"       laf rules check [-v] FILE...    say what auditctl and the kernel would say; load nothing\n"
	"       laf rules list FILE...          print the rules that the files make; load nothing\n"
	"\n"
	"A change is in force when the command ends. Exit status: 0 if all is good, else 1.\n"
	"\n"
	"  -v, --verbose  name good lines too\n"
	"  -h, --help     show this text\n"
	"\n"
	"The language is that of audit.rules(7); see also laf-rules(8).\n";

struct check {
	bool verbose;
	unsigned rules, settings, bad, idle;
};

/* A line of a file may hold anything: nothing of it may reach the terminal as a command. */
static void print_line(const char *text)
{
	printf("    ");
	for (; *text; text++) {
		unsigned char c = *text;

		putchar((c < ' ' && c != '\t') || c == 0x7f ? '?' : c);
	}
	putchar('\n');
}

/* Under the byte at `column`: tabs stay tabs, and bytes inside a UTF-8 letter take no room. */
static void print_caret(const char *text, unsigned column)
{
	printf("    ");
	for (unsigned i = 1; i < column && *text; i++, text++) {
		if (*text == '\t')
			putchar('\t');
		else if ((*text & 0xc0) != 0x80)
			putchar(' ');
	}
	puts("^");
}

static void print_fault(const struct laf_error *err, FILE *to)
{
	char text[1024];

	laf_error_string(err, text, sizeof(text));
	for (char *s = text; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
	fprintf(to, "%s\n", text);
}

static int take_line(void *arg, const char *file, unsigned line, const char *text, bool control,
		     const struct laf_error *err)
{
	struct check *check = arg;

	if (!err) {
		*(control ? &check->settings : &check->rules) += 1;
		if (check->verbose)
			printf("%s:%u: good %s\n", file, line, control ? "setting" : "rule");
		return 0;
	}
	check->bad++;
	print_fault(err, stdout);
	print_line(text);
	if (err->column)
		print_caret(text, err->column);
	return 0;
}

/* Why a rule is no use. */
static void idle_text(const struct laf_rules *rules, const struct laf_idle *idle, char *buf, size_t size)
{
	switch (idle->cause) {
	case LAF_IDLE_FIELDS:
		snprintf(buf, size, "no event has such %s", audit_field_to_name(idle->field));
		return;
	case LAF_IDLE_ARCH:
		snprintf(buf, size, "no call of this machine has such an arch");
		return;
	case LAF_IDLE_CALLS:
		snprintf(buf, size, "it names no call");
		return;
	case LAF_IDLE_SHADOWED:
		snprintf(buf, size, "line %u comes before it, and matches all that it matches",
			 rules->list[idle->by].line);
	}
}

static void warn_of_idle(struct check *check, const struct laf_rules *rules, const char *path)
{
	struct laf_idle idle;
	char text[160];

	for (size_t i = 0; i < rules->n; i++) {
		struct laf_error err = { .line = rules->list[i].line };

		if (!laf_rule_idle(rules, i, &idle))
			continue;
		idle_text(rules, &idle, text, sizeof(text));
		snprintf(err.file, sizeof(err.file), "%s", path);
		laf_error_set(&err, 0, "warning: this rule can never decide anything: %s", text);
		print_fault(&err, stdout);
		check->idle++;
	}
}

static void check_file(struct check *check, const char *path)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };
	unsigned bad = check->bad;
	int r = laf_rules_read_file(&rules, path, take_line, check, &err);

	warn_of_idle(check, &rules, path);
	laf_rules_clear(&rules);
	if (r < 0 && check->bad == bad) { /* the file itself */
		check->bad++;
		fprintf(stderr, "laf rules: %s\n", err.text[0] ? err.text : strerror(-r));
	}
}

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

static int check_files(int n, char **paths, struct check *check)
{
	for (int i = 0; i < n; i++)
		check_file(check, paths[i]);
	printf("%d file%s: %u rule%s, %u setting%s, %u fault%s", n, plural(n),
	       check->rules, plural(check->rules), check->settings, plural(check->settings),
	       check->bad, plural(check->bad));
	if (check->idle)
		printf(", %u warning%s", check->idle, plural(check->idle));
	putchar('\n');
	return check->bad ? 1 : 0;
}

static int list_files(int n, char **paths)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };
	int r = 0;

	for (int i = 0; i < n && r >= 0; i++)
		r = laf_rules_read_file(&rules, paths[i], NULL, NULL, &err);
	if (r < 0)
		print_fault(&err, stderr);
	else
		laf_rules_write(&rules, "", stdout);
	laf_rules_clear(&rules);
	return r ? 1 : 0;
}

static int usage_error(const char *what)
{
	fprintf(stderr, "laf: rules: %s; 'laf rules --help' shows how\n", what);
	return 1;
}

/* What getopt_long() leaves: the letter of a short option, or 0 and the word. */
static int option_error(int letter, const char *word)
{
	char option[3] = { '-', letter };

	fprintf(stderr, "laf: rules: there is no option '%s'; 'laf rules --help' lists them\n", letter ? option : word);
	return 1;
}

static int files_of(int argc, char **argv)
{
	static const struct option options[] = {
		{ "verbose", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	bool lists = !strcmp(argv[0], "list");
	struct check check = { 0 };
	int c;

	optind = opterr = 0;
	while ((c = getopt_long(argc, argv, lists ? "" : "v", lists ? options + 1 : options, NULL)) != -1) {
		if (c != 'v')
			return option_error(optopt, argv[optind - 1]);
		check.verbose = true;
	}
	if (optind == argc)
		return usage_error("name a file");
	return lists ? list_files(argc - optind, argv + optind) : check_files(argc - optind, argv + optind, &check);
}

static bool asks_for_help(int argc, char **argv)
{
	return argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
}

int laf_cmd_rules(int argc, char **argv)
{
	static const char *const of_daemon[] = { "list", "add", "delete", "clear", "load" };

	if (asks_for_help(argc, argv) || asks_for_help(argc - 1, argv + 1)) {
		fputs(help, stdout);
		return 0;
	}
	argc--;
	argv++;
	if (!argc)
		return usage_error("say what to do");
	if (!strcmp(argv[0], "check") || (!strcmp(argv[0], "list") && argc > 1 && strcmp(argv[1], "-k")))
		return files_of(argc, argv);
	for (size_t i = 0; i < sizeof(of_daemon) / sizeof(of_daemon[0]); i++)
		if (!strcmp(argv[0], of_daemon[i]))
			return laf_rules_of_daemon(argc, argv);
	return usage_error("it lists, adds, deletes, clears, loads and checks");
}
