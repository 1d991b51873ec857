/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon: the whole machine, until it is told to end. */
#ifndef LAF_SERVICE_H
#define LAF_SERVICE_H

#include <laf/error.h>

#include "config.h"

/* Load the rules, audit, write the log; returns after SIGTERM or SIGINT, when the last event is written. `file` is where the
 * configuration came from (NULL: LAF_CONFIG_FILE): SIGHUP reads it again into `config`.
 * Returns 0, 1 with err filled where the log lacks its end, or a negative errno with err filled. */
int laf_service_run(struct laf_config *config, const char *file, struct laf_error *err);

#endif
