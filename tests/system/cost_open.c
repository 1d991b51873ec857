// SPDX-License-Identifier: GPL-2.0-or-later
/* What an open and a close of a file cost the task, in nanoseconds: cost_open FILE N. In a machine that counts time in instructions these
 * are instructions. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double time_of_task(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void open_often(const char *file, int n)
{
	for (int i = 0; i < n; i++) {
		int fd = open(file, O_RDONLY);

		if (fd < 0 || close(fd)) {
			perror(file);
			exit(1);
		}
	}
}

/* The least of some rounds: ticks and other tasks only add. */
int main(int argc, char **argv)
{
	double least = 1e18;
	int n = argc == 3 ? atoi(argv[2]) : 0;

	if (n <= 0)
		return 2;
	open_often(argv[1], n);
	for (int round = 0; round < 10; round++) {
		double start = time_of_task(), each;

		open_often(argv[1], n);
		each = (time_of_task() - start) / n;
		least = each < least ? each : least;
	}
	printf("%.0f\n", least);
	return 0;
}
