// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk that fails, for LD_PRELOAD: what is written to files below $SHIM_FOLDER fails as the word in $SHIM_FILE says.
 *
 *   fine        it works
 *   EIO         nothing is written
 *   half        some bytes are written, then EIO
 *   EROFS       some bytes are written, then all fails, also to cut the file
 *   slow        each write takes 50 ms */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_log(int fd)
{
	const char *folder = getenv("SHIM_FOLDER");
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = 0;
	return folder && !strncmp(path, folder, strlen(folder));
}

static int mode_is(const char *word)
{
	const char *file = getenv("SHIM_FILE");
	char text[32] = "";
	int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	text[strcspn(text, "\n")] = 0;
	return !strcmp(text, word);
}

static int fail(int error)
{
	errno = error;
	return -1;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	static int half_done;

	if (is_log(fd)) {
		int error = mode_is("EROFS") ? EROFS : mode_is("EIO") || mode_is("half") ? EIO : 0;

		if (mode_is("slow"))
			usleep(50000);
		if (!error)
			half_done = 0;
		else if (half_done || mode_is("EIO"))
			return fail(error);
		else
			half_done = n = n / 2 + 1;
	}
	return syscall(SYS_write, fd, bytes, n);
}

int ftruncate(int fd, off_t size)
{
	if (is_log(fd) && mode_is("EROFS"))
		return fail(EROFS);
	return syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off_t size)
{
	return ftruncate(fd, size);
}
