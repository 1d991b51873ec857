// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths of rules, looked up as the kernel looks them up when a rule comes. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "valid.h"

/* Without the right to look, nothing can be said against the path: the kernel will be asked by root. */
static int forgive(int error)
{
	return error == EACCES || error == EPERM ? 0 : -error;
}

static int copy_path(const char *path, size_t len, char buf[PATH_MAX])
{
	if (len >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(buf, path, len);
	buf[len] = '\0';
	return 0;
}

static void blame(struct laf_fault *fault, int code, const char *folder)
{
	if (code == -ENOENT)
		snprintf(fault->reason, sizeof(fault->reason), "there is no folder %.100s", folder);
	else if (code)
		snprintf(fault->reason, sizeof(fault->reason), "at %.100s", folder);
}

/* procfs gives the kernel no place for a name that is not there. */
static bool keeps_no_absent_names(int folder)
{
	struct statfs fs;

	return !fstatfs(folder, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

static int check_last(int folder, const char *last)
{
	struct stat st;

	if (!*last || !strcmp(last, ".") || !strcmp(last, ".."))
		return -EINVAL;
	if (strlen(last) > NAME_MAX)
		return -ENAMETOOLONG;
	if (fstatat(folder, last, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	if (errno == ENOENT)
		return keeps_no_absent_names(folder) ? -ENOENT : 0;
	return forgive(errno);
}

int laf_path_parent(const char *path, size_t len, struct laf_fault *ret)
{
	char buf[PATH_MAX], *last;
	int r = copy_path(path, len, buf), folder;

	if (r)
		return r;
	last = strrchr(buf, '/');
	if (!last)
		return -EINVAL;
	*last++ = '\0';
	folder = open(buf[0] ? buf : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		r = forgive(errno);
		blame(ret, r, buf);
		return r;
	}
	r = check_last(folder, last);
	close(folder);
	return r;
}

int laf_path_exists(const char *path, size_t len, struct laf_fault *ret)
{
	char buf[PATH_MAX];
	struct stat st;
	int r = copy_path(path, len, buf);

	if (r || lstat(buf, &st) == 0)
		return r;
	r = forgive(errno);
	blame(ret, r, buf);
	return r;
}
