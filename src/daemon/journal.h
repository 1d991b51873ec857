/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the log and the rings stand, in a file that outlives the daemon: what the next one goes on from.
 *
 * Before each write to the log it is noted how far the log will reach, and up to where the rings will be done with. Only then is the
 * log written, and only then is the room in the rings given back. Whoever comes after a daemon that was killed looks how long
 * the log is: either it has all of the write, and the rings go on behind it, or the write is cut off and made again. The file
 * lies in memory (/run) and is gone after a reboot, as the rings are.
 */
#ifndef LAF_JOURNAL_H
#define LAF_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/error.h>

struct laf_checkpoint {
	uint64_t log_dev, log_ino; /* the file that is written to */
	uint64_t log_from, log_to; /* its size before the write, and after it */
	uint64_t told_lost; /* losses that the log tells of, after it */
	uint32_t serial;    /* no event so far has this or a later one */
	uint32_t zero;
	uint64_t ends[];    /* of each ring, after it */
};

struct laf_journal {
	struct laf_journal_file *file; /* mapped; NULL = not open */
	unsigned n_rings;
	size_t bytes;
	uint64_t told_lost; /* for the next checkpoint */
};

/* Open the journal, made for `n_rings` rings if it is not there or not of LAF_WIRE_LAYOUT.
 * Returns 0 or a negative errno with err filled. */
int laf_journal_open(struct laf_journal *journal, const char *path, unsigned n_rings, struct laf_error *err);

/* Forget every checkpoint: the rings are new. */
void laf_journal_clear(struct laf_journal *journal);

/* The last checkpoint. */
const struct laf_checkpoint *laf_journal_last(const struct laf_journal *journal);

/* `bytes` more are about to be written to `fd`, and then the first `n` rings, which may be all or none, are done with up to `ends`. */
void laf_journal_note(struct laf_journal *journal, int fd, uint64_t bytes, uint32_t serial, const uint64_t *ends, unsigned n);

/* What was lost in user space, for the next daemon to go on from. */
void laf_journal_set_lost(struct laf_journal *journal, uint64_t lost);
uint64_t laf_journal_lost(const struct laf_journal *journal);

/* Is the last checkpoint's write in this log (`fd`, open for writing)? If only a part of it is, that part is cut off, and the rings are not done with
 * anything for it: the checkpoint's ends are 0. Returns 1, 0, or a
 * negative errno where the cut failed. Of another file the answer is 1: a log is not left before what was noted is in it. */
int laf_journal_settle(struct laf_journal *journal, int fd);

void laf_journal_close(struct laf_journal *journal); /* the file stays */

#endif
