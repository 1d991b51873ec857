// SPDX-License-Identifier: GPL-2.0-or-later
/* laf daemon: audit the whole machine. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../control/control.h"
#include "../daemon/owner.h"
#include "../daemon/service.h"
#include "cli.h"

static const char help[] =
"usage: laf daemon [--check] [-c FILE]\n"
"       laf daemon stop [--keep]\n"
"\n"
"Audits the whole machine by the rules that the configuration names, into a log file in the standard format,\n"
"in the foreground, until SIGTERM or SIGINT.\n"
"\n"
"  -c FILE   the configuration (" LAF_CONFIG_FILE "); laf.conf(5) lists its settings\n"
"  --check   only read the configuration, and say what is wrong with it\n"
"\n"
"stop ends the running daemon, and with it the recording. With --keep the calls go on being recorded into the rings, as after\n"
"a crash, and the next daemon writes them to the log.\n";

#define STOP_MS 60000 /* to write what is in full rings */
#define LACKS_ITS_END 2 /* exit status: it ended as it was told to, but the log is not complete */

static int stop(int argc, char **argv)
{
	bool keep = argc == 2 && !strcmp(argv[1], "--keep");
	struct laf_error err = { 0 };
	int r;

	if (argc > 2 || (argc == 2 && !keep)) {
		fprintf(stderr, "laf: daemon: stop takes nothing but --keep\n");
		return 1;
	}
	r = laf_owner_end(laf_run_folder(), keep ? SIGQUIT : SIGTERM, STOP_MS, &err);
	return r ? laf_cli_fail(r, &err) : 0;
}

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
	if (argc > 1 && !strcmp(argv[1], "stop"))
		return stop(argc - 1, argv + 1);
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
	if (r)
		laf_cli_fail(r, &err);
	return r > 0 ? LACKS_ITS_END : r != 0;
}
