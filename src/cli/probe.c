// SPDX-License-Identifier: GPL-2.0-or-later
/* laf probe: what this machine allows. */
#include <stdio.h>
#include <string.h>

#include <laf/engine.h>

#include "cli.h"

static const char help[] =
"usage: laf probe\n"
"\n"
"Tries what laf needs of this machine and prints a line for each capability: its name, yes or no,\n"
"and what it is good for or the kernel's own answer. Exit status 0 where an engine can run, else 1.\n";

int laf_cmd_probe(int argc, char **argv)
{
	struct laf_probe_line lines[LAF_PROBE_LINES];
	const char *engine;
	char why[400] = "";
	unsigned i, n;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr, "laf: probe: it takes no '%s'; see 'laf probe --help'\n", argv[1]);
		return 1;
	}
	n = laf_probe(lines);
	for (i = 0; i < n; i++)
		printf("%-14s %-4s %s\n", lines[i].name, lines[i].ok ? "yes" : "no", lines[i].text);
	engine = laf_engine_best(why, sizeof(why));
	if (engine)
		printf("%-14s %-4s %s: %s\n", "engine", "yes", engine, why);
	else
		printf("%-14s %-4s %s\n", "engine", "no", why);
	return !engine;
}
