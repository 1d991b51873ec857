// SPDX-License-Identifier: GPL-2.0-or-later
/* laf cleanup: take away what a daemon left in the kernel. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../control/control.h"
#include "../daemon/keep.h"
#include "../daemon/owner.h"
#include "cli.h"

static const char help[] =
"usage: laf cleanup\n"
"\n"
"Ends the recording that a daemon which crashed, or was stopped with --keep, left behind. What was recorded and not yet written\n"
"is lost with it, and said. While a daemon is running nothing is done.\n";

int laf_cmd_cleanup(int argc, char **argv)
{
	const char *folder = laf_run_folder();
	struct laf_error err = { 0 };
	int lock, r;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr, "laf: cleanup: it takes no words\n");
		return 1;
	}
	r = laf_owner_take(folder, &lock, &err);
	if (r)
		return laf_cli_fail(r, &err);
	r = laf_keep_clean(folder, &err);
	close(lock);
	if (r < 0)
		return laf_cli_fail(r, &err);
	printf(r ? "taken away: %d maps and programs\n" : "there was nothing to take away\n", r);
	return 0;
}
