// SPDX-License-Identifier: GPL-2.0-or-later
/* What can fail comes first; then there is no way back and none is needed. */
#include <limits.h>
#include <string.h>
#include <sys/resource.h>

#include "reload.h"

void laf_set_priority(const struct laf_config *config)
{
	setpriority(PRIO_PROCESS, 0, config->priority_boost > 20 ? -20 : -(int)config->priority_boost);
}

int laf_new_formatter(const struct laf_config *config, struct laf_formatter **ret, struct laf_error *err)
{
	int r = laf_formatter_new(config->format, config->node[0] ? config->node : NULL, ret);

	return r ? laf_error_set(err, r, "daemon: out of memory") : 0;
}

/* Take over all but what only a start can change. */
static void take_over(struct laf_config *config, struct laf_config *fresh)
{
	struct laf_config old = *config;

	*config = *fresh;
	memcpy(fresh->rules, config->rules, sizeof(config->rules));
	memcpy(config->rules, old.rules, sizeof(config->rules));
	config->n_rules = old.n_rules;
	memcpy(config->engine, old.engine, sizeof(config->engine));
	config->ring_kib = old.ring_kib;
	config->kernel_records = old.kernel_records;
}

static int put_in_force(struct laf_config *config, struct laf_config *fresh, struct laf_recorder *recorder,
			struct laf_log *log, struct laf_error *err)
{
	struct laf_formatter *formatter;
	int r = laf_new_formatter(fresh, &formatter, err);

	if (r)
		return r;
	r = laf_log_reconfigure(log, &fresh->log, err);
	if (r) {
		laf_formatter_free(formatter);
		return r;
	}
	laf_formatter_free(recorder->formatter);
	recorder->formatter = formatter;
	take_over(config, fresh);
	laf_set_priority(config);
	return 0;
}

int laf_reload(struct laf_config *config, const char *file, struct laf_recorder *recorder, struct laf_log *log,
	       struct laf_error *err)
{
	struct laf_config fresh;
	int r = laf_config_read(&fresh, file, err);

	if (r)
		return r;
	r = put_in_force(config, &fresh, recorder, log, err);
	laf_config_clear(&fresh);
	return r;
}
