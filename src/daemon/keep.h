/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a daemon leaves for the next one: programs that go on recording, the rules they follow, and how far the log has come. */
#ifndef LAF_KEEP_H
#define LAF_KEEP_H

#include <limits.h>
#include <stdbool.h>

#include <laf/engine.h>
#include <laf/error.h>
#include <laf/rules.h>

#include "journal.h"

struct laf_keep {
	const char *folder; /* the run folder */
	char pins[200];     /* of the programs and maps; "" = nothing can be kept */
	char files[PATH_MAX]; /* of what belongs to one set of rings; "" = not started */
	struct laf_journal journal;
	int why_not;        /* the negative errno of pinning */
	bool resumed;       /* this daemon goes on where another was cut off: what is pinned stays if it can't start */
};

/* Find out where to keep things, and, before anybody writes to the log, whether the last write to it came to its end. The run folder
 * must be ours alone by now, and stay. Where the kernel takes no pins nothing is kept (`pins`).
 * Returns 0 or a negative errno with err filled. */
int laf_keep_open(struct laf_keep *keep, const char *folder, const char *log, struct laf_error *err);

/* The engine is open; another one that goes on with its rings has files of its own. If it goes on with what was kept, the rings are brought to
 * where the log ends. Returns 0 or a negative errno with err filled. */
int laf_keep_start(struct laf_keep *keep, struct laf_engine *engine, struct laf_error *err);

/* The rules of a generation, before it comes in force. Returns 0 or a negative errno with err filled. */
int laf_keep_save_rules(const struct laf_keep *keep, uint32_t generation, const struct laf_rules *rules,
			struct laf_error *err);

/* Into empty rules. Returns 1, 0 if that generation's are not there, or a negative errno with err filled. */
int laf_keep_read_rules(const struct laf_keep *keep, uint32_t generation, struct laf_rules *ret, struct laf_error *err);

/* End what goes on recording. Returns how many maps and programs there were, or a negative errno with err filled. */
int laf_keep_clean(const char *folder, struct laf_error *err);

void laf_keep_close(struct laf_keep *keep, bool leave); /* leave: for the next daemon */

#endif
