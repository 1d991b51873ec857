/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules and settings in force, and their change while the daemon runs. */
#ifndef LAF_DAEMON_CONTROL_H
#define LAF_DAEMON_CONTROL_H

#include <laf/rules.h>

#include "../control/control.h"
#include "../control/execute.h"
#include "config.h"
#include "recorder.h"
#include "repath.h"

struct laf_force {
	const struct laf_config *config;
	struct laf_control *control;
	struct laf_rules rules;       /* as listed; in effect while settings.enabled is not 0 */
	struct laf_settings settings;
	struct laf_rules none;        /* what is in effect otherwise */
	struct laf_recorder *recorder;
	struct laf_repath *repath;
	uint64_t lost_before;         /* --reset-lost: counted until then */
	char last_error[256];         /* of a change that failed here */
	/* a record of the daemon's own into the log */
	void (*write_record)(void *arg, const char *type, const char *body);
	void *arg;
};

/* What the engine is to follow. */
const struct laf_rules *laf_force_rules(const struct laf_force *force);

/* The rule files of the configuration, before the engine runs: into force->rules and force->settings. Lines that -i and -c let pass are
 * told on standard error. Returns 0 or a negative errno with err filled. */
int laf_force_load(struct laf_force *force, struct laf_error *err);

/* Serve clients. Never waits for them. */
void laf_force_serve(struct laf_force *force);

void laf_force_clear(struct laf_force *force);

#endif
