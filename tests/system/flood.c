// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that open and close a file, and tell at the end how often each did.
 *
 *   flood SECONDS PROCESSES FILE [RATE]     a line for each process on standard output: pid, calls
 *
 * Each makes some calls, however short the time is that a loaded machine gives it.
 * RATE: of calls that each makes in a second; without it, as many as it can. SIGTERM ends it before its time.
 *
 * The call is open(2) itself, which the C library does not use; its mode, which means nothing here, counts from 1. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS_PER_LOOK 256 /* at the clock */

static volatile sig_atomic_t ended;
static pid_t children[64];

/* The children, too; they themselves have none. */
static void end(int number)
{
	ended = 1;
	for (int i = 0; i < 64 && children[i]; i++)
		kill(children[i], SIGTERM);
}

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void wait_until(double when_s)
{
	double left_s = when_s - now_s();

	if (left_s > 0)
		nanosleep(&(struct timespec){ left_s, (left_s - (long)left_s) * 1e9 }, NULL);
}

static void open_and_close(const char *file, double until_s, double rate)
{
	double start_s = now_s();
	unsigned long calls = 0;
	char line[64];

	do {
		for (int i = 0; i < CALLS_PER_LOOK; i++) {
			long fd = syscall(SYS_open, file, O_RDONLY, ++calls);

			if (fd < 0)
				_exit(1);
			syscall(SYS_close, fd);
		}
		if (rate)
			wait_until(start_s + calls / rate);
	} while (!ended && now_s() < until_s);
	_exit(write(1, line, snprintf(line, sizeof(line), "%d %lu\n", getpid(), calls)) < 0);
}

int main(int argc, char **argv)
{
	int status, failed = 0;
	double until_s;

	if (argc != 4 && argc != 5)
		return 2;
	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = end, .sa_flags = SA_RESTART }, NULL);
	until_s = now_s() + atof(argv[1]);
	for (int i = 0; i < atoi(argv[2]) && i < 64; i++) {
		pid_t pid = fork();

		if (!pid) {
			children[0] = 0;
			open_and_close(argv[3], until_s, argc == 5 ? atof(argv[4]) : 0);
		}
		children[i] = pid;
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
