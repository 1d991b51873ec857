// SPDX-License-Identifier: GPL-2.0-or-later
/* zstd, with memory that does not grow with the file. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <zstd.h>

#include "compress.h"

#define PIECE (128u << 10)

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		bytes += done;
		n -= done;
	}
	return 0;
}

/* One piece of input; with n = 0 the end. */
static int put(ZSTD_CCtx *zstd, int fd, const char *bytes, size_t n, char *room)
{
	ZSTD_inBuffer in = { .src = bytes, .size = n };
	ZSTD_EndDirective end = n ? ZSTD_e_continue : ZSTD_e_end;
	size_t left;
	int r;

	do {
		ZSTD_outBuffer out = { .dst = room, .size = PIECE };

		left = ZSTD_compressStream2(zstd, &out, &in, end);
		if (ZSTD_isError(left))
			return -EIO;
		r = write_all(fd, room, out.pos);
	} while (!r && (n ? in.pos < in.size : left > 0));
	return r;
}

static int copy(struct laf_compress *c, ZSTD_CCtx *zstd, char *in, char *out)
{
	off_t offset = 0;
	ssize_t n;
	int r;

	do {
		if (atomic_load(&c->stop))
			return -ECANCELED;
		n = pread(c->from, in, PIECE, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		offset += n;
		r = put(zstd, c->to, in, n, out);
		if (r)
			return r;
	} while (n);
	return fsync(c->to) ? -errno : 0;
}

int laf_compress_run(void *arg)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	char *room = malloc(2 * PIECE);
	int r = -ENOMEM;

	if (zstd && room && !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)))
		r = copy(arg, zstd, room, room + PIECE);
	free(room);
	ZSTD_freeCCtx(zstd);
	return r;
}
