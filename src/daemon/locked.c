// SPDX-License-Identifier: GPL-2.0-or-later
/* The file of a lock: which boot it is of, the settings, the rules. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../rules/store.h"
#include "locked.h"

static void file_name(char *path, const char *folder)
{
	snprintf(path, PATH_MAX, "%s/locked", folder);
}

struct head {
	char boot[40]; /* that of another boot locks nothing, should the folder outlive it */
	struct laf_settings settings;
};

static int read_boot(char boot[40])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	size_t n;

	memset(boot, 0, 40);
	if (!f)
		return -errno;
	n = fread(boot, 1, 39, f);
	fclose(f);
	return n ? 0 : -EIO;
}

int laf_locked_write(const char *folder, const struct laf_rules *rules, const struct laf_settings *settings,
		     struct laf_error *err)
{
	struct head head = { .settings = *settings };
	char path[PATH_MAX];
	int r = read_boot(head.boot);

	file_name(path, folder);
	if (!r)
		r = laf_rules_save(path, &head, sizeof(head), rules);
	return r ? laf_error_set(err, r, "rules: locking them in %s: %s", path, strerror(-r)) : 0;
}

void laf_locked_remove(const char *folder)
{
	char path[PATH_MAX];

	file_name(path, folder);
	unlink(path);
}

/* Returns 1, 0 for a lock of an earlier boot, or a negative errno. */
static int read_lock(FILE *f, const struct head *head, struct laf_rules *rules, struct laf_settings *settings)
{
	char boot[40];
	int r = read_boot(boot);

	if (r || memcmp(head->boot, boot, sizeof(boot)))
		return r;
	r = laf_rules_restore(rules, f);
	if (r)
		return r;
	*settings = head->settings;
	return 1;
}

int laf_locked_read(const char *folder, struct laf_rules *rules, struct laf_settings *settings, struct laf_error *err)
{
	char path[PATH_MAX];
	struct head head;
	FILE *f;
	int r;

	file_name(path, folder);
	r = laf_rules_open_saved(path, &head, sizeof(head), &f);
	if (r == -ENOENT)
		return 0;
	if (!r) {
		r = read_lock(f, &head, rules, settings);
		fclose(f);
	}
	if (r < 0)
		return laf_error_set(err, r, "rules: they are locked, and %s can't be read: %s", path, strerror(-r));
	return r;
}
