// SPDX-License-Identifier: GPL-2.0-or-later
/* together FILE N P: P processes, each on a processor of its own, open and close FILE in the same folder at the same time, by a name relative
 * to it: N times ROUNDS rounds, between marks for the plugin that counts instructions. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "marks.h"

#define ROUNDS 5 /* few: most of the times no interrupt comes between */

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		_exit(1);
}

static void rounds(const char *name, unsigned n)
{
	while (n--) {
		int fd = open(name, O_RDONLY);

		if (fd < 0 || close(fd))
			_exit(1);
	}
}

static void worker(pthread_barrier_t *barrier, int cpu, const char *name, unsigned long n)
{
	stay_on(cpu);
	rounds(name, ROUNDS); /* what is made at the first call */
	pthread_barrier_wait(barrier);
	while (n--) {
		MARK(MARK_BEGIN);
		rounds(name, ROUNDS);
		MARK(MARK_END);
	}
	_exit(0);
}

static int make_barrier(unsigned n, pthread_barrier_t **ret)
{
	pthread_barrier_t *barrier = mmap(NULL, sizeof(*barrier), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t attr;

	if (barrier == MAP_FAILED || pthread_barrierattr_init(&attr) ||
	    pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED))
		return -ENOMEM;
	*ret = barrier;
	return -pthread_barrier_init(barrier, &attr, n);
}

int main(int argc, char **argv)
{
	pthread_barrier_t *barrier;
	int status, failed = 0;
	char *folder, *name;
	unsigned long n, p, i;

	if (argc != 4)
		return 2;
	n = strtoul(argv[2], NULL, 10);
	p = strtoul(argv[3], NULL, 10);
	folder = strdup(argv[1]);
	name = strdup(argv[1]);
	if (!folder || !name || !n || !p || chdir(dirname(folder)) || make_barrier(p, &barrier))
		return 1;
	name = basename(name);
	for (i = 0; i < p; i++)
		if (!fork())
			worker(barrier, i, name, n);
	while (wait(&status) > 0)
		failed |= status;
	MARK(MARK_REPORT);
	return failed ? 1 : 0;
}
