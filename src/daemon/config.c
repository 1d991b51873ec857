// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the configuration. A setting that is not known is refused by name: nothing is silently ignored. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config_lines.h"
#include "config_settings.h"

#define RULES_FILE "/etc/audit/audit.rules"

/* What no line says alone. */
static int check_all(const struct laf_config *config, struct laf_error *err)
{
	const struct laf_log_settings *log = &config->log;

	if (!log->space_left.percent && !log->admin_space_left.percent && log->admin_space_left.mib &&
	    log->space_left.mib <= log->admin_space_left.mib)
		return laf_error_set(err, -EINVAL, "config: space_left (%u) must be larger than admin_space_left (%u)",
				     log->space_left.mib, log->admin_space_left.mib);
	if ((log->flush == LAF_FLUSH_INCREMENTAL || log->flush == LAF_FLUSH_INCREMENTAL_ASYNC) && !log->freq)
		return laf_error_set(err, -EINVAL, "config: flush = INCREMENTAL wants a freq above 0");
	if (log->group && !strncmp(log->file, "/var/log/", 9) && !strchr(log->file + 9, '/'))
		return laf_error_set(err, -EINVAL,
				     "config: with a log_group, log_file must not lie in /var/log itself: the group would be given all of it");
	if (log->max_log_age_s && log->num_logs < 2 && log->max_log_action != LAF_ACTION_KEEP_LOGS)
		return laf_error_set(err, -EINVAL,
				     "config: max_log_age wants a num_logs above 1, or max_log_file_action = KEEP_LOGS");
	return 0;
}

/* f may be NULL: there is no file. */
static int read_all(struct laf_config *config, FILE *f, struct laf_error *err)
{
	int r;

	laf_config_defaults(config);
	r = f ? laf_config_read_lines(f, laf_config_set, config, err) : 0;
	if (!r)
		r = check_all(config, err);
	if (!r && !config->n_rules) {
		config->rules[0] = strdup(RULES_FILE);
		config->n_rules = config->rules[0] != NULL;
		r = config->n_rules ? 0 : laf_error_set(err, -ENOMEM, "config: out of memory");
	}
	if (r)
		laf_config_clear(config);
	return r;
}

int laf_config_read_stream(struct laf_config *config, FILE *f, struct laf_error *err)
{
	return read_all(config, f, err);
}

int laf_config_read(struct laf_config *config, const char *path, struct laf_error *err)
{
	const char *file = path ? path : LAF_CONFIG_FILE;
	FILE *f = NULL;
	int r;

	snprintf(err->file, sizeof(err->file), "%s", file);
	r = laf_config_open(file, &f, err);
	if (r && (path || r != -ENOENT))
		return r;
	r = read_all(config, f, err);
	if (f)
		fclose(f);
	if (r)
		return r;
	r = laf_config_set_node(config, err);
	if (r)
		laf_config_clear(config);
	else
		memset(err, 0, sizeof(*err));
	return r;
}

void laf_config_clear(struct laf_config *config)
{
	while (config->n_rules)
		free(config->rules[--config->n_rules]);
}
