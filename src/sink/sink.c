// SPDX-License-Identifier: GPL-2.0-or-later
/* Buffered lines to a descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sink.h"

int laf_sink_open_fd(struct laf_sink *sink, int fd, const char *name)
{
	memset(sink, 0, sizeof(*sink));
	sink->fd = fd;
	snprintf(sink->name, sizeof(sink->name), "%s", name);
	sink->buffer = malloc(LAF_SINK_BUFFER);
	sink->texts = calloc(LAF_SINK_TEXTS, sizeof(*sink->texts));
	return sink->buffer && sink->texts ? 0 : -ENOMEM;
}

int laf_sink_open(struct laf_sink *sink, const char *path, unsigned mode, struct laf_error *err)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
	int r;

	if (fd < 0)
		return laf_error_set(err, -errno, "log: opening %s: %s", path,
				     errno == ELOOP ? "it is a symbolic link, and none is followed" : strerror(errno));
	r = laf_sink_open_fd(sink, fd, path);
	sink->owned = true;
	if (r) {
		laf_sink_close(sink);
		return laf_error_set(err, r, "log: out of memory");
	}
	return 0;
}

/* Write all of it. Returns how much was written; sink->error says why it is less. */
static size_t write_out(struct laf_sink *sink, const char *text, size_t bytes)
{
	size_t done = 0;

	sink->error = 0;
	while (done < bytes) {
		ssize_t n = write(sink->fd, text + done, bytes - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		done += n;
	}
	if (done < bytes)
		sink->error = errno;
	sink->bytes += done;
	return done;
}

/* The last bytes written are the beginning of a text whose end can't be written. Returns how many of them stay. */
static size_t cut(struct laf_sink *sink, size_t bytes)
{
	struct stat st;

	if (!bytes || !sink->owned || fstat(sink->fd, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size < bytes ||
	    ftruncate(sink->fd, st.st_size - bytes))
		return bytes;
	sink->bytes -= bytes;
	return 0;
}

/* The first `done` bytes of the buffer are written. */
static void forget(struct laf_sink *sink, size_t done)
{
	size_t n = 0, whole = 0, i;

	while (n < sink->n_texts && sink->texts[n].end <= done) {
		sink->records += sink->texts[n].records & ~LAF_SINK_ALONE;
		whole = sink->texts[n++].end;
	}
	sink->half = done - whole;
	sink->n_texts -= n;
	memmove(sink->texts, sink->texts + n, sink->n_texts * sizeof(*sink->texts));
	for (i = 0; i < sink->n_texts; i++)
		sink->texts[i].end -= whole;
	sink->used -= whole;
	memmove(sink->buffer, sink->buffer + whole, sink->used);
}

/* What is left of a text that was given up. */
static void mend(struct laf_sink *sink)
{
	if (!sink->torn)
		return;
	sink->torn = cut(sink, sink->torn);
	if (sink->torn && write(sink->fd, "\n", 1) == 1)
		sink->torn = 0;
}

static size_t write_told(struct laf_sink *sink, size_t texts, const char *text, size_t bytes)
{
	size_t done;

	if (sink->before)
		sink->before(sink->arg, sink, texts, bytes);
	done = write_out(sink, text, bytes);
	if (sink->after && done == bytes)
		sink->after(sink->arg, sink);
	return done;
}

int laf_sink_put(struct laf_sink *sink, size_t texts)
{
	size_t end = texts ? sink->texts[texts - 1].end : 0;

	mend(sink);
	forget(sink, sink->half + write_told(sink, texts, sink->buffer + sink->half, end - sink->half));
	sink->half = sink->error ? cut(sink, sink->half) : sink->half;
	return -sink->error;
}

int laf_sink_flush(struct laf_sink *sink)
{
	return sink->flush ? sink->flush(sink) : laf_sink_put(sink, sink->n_texts);
}

/* A text that the buffer has no room for even when it is empty. */
static int write_large(struct laf_sink *sink, struct laf_sink_source source, const char *text, size_t bytes,
		       unsigned records)
{
	size_t done;

	mend(sink);
	sink->texts[0] = (struct laf_sink_text){ .records = records, .source = source };
	done = write_told(sink, 1, text, bytes);
	if (done == bytes) {
		sink->records += records & ~LAF_SINK_ALONE;
		return 0;
	}
	sink->torn = cut(sink, done);
	return -sink->error;
}

int laf_sink_write_from(struct laf_sink *sink, struct laf_sink_source source, const char *text, size_t bytes,
			unsigned records)
{
	int r = 0;

	if (sink->tee)
		sink->tee(sink->tee_arg, text, bytes, records);
	if (sink->used + bytes > LAF_SINK_BUFFER || sink->n_texts == LAF_SINK_TEXTS)
		r = laf_sink_flush(sink);
	if (r)
		return r;
	if (bytes > LAF_SINK_BUFFER)
		return write_large(sink, source, text, bytes, records);
	memcpy(sink->buffer + sink->used, text, bytes);
	sink->used += bytes;
	sink->texts[sink->n_texts++] = (struct laf_sink_text){ .end = sink->used, .records = records, .source = source };
	return 0;
}

int laf_sink_write(struct laf_sink *sink, const char *text, size_t bytes, unsigned records)
{
	return laf_sink_write_from(sink, (struct laf_sink_source){ .ring = LAF_SINK_NO_RING }, text, bytes, records);
}

int laf_sink_finish(struct laf_sink *sink, uint64_t *ret_events, uint64_t *ret_records, uint64_t *ret_alone)
{
	int r = laf_sink_flush(sink);
	size_t i;

	*ret_events = *ret_records = *ret_alone = 0;
	if (!r)
		return 0;
	cut(sink, sink->half);
	for (i = 0; i < sink->n_texts; i++) {
		if (sink->texts[i].records & LAF_SINK_ALONE) {
			*ret_alone += sink->texts[i].records & ~LAF_SINK_ALONE;
		} else {
			*ret_events += sink->texts[i].records != 0;
			*ret_records += sink->texts[i].records;
		}
	}
	sink->used = sink->n_texts = sink->half = 0;
	return r;
}

void laf_sink_move(struct laf_sink *sink, int fd)
{
	mend(sink);
	cut(sink, sink->half);
	sink->half = sink->torn = 0;
	if (sink->owned && sink->fd >= 0)
		close(sink->fd);
	sink->fd = fd;
}

void laf_sink_close(struct laf_sink *sink)
{
	free(sink->buffer);
	free(sink->texts);
	if (sink->owned && sink->fd >= 0)
		close(sink->fd);
	memset(sink, 0, sizeof(*sink));
	sink->fd = -1;
}
