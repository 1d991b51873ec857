// SPDX-License-Identifier: GPL-2.0-or-later
/* laf daemon: audit the whole machine. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../daemon/service.h"
#include "cli.h"

static const char help[] =
"usage: laf daemon [--check] [-c FILE]\n"
"\n"
"Audits the whole machine by the rules that the configuration names, into a log file in the standard format,\n"
"in the foreground, until SIGTERM or SIGINT.\n"
"\n"
"  -c FILE   the configuration (" LAF_CONFIG_FILE "); laf.conf(5) lists its settings\n"
"  --check   only read the configuration, and say what is wrong with it\n";

/* Options into *ret_file and *ret_check. Returns what is wrong with them, or NULL. */
static const char *take_options(int argc, char **argv, const char **ret_file, bool *ret_check)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--check"))
			*ret_check = true;
		else if (strcmp(argv[i], "-c"))
			return "there is no such option";
		else if (++i == argc)
			return "-c wants a value";
		else
			*ret_file = argv[i];
	}
	return NULL;
}

int laf_cmd_daemon(int argc, char **argv)
{
	struct laf_config config;
	struct laf_error err = { 0 };
	const char *file = NULL, *fault;
	bool check = false;
	int r;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	fault = take_options(argc, argv, &file, &check);
	if (fault) {
		fprintf(stderr, "laf: daemon: %s; 'laf daemon --help' shows what it takes\n", fault);
		return 1;
	}
	r = laf_config_read(&config, file, &err);
	if (r)
		return laf_cli_fail(r, &err);
	if (!check)
		r = laf_service_run(&config, file, &err);
	laf_config_clear(&config);
	return r ? laf_cli_fail(r, &err) : 0;
}
