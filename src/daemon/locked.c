// SPDX-License-Identifier: GPL-2.0-or-later
/* The file of a lock: which boot it is of, the settings, the rules. It appears under its name when it is complete. */
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

static int write_file(const char *path, const struct laf_rules *rules, const struct laf_settings *settings)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600), r;
	struct head head = { .settings = *settings };
	FILE *f;

	if (fd < 0)
		return -errno;
	f = fdopen(fd, "w");
	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	r = read_boot(head.boot);
	if (!r)
		r = fwrite(&head, sizeof(head), 1, f) == 1 ? laf_rules_store(rules, f) : -EIO;
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

/* Returns 1, 0 for a lock of an earlier boot, or a negative errno. */
static int read_lock(FILE *f, struct laf_rules *rules, struct laf_settings *settings)
{
	struct head head;
	char boot[40];
	int r = read_boot(boot);

	if (!r && fread(&head, sizeof(head), 1, f) != 1)
		r = -EBADMSG;
	if (r || memcmp(head.boot, boot, sizeof(boot)))
		return r;
	r = laf_rules_restore(rules, f);
	if (r)
		return r;
	*settings = head.settings;
	return 1;
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
	r = read_lock(f, rules, settings);
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
	if (r < 0)
		return laf_error_set(err, r, "rules: they are locked, and %s can't be read: %s", path, strerror(-r));
	return r;
}
