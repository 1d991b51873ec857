// SPDX-License-Identifier: GPL-2.0-or-later
/* The file of a lock: the settings, then the rules. It appears under its name when it is complete. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../rules/store.h"
#include "locked.h"

static void file_name(char *path, const char *folder, const char *name)
{
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

static int write_file(const char *path, const struct laf_rules *rules, const struct laf_settings *settings)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600), r;
	FILE *f;

	if (fd < 0)
		return -errno;
	f = fdopen(fd, "w");
	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	r = fwrite(settings, sizeof(*settings), 1, f) == 1 ? laf_rules_store(rules, f) : -EIO;
	if (fclose(f) && !r)
		r = -errno;
	return r;
}

int laf_locked_write(const char *folder, const struct laf_rules *rules, const struct laf_settings *settings,
		     struct laf_error *err)
{
	char path[PATH_MAX], unfinished[PATH_MAX];
	int r;

	file_name(path, folder, "locked");
	file_name(unfinished, folder, "locked.new");
	r = write_file(unfinished, rules, settings);
	if (!r && rename(unfinished, path))
		r = -errno;
	return r ? laf_error_set(err, r, "rules: locking them in %s: %s", path, strerror(-r)) : 0;
}

void laf_locked_remove(const char *folder)
{
	char path[PATH_MAX];

	file_name(path, folder, "locked");
	unlink(path);
}

static int read_file(int fd, struct laf_rules *rules, struct laf_settings *settings)
{
	struct stat st;
	FILE *f;
	int r;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 0077)) {
		close(fd);
		return -EPERM;
	}
	f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	r = fread(settings, sizeof(*settings), 1, f) == 1 ? laf_rules_restore(rules, f) : -EBADMSG;
	fclose(f);
	return r;
}

int laf_locked_read(const char *folder, struct laf_rules *rules, struct laf_settings *settings, struct laf_error *err)
{
	char path[PATH_MAX];
	int fd, r;

	file_name(path, folder, "locked");
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	r = fd < 0 ? -errno : read_file(fd, rules, settings);
	if (r)
		return laf_error_set(err, r, "rules: they are locked, and %s can't be read: %s", path, strerror(-r));
	return 1;
}
