// SPDX-License-Identifier: GPL-2.0-or-later
/* What `laf status` shows. */
#include <string.h>

#include "../netlink/netlink.h"
#include "status.h"

static void put_number(FILE *to, const char *name, uint64_t value)
{
	fprintf(to, "%s=%llu\n", name, (unsigned long long)value);
}

static void put_text(FILE *to, const char *name, const char *value)
{
	fprintf(to, "%s=", name);
	for (; *value; value++) /* a line is a value */
		fputc((unsigned char)*value < ' ' ? '?' : *value, to);
	fputc('\n', to);
}

static void put_settings(struct laf_force *force, FILE *to)
{
	const struct laf_settings *s = &force->settings;
	struct laf_live live;

	laf_force_live(force, &live);
	put_number(to, "enabled", s->enabled);
	put_number(to, "failure", s->failure);
	put_number(to, "pid", live.pid);
	put_number(to, "rate_limit", s->rate_limit);
	put_number(to, "backlog_limit", s->backlog_limit);
	put_number(to, "lost", live.lost);
	put_number(to, "backlog", live.backlog);
	put_number(to, "backlog_wait_time", s->backlog_wait_time);
	put_number(to, "backlog_wait_time_actual", live.backlog_wait_time_actual);
	put_number(to, "loginuid_immutable", live.loginuid_immutable);
	put_number(to, "loginuid_locked", live.loginuid_locked);
	put_number(to, "rules", force->rules.n);
}

static void put_engine(struct laf_force *force, FILE *to)
{
	const struct laf_config *config = force->config;
	const char *name = laf_engine_name(force->recorder->engine);
	char why[200] = "";

	if (config->engine[0])
		snprintf(why, sizeof(why), "the configuration asks for it");
	else
		laf_engine_best(why, sizeof(why));
	put_text(to, "engine", name);
	put_text(to, "engine_reason", why);
}

static void put_counts(struct laf_force *force, FILE *to)
{
	const struct laf_recorder *recorder = force->recorder;
	struct laf_recorder_loss loss = { 0 };
	struct laf_engine_stats stats = { 0 };
	char name[64];

	laf_recorder_get_loss(force->recorder, &loss);
	laf_engine_get_stats(recorder->engine, &stats);
	put_number(to, "ring_bytes", stats.ring_bytes);
	put_number(to, "ring_fill_percent", stats.ring_bytes ? stats.ring_unread * 100 / stats.ring_bytes : 0);
	put_number(to, "events", recorder->events);
	put_number(to, "records", recorder->records);
	put_number(to, "partial", recorder->partial);
	put_number(to, "lost_total", loss.total);
	for (unsigned i = 0; i < LAF_LOSS_NAMES; i++) {
		snprintf(name, sizeof(name), "lost_%s", laf_loss_name(i));
		put_number(to, name, laf_loss_count(&loss, i));
	}
}

static void put_log(const struct laf_log *log, FILE *to)
{
	put_text(to, "log_file", log->settings.file);
	put_number(to, "log_bytes", log->size);
	put_text(to, "log_state", log->suspended ? "suspended" : log->sink.error ? strerror(log->sink.error) : "written");
}

/* Where records of the kernel's own come from. */
static const char *kernel_records(const struct laf_recorder *recorder)
{
	if (!recorder->netlink)
		return "no";
	return recorder->netlink->mode == LAF_NETLINK_MULTICAST ? "multicast" : "seat";
}

void laf_status_write(struct laf_force *force, const struct laf_log *log, FILE *to)
{
	put_engine(force, to);
	put_text(to, "kernel_records", kernel_records(force->recorder));
	put_settings(force, to);
	put_counts(force, to);
	put_log(log, to);
	put_text(to, "last_error", force->last_error);
}
