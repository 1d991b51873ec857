// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the configuration. A setting that is not known is refused by name: nothing is silently ignored. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
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
		config->name_format = LAF_NAME_FORMAT_NONE;
	else if (!strcasecmp(value, "HOSTNAME"))
		config->name_format = LAF_NAME_FORMAT_HOSTNAME;
	else if (!strcasecmp(value, "USER"))
		config->name_format = LAF_NAME_FORMAT_USER;
	else
		return -EINVAL;
	return 0;
}

static int set_name(struct laf_config *config, const char *value)
{
	if (!value[0] || strlen(value) >= sizeof(config->name) || strpbrk(value, " \t\"'"))
		return -EINVAL;
	strcpy(config->name, value);
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

	if (!isdigit((unsigned char)*value) || *end || kib < 16 || kib > 1 << 20 || (kib & (kib - 1)))
		return -EINVAL;
	config->ring_bytes = kib << 10;
	return 0;
}

static int set_kernel_records(struct laf_config *config, const char *value)
{
	static const char *const names[] = {
		[LAF_NETLINK_NO] = "no", [LAF_NETLINK_AUTO] = "auto", [LAF_NETLINK_SEAT] = "seat",
		[LAF_NETLINK_MULTICAST] = "multicast",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcasecmp(value, names[i])) {
			config->kernel_records = i;
			return 0;
		}
	return -EINVAL;
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
	{ "kernel_records", set_kernel_records, "auto, seat, multicast or no" },
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
	size_t room = 0;
	char *text = NULL;
	unsigned line = 0;
	int r = check_owner(f, err);
	ssize_t n;

	while (!r && (n = getline(&text, &room, f)) >= 0) {
		line++;
		if (n > LINE_MAX_HERE)
			r = laf_error_at(err, -EINVAL, line, LINE_MAX_HERE, "the line is longer than %d bytes",
					 LINE_MAX_HERE - 1);
		else if (strlen(text) != (size_t)n)
			r = laf_error_at(err, -EINVAL, line, strlen(text) + 1, "this is no text: there is a NUL");
		else
			r = take_line(config, text, line, err);
	}
	if (!r && ferror(f))
		r = laf_error_set(err, -EIO, "config: reading it failed");
	free(text);
	return r;
}

/* Without O_NONBLOCK a FIFO would keep us waiting for a writer. */
static int open_file(const char *path, FILE **ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	*ret = fdopen(fd, "r");
	if (*ret)
		return 0;
	close(fd);
	return -ENOMEM;
}

static int set_node(struct laf_config *config, struct laf_error *err)
{
	if (config->name_format == LAF_NAME_FORMAT_USER && !config->name[0])
		return laf_error_set(err, -EINVAL, "config: name_format = USER wants a setting 'name'");
	if (config->name_format == LAF_NAME_FORMAT_USER)
		strcpy(config->node, config->name);
	if (config->name_format == LAF_NAME_FORMAT_HOSTNAME && gethostname(config->node, sizeof(config->node) - 1))
		return laf_error_set(err, -errno, "config: name_format = HOSTNAME: %s", strerror(errno));
	return 0;
}

int laf_config_read(struct laf_config *config, const char *path, struct laf_error *err)
{
	const char *file = path ? path : LAF_CONFIG_FILE;
	FILE *f = NULL;
	int r;

	memset(config, 0, sizeof(*config));
	strcpy(config->log_file, "/var/log/laf/audit.log");
	config->format = LAF_FORMAT_ENRICHED;
	config->kernel_records = LAF_NETLINK_AUTO;
	snprintf(err->file, sizeof(err->file), "%s", file);
	r = open_file(file, &f);
	if (r && (path || r != -ENOENT))
		return laf_error_set(err, r, "config: %s", strerror(-r));
	r = f ? read_lines(config, f, err) : 0;
	if (f)
		fclose(f);
	if (!r)
		r = set_node(config, err);
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
