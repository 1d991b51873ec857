// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the configuration. A setting that is not known is refused by name: nothing is silently ignored. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"

#define LINE_MAX_HERE 8192

static int set_path(char *to, const char *value)
{
	if (value[0] != '/' || strlen(value) >= PATH_MAX)
		return -EINVAL;
	strcpy(to, value);
	return 0;
}

static int set_log_file(struct laf_config *config, const char *value)
{
	return set_path(config->log_file, value);
}

static int set_log_format(struct laf_config *config, const char *value)
{
	if (!strcasecmp(value, "RAW"))
		config->format = LAF_FORMAT_RAW;
	else if (!strcasecmp(value, "ENRICHED"))
		config->format = LAF_FORMAT_ENRICHED;
	else
		return -EINVAL;
	return 0;
}

static int set_name_format(struct laf_config *config, const char *value)
{
	if (!strcasecmp(value, "NONE"))
		config->node[0] = 0;
	else if (!strcasecmp(value, "HOSTNAME"))
		return gethostname(config->node, sizeof(config->node) - 1) ? -errno : 0;
	else if (strcasecmp(value, "USER")) /* USER: the setting `name` says it */
		return -EINVAL;
	return 0;
}

static int set_name(struct laf_config *config, const char *value)
{
	if (!value[0] || strlen(value) >= sizeof(config->node) || strpbrk(value, " \t\"'"))
		return -EINVAL;
	strcpy(config->node, value);
	return 0;
}

static int set_rules_file(struct laf_config *config, const char *value)
{
	if (value[0] != '/')
		return -EINVAL;
	if (config->n_rules == LAF_CONFIG_RULES_MAX)
		return -E2BIG;
	config->rules[config->n_rules] = strdup(value);
	return config->rules[config->n_rules++] ? 0 : -ENOMEM;
}

static int set_engine(struct laf_config *config, const char *value)
{
	if (strlen(value) >= sizeof(config->engine))
		return -EINVAL;
	strcpy(config->engine, strcasecmp(value, "auto") ? value : "");
	return 0;
}

static int set_ring_kib(struct laf_config *config, const char *value)
{
	char *end;
	unsigned long kib = strtoul(value, &end, 10);

	if (end == value || *end || kib < 16 || kib > 1 << 20 || (kib & (kib - 1)))
		return -EINVAL;
	config->ring_bytes = kib << 10;
	return 0;
}

static const struct setting {
	const char *name;
	int (*set)(struct laf_config *config, const char *value);
	const char *wants;
} settings[] = {
	{ "log_file", set_log_file, "an absolute path" },
	{ "log_format", set_log_format, "RAW or ENRICHED" },
	{ "name_format", set_name_format, "NONE, HOSTNAME or USER" },
	{ "name", set_name, "one word" },
	{ "rules_file", set_rules_file, "an absolute path, at most 64 times" },
	{ "engine", set_engine, "auto or the name of an engine" },
	{ "ring_kib", set_ring_kib, "a power of two from 16 to 1048576" },
};

/* Cut the blanks off both ends, in place. */
static char *trim(char *text)
{
	char *end;

	text += strspn(text, " \t");
	end = text + strlen(text);
	while (end > text && strchr(" \t\r\n", end[-1]))
		*--end = 0;
	return text;
}

static int take_line(struct laf_config *config, char *text, unsigned line, struct laf_error *err)
{
	char *name = trim(text), *value = strchr(name, '=');
	unsigned column = name - text + 1, i;

	if (!*name || *name == '#')
		return 0;
	if (!value)
		return laf_error_at(err, -EINVAL, line, column, "a setting is 'name = value'");
	*value++ = 0;
	value = trim(value);
	name = trim(name);
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (strcasecmp(name, settings[i].name))
			continue;
		if (settings[i].set(config, value))
			return laf_error_at(err, -EINVAL, line, value - text + 1, "%s is %s, not '%s'",
					    settings[i].name, settings[i].wants, value);
		return 0;
	}
	return laf_error_at(err, -EINVAL, line, column, "there is no setting '%s'", name);
}

static int check_owner(FILE *f, struct laf_error *err)
{
	struct stat st;

	if (fstat(fileno(f), &st))
		return laf_error_set(err, -errno, "config: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return laf_error_set(err, -EINVAL, "config: this is not a regular file");
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return laf_error_set(err, -EPERM, "config: the file must belong to root");
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return laf_error_set(err, -EPERM, "config: others can write this file; chmod go-w it");
	return 0;
}

static int read_lines(struct laf_config *config, FILE *f, struct laf_error *err)
{
	char text[LINE_MAX_HERE];
	unsigned line = 0;
	int r = check_owner(f, err);

	while (!r && fgets(text, sizeof(text), f)) {
		line++;
		if (!strchr(text, '\n') && !feof(f))
			return laf_error_at(err, -EINVAL, line, 0, "the line is longer than %d bytes",
					    LINE_MAX_HERE - 2);
		r = take_line(config, text, line, err);
	}
	return r;
}

int laf_config_read(struct laf_config *config, const char *path, struct laf_error *err)
{
	const char *file = path ? path : LAF_CONFIG_FILE;
	FILE *f;
	int r;

	memset(config, 0, sizeof(*config));
	strcpy(config->log_file, "/var/log/laf/audit.log");
	config->format = LAF_FORMAT_ENRICHED;
	snprintf(err->file, sizeof(err->file), "%s", file);
	f = fopen(file, "re");
	if (!f && (path || errno != ENOENT))
		return laf_error_set(err, -errno, "config: %s", strerror(errno));
	r = f ? read_lines(config, f, err) : 0;
	if (f)
		fclose(f);
	if (!r && !config->n_rules)
		r = set_rules_file(config, "/etc/audit/audit.rules");
	if (r)
		laf_config_clear(config);
	else
		err->file[0] = 0;
	return r;
}

void laf_config_clear(struct laf_config *config)
{
	while (config->n_rules)
		free(config->rules[--config->n_rules]);
}
