// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens a file by a name that another thread changes all the time.
 *
 *   race_open FOLDER N     opens FOLDER/a or FOLDER/b N times; for each a line with its number, in hexadecimal as the log has it in
 *                          a2, and the inode of the file that was really opened */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char path[PATH_MAX];
static volatile bool ended;

static void *flip(void *arg)
{
	volatile char *last = path + strlen(path) - 1;

	while (!ended)
		*last ^= 'a' ^ 'b';
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long n = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	unsigned long *inodes = calloc(n, sizeof(*inodes));
	pthread_t thread;
	struct stat st;

	if (!n || !inodes || snprintf(path, sizeof(path), "%s/a", argv[1]) >= (int)sizeof(path) ||
	    pthread_create(&thread, NULL, flip, NULL))
		return 2;
	for (unsigned long i = 0; i < n; i++) {
		long fd = syscall(SYS_open, path, O_RDONLY, i);

		if (fd < 0 || fstat(fd, &st)) {
			perror(path);
			return 1;
		}
		inodes[i] = st.st_ino;
		close(fd);
	}
	ended = true;
	pthread_join(thread, NULL);
	for (unsigned long i = 0; i < n; i++)
		printf("%lx %lu\n", i, inodes[i]);
	return 0;
}
