/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking over from a daemon of another version: its programs and ours both record for a moment, then its rings are read out. */
#ifndef LAF_FORMER_H
#define LAF_FORMER_H

#include "recorder.h"

/* Our own engine records, and is kept. If another version left one that records, too, it is told to see no more calls begin, and is read out by
 * laf_former_read(). Returns 0, also where there is none, or a negative errno with err filled: that one records on as before. */
int laf_former_take(struct laf_recorder *recorder, struct laf_error *err);

/* While there is one (recorder->former), before each read of our own: write what it has recorded; after some seconds, when the calls have ended that it saw
 * begin, take it down. Returns 0 or the negative errno of a write: then it must be called again before anything of our own is read. */
int laf_former_read(struct laf_recorder *recorder);

/* Add what it has lost; it has its causes. */
void laf_former_add_loss(const struct laf_recorder *recorder, struct laf_recorder_loss *ret);

/* Which one it is; NULL = there is none. */
const char *laf_former_name(const struct laf_recorder *recorder);

/* Are calls missing that were under way when our own programs were attached? While there is one. */
bool laf_former_is_blind(const struct laf_recorder *recorder);

/* Let it go, before our own engine is closed; `leave`: as it is, for the next daemon. */
void laf_former_close(struct laf_recorder *recorder, bool leave);

#endif
