/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the daemon may do once it runs. */
#ifndef LAF_POWER_H
#define LAF_POWER_H

#include <stdbool.h>

#include "config.h"

/* Give up all capabilities but the few that work after the start needs. Programs that the daemon runs are root's and have theirs as any; where
 * the configuration names none, no program can have more than the daemon from now on. `plugins`: some run, perhaps as other users. Returns 0 or a negative errno with err
 * filled. */
int laf_power_drop(const struct laf_config *config, bool plugins, struct laf_error *err);

#endif
