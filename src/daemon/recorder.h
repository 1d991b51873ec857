/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the engine to the log: decides candidates, numbers events, formats and writes them, and counts. */
#ifndef LAF_RECORDER_H
#define LAF_RECORDER_H

#include <stdint.h>

#include <laf/engine.h>
#include <laf/error.h>
#include <laf/record.h>
#include <laf/rules.h>

#include "../netlink/netlink.h"
#include "../rules/policy.h"
#include "../sink/sink.h"
#include "../worker.h"
#include "keep.h"
#include "loader.h"
#include "top.h"
#include "losses.h"
#include "rate.h"
#include "twins.h"

/* produced = written + rejected + lost, see laf_recorder_balance(). */
struct laf_balance {
	bool based;          /* `base` is known */
	bool checked;
	uint64_t base;       /* what daemons before us wrote and rejected, of what is counted as produced */
	int64_t unaccounted; /* when it was last checked: above 0 that many vanished, below 0 there are more than were produced */
	uint64_t looked_ms;
	unsigned tries;
};

struct laf_recorder {
	struct laf_engine *engine;
	struct laf_formatter *formatter;
	struct laf_sink *sink;
	struct laf_loaders loaders;
	struct laf_netlink *netlink; /* the kernel's own records, or NULL; set after opening */
	struct laf_top *top;         /* counts by rule and program, or NULL; set after opening, and freed at the end */
	struct laf_rate rate;
	const struct laf_rules *rules;
	struct laf_policy *policies[2]; /* by the last bit of their generation */
	uint32_t generations[2];
	uint32_t serial;        /* counts events; laf_recorder_serial() makes their numbers of it */
	uint32_t kernel_serial; /* of the last of the kernel's own records */
	struct laf_worker settling; /* of the policy before the one in force */
	uint64_t events;   /* written */
	uint64_t records;  /* of these */
	uint64_t partial;  /* of the events: a detail could not be read (LAF_EV_DETAIL) */
	uint64_t rejected; /* candidates whose names matched no rule; calls that programs of another version have recorded, too */
	uint64_t unwritten; /* could not be formatted or written: lost, and counted */
	uint64_t limited;   /* beyond the rate: lost, and counted */
	uint64_t undecided; /* candidates whose policy has gone: lost, and counted */
	struct laf_balance balance;
	uint64_t *done;     /* of each ring: the end of what is written, or about to be */
	struct laf_keep *keep;   /* for the next daemon, or NULL: laf_recorder_keep() */
	struct laf_losses losses; /* by call and rule: here, and in the kernel by former policies */
	bool begun;              /* our rules are in force */
	uint64_t lost_held;      /* of what is lost: still in the rings, so that another daemon would find it */
	uint64_t told_lost;      /* losses that the log tells of */
	uint64_t lost_before;    /* in user space, by daemons whose recording goes on here */
	uint64_t lost_by_cause[LAF_LOSS_CAUSES]; /* in the kernel, by programs of another version that are gone: former.h */
	struct laf_former *former; /* programs of another version whose rings are read out, or NULL */
	struct laf_twins twins;    /* what they have recorded since our own did */
	struct laf_twins *remember; /* of the recorder of such: to put there what ended after remember_ns; else NULL */
	uint64_t remember_ns;
	uint64_t kernel_records; /* of the kernel's own: written */
	uint64_t kernel_unwritten; /* and not, with the daemon's own */
	uint64_t own_given_up;     /* of these, at the end */
};

/* Compile `rules` (which must stay) and open an engine with them. Returns 0 or a negative errno with err filled. */
int laf_recorder_open(struct laf_recorder *recorder, const struct laf_engine_options *options,
		      const struct laf_rules *rules, struct laf_formatter *formatter, struct laf_sink *sink,
		      struct laf_error *err);
void laf_recorder_close(struct laf_recorder *recorder, bool leave); /* leave: the recording goes on, for the next daemon */

/* The recorder and its sink are both open. */
void laf_recorder_join(struct laf_recorder *recorder);

/* Before the first read: keep for the next daemon what it needs, and go on from what the one before us kept. Returns 0 or a negative errno
 * with err filled. */
int laf_recorder_keep(struct laf_recorder *recorder, struct laf_keep *keep, struct laf_error *err);

/* The part of that which needs no change of what is in force: rules, numbers and losses as the journal has them. */
int laf_recorder_go_on(struct laf_recorder *recorder, struct laf_error *err);

/* Our rules are in force: all is there that another daemon needs to go on. Returns 0 or a negative errno with err filled. */
int laf_recorder_complete(struct laf_recorder *recorder, struct laf_error *err);

/* Compile the rules again, for paths that are other files now, and put them in force. On failure the old ones stay. */
int laf_recorder_reload(struct laf_recorder *recorder, struct laf_error *err);

/* Write what is in the rings; with `all`, to the last event. Returns 0 or the negative errno of a write. */
int laf_recorder_read(struct laf_recorder *recorder, bool all);

/* Record nothing more, and write what is in the rings. Returns 0 or a negative errno: then events may go on being made. */
int laf_recorder_stop(struct laf_recorder *recorder, struct laf_error *err);

/* After the last read: write what is still in the sink's buffer; what can't be written is unwritten, not written, or with `leave` waits in the rings for
 * the next daemon. Returns 0 or the negative errno of a write. */
int laf_recorder_finish(struct laf_recorder *recorder, bool leave);

/* Everything that should have been recorded and was not, by cause (the engine's causes, unwritten, the rate, and the kernel's own). */
struct laf_recorder_loss {
	uint64_t by_cause[LAF_LOSS_CAUSES];
	uint64_t unwritten;
	uint64_t limited; /* by the rate */
	uint64_t kernel; /* records of the kernel's own: dropped by it, or not written */
	uint64_t total;
};
int laf_recorder_get_loss(struct laf_recorder *recorder, struct laf_recorder_loss *ret);

/* By call and rule, where the rule is known; the caller frees it. */
void laf_recorder_losses(struct laf_recorder *recorder, struct laf_losses *ret);

/* What the kernel side produced, less what is written, rejected and lost: what waits, or, after the last read, a fault of laf's unless it is 0.
 * -ENODATA where another daemon wrote a part of it, and it is not yet known how much. */
int laf_recorder_check(struct laf_recorder *recorder, int64_t *ret_unaccounted);

/* Every few seconds: check that nothing is missing (balance.unaccounted): to the event where there is a moment in which nothing waits, else by as much as
 * is made in some milliseconds. */
void laf_recorder_balance(struct laf_recorder *recorder);

/* One line for people: events, records, lost by cause, engine. Returns its length as snprintf does. */
int laf_recorder_summary(struct laf_recorder *recorder, char *buf, size_t size);

#define LAF_LOSS_NAMES (LAF_LOSS_CAUSES + 3)

/* "ring-full" and so on; the last three are "unwritten", "rate" and "kernel-record". */
const char *laf_loss_name(unsigned cause);
uint64_t laf_loss_count(const struct laf_recorder_loss *loss, unsigned cause);
/* " (ring-full 12, unwritten 1)", or nothing. */
void laf_loss_text(const struct laf_recorder_loss *loss, char *buf, size_t size);

/* The wall clock in milliseconds and a serial number for a record of our own. */
uint32_t laf_recorder_stamp(struct laf_recorder *recorder, uint64_t *ret_time_ms);

#endif
