// SPDX-License-Identifier: GPL-2.0-or-later
/* task_memory N: the memory that the kernel takes for N tasks when each makes its first audited call, an openat; bytes a task. The tasks are
 * there before, and are all there afterwards. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the kernel has in objects that it can't give back. */
static long slab_kib(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kib = -1;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "SUnreclaim: %ld", &kib);
	if (file)
		fclose(file);
	return kib;
}

static void wait_for(int fd)
{
	char byte;

	if (read(fd, &byte, 1) < 0)
		_exit(1);
}

/* Until its pipe is closed. */
static void task(int begin, int done, int end)
{
	wait_for(begin);
	if (open("/", O_RDONLY) < 0 || write(done, "", 1) != 1)
		_exit(1);
	wait_for(end);
	_exit(0);
}

static void say(int fd, int n)
{
	while (n-- && write(fd, "", 1) == 1)
		;
}

static void hear(int fd, int n)
{
	while (n--)
		wait_for(fd);
}

int main(int argc, char **argv)
{
	int n = argc == 2 ? atoi(argv[1]) : 0, i, begin[2], done[2], end[2], status, failed = 0;
	long before, after;

	if (n <= 0 || pipe(begin) || pipe(done) || pipe(end))
		return 2;
	for (i = 0; i < n; i++)
		if (!fork())
			task(begin[0], done[1], end[0]);
	sleep(2);
	before = slab_kib();
	say(begin[1], n);
	hear(done[0], n);
	after = slab_kib();
	say(end[1], n);
	while (wait(&status) > 0)
		failed |= status;
	printf("%ld\n", (after - before) * 1024 / n);
	return failed ? 1 : 0;
}
