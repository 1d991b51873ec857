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

/* For records of our own, such as those of changes of rules, while nothing can be written. */
#define RESERVE_BYTES (16u << 10)
#define RESERVE_TEXTS 64

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

static bool is_file_of_ours(const struct laf_sink *sink, struct stat *st)
{
	return sink->owned && !fstat(sink->fd, st) && S_ISREG(st->st_mode);
}

/* The file, whose length is to be `size`, is longer. */
static void cut_spill(struct laf_sink *sink, const struct stat *st, uint64_t size)
{
	sink->spilled = ftruncate(sink->fd, size) != 0;
	sink->clean_dev = st->st_dev;
	sink->clean_ino = st->st_ino;
	sink->clean_size = size;
}

/* Try again. Returns 0 or a negative errno: nothing may be written behind it. */
static int mend_spill(struct laf_sink *sink)
{
	struct stat st;

	if (!sink->spilled)
		return 0;
	if (sink->fd < 0)
		return -EBADF; /* closed for now */
	sink->spilled = is_file_of_ours(sink, &st) && st.st_dev == sink->clean_dev && st.st_ino == sink->clean_ino &&
			(uint64_t)st.st_size > sink->clean_size;
	if (sink->spilled)
		cut_spill(sink, &st, sink->clean_size);
	return sink->spilled ? -errno : 0;
}

/* Write all of it. Returns how much was written; sink->error says why it is less. */
static size_t write_out(struct laf_sink *sink, const char *text, size_t bytes)
{
	struct stat st;
	bool is_file = is_file_of_ours(sink, &st);
	uint64_t before = is_file ? st.st_size : 0;
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
	if (done < bytes && is_file && !fstat(sink->fd, &st) && (uint64_t)st.st_size > before + done)
		cut_spill(sink, &st, before + done);
	sink->bytes += done;
	return done;
}

/* The last bytes written are the beginning of a text whose end can't be written. Returns how many of them stay. */
static size_t cut(struct laf_sink *sink, size_t bytes)
{
	struct stat st;

	if (!bytes || sink->spilled || !is_file_of_ours(sink, &st) || (size_t)st.st_size < bytes ||
	    ftruncate(sink->fd, st.st_size - bytes))
		return bytes;
	sink->bytes -= bytes;
	return 0;
}

static void count_written(struct laf_sink *sink, unsigned records)
{
	sink->records += records & ~LAF_SINK_ALONE;
	sink->events += records != 0;
}

/* The first `done` bytes of the buffer are written. */
static void forget(struct laf_sink *sink, size_t done)
{
	size_t n = 0, whole = 0, i;

	while (n < sink->n_texts && sink->texts[n].end <= done) {
		count_written(sink, sink->texts[n].records);
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

/* What failed writes and a text that was given up have left. Returns whether more may be written; sink->error says why not. */
static bool mend(struct laf_sink *sink)
{
	int r = mend_spill(sink);

	if (r) {
		sink->error = -r;
		return false;
	}
	if (!sink->torn)
		return true;
	sink->torn = cut(sink, sink->torn);
	if (sink->torn && write(sink->fd, "\n", 1) == 1)
		sink->torn = 0;
	return true;
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

	if (!mend(sink))
		return -sink->error;
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

	if (!mend(sink))
		return -sink->error;
	sink->texts[0] = (struct laf_sink_text){ .records = records, .source = source };
	done = write_told(sink, 1, text, bytes);
	if (done == bytes) {
		count_written(sink, records);
		return 0;
	}
	sink->torn = cut(sink, done);
	return -sink->error;
}

int laf_sink_write_from(struct laf_sink *sink, struct laf_sink_source source, const char *text, size_t bytes,
			unsigned records)
{
	bool full = sink->used + bytes > LAF_SINK_BUFFER - (records ? RESERVE_BYTES : 0) ||
		    sink->n_texts >= LAF_SINK_TEXTS - (records ? RESERVE_TEXTS : 0);
	int r = 0;

	if (sink->tee)
		sink->tee(sink->tee_arg, text, bytes, records);
	if (full)
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

static void count_given_up(struct laf_sink_given_up *count, unsigned records)
{
	if (records & LAF_SINK_ALONE) {
		count->alone += records & ~LAF_SINK_ALONE;
	} else {
		count->events += records != 0;
		count->own += records == 0;
		count->records += records;
	}
}

int laf_sink_finish(struct laf_sink *sink, struct laf_sink_given_up *ret)
{
	int r = laf_sink_flush(sink);
	size_t i;

	memset(ret, 0, sizeof(*ret));
	if (!r)
		return 0;
	cut(sink, sink->half);
	for (i = 0; i < sink->n_texts; i++)
		count_given_up(ret, sink->texts[i].records);
	sink->used = sink->n_texts = sink->half = 0;
	return r;
}

/* The beginning of a text that is written anew; where it can't be cut off now, it is when the file is open again. */
static void give_up_half(struct laf_sink *sink)
{
	struct stat st;

	if (sink->spilled)
		sink->clean_size -= sink->half;
	else if (cut(sink, sink->half) && is_file_of_ours(sink, &st))
		cut_spill(sink, &st, st.st_size - sink->half);
	sink->half = 0;
}

void laf_sink_move(struct laf_sink *sink, int fd)
{
	mend(sink);
	give_up_half(sink);
	sink->torn = 0;
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
