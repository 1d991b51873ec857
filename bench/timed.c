// SPDX-License-Identifier: GPL-2.0-or-later
/* Run a command as a fresh process and print the seconds that it took and the seconds of processor time that it used.
 * Its output is thrown away. What it is to pay for audit is settled when it is forked. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static void become_command(char **command)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execvp(command[0], command);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start = now_s();
	pid_t pid;
	int status;

	if (argc < 2)
		return 2;
	pid = fork();
	if (!pid)
		become_command(argv + 1);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status) {
		fprintf(stderr, "timed: %s failed\n", argv[1]);
		return 1;
	}
	printf("%.6f %.6f\n", now_s() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime));
	return 0;
}
