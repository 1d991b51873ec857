/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration read again while the daemon runs. */
#ifndef LAF_RELOAD_H
#define LAF_RELOAD_H

#include "../sink/log.h"
#include "config.h"
#include "recorder.h"

/* Read `file` and put in force what differs. What only a start can change (rules_file, engine, ring_kib, kernel_records) stays as it was.
 * Returns 0 or a negative errno with err filled; then all stays as it was. */
int laf_reload(struct laf_config *config, const char *file, struct laf_recorder *recorder, struct laf_log *log,
	       struct laf_error *err);

/* Nice by as much as the configuration says, where that is allowed. */
void laf_set_priority(const struct laf_config *config);

int laf_new_formatter(const struct laf_config *config, struct laf_formatter **ret, struct laf_error *err);

#endif
