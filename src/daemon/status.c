// SPDX-License-Identifier: GPL-2.0-or-later
/* What `laf status` shows. */
#include <string.h>

#include "../clock.h"
#include "../netlink/netlink.h"
#include "status.h"

static void put_number(FILE *to, const char *name, uint64_t value)
{
	fprintf(to, "%s=%llu\n", name, (unsigned long long)value);
}

/* A line is a value. */
static void put_plain(FILE *to, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? '?' : *text, to);
}

static void put_text(FILE *to, const char *name, const char *value)
{
	fprintf(to, "%s=", name);
	put_plain(to, value);
	fputc('\n', to);
}

/* Of one of several: "name{which}=". The value follows. */
static void put_which(FILE *to, const char *name, const char *which)
{
	fprintf(to, "%s{", name);
	put_plain(to, which);
	fputs("}=", to);
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

static uint64_t fill_percent(const struct laf_engine_stats *stats)
{
	return stats->ring_bytes ? stats->ring_unread * 100 / stats->ring_bytes : 0;
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
	put_number(to, "ring_fill_percent", fill_percent(&stats));
	put_number(to, "events", recorder->events);
	put_number(to, "records", recorder->records);
	put_number(to, "kernel_records_written", recorder->kernel_records);
	put_number(to, "partial", recorder->partial);
	put_number(to, "lost_total", loss.total);
	for (unsigned i = 0; i < LAF_LOSS_NAMES; i++) {
		snprintf(name, sizeof(name), "lost_%s", laf_loss_name(i));
		put_number(to, name, laf_loss_count(&loss, i));
	}
}

#define LOSSES_SHOWN 32

static void put_losses(struct laf_recorder *recorder, FILE *to)
{
	struct laf_losses losses;
	char text[128];

	laf_recorder_losses(recorder, &losses);
	for (size_t i = 0; i < losses.n && i < LOSSES_SHOWN; i++) {
		laf_loss_of_text(&losses.list[i], text, sizeof(text));
		put_which(to, "lost_by", text);
		fprintf(to, "%llu\n", (unsigned long long)losses.list[i].n);
	}
	laf_losses_clear(&losses);
}

static void put_balance(const struct laf_balance *balance, FILE *to)
{
	char text[64];

	snprintf(text, sizeof(text), "%lld unaccounted", (long long)balance->unaccounted);
	put_text(to, "balance", !balance->checked ? "not checked yet" : balance->unaccounted ? text : "ok");
	fprintf(to, "unaccounted=%lld\n", (long long)balance->unaccounted);
}

static const char *log_state(const struct laf_log *log)
{
	if (!log->settings.write_logs)
		return "off";
	if (log->suspended)
		return "suspended";
	return log->sink.error ? strerror(log->sink.error) : "written";
}

static void put_log(const struct laf_log *log, FILE *to)
{
	put_text(to, "log_file", log->settings.file);
	put_number(to, "log_bytes", log->size);
	put_number(to, "log_rotations", log->rotated);
	put_number(to, "in_doubt", log->sync.in_doubt);
	put_text(to, "log_state", log_state(log));
}

static void put_rates(const struct laf_rates *rates, const struct laf_recorder *recorder, FILE *to)
{
	double events, records;

	laf_rates_get(rates, recorder, &events, &records);
	put_number(to, "uptime_seconds", (clock_ms(CLOCK_MONOTONIC) - rates->begun_ms) / 1000);
	fprintf(to, "events_per_second=%.1f\nrecords_per_second=%.1f\n", events, records);
}

static uint64_t waiting(const struct laf_plugin *p) { return p->records; }
static uint64_t written(const struct laf_plugin *p) { return p->written; }
static uint64_t lost(const struct laf_plugin *p) { return p->lost; }
static uint64_t restarts(const struct laf_plugin *p) { return p->restarts; }

static void put_plugins(const struct laf_plugins *plugins, FILE *to)
{
	static const struct {
		const char *name;
		uint64_t (*get)(const struct laf_plugin *p);
	} counts[] = {
		{ "plugin_waiting", waiting }, { "plugin_written", written }, { "plugin_lost", lost },
		{ "plugin_restarts", restarts },
	};
	unsigned i, k;

	put_number(to, "plugins", plugins->n);
	for (i = 0; i < plugins->n; i++) {
		put_which(to, "plugin_state", plugins->list[i]->config.name);
		fprintf(to, "%s\n", laf_plugin_state(plugins->list[i]));
	}
	for (k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
		for (i = 0; i < plugins->n; i++) {
			put_which(to, counts[k].name, plugins->list[i]->config.name);
			fprintf(to, "%llu\n", (unsigned long long)counts[k].get(plugins->list[i]));
		}
}

/* Where records of the kernel's own come from. */
static const char *kernel_records(const struct laf_recorder *recorder)
{
	if (!recorder->netlink)
		return "no";
	return recorder->netlink->mode == LAF_NETLINK_MULTICAST ? "multicast" : "seat";
}

void laf_status_write(struct laf_force *force, const struct laf_log *log, const struct laf_plugins *plugins,
		      const struct laf_rates *rates, FILE *to)
{
	put_engine(force, to);
	put_text(to, "kernel_records", kernel_records(force->recorder));
	put_settings(force, to);
	put_rates(rates, force->recorder, to);
	put_counts(force, to);
	put_losses(force->recorder, to);
	put_balance(&force->recorder->balance, to);
	put_log(log, to);
	put_plugins(plugins, to);
	put_text(to, "last_error", force->last_error);
}

void laf_status_write_top(struct laf_force *force, const struct laf_rates *rates, FILE *to)
{
	const struct laf_recorder *recorder = force->recorder;
	struct laf_recorder_loss loss = { 0 };
	struct laf_engine_stats stats = { 0 };

	laf_recorder_get_loss(force->recorder, &loss);
	laf_engine_get_stats(recorder->engine, &stats);
	put_number(to, "now_ms", clock_ms(CLOCK_MONOTONIC));
	put_number(to, "begun_ms", rates->begun_ms);
	put_text(to, "engine", laf_engine_name(recorder->engine));
	put_number(to, "records", recorder->records + recorder->kernel_records);
	put_number(to, "lost", loss.total);
	put_number(to, "runs", stats.runs);
	put_number(to, "run_ns", stats.run_ns);
	put_number(to, "ring_fill_percent", fill_percent(&stats));
	laf_top_write(recorder->top, to);
}
