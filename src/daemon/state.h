/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the daemon as a file, for SIGCONT. */
#ifndef LAF_STATE_H
#define LAF_STATE_H

#include "../sink/log.h"
#include "../sink/plugin.h"
#include "config.h"
#include "recorder.h"

void laf_state_write(const struct laf_config *config, const struct laf_log *log, const struct laf_plugins *plugins,
		     struct laf_recorder *recorder);
void laf_state_remove(const struct laf_config *config);

#endif
