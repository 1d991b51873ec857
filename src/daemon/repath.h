/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules name files by path, the policy by inode: when a name comes, goes or is replaced, the rules are compiled anew. */
#ifndef LAF_REPATH_H
#define LAF_REPATH_H

#include <stdbool.h>
#include <stdint.h>

#include <laf/error.h>

#include "recorder.h"

#define LAF_REPATH_EVERY_MS 50 /* at most so often */

struct laf_repath {
	int fd; /* inotify */
	struct laf_recorder *recorder;
	char **names; /* the last components of all paths in the rules, sorted */
	size_t n_names;
	bool due;
	uint64_t last_ms;
	uint64_t failures; /* reloads that failed; the old policy stayed */
	uint64_t unwatched; /* folders that could not be watched */
};

/* Watch the folders of the recorder's policy. Returns 0 or a negative errno with err filled. */
int laf_repath_open(struct laf_repath *repath, struct laf_recorder *recorder, struct laf_error *err);

/* The recorder's rules are others now. Without memory the names stay the old ones, and that is a failure counted. */
void laf_repath_renew(struct laf_repath *repath);

/* See whether a watched name changed, and reload if so. Never waits. */
void laf_repath_check(struct laf_repath *repath);

void laf_repath_close(struct laf_repath *repath);

#endif
