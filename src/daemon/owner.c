// SPDX-License-Identifier: GPL-2.0-or-later
/* The lock is a file that is never removed: two daemons that start at once open the same one. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "owner.h"

#define PID_ROOM 11 /* bytes of a process number and the end of its line */

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

/* Who has the lock writes his number a moment after he got it: until then it is that of one who is dead. 0 = it can't be told. */
static pid_t read_pid(int fd)
{
	char text[PID_ROOM + 1];
	ssize_t n;

	for (int i = 0; i < 10; i++) {
		n = pread(fd, text, PID_ROOM, 0);
		text[n > 0 ? n : 0] = 0;
		if (atoi(text) > 0 && (!kill(atoi(text), 0) || errno == EPERM))
			return atoi(text);
		usleep(10000);
	}
	return 0;
}

static int busy(int fd, const char *folder, struct laf_error *err)
{
	pid_t pid = read_pid(fd);

	if (pid)
		return laf_error_set(err, -EBUSY, "daemon: another one is running, process %d (%s/lock)", pid, folder);
	return laf_error_set(err, -EBUSY, "daemon: another one is running (%s/lock)", folder);
}

static int take(int fd, const char *folder, struct laf_error *err)
{
	char text[PID_ROOM + 1];

	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? busy(fd, folder, err) :
		       laf_error_set(err, -errno, "daemon: locking %s/lock: %s", folder, strerror(errno));
	snprintf(text, sizeof(text), "%*d\n", PID_ROOM - 1, getpid());
	if (pwrite(fd, text, PID_ROOM, 0) != PID_ROOM)
		return laf_error_set(err, errno ? -errno : -EIO, "daemon: writing %s/lock: %s", folder, strerror(errno));
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
