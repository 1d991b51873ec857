// SPDX-License-Identifier: GPL-2.0-or-later
/* laf status: how the running daemon is, for people or as JSON. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../control/control.h"
#include "cli.h"

static const char help[] =
"usage: laf status [--json]\n"
"\n"
"Prints how the running daemon is: engine and why, settings, rules, what was written and what was lost, and why.\n"
"\n"
"  --json   as one JSON object\n"
"\n"
"Exit status: 0, or 1 where no daemon answers.\n";

/* Everything else is a number. */
static bool is_text(const char *name)
{
	static const char *const texts[] = {
		"engine", "engine_reason", "kernel_records", "log_file", "log_state", "last_error",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!strcmp(name, texts[i]))
			return true;
	return false;
}

static void print_json_text(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c == 0x7f)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void print_json(const char *name, const char *value, bool first)
{
	printf("%s\n  \"%s\": ", first ? "" : ",", name);
	if (is_text(name))
		print_json_text(value);
	else
		fputs(value, stdout);
}

/* "log_file" is "log file" to people. */
static void print_line(char *name, const char *value)
{
	for (char *s = name; *s; s++)
		if (*s == '_')
			*s = ' ';
	printf("%-24s %s\n", name, *value ? value : "-");
}

static void print_status(char *lines, bool json)
{
	bool first = true;
	char *line, *value;

	if (json)
		putchar('{');
	while ((line = strsep(&lines, "\n"))) {
		value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = 0;
		if (json)
			print_json(line, value, first);
		else
			print_line(line, value);
		first = false;
	}
	if (json)
		puts("\n}");
}

int laf_cmd_status(int argc, char **argv)
{
	bool json = argc == 2 && !strcmp(argv[1], "--json");
	struct laf_control_reply reply;
	struct laf_error err = { 0 };
	int r;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1 && !json) {
		fprintf(stderr, "laf: status: it takes --json and nothing else; see 'laf status --help'\n");
		return 1;
	}
	r = laf_control_status(NULL, &reply, &err);
	if (r)
		return laf_cli_fail(r, &err);
	print_status(reply.out, json);
	laf_control_reply_clear(&reply);
	return 0;
}
