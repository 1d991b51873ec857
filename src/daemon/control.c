// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests of clients: what they ask is carried out on a copy, the copy put in force in one step, and the change logged. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../rules/list.h"
#include "control.h"
#include "readrules.h"

const struct laf_rules *laf_force_rules(const struct laf_force *force)
{
	return force->settings.enabled ? &force->rules : &force->none;
}

int laf_force_load(struct laf_force *force, struct laf_error *err)
{
	const struct laf_config *config = force->config;
	unsigned i;
	int r = 0;

	for (i = 0; i < config->n_rules && !r; i++)
		r = laf_read_rules(&force->rules, config->rules[i], err);
	if (!r)
		laf_warn_lists(&force->rules);
	return r;
}

static uint64_t lost_in_all(struct laf_force *force)
{
	struct laf_recorder_loss loss;

	return laf_recorder_get_loss(force->recorder, &loss) ? 0 : loss.total;
}

static void read_live(struct laf_force *force, struct laf_live *ret)
{
	*ret = (struct laf_live){ .pid = getpid(), .lost = lost_in_all(force) - force->lost_before };
}

/* The engine follows other rules, or, where that fails, the old ones. */
static int follow_rules(struct laf_force *force, struct laf_error *err)
{
	int r;

	force->recorder->rules = laf_force_rules(force);
	r = laf_recorder_reload(force->recorder, err);
	if (!r)
		laf_repath_renew(force->repath);
	return r;
}

static int put_in_force(struct laf_force *force, struct laf_execution *x)
{
	struct laf_rules old_rules = force->rules;
	struct laf_settings old_settings = force->settings;
	struct laf_error err = { 0 };

	force->rules = x->rules;
	force->settings = x->settings;
	if (x->changes_rules && follow_rules(force, &err)) {
		force->rules = old_rules;
		force->settings = old_settings;
		force->recorder->rules = laf_force_rules(force);
		snprintf(force->last_error, sizeof(force->last_error), "%.*s", 250, err.text);
		fprintf(x->err, "%s\n", err.text);
		return -EIO;
	}
	if (x->resets_lost)
		force->lost_before = lost_in_all(force);
	x->rules = old_rules; /* to be freed with the execution */
	return 0;
}

static void write_records(struct laf_force *force, char *bodies)
{
	char *body;

	while ((body = strsep(&bodies, "\n")))
		if (*body)
			force->write_record(force->arg, "CONFIG_CHANGE", body);
}

static void change(struct laf_force *force, pid_t pid, const struct laf_control_request *request,
		   struct laf_control_reply *ret)
{
	size_t bytes[2];
	char *records[2] = { NULL, NULL };
	struct laf_who who;
	struct laf_live live;
	struct laf_execution x = {
		.settings = force->settings, .who = &who, .live = &live,
		.out = open_memstream(&ret->out, &ret->out_bytes), .err = open_memstream(&ret->err, &ret->err_bytes),
		.changes = open_memstream(&records[0], &bytes[0]), .refusals = open_memstream(&records[1], &bytes[1]),
	};
	bool commit = false;

	laf_who_read(pid, &who);
	read_live(force, &live);
	ret->status = 255;
	if (x.out && x.err && x.changes && x.refusals && !laf_rules_copy(&force->rules, &x.rules)) {
		ret->status = laf_execute_request(&x, request, &commit);
		if (commit && put_in_force(force, &x)) {
			commit = false;
			ret->status = 255;
		}
	}
	laf_rules_clear(&x.rules);
	for (unsigned i = 0; i < 4; i++)
		if ((FILE *[]){ x.out, x.err, x.changes, x.refusals }[i])
			fclose((FILE *[]){ x.out, x.err, x.changes, x.refusals }[i]);
	if (commit && records[0])
		write_records(force, records[0]);
	if (records[1])
		write_records(force, records[1]);
	free(records[0]);
	free(records[1]);
}

static void write_status(struct laf_force *force, FILE *to)
{
	const struct laf_settings *s = &force->settings;
	const struct laf_recorder *recorder = force->recorder;
	struct laf_recorder_loss loss = { 0 };
	struct laf_live live;
	unsigned i;

	read_live(force, &live);
	laf_recorder_get_loss(force->recorder, &loss);
	fprintf(to, "enabled=%u\nengine=%s\npid=%u\nrules=%zu\nfailure=%u\nrate_limit=%u\nbacklog_limit=%u\nlost=%u\n"
		"backlog=%u\nbacklog_wait_time=%u\nbacklog_wait_time_actual=%u\nloginuid_immutable=%d\n"
		"loginuid_locked=%d\n", s->enabled, laf_engine_name(recorder->engine), live.pid, force->rules.n,
		s->failure, s->rate_limit, s->backlog_limit, live.lost, live.backlog, s->backlog_wait_time,
		live.backlog_wait_time_actual, live.loginuid_immutable, live.loginuid_locked);
	fprintf(to, "events=%llu\nrecords=%llu\nlost_in_all=%llu\n", (unsigned long long)recorder->events,
		(unsigned long long)recorder->records, (unsigned long long)loss.total);
	for (i = 0; i <= LAF_LOSS_CAUSES; i++)
		fprintf(to, "lost_%s=%llu\n", laf_loss_name(i),
			(unsigned long long)(i < LAF_LOSS_CAUSES ? loss.by_cause[i] : loss.unwritten));
	fprintf(to, "log_file=%s\nlast_error=%s\n", force->config->log_file, force->last_error);
}

static void answer(void *arg, pid_t pid, const struct laf_control_request *request, struct laf_control_reply *ret)
{
	struct laf_force *force = arg;
	FILE *to;

	if (request->what != LAF_CONTROL_STATUS) {
		change(force, pid, request, ret);
		return;
	}
	to = open_memstream(&ret->out, &ret->out_bytes);
	if (!to) {
		ret->status = 255;
		return;
	}
	write_status(force, to);
	fclose(to);
}

void laf_force_serve(struct laf_force *force)
{
	laf_control_serve(force->control, answer, force);
}

void laf_force_clear(struct laf_force *force)
{
	laf_control_close(force->control);
	laf_rules_clear(&force->rules);
}
