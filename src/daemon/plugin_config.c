// SPDX-License-Identifier: GPL-2.0-or-later
/* A file for each plugin, as auditd-plugins(5) has them. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <syslog.h>

#include "config_lines.h"
#include "plugin_config.h"

static int one_of(const char *value, const char *no, const char *yes, unsigned *ret)
{
	if (strcasecmp(value, no) && strcasecmp(value, yes))
		return -EINVAL;
	*ret = !strcasecmp(value, yes);
	return 0;
}

static int set_path(struct laf_plugin_config *c, const char *value)
{
	if ((value[0] != '/' && strncasecmp(value, "builtin_", 8)) || strlen(value) >= sizeof(c->path))
		return -EINVAL;
	strcpy(c->path, value);
	return 0;
}

static int set_args(struct laf_plugin_config *c, const char *value, const char *rest)
{
	int n = snprintf(c->args, sizeof(c->args), "%s%s%s", value, *rest ? " " : "", rest);

	return n < (int)sizeof(c->args) ? 0 : -EINVAL;
}

/* A laf_config_set_fn. */
static int set(void *arg, const char *name, char *value, const char *rest, const char **ret_wants)
{
	struct laf_plugin_config *c = arg;
	unsigned out;

	*ret_wants = "one word";
	if (!strcasecmp(name, "args")) {
		*ret_wants = "shorter";
		return set_args(c, value, rest);
	}
	if (*rest)
		return -EINVAL;
	if (!strcasecmp(name, "active")) {
		*ret_wants = "yes or no";
		return one_of(value, "no", "yes", &c->active);
	}
	if (!strcasecmp(name, "direction")) {
		*ret_wants = "out";
		return one_of(value, "out", "out", &out);
	}
	if (!strcasecmp(name, "path")) {
		*ret_wants = "an absolute path, or builtin_af_unix";
		return set_path(c, value);
	}
	if (!strcasecmp(name, "type")) {
		*ret_wants = "always or builtin";
		return one_of(value, "always", "builtin", &c->builtin);
	}
	if (!strcasecmp(name, "format")) {
		*ret_wants = "string or binary";
		return one_of(value, "string", "binary", &c->binary);
	}
	return -ENOENT;
}

int laf_plugin_config_read_stream(struct laf_plugin_config *ret, FILE *f, struct laf_error *err)
{
	int r;

	memset(ret, 0, sizeof(*ret));
	r = laf_config_read_lines(f, set, ret, err);
	if (r || !ret->active)
		return r;
	if (!ret->path[0])
		return laf_error_set(err, -EINVAL, "plugin: it is active, and has no path");
	if (!strncasecmp(ret->path, "builtin_", 8))
		ret->builtin = true;
	if (ret->builtin && strcasecmp(ret->path, "builtin_af_unix"))
		return laf_error_set(err, -EINVAL, "plugin: of those built in there is builtin_af_unix, and no %s", ret->path);
	return 0;
}

/* Hidden files, and those with two dots as packages leave them, are none of ours. */
static bool is_config(const char *name)
{
	const char *dot = strchr(name, '.');

	return name[0] != '.' && !(dot && strchr(dot + 1, '.')) && strlen(name) < 256;
}

static int read_one(struct laf_plugin_config *ret, const char *folder, const char *name, struct laf_error *err)
{
	char path[PATH_MAX + 260];
	FILE *f;
	int r;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(err->file, sizeof(err->file), "%.255s", path);
	r = laf_config_open(path, &f, err);
	if (r)
		return r;
	r = laf_plugin_config_read_stream(ret, f, err);
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	fclose(f);
	return r;
}

static void tell(struct laf_plugins *plugins, const struct laf_error *err)
{
	char text[1024];

	laf_error_string(err, text, sizeof(text));
	plugins->say(plugins->say_arg, LOG_ERR, text);
}

void laf_plugins_load(struct laf_plugins *plugins, const struct laf_config *config, bool hup)
{
	struct laf_plugin_config *list = calloc(LAF_PLUGINS_MAX, sizeof(*list));
	DIR *folder = opendir(config->plugins.folder);
	struct dirent *entry;
	unsigned n = 0;

	while (list && folder && n < LAF_PLUGINS_MAX && (entry = readdir(folder))) {
		struct laf_error err = { 0 };

		if (!is_config(entry->d_name))
			continue;
		if (read_one(&list[n], config->plugins.folder, entry->d_name, &err))
			tell(plugins, &err);
		else
			n += list[n].active;
	}
	plugins->q_depth = config->plugins.q_depth;
	plugins->overflow_action = config->plugins.overflow_action;
	plugins->max_restarts = config->plugins.max_restarts;
	plugins->init_command = config->log.init_command;
	plugins->enriched = config->format == LAF_FORMAT_ENRICHED;
	if (list)
		laf_plugins_set(plugins, list, n, hup);
	if (folder)
		closedir(folder);
	free(list);
}
