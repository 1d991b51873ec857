/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log files: rotated, capped, and looked after when their disk is full or fails, as auditd does it. */
#ifndef LAF_SINK_LOG_H
#define LAF_SINK_LOG_H

#include <stdio.h>

#include "compress.h"
#include "settings.h"
#include "sink.h"
#include "../worker.h"

/* What an operator must hear; `priority` is one of syslog(3). */
typedef void (*laf_log_say_fn)(void *arg, int priority, const char *text);

/* What is known of what is on the disk, by fsync(). */
struct laf_log_sync {
	struct laf_worker worker;
	bool failing;          /* the last one did */
	uint64_t records;      /* of sink.records: written when the last one began */
	uint64_t begun_ms, begun_size, begun_bytes, begun_events; /* when, and what was written then */
	uint64_t events;       /* of sink.events: on the disk, or counted in doubt */
	uint64_t from;         /* of the current file: what lies behind is not known to be on the disk */
	uint64_t in_doubt;     /* events that may have gone: bringing them to the disk failed */
};

struct laf_log {
	struct laf_sink sink;
	struct laf_log_settings settings;
	laf_log_say_fn say;
	void *say_arg;
	uint64_t size;       /* of the current file */
	uint64_t counted;    /* of sink.bytes: up to where they are in size */
	uint64_t born_s;     /* the time of its first record; 0: it is empty */
	unsigned known_logs; /* rotated files that the last rotation found */
	bool suspended;      /* the file is closed; nothing is written until laf_log_resume() */
	bool told_size, told_space, told_admin_space, told_full;
	unsigned errors;     /* told since the last write, or fsync(), that went well */
	uint64_t rotated;    /* times */
	struct laf_log_sync sync;
	struct laf_worker compressor;
	struct laf_compress compress;
};

/* Open the file that the settings name, make it and its folder if they are missing, give all rotated files their modes, and
 * do what their size and the room on the disk ask for. The settings are copied.
 * Returns 0 or a negative errno with err filled; laf_log_close() is due then, too. */
int laf_log_open(struct laf_log *log, const struct laf_log_settings *settings, laf_log_say_fn say, void *say_arg,
		 struct laf_error *err);

/* Other settings from now on. What is in the buffer goes to the old file. On failure the old settings stay in force. */
int laf_log_reconfigure(struct laf_log *log, const struct laf_log_settings *settings, struct laf_error *err);

/* What is due without a write: rotation by age, what was compressed. Call it some times a second. */
void laf_log_tick(struct laf_log *log);

/* Begin a new file. Returns 0, -ENOTSUP where the settings keep only one, or a negative errno: then the old one goes on. */
int laf_log_rotate(struct laf_log *log);

/* Try again after a suspension, and be ready to tell of everything again. Returns 0 or a negative errno. */
int laf_log_resume(struct laf_log *log);

/* For a person: `name = value` lines. */
void laf_log_write_state(const struct laf_log *log, FILE *f);

/* Wait until it is on the disk. */
void laf_log_sync(struct laf_log *log);

/* Does not flush, but syncs. A compression that is running is waited for. */
void laf_log_close(struct laf_log *log);

#endif
