// SPDX-License-Identifier: GPL-2.0-or-later
/* laf rules check: says of every line of rule files whether it is good, and if not, what is wrong and where.
 * laf rules list: shows the rules of files as auditctl -l would. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <laf/rules.h>

#include "cli.h"

static const char help[] =
	"usage: laf rules check [-v] FILE...\n"
	"       laf rules list FILE...\n"
	"\n"
	"check: say of each line what auditctl and the kernel would say, and load nothing. A bad\n"
	"line is shown with what is wrong and where.\n"
	"list:  read the files one after the other and print the rules as auditctl -l would.\n"
	"Exit status: 0 if all is good, else 1.\n"
	"\n"
	"  -v, --verbose  name good lines too\n"
	"  -h, --help     show this text\n"
	"\n"
	"The language is that of audit.rules(7); see also laf-rules(8).\n";

struct check {
	bool verbose;
	unsigned rules, settings, bad;
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

static void check_file(struct check *check, const char *path)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };
	unsigned bad = check->bad;
	int r = laf_rules_read_file(&rules, path, take_line, check, &err);

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
	printf("%d file%s: %u rule%s, %u setting%s, %u fault%s\n", n, plural(n),
	       check->rules, plural(check->rules), check->settings, plural(check->settings),
	       check->bad, plural(check->bad));
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

int laf_cmd_rules(int argc, char **argv)
{
	static const struct option options[] = {
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct check check = { 0 };
	int c;

	optind = opterr = 0;
	while ((c = getopt_long(argc, argv, "vh", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return 0;
		}
		if (c != 'v')
			return option_error(optopt, argv[optind - 1]);
		check.verbose = true;
	}
	argc -= optind;
	argv += optind;
	if (!argc || (strcmp(argv[0], "check") && strcmp(argv[0], "list")))
		return usage_error("say what to do: check or list");
	if (argc == 1)
		return usage_error("name a file");
	if (!strcmp(argv[0], "list"))
		return list_files(argc - 1, argv + 1);
	return check_files(argc - 1, argv + 1, &check);
}
