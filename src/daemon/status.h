/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the daemon is, as lines "name=value"; of what there are several, "name{which}=value". What the names mean: src/cli/status_fields.c. */
#ifndef LAF_STATUS_H
#define LAF_STATUS_H

#include <stdio.h>

#include "../sink/log.h"
#include "../sink/plugin.h"
#include "force.h"
#include "rates.h"

void laf_status_write(struct laf_force *force, const struct laf_log *log, const struct laf_plugins *plugins,
		      const struct laf_rates *rates, FILE *to);

/* What `laf top` asks for: the time, totals, and what laf_top_write() says. */
void laf_status_write_top(struct laf_force *force, const struct laf_rates *rates, FILE *to);

#endif
