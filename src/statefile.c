// SPDX-License-Identifier: GPL-2.0-or-later
/* Mapping a file of the run folder. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "statefile.h"

static int make_ready(int fd, size_t bytes)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
		return -EPERM;
	if (st.st_size != (off_t)bytes && (ftruncate(fd, 0) || ftruncate(fd, bytes)))
		return -errno;
	return -posix_fallocate(fd, 0, bytes);
}

int laf_statefile_map(const char *path, size_t bytes, void **ret)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600), r;
	void *at;

	if (fd < 0)
		return -errno;
	r = make_ready(fd, bytes);
	if (!r) {
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		r = at == MAP_FAILED ? -errno : 0;
	}
	if (!r)
		*ret = at;
	close(fd);
	return r;
}
