/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules and settings in force: where they come from at the start, and how a change comes in force. */
#ifndef LAF_FORCE_H
#define LAF_FORCE_H

#include <laf/rules.h>

#include "../control/control.h"
#include "../control/execute.h"
#include "config.h"
#include "recorder.h"
#include "repath.h"

struct laf_force {
	const struct laf_config *config;
	const char *folder;           /* the run folder */
	struct laf_recorder *recorder;
	struct laf_repath *repath;
	struct laf_rules rules;       /* as listed; in effect while settings.enabled is not 0 */
	struct laf_settings settings;
	struct laf_rules none;        /* what is in effect otherwise */
	uint64_t lost_before;         /* --reset-lost: counted until then */
	char *records;                /* CONFIG_CHANGE of the start, until the log is open */
	char last_error[256];         /* of a change that failed here, of the log, of a plugin */
	/* a record of the daemon's own into the log */
	void (*write_record)(void *arg, const char *type, const char *body);
	void *arg;
};

/* Before the engine runs: the rules and settings that are locked, or else those of the configuration's rule files. Lines that -i and -c let
 * pass are told on standard error. Returns 0 or a negative errno with err filled. */
int laf_force_load(struct laf_force *force, struct laf_error *err);

/* What the engine is to follow. */
const struct laf_rules *laf_force_rules(const struct laf_force *force);

/* Log what laf_force_load() did. */
void laf_force_tell(struct laf_force *force);

/* What auditctl -s shows, beyond the settings. */
void laf_force_live(struct laf_force *force, struct laf_live *ret);

/* Carry out a request of that process. */
void laf_force_change(struct laf_force *force, pid_t pid, const struct laf_control_request *request,
		      struct laf_control_reply *ret);

/* Put -r and -b in force: of the kernel's audit, too, where that carries out the rules. */
void laf_force_limit(struct laf_force *force);

void laf_force_clear(struct laf_force *force);

#endif
