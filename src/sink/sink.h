/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where lines go: a file or a descriptor, in large pieces. */
#ifndef LAF_SINK_H
#define LAF_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/error.h>

#define LAF_SINK_BUFFER (256u << 10)

struct laf_sink {
	int fd;
	bool owned; /* close it at the end */
	char *buffer;
	size_t used;
	uint64_t bytes; /* written since it was opened */
	char name[256]; /* for messages */
};

/* Append to `path`, made with `mode` if it is not there. Returns 0 or a negative errno with err filled. */
int laf_sink_open(struct laf_sink *sink, const char *path, unsigned mode, struct laf_error *err);

/* Write to a descriptor that stays the caller's. Returns 0 or -ENOMEM. */
int laf_sink_open_fd(struct laf_sink *sink, int fd, const char *name);

/* Take over whole lines. They are written when the buffer is full and at laf_sink_flush(). Returns 0 or a negative errno:
 * what could not be written stays in the buffer and is tried again; -ENOBUFS: there is no room for these lines. */
int laf_sink_write(struct laf_sink *sink, const char *text, size_t bytes);
int laf_sink_flush(struct laf_sink *sink);

void laf_sink_close(struct laf_sink *sink); /* flushes; NULL buffers are allowed */

#endif
