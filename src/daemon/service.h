/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon: the whole machine, until it is told to end. */
#ifndef LAF_SERVICE_H
#define LAF_SERVICE_H

#include <laf/error.h>

#include "config.h"

/* Load the rules, audit, write the log; returns after SIGTERM or SIGINT, when the last event is written.
 * Returns 0 or a negative errno with err filled. */
int laf_service_run(const struct laf_config *config, struct laf_error *err);

#endif
