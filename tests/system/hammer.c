// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that make one call as fast as they can.
 *
 *   hammer CALL COUNT PROCESSES FILE     CALL: stat, open (and close), getsid; COUNT: of each process */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int call(const char *name, const char *file)
{
	struct stat st;
	int fd;

	if (!strcmp(name, "stat"))
		return syscall(SYS_stat, file, &st);
	if (!strcmp(name, "getsid"))
		return syscall(SYS_getsid, 0) < 0;
	fd = syscall(SYS_open, file, O_RDONLY);
	return fd < 0 || close(fd);
}

static void hammer(const char *name, unsigned long count, const char *file)
{
	while (count--)
		if (call(name, file))
			_exit(1);
	_exit(0);
}

int main(int argc, char **argv)
{
	int status, failed = 0;

	if (argc != 5)
		return 2;
	for (int i = 0; i < atoi(argv[3]); i++)
		if (!fork())
			hammer(argv[1], strtoul(argv[2], NULL, 0), argv[4]);
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
