// SPDX-License-Identifier: GPL-2.0-or-later
/* laf rules list, add, delete, clear, load: the running daemon's rules, by auditctl's commands. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../control/control.h"
#include "cli.h"

static int fault(const char *what)
{
	fprintf(stderr, "laf: rules: %s; 'laf rules --help' shows how\n", what);
	return 1;
}

/* Print what the daemon says; `quiet`: only what is wrong. Returns the exit status. */
static int print_reply(int r, struct laf_control_reply *reply, const struct laf_error *err, bool quiet)
{
	int status;

	if (r)
		return laf_cli_fail(r, err);
	if (!quiet)
		fwrite(reply->out, 1, reply->out_bytes, stdout);
	for (char *line = reply->err, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		fprintf(stderr, "laf: %.*s\n", (int)(end - line), line);
	}
	status = reply->status ? 1 : 0;
	laf_control_reply_clear(reply);
	return status;
}

static int command(int argc, char **argv, bool quiet)
{
	struct laf_control_reply reply = { 0 };
	struct laf_error err = { 0 };
	int r = laf_control_command(NULL, LAF_CONTROL_PLACES, argc, argv, &reply, &err);

	return print_reply(r, &reply, &err, quiet);
}

/* A command of auditctl's and perhaps a key. */
static int with_key(char *what, int argc, char **argv, bool quiet)
{
	char *words[] = { what, "-k", NULL };

	if (argc == 1)
		return command(1, words, quiet);
	if (argc != 3 || strcmp(argv[1], "-k"))
		return fault("it takes -k KEY and nothing else");
	words[2] = argv[2];
	return command(3, words, quiet);
}

static int list(int argc, char **argv)
{
	return with_key("-l", argc, argv, false);
}

static int clear(int argc, char **argv)
{
	return argc > 1 ? fault("clear takes no more words") : with_key("-D", argc, argv, true);
}

static bool is_rule(int argc, char **argv)
{
	return argc > 1 && (!strncmp(argv[1], "-a", 2) || !strncmp(argv[1], "-A", 2) || !strncmp(argv[1], "-w", 2));
}

static int add(int argc, char **argv)
{
	if (!is_rule(argc, argv))
		return fault("a rule begins with -a, -A or -w");
	return command(argc - 1, argv + 1, true);
}

/* The rule as it was added: -a becomes -d, -w becomes -W. */
static int delete(int argc, char **argv)
{
	char *first;
	int status;

	if (argc > 1 && !strcmp(argv[1], "-k"))
		return with_key("-D", argc, argv, true);
	if (!is_rule(argc, argv))
		return fault("name a rule as it was added, or -k KEY");
	first = strdup(argv[1]);
	if (!first)
		return fault("out of memory");
	first[1] = first[1] == 'w' ? 'W' : 'd';
	argv[1] = first;
	status = command(argc - 1, argv + 1, true);
	free(first);
	return status;
}

static int load(int argc, char **argv)
{
	struct laf_control_reply reply;
	struct laf_error err;
	int status = 0, r;

	if (argc == 1)
		return fault("name a file");
	for (int i = 1; i < argc; i++) {
		memset(&err, 0, sizeof(err));
		r = laf_control_file(NULL, LAF_CONTROL_PLACES, argv[i], &reply, &err);
		status |= print_reply(r, &reply, &err, true);
	}
	return status;
}

int laf_rules_of_daemon(int argc, char **argv)
{
	static const struct { const char *name; int (*run)(int argc, char **argv); } commands[] = {
		{ "list", list }, { "add", add }, { "delete", delete }, { "clear", clear }, { "load", load },
	};
	size_t i = 0;

	while (strcmp(commands[i].name, argv[0]))
		i++;
	return commands[i].run(argc, argv);
}
