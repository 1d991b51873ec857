/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules name files by path, the policy by inode: when a name comes, goes or is replaced, the rules are compiled anew. */
#ifndef LAF_REPATH_H
#define LAF_REPATH_H

#include <stdbool.h>
#include <stdint.h>

#include <laf/error.h>

#include "recorder.h"

#define LAF_REPATH_EVERY_MS 50 /* at most so often */

/* Sorted, each once. */
struct laf_names {
	char **list;
	size_t n, room;
};

struct laf_repath {
	int fd; /* inotify */
	struct laf_recorder *recorder;
	int last_number; /* of a folder that inotify watches */
	struct laf_names files;  /* the last components of path= rules */
	struct laf_names others; /* all other components of paths in the rules */
	bool followed; /* the engine follows `files` by itself */
	bool fresh;    /* folders are watched only since the names were looked up */
	bool due;
	uint64_t misfits; /* what the engine could not follow so far */
	uint64_t last_ms;
	uint64_t failures; /* reloads that failed; the old policy stayed */
	uint64_t unwatched; /* folders that could not be watched */
};

/* Watch the folders of these rules' paths, before the recorder is opened with them and looks the names up. Returns 0 or a negative
 * errno with err filled. */
int laf_repath_open(struct laf_repath *repath, struct laf_recorder *recorder, const struct laf_rules *rules,
		    struct laf_error *err);

/* The recorder is open. */
void laf_repath_start(struct laf_repath *repath);

/* The recorder's rules are others now. Without memory the names stay the old ones, and that is a failure counted. */
void laf_repath_renew(struct laf_repath *repath);

/* See whether a watched name changed, and reload if so. Never waits. */
void laf_repath_check(struct laf_repath *repath);

void laf_repath_close(struct laf_repath *repath);

#endif
