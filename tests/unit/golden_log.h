/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A captured log, read back: each event as the ring message that it must have come from. */
#ifndef LAF_GOLDEN_LOG_H
#define LAF_GOLDEN_LOG_H

#include <stdio.h>

#include "event_builder.h"

#define GOLDEN_LINES_MAX 32

struct golden_event {
	char *lines[GOLDEN_LINES_MAX]; /* whole, with the newline and the enriched part */
	unsigned n;
	char *ahead; /* the first line of the next event */
};

/* Read the next event's lines. Returns 0, or -1 at the end of the log. */
int golden_next(FILE *log, struct golden_event *e);

/* Build and decode the message. What it points to lasts as long as the builder. */
void golden_build(const struct golden_event *e, struct event_builder *b);

#endif
