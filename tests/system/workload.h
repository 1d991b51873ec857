/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every workload program is made of: labelled steps, each one system call with the result it must have.
 *
 * The label becomes the task's name, so it stands as comm= in the records of the step itself and names it
 * in a comparison. Labels are at most 15 bytes long. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OK  0       /* any result that is no error */
#define ANY (-1)    /* depends on the kernel or its file systems */
#define NOBODY 65534
#define BAD_ADDRESS ((char *)8)
#define BAD_FD 999

#ifndef CALL
#define CALL syscall
#endif

static int failures;

static inline void set_label(const char *label)
{
	prctl(PR_SET_NAME, label, 0, 0, 0);
}

/* The call made, its result checked. ENOSYS passes always: kernels differ in what they have. */
static inline long do_step(const char *label, int want, long nr, long a, long b, long c, long d, long e, long f)
{
	long rc;

	set_label(label);
	rc = CALL(nr, a, b, c, d, e, f);
	int got = rc == -1 ? errno : 0;
	if (want == ANY || got == want || got == ENOSYS)
		return rc;
	failures++;
	fprintf(stderr, "workload: %s: got %s, want %s\n", label, got ? strerror(got) : "success",
		want ? strerror(want) : "success");
	return rc;
}

#define STEP_ARGS(first, a, b, c, d, e, f, ...) (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)
#define STEP(label, want, call, ...) \
	do_step(label, want, SYS_##call, STEP_ARGS(0, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0))

/* Add a child's failures to ours. */
static inline void wait_child(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, __WALL) != pid || !WIFEXITED(status) || WEXITSTATUS(status)) {
		failures++;
		fprintf(stderr, "workload: child %d: status %x\n", pid, status);
	}
}

/* Wait until a task sleeps: then it is inside the call that it is to be found in. */
static inline void wait_asleep(pid_t pid)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	for (int tries = 0; tries < 100000; tries++) {
		int fd = open(path, O_RDONLY);
		ssize_t n = read(fd, text, sizeof(text) - 1);
		char *state;

		close(fd);
		text[n > 0 ? n : 0] = 0;
		state = strrchr(text, ')');
		if (state && state[2] == 'S')
			return;
		syscall(SYS_sched_yield);
	}
	failures++;
	fprintf(stderr, "workload: %d does not sleep\n", pid);
}

/* Run `body` in a child and wait for it. */
static inline void in_child(void (*body)(void))
{
	pid_t pid = fork();

	if (!pid) {
		failures = 0;
		body();
		_exit(failures != 0);
	}
	wait_child(pid);
}

static inline void become_nobody(void)
{
	syscall(SYS_setgroups, 0, NULL);
	syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY);
	syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY);
}

/* Make a file by calls that are steps of no interest. */
static inline void put_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || fchmod(fd, mode)) {
		failures++;
		fprintf(stderr, "workload: %s: %m\n", path);
	}
	close(fd);
}

/* A name of n bytes. */
static inline char *long_name(size_t n)
{
	char *s = malloc(n + 1);

	memset(s, 'n', n);
	s[n] = 0;
	return s;
}

/* "./././…/NAME", n bytes in all: too long for the kernel from PATH_MAX on. */
static inline char *long_path(size_t n)
{
	char *s = long_name(n);

	for (size_t i = 0; i + 1 < n; i += 2) {
		s[i] = '.';
		s[i + 1] = '/';
	}
	return s;
}

#endif
