// SPDX-License-Identifier: GPL-2.0-or-later
/* The loops that are measured: `calls getppid N` asks N times for the parent, `calls opens N` opens and closes
 * /dev/null N times, and then tries a name by which the log shows that it is all there. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long i, n;

	if (argc != 3)
		return 2;
	n = strtoul(argv[2], NULL, 10);
	if (!strcmp(argv[1], "getppid")) {
		for (i = 0; i < n; i++)
			syscall(SYS_getppid);
		return 0;
	}
	for (i = 0; i < n; i++) {
		int fd = open("/dev/null", O_RDONLY);

		if (fd < 0 || close(fd))
			return 1;
	}
	return open("/dev/null/laf-bench-end", O_RDONLY) >= 0;
}
