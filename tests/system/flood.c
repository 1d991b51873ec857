// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that open and close a file as fast as they can, and tell at the end how often each did.
 *
 *   flood SECONDS PROCESSES FILE     a line for each process on standard output: pid, calls
 *
 * The call is open(2) itself, which the C library does not use; its mode, which means nothing here, counts from 1. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS_PER_LOOK 256 /* at the clock */

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void open_and_close(const char *file, double until_s)
{
	unsigned long calls = 0;
	char line[64];

	while (now_s() < until_s)
		for (int i = 0; i < CALLS_PER_LOOK; i++) {
			long fd = syscall(SYS_open, file, O_RDONLY, ++calls);

			if (fd < 0)
				_exit(1);
			syscall(SYS_close, fd);
		}
	_exit(write(1, line, snprintf(line, sizeof(line), "%d %lu\n", getpid(), calls)) < 0);
}

int main(int argc, char **argv)
{
	int status, failed = 0;
	double until_s;

	if (argc != 4)
		return 2;
	until_s = now_s() + atof(argv[1]);
	for (int i = 0; i < atoi(argv[2]); i++)
		if (!fork())
			open_and_close(argv[3], until_s);
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
