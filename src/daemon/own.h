/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of the daemon's own: that it starts, ends, was told something, lost something. */
#ifndef LAF_OWN_H
#define LAF_OWN_H

#include <stdbool.h>

#include "../sink/log.h"
#include "config.h"
#include "recorder.h"
#include "signals.h"

struct laf_own {
	struct laf_recorder *recorder;
	const struct laf_config *config;
	bool losing;            /* the log says that loss began, and not yet that it ended */
	uint64_t told_lost;     /* up to where the log says so */
	uint64_t lost_before;   /* when this loss began */
	struct laf_recorder_loss seen; /* when the counters were last read */
	uint64_t grown_ms;      /* when the loss last grew */
	uint64_t told_ms;
	int64_t told_unaccounted;
	uint64_t told_in_doubt; /* of the log's sync.in_doubt */
	uint64_t looked_ms;     /* when the counters were last read */
};

/* Returns 0 or a negative errno: the log has no room for it. */
int laf_own_write(struct laf_own *own, const char *type, const char *body);

/* The same; if there is no room it is counted as lost, as the kernel's own records are. */
void laf_own_write_once(struct laf_own *own, const char *type, const char *body);

void laf_own_write_start(struct laf_own *own);

/* Where another version recorded until now. */
void laf_own_write_former(struct laf_own *own);

/* op=…, and who wanted it. */
void laf_own_write_signal(struct laf_own *own, const char *type, const char *op, const struct laf_signal *signal,
			  bool success);
void laf_own_write_config(struct laf_own *own, const struct laf_signal *signal, bool success);

/* Where events were lost: a record when it begins, one a second while it goes on, one when it has ended; they add up to the count.
 * `last`: the daemon ends. */
void laf_own_write_loss(struct laf_own *own, bool last);

/* Where events may be missing on the disk though they were written: a record when it works again, or at the end. */
void laf_own_write_doubt(struct laf_own *own, const struct laf_log *log, bool last);

/* A record when the balance does not hold, when what is missing has changed, and when it holds again. Returns whether there was something new. */
bool laf_own_write_balance(struct laf_own *own);

#endif
