// SPDX-License-Identifier: GPL-2.0-or-later
/* The lock is a file that is never removed: two daemons that start at once open the same one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "owner.h"

static int open_folder(const char *folder, int *ret_fd, struct laf_error *err)
{
	struct stat st;
	int fd;

	if (mkdir(folder, 0700) && errno != EEXIST)
		return laf_error_set(err, -errno, "daemon: making %s: %s", folder, strerror(errno));
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return laf_error_set(err, -errno, "daemon: opening %s: %s", folder, strerror(errno));
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH))) {
		*ret_fd = fd;
		return 0;
	}
	close(fd);
	return laf_error_set(err, -EPERM, "daemon: %s is to be ours, and for nobody else to write", folder);
}

static int busy(int fd, const char *folder, struct laf_error *err)
{
	char pid[16] = "";
	ssize_t n = pread(fd, pid, sizeof(pid) - 1, 0);

	pid[n > 0 ? strcspn(pid, "\n") : 0] = 0;
	return laf_error_set(err, -EBUSY, "daemon: another one is running%s%s (%s/lock)", pid[0] ? ", process " : "", pid,
			     folder);
}

static int take(int fd, const char *folder, struct laf_error *err)
{
	char pid[16];
	int n = snprintf(pid, sizeof(pid), "%d\n", getpid());

	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? busy(fd, folder, err) :
		       laf_error_set(err, -errno, "daemon: locking %s/lock: %s", folder, strerror(errno));
	if (ftruncate(fd, 0) || pwrite(fd, pid, n, 0) != n) /* it is only told to people */
		return 0;
	return 0;
}

int laf_owner_take(const char *folder, int *ret_fd, struct laf_error *err)
{
	int folder_fd = -1, fd, r = open_folder(folder, &folder_fd, err);

	if (r)
		return r;
	fd = openat(folder_fd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	r = fd < 0 ? laf_error_set(err, -errno, "daemon: opening %s/lock: %s", folder, strerror(errno)) :
	    take(fd, folder, err);
	close(folder_fd);
	if (!r)
		*ret_fd = fd;
	else if (fd >= 0)
		close(fd);
	return r;
}
