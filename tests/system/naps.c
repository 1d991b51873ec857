// SPDX-License-Identifier: GPL-2.0-or-later
/* Sleeps for 300 ms again and again until SIGTERM, and tells then how many calls of clock_nanosleep() that were. */
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t ended;

static void end(int number)
{
	ended = 1;
}

int main(void)
{
	unsigned long n = 0;

	signal(SIGTERM, end);
	while (!ended) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = 300000000 }, NULL);
		n++;
	}
	printf("%lu\n", n);
	return 0;
}
