// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk that fails, for LD_PRELOAD: what is written to files below $SHIM_FOLDER fails as the word in $SHIM_FILE says.
 *
 *   fine        it works
 *   EIO, EDQUOT, ENOSPC   nothing is written
 *   late        all is written, then EIO, as where it can't be brought to the disk
 *   stuck       the same, and the file can't be cut
 *   short       of each write only the first half is done
 *   fsync       what was written can't be brought to the disk (EIO)
 *   open        no file can be made or opened (EIO)
 *   half        some bytes are written, then EIO
 *   EROFS       some bytes are written, then all fails, also to cut the file
 *   slow        each write takes 50 ms */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_below(const char *path)
{
	const char *folder = getenv("SHIM_FOLDER");

	return folder && !strncmp(path, folder, strlen(folder));
}

static int is_log(int fd)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = 0;
	return is_below(path);
}

static int plain_open(const char *path, int flags, int mode)
{
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int mode_is(const char *word)
{
	const char *file = getenv("SHIM_FILE");
	char text[32] = "";
	int fd = file ? plain_open(file, O_RDONLY | O_CLOEXEC, 0) : -1;
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

/* What a write fails with, or 0. */
static int error_of_write(void)
{
	static const struct { const char *word; int error; } errors[] = {
		{ "EROFS", EROFS }, { "EIO", EIO }, { "half", EIO }, { "late", EIO }, { "stuck", EIO }, { "EDQUOT", EDQUOT }, { "ENOSPC", ENOSPC },
	};

	for (unsigned i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (mode_is(errors[i].word))
			return errors[i].error;
	return 0;
}

static int writes_some(void)
{
	return mode_is("EROFS") || mode_is("half");
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	static int half_done;

	if (is_log(fd)) {
		int error = error_of_write();

		if (mode_is("slow"))
			usleep(50000);
		if (mode_is("short"))
			n = (n + 1) / 2;
		if (mode_is("late") || mode_is("stuck"))
			return syscall(SYS_write, fd, bytes, n) < 0 ? -1 : fail(EIO);
		if (!error)
			half_done = 0;
		else if (half_done || !writes_some())
			return fail(error);
		else
			half_done = n = n / 2 + 1;
	}
	return syscall(SYS_write, fd, bytes, n);
}

int ftruncate(int fd, off_t size)
{
	if (is_log(fd) && (mode_is("EROFS") || mode_is("stuck")))
		return fail(EROFS);
	return syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off_t size)
{
	return ftruncate(fd, size);
}

int fsync(int fd)
{
	return is_log(fd) && mode_is("fsync") ? fail(EIO) : syscall(SYS_fsync, fd);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	return is_below(path) && mode_is("open") ? fail(EIO) : plain_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
