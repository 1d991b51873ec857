// SPDX-License-Identifier: GPL-2.0-or-later
/* The plugins: which there are, and what is queued for them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "../clock.h"
#include "command.h"
#include "plugin_format.h"
#include "plugin_run.h"

static struct laf_plugin *new_plugin(struct laf_plugins *plugins, const struct laf_plugin_config *config)
{
	struct laf_plugin *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->room = plugins->q_depth ? plugins->q_depth : 1;
	p->queue = calloc(p->room, sizeof(*p->queue));
	p->frame = config->binary ? malloc(LAF_PLUGIN_FRAME) : NULL;
	if (!p->queue || (config->binary && !p->frame)) {
		free(p->frame);
		free(p->queue);
		free(p);
		return NULL;
	}
	p->config = *config;
	p->fd = p->listen_fd = -1;
	p->kind = config->builtin ? LAF_PLUGIN_SOCKET : LAF_PLUGIN_PROGRAM;
	laf_plugin_start(plugins, p);
	return p;
}

static bool is_same(const struct laf_plugin *p, const struct laf_plugin_config *config, unsigned q_depth)
{
	struct stat st;

	if (strcmp(p->config.name, config->name) || strcmp(p->config.path, config->path) ||
	    strcmp(p->config.args, config->args) || p->config.builtin != config->builtin ||
	    p->config.binary != config->binary || p->given_up || p->room != (q_depth ? q_depth : 1))
		return false;
	return p->kind == LAF_PLUGIN_SOCKET || (!stat(config->path, &st) && st.st_ino == p->inode);
}

/* Keep it, if it is to go on as it is. */
static bool keep(struct laf_plugins *plugins, const struct laf_plugin_config *config, bool hup)
{
	unsigned i;

	for (i = 0; i < plugins->n; i++) {
		struct laf_plugin *p = plugins->list[i];

		if (p->seen || !is_same(p, config, plugins->q_depth))
			continue;
		p->seen = true;
		p->suspended = false;
		if (hup && p->pid)
			kill(p->pid, SIGHUP);
		return true;
	}
	return false;
}

void laf_plugins_set(struct laf_plugins *plugins, const struct laf_plugin_config *configs, unsigned n, bool hup)
{
	bool kept[LAF_PLUGINS_MAX];
	unsigned i, left = 0;

	for (i = 0; i < plugins->n; i++)
		plugins->list[i]->seen = false;
	for (i = 0; i < n; i++)
		kept[i] = keep(plugins, &configs[i], hup);
	for (i = 0; i < plugins->n; i++)
		if (plugins->list[i]->seen)
			plugins->list[left++] = plugins->list[i];
		else
			laf_plugin_end(plugins, plugins->list[i], SIGTERM);
	plugins->n = left;
	for (i = 0; i < n; i++) {
		struct laf_plugin *p = kept[i] ? NULL : new_plugin(plugins, &configs[i]);

		if (p)
			plugins->list[plugins->n++] = p;
	}
}

void laf_plugins_feed(struct laf_plugins *plugins)
{
	unsigned i;

	for (i = 0; i < plugins->n; i++)
		laf_plugin_feed(plugins, plugins->list[i]);
	laf_plugins_reap(plugins);
}

static void overflowed(struct laf_plugins *plugins, struct laf_plugin *p, unsigned records)
{
	unsigned action = plugins->overflow_action;

	p->lost += records;
	if (p->told_lost)
		return;
	p->told_lost = true;
	if (action != LAF_OVERFLOW_IGNORE)
		laf_plugin_say(plugins, p, LOG_ALERT, "its queue is full: records are lost to it%s",
		    action == LAF_OVERFLOW_SUSPEND ? ", and it gets no more until SIGUSR2 or SIGHUP" :
		    action == LAF_OVERFLOW_SINGLE ? "; the system changes to single-user mode" :
		    action == LAF_OVERFLOW_HALT ? "; the system is halted" : "");
	p->suspended = action == LAF_OVERFLOW_SUSPEND;
	if (action == LAF_OVERFLOW_SINGLE || action == LAF_OVERFLOW_HALT)
		laf_command_run(plugins->init_command, action == LAF_OVERFLOW_HALT ? "0" : "1");
}

static bool wants(const struct laf_plugin *p)
{
	return !p->given_up && !p->suspended && (p->kind == LAF_PLUGIN_PROGRAM || p->fd >= 0);
}

/* An event that is larger than a whole queue still finds room in one that is empty. */
static bool has_room(const struct laf_plugins *plugins, const struct laf_plugin *p, unsigned records)
{
	return p->n < p->room && (!p->n || p->records + records <= plugins->q_depth);
}

static void put(struct laf_plugins *plugins, struct laf_plugin *p, struct laf_plugin_item *item)
{
	if (!has_room(plugins, p, item->records))
		laf_plugin_feed(plugins, p);
	if (!wants(p))
		return;
	if (!has_room(plugins, p, item->records)) {
		overflowed(plugins, p, item->records);
		return;
	}
	if (p->records < plugins->q_depth / 2)
		p->told_lost = false;
	p->queue[(p->first + p->n++) % p->room] = item;
	p->records += item->records;
	item->users++;
}

void laf_plugins_resume(struct laf_plugins *plugins)
{
	unsigned i;

	for (i = 0; i < plugins->n; i++)
		plugins->list[i]->suspended = false;
}

static bool all_fed(const struct laf_plugins *plugins)
{
	unsigned i;

	for (i = 0; i < plugins->n; i++)
		if (plugins->list[i]->n && plugins->list[i]->fd >= 0)
			return false;
	return true;
}

static void wait_for_leaving(struct laf_plugins *plugins, unsigned ms)
{
	uint64_t until_ms = clock_ms(CLOCK_MONOTONIC) + ms;

	for (laf_plugins_reap(plugins); plugins->n_leaving && clock_ms(CLOCK_MONOTONIC) < until_ms; laf_plugins_reap(plugins))
		usleep(5000);
}

/* The end of their input tells them, so that they read all that is in it; who does not see that is told by signals. */
void laf_plugins_close(struct laf_plugins *plugins, unsigned ms)
{
	uint64_t until_ms = clock_ms(CLOCK_MONOTONIC) + ms;

	for (laf_plugins_feed(plugins); !all_fed(plugins) && clock_ms(CLOCK_MONOTONIC) < until_ms; laf_plugins_feed(plugins))
		usleep(5000);
	while (plugins->n)
		laf_plugin_end(plugins, plugins->list[--plugins->n], 0);
	wait_for_leaving(plugins, ms);
	laf_plugins_signal(plugins, SIGTERM);
	wait_for_leaving(plugins, ms);
	laf_plugins_signal(plugins, SIGKILL);
}

void laf_plugins_take(void *arg, const char *text, size_t bytes, unsigned records)
{
	struct laf_plugins *plugins = arg;
	struct laf_plugin_item *forms[2] = { NULL, NULL };
	unsigned i;

	for (i = 0; i < plugins->n; i++) {
		struct laf_plugin *p = plugins->list[i];
		struct laf_plugin_item **form = &forms[p->config.binary];

		if (!wants(p))
			continue;
		if (!*form)
			*form = p->config.binary ? laf_plugin_binary(text, bytes, records, plugins->enriched)
						 : laf_plugin_string(text, bytes, records);
		if (*form)
			put(plugins, p, *form);
		else
			p->lost += records ? records : 1;
	}
	for (i = 0; i < 2; i++)
		if (forms[i] && !forms[i]->users)
			free(forms[i]);
}

unsigned laf_plugins_poll(const struct laf_plugins *plugins, struct pollfd *fds)
{
	unsigned i, n = 0;

	for (i = 0; i < plugins->n; i++)
		if (plugins->list[i]->n && plugins->list[i]->fd >= 0)
			fds[n++] = (struct pollfd){ .fd = plugins->list[i]->fd, .events = POLLOUT };
	return n;
}

const char *laf_plugin_state(const struct laf_plugin *p)
{
	if (p->given_up)
		return "given up";
	if (p->suspended)
		return "suspended";
	return p->fd >= 0 ? "running" : "waiting";
}

void laf_plugins_write_state(const struct laf_plugins *plugins, FILE *f)
{
	unsigned i;

	fprintf(f, "Number of active plugins = %u\n", plugins->n);
	for (i = 0; i < plugins->n; i++) {
		const struct laf_plugin *p = plugins->list[i];

		fprintf(f, "plugin %s = %s, %u records in its queue, %llu written, %llu lost, %u restarts\n", p->config.name,
			laf_plugin_state(p), p->records, (unsigned long long)p->written, (unsigned long long)p->lost, p->restarts);
	}
}
