// SPDX-License-Identifier: GPL-2.0-or-later
/* laf daemon: audit the whole machine. */
#include <stdio.h>
#include <string.h>

#include "../daemon/service.h"
#include "cli.h"

static const char help[] =
"usage: laf daemon [-c FILE]\n"
"\n"
"Audits the whole machine by the rules that the configuration names, into a log file in the standard format,\n"
"in the foreground, until SIGTERM or SIGINT.\n"
"\n"
"  -c FILE   the configuration (" LAF_CONFIG_FILE "); laf.conf(5) lists its settings\n";

int laf_cmd_daemon(int argc, char **argv)
{
	struct laf_config config;
	struct laf_error err = { 0 };
	const char *file = NULL;
	int r;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "-c")) {
		file = argv[2];
	} else if (argc != 1) {
		fprintf(stderr, "laf: daemon: %s; 'laf daemon --help' shows what it takes\n",
			strcmp(argv[1], "-c") ? "there is no such option" :
			argc == 2 ? "-c wants a value" : "there is one option, -c FILE");
		return 1;
	}
	r = laf_config_read(&config, file, &err);
	if (r)
		return laf_cli_fail(r, &err);
	r = laf_service_run(&config, &err);
	laf_config_clear(&config);
	return r ? laf_cli_fail(r, &err) : 0;
}
