// SPDX-License-Identifier: GPL-2.0-or-later
/* Buffered lines to a descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sink.h"

int laf_sink_open_fd(struct laf_sink *sink, int fd, const char *name)
{
	memset(sink, 0, sizeof(*sink));
	sink->fd = fd;
	snprintf(sink->name, sizeof(sink->name), "%s", name);
	sink->buffer = malloc(LAF_SINK_BUFFER);
	return sink->buffer ? 0 : -ENOMEM;
}

int laf_sink_open(struct laf_sink *sink, const char *path, unsigned mode, struct laf_error *err)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
	int r;

	if (fd < 0)
		return laf_error_set(err, -errno, "log: opening %s: %s", path, strerror(errno));
	r = laf_sink_open_fd(sink, fd, path);
	sink->owned = true;
	if (r) {
		laf_sink_close(sink);
		return laf_error_set(err, r, "log: out of memory");
	}
	return 0;
}

/* Write all of it. Returns how much was written; errno says why it is less. */
static size_t write_out(struct laf_sink *sink, const char *text, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = write(sink->fd, text + done, bytes - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		done += n;
	}
	sink->bytes += done;
	return done;
}

int laf_sink_flush(struct laf_sink *sink)
{
	size_t done = write_out(sink, sink->buffer, sink->used);

	if (done < sink->used) {
		int error = errno;

		memmove(sink->buffer, sink->buffer + done, sink->used - done);
		sink->used -= done;
		return -error;
	}
	sink->used = 0;
	return 0;
}

int laf_sink_write(struct laf_sink *sink, const char *text, size_t bytes)
{
	int r = 0;

	if (sink->used + bytes > LAF_SINK_BUFFER)
		r = laf_sink_flush(sink);
	if (r)
		return sink->used + bytes > LAF_SINK_BUFFER ? -ENOBUFS : r;
	if (bytes >= LAF_SINK_BUFFER)
		return write_out(sink, text, bytes) == bytes ? 0 : -errno;
	memcpy(sink->buffer + sink->used, text, bytes);
	sink->used += bytes;
	return 0;
}

void laf_sink_close(struct laf_sink *sink)
{
	if (sink->buffer)
		laf_sink_flush(sink);
	free(sink->buffer);
	if (sink->owned && sink->fd >= 0)
		close(sink->fd);
	memset(sink, 0, sizeof(*sink));
	sink->fd = -1;
}
