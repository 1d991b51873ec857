/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a known difference is written down. */
#ifndef COMPARE_KNOWN_H
#define COMPARE_KNOWN_H

#include "compare.h"

enum outcome { EITHER, SUCCEEDED, FAILED };

struct known {
	const char *id;
	const char *engine;   /* "tracepoint"; NULL = every engine of laf */
	const char *calls;    /* space-separated names, #N for a number libaudit has no name for; NULL = every call */
	enum outcome outcome;
	bool (*apply)(const struct known *k, struct event *kernel, const struct event *ours); /* true = changed */
	const char *argument; /* for `apply` */
	const char *why;
	unsigned long used;
};

extern struct known known[];
extern const size_t n_known;

/* compare_names.c: the PATH records of a call whose names were not opened become what the caller gave. */
bool names_as_given(const struct known *k, struct event *kernel, const struct event *ours);

/* Take record i out of the event. */
void drop_record(struct event *e, size_t i);

#endif
