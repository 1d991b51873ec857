// SPDX-License-Identifier: GPL-2.0-or-later
/* The lock is a file that is never removed: two daemons that start at once open the same one. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../clock.h"
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

/* Whose the number is can't change between here and the signal: the file's owner has the lock, and it is read again. */
static int signal_owner(int fd, int signal)
{
	pid_t pid = read_pid(fd);
	int pidfd = pid ? syscall(SYS_pidfd_open, pid, 0) : -1, r = 0;

	if (pidfd < 0)
		return pid ? -errno : -ESRCH;
	if (!flock(fd, LOCK_SH | LOCK_NB) || read_pid(fd) != pid)
		r = -ESRCH;
	else if (syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0))
		r = -errno;
	close(pidfd);
	return r;
}

static int wait_for_lock(int fd, int timeout_ms)
{
	uint64_t end_ms = clock_ms(CLOCK_MONOTONIC) + timeout_ms;

	while (flock(fd, LOCK_SH | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return -errno;
		if (clock_ms(CLOCK_MONOTONIC) >= end_ms)
			return -ETIMEDOUT;
		usleep(10000);
	}
	return 0;
}

int laf_owner_end(const char *folder, int signal, int timeout_ms, struct laf_error *err)
{
	char path[PATH_MAX];
	int fd, r;

	snprintf(path, sizeof(path), "%s/lock", folder);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT)
		return laf_error_set(err, -errno, "daemon: opening %s: %s", path, strerror(errno));
	r = fd < 0 || !flock(fd, LOCK_SH | LOCK_NB) ? -ESRCH : signal_owner(fd, signal);
	if (!r)
		r = wait_for_lock(fd, timeout_ms);
	if (fd >= 0)
		close(fd);
	if (r == -ESRCH)
		return laf_error_set(err, r, "daemon: none is running (%s)", path);
	return r ? laf_error_set(err, r, "daemon: stopping it: %s", strerror(-r)) : 0;
}
