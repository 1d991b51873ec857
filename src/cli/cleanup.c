// SPDX-License-Identifier: GPL-2.0-or-later
/* laf cleanup: take away what a daemon left in the kernel. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../control/control.h"
#include "../daemon/keep.h"
#include "../daemon/owner.h"
#include "../netlink/found.h"
#include "cli.h"

static const char help[] =
"usage: laf cleanup\n"
"\n"
"Ends the recording that a daemon which crashed, or was stopped with --keep, left behind, and puts the kernel's audit back to how\n"
"the daemon found it. What was recorded and not yet written is lost with it. While a daemon is running nothing is done.\n";

/* What the daemon changed of the kernel's audit. */
static bool give_back(const char *folder)
{
	int fd = laf_kaudit_open();
	bool changed = fd >= 0 && laf_found_restore_left(fd, folder);

	if (fd >= 0)
		close(fd);
	return changed;
}

int laf_cmd_cleanup(int argc, char **argv)
{
	const char *folder = laf_run_folder();
	struct laf_error err = { 0 };
	bool given_back;
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
	given_back = give_back(folder);
	close(lock);
	if (r < 0)
		return laf_cli_fail(r, &err);
	if (r)
		printf("taken away: %d maps and programs\n", r);
	if (given_back)
		puts("the kernel's audit is as it was found");
	if (!r && !given_back)
		puts("there was nothing to take away");
	return 0;
}
