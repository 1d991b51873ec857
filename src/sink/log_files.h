/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the log: for log*.c alone. */
#ifndef LAF_SINK_LOG_FILES_H
#define LAF_SINK_LOG_FILES_H

#include "log.h"

#define LAF_LOG_NAME (PATH_MAX + 64)

__attribute__((format(printf, 3, 4)))
void laf_log_say(struct laf_log *log, int priority, const char *format, ...);

/* log_files.c: names and modes. */

/* The name of a rotated file (0: of the current one), or of its compressed form. */
void laf_log_name(const struct laf_log *log, unsigned number, bool packed, char name[LAF_LOG_NAME]);
bool laf_log_exists(const struct laf_log *log, unsigned number, bool packed);

/* Open the current file for appending, cut what is not a whole line off its end, and make it if it is missing. Returns a descriptor
 * or a negative errno with err filled. */
int laf_log_open_file(struct laf_log *log, struct laf_error *err);

void laf_log_set_modes(struct laf_log *log);    /* of the folder and the rotated files */
void laf_log_learn_size(struct laf_log *log);   /* of the current file, and its age */
void laf_log_remove_excess(struct laf_log *log); /* files from num_logs up */

/* log_pack.c: compression, beside the writing. */
void laf_log_pack_next(struct laf_log *log);
void laf_log_pack_collect(struct laf_log *log, bool wait);

/* log_react.c: what happens then. */
enum laf_log_trouble {
	LAF_LOG_LOW,
	LAF_LOG_VERY_LOW,
	LAF_LOG_FULL,
	LAF_LOG_FAILED,
};

/* `what`, and why, for people. Returns true where it gave the log a new file, so that writing is worth another try. */
bool laf_log_react(struct laf_log *log, enum laf_log_trouble trouble, const char *what, int error);

void laf_log_check_space(struct laf_log *log);

/* log.c */
void laf_log_suspend(struct laf_log *log);

/* log_sync.c */
void laf_log_sync_if_due(struct laf_log *log);
void laf_log_sync_last(struct laf_log *log); /* the current file is about to be closed */

#endif
