/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where lines go: a file or a descriptor, in large pieces. */
#ifndef LAF_SINK_H
#define LAF_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/error.h>

#define LAF_SINK_BUFFER (256u << 10)
#define LAF_SINK_TEXTS 8192 /* in the buffer at once */

/* Where a text came from: up to where it takes this ring. */
struct laf_sink_source {
	uint32_t ring; /* LAF_SINK_NO_RING: it came from none */
	uint64_t end;
};
#define LAF_SINK_NO_RING 0xffffffffu

/* The text of one event in the buffer: where it ends, and how many records it has (0: it is no event's). */
struct laf_sink_text {
	uint32_t end;
	uint32_t records;
	struct laf_sink_source source;
};

struct laf_sink {
	int fd;
	bool owned; /* close it at the end */
	char *buffer;
	size_t used;
	struct laf_sink_text *texts;
	size_t n_texts;
	size_t half;    /* bytes of the first text in the buffer that are written already */
	size_t torn;    /* bytes of a text that was given up, still to be cut off */
	/* what failed may be in the file all the same (O_SYNC): where it could not be cut off at once, the file and its length without it */
	bool spilled;
	uint64_t clean_dev, clean_ino, clean_size;
	uint64_t bytes; /* written since it was opened */
	uint64_t records; /* of these */
	uint64_t events;  /* and texts with records */
	int error;      /* of the last write that failed, as errno; 0 once all is written */
	char name[256]; /* for messages */
	/* gets each text as it comes, whatever becomes of it here; may be NULL */
	void (*tee)(void *arg, const char *text, size_t bytes, unsigned records);
	void *tee_arg;
	int (*flush)(struct laf_sink *sink); /* what laf_sink_flush() does; NULL: write all to fd */
	/* May be NULL. Before the first `texts` of texts[] are written, which add `bytes` to the file; after a write that was whole. */
	void (*before)(void *arg, const struct laf_sink *sink, size_t texts, size_t bytes);
	void (*after)(void *arg, const struct laf_sink *sink);
	void *arg;
};

/* Append to `path`, made with `mode` if it is not there. Returns 0 or a negative errno with err filled. */
int laf_sink_open(struct laf_sink *sink, const char *path, unsigned mode, struct laf_error *err);

/* Write to a descriptor that stays the caller's. Returns 0 or -ENOMEM. */
int laf_sink_open_fd(struct laf_sink *sink, int fd, const char *name);

#define LAF_SINK_ALONE 0x80000000u /* beside the number of records: they are no event of the engine's */

/* Take over the lines of one event (`records`: how many; 0 for a record of our own; 1 | LAF_SINK_ALONE for one of the kernel's). They are written when the buffer is full
 * and at laf_sink_flush(). Returns 0, or a negative errno if they were not taken over: the buffer is full of lines that
 * can't be written. Those are tried again each time. The last of the buffer is kept for records of our own. */
int laf_sink_write(struct laf_sink *sink, const char *text, size_t bytes, unsigned records);
int laf_sink_write_from(struct laf_sink *sink, struct laf_sink_source source, const char *text, size_t bytes,
			unsigned records);
int laf_sink_flush(struct laf_sink *sink);

/* Write the first `texts` texts of the buffer to fd. A text of which only the beginning could be written is cut off again where
 * that is possible, else continued by the next call. Returns 0 or a negative errno; what is not written stays. */
int laf_sink_put(struct laf_sink *sink, size_t texts);

/* Flush for the last time, and give up what can't be written. A file of ours then ends with the last event that is whole. Returns 0 or a
 * negative errno. */
struct laf_sink_given_up {
	uint64_t events, records; /* so many records of so many events */
	uint64_t alone;           /* records that stand alone */
	uint64_t own;             /* of our own */
};
int laf_sink_finish(struct laf_sink *sink, struct laf_sink_given_up *ret);

/* From now on to another descriptor of our own, or, with -1, to none; the old one is closed. */
void laf_sink_move(struct laf_sink *sink, int fd);

void laf_sink_close(struct laf_sink *sink); /* does not flush; NULL buffers are allowed */

#endif
