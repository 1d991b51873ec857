// SPDX-License-Identifier: GPL-2.0-or-later
/* Configuration files of any bytes, of the daemon and of a plugin: each fault is placed inside its line and has a text, and what is taken is within its bounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/daemon/plugin_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The length of a line, without its end; 0 if there is none. */
static size_t line_length(const uint8_t *data, size_t size, unsigned line)
{
	const uint8_t *end = data + size, *newline;

	while (--line) {
		newline = memchr(data, '\n', end - data);
		if (!newline)
			return 0;
		data = newline + 1;
	}
	newline = memchr(data, '\n', end - data);
	return (newline ? newline : end) - data;
}

static void check_fault(const uint8_t *data, size_t size, const struct laf_error *err)
{
	char text[2048];

	if (!err->text[0] || laf_error_string(err, text, sizeof(text)) <= 0)
		abort();
	if (err->line && err->column > line_length(data, size, err->line) + 1)
		abort();
}

static void check_settings(const struct laf_config *c)
{
	const struct laf_log_settings *s = &c->log;

	if (s->file[0] != '/' || strlen(s->file) > PATH_MAX - 32 || s->num_logs > 999 || s->space_left.percent > 99 ||
	    s->admin_space_left.percent > 99 || s->max_log_age_s > INT32_MAX || c->plugins.q_depth > 99999 ||
	    (c->ring_kib & (c->ring_kib - 1)) || !c->n_rules || c->n_rules > LAF_CONFIG_RULES_MAX)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct laf_config config;
	static struct laf_plugin_config plugin;
	struct laf_error err = { 0 };
	FILE *f;

	if (!size)
		return 0;
	f = fmemopen((void *)data, size, "r");
	if (!f)
		abort();
	if (laf_config_read_stream(&config, f, &err)) {
		check_fault(data, size, &err);
	} else {
		check_settings(&config);
		laf_config_clear(&config);
	}
	rewind(f);
	err = (struct laf_error){ 0 };
	if (laf_plugin_config_read_stream(&plugin, f, &err))
		check_fault(data, size, &err);
	else if (plugin.active && !plugin.path[0])
		abort();
	fclose(f);
	return 0;
}
