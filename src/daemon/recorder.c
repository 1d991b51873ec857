// SPDX-License-Identifier: GPL-2.0-or-later
/* The road of an event through user space. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libaudit.h>

#include "../clock.h"
#include "aside.h"
#include "former.h"
#include "recorder.h"

#define RELOAD_TRIES 10 /* watched names may change all the time, but not between looking them up and the next line */

/* What the kernel answers to the first program is far from what is wrong with it: what is missing says more. */
static void add_cause(struct laf_error *err, int r)
{
	struct laf_probe_line lines[LAF_PROBE_LINES];
	unsigned i, n;

	if (!err || r == -EPERM || r == -EACCES)
		return;
	if (r == -ENOSYS)
		snprintf(err->hint, sizeof(err->hint), "this kernel has no BPF (CONFIG_BPF_SYSCALL)");
	n = laf_probe(lines);
	for (i = 0; i < n; i++)
		if (!strcmp(lines[i].name, "BTF") && !lines[i].ok)
			snprintf(err->hint, sizeof(err->hint), "%.100s", lines[i].text);
}

/* What is written next is written to the end, or the journal tells whoever comes after us to cut it off. */
static void before_write(void *arg, const struct laf_sink *sink, size_t texts, size_t bytes)
{
	struct laf_recorder *recorder = arg;
	size_t i;

	for (i = 0; i < texts; i++)
		if (sink->texts[i].source.ring != LAF_SINK_NO_RING)
			recorder->done[sink->texts[i].source.ring] = sink->texts[i].source.end;
	if (!recorder->keep)
		return;
	if (texts == sink->n_texts)
		recorder->keep->journal.told_lost = recorder->told_lost;
	laf_journal_note(&recorder->keep->journal, sink->fd, bytes, recorder->serial, recorder->done,
			 laf_engine_rings(recorder->engine));
}

/* The room in the rings. What was lost on its way out of them is lost for the next daemon, too, from now on. */
static void give_back(struct laf_recorder *recorder, const uint64_t *ends)
{
	struct laf_recorder_loss loss;

	if (recorder->lost_held) {
		recorder->lost_held = 0;
		laf_recorder_get_loss(recorder, &loss);
	}
	laf_engine_release(recorder->engine, ends);
}

static void after_write(void *arg, const struct laf_sink *sink)
{
	struct laf_recorder *recorder = arg;

	give_back(recorder, recorder->done);
}

int laf_recorder_open(struct laf_recorder *recorder, const struct laf_engine_options *options,
		      const struct laf_rules *rules, struct laf_formatter *formatter, struct laf_sink *sink,
		      struct laf_error *err)
{
	struct laf_policy *policy;
	uint32_t generation;
	int r;

	memset(recorder, 0, sizeof(*recorder));
	recorder->formatter = formatter;
	recorder->sink = sink;
	recorder->rules = rules;
	recorder->balance.based = true;
	/* two runs in one millisecond must not give the same number: start from the clock */
	recorder->serial = clock_ms(CLOCK_REALTIME) * 64;
	r = laf_policy_compile(rules, &policy, err);
	if (r)
		return r;
	r = laf_engine_open(options, policy, &recorder->engine, err);
	if (r) {
		add_cause(err, r);
		laf_policy_free(policy);
		return r;
	}
	recorder->done = calloc(laf_engine_rings(recorder->engine) + 1, sizeof(*recorder->done));
	if (!recorder->done) {
		laf_policy_free(policy);
		return laf_error_set(err, -ENOMEM, "daemon: out of memory");
	}
	if (laf_engine_resumed(recorder->engine) || laf_engine_beside(recorder->engine)) {
		laf_policy_free(policy); /* it is not in force: laf_recorder_keep() finds the one that is, or changes it */
		return 0;
	}
	generation = laf_engine_generation(recorder->engine);
	recorder->policies[generation & 1] = policy;
	recorder->generations[generation & 1] = generation;
	return 0;
}

void laf_recorder_join(struct laf_recorder *recorder)
{
	recorder->sink->arg = recorder;
	recorder->sink->before = before_write;
	recorder->sink->after = after_write;
}

/* What decided the events that wait in the rings. */
static int find_policy(struct laf_recorder *recorder, uint32_t generation, struct laf_error *err)
{
	struct laf_rules rules = { 0 };
	struct laf_policy *policy;
	int r = laf_keep_read_rules(recorder->keep, generation, &rules, err);

	if (r > 0) {
		r = laf_policy_compile(&rules, &policy, err);
		if (!r) {
			recorder->policies[generation & 1] = policy;
			recorder->generations[generation & 1] = generation;
		}
	}
	laf_rules_clear(&rules);
	return r;
}

int laf_recorder_go_on(struct laf_recorder *recorder, struct laf_error *err)
{
	const struct laf_journal *journal = &recorder->keep->journal;
	uint32_t generation = laf_engine_generation(recorder->engine);
	int r = find_policy(recorder, generation, err);

	if (!r)
		r = find_policy(recorder, generation - 1, err);
	if (r)
		return r;
	if (laf_journal_last(journal)->serial)
		recorder->serial = laf_journal_last(journal)->serial;
	recorder->told_lost = laf_journal_last(journal)->told_lost;
	recorder->lost_before = laf_journal_lost(journal);
	recorder->balance.based = false;
	return 0;
}

int laf_recorder_complete(struct laf_recorder *recorder, struct laf_error *err)
{
	int r = laf_engine_complete(recorder->engine);

	if (r)
		return laf_error_set(err, r, "daemon: keeping the programs: %s", strerror(-r));
	recorder->begun = true;
	return 0;
}

static int begin(struct laf_recorder *recorder, struct laf_error *err)
{
	int r = laf_keep_save_rules(recorder->keep, laf_engine_generation(recorder->engine), recorder->rules, err);

	return r ? r : laf_recorder_complete(recorder, err);
}

int laf_recorder_keep(struct laf_recorder *recorder, struct laf_keep *keep, struct laf_error *err)
{
	int r = laf_keep_start(keep, recorder->engine, err);

	if (r)
		return r;
	recorder->keep = keep;
	if (keep->resumed)
		r = laf_recorder_go_on(recorder, err);
	else if (!laf_engine_beside(recorder->engine))
		r = begin(recorder, err);
	if (!r)
		r = laf_former_take(recorder, err);
	/* the rules that are ours come in force as in any change of rules, without a moment in between */
	return r || recorder->begun ? r : laf_recorder_reload(recorder, err);
}

static int settle(void *unused)
{
	laf_engine_settle();
	return 0;
}

/* What decides by a policy that has gone out of force ends; most often that was waited for before the next change comes. */
static void wait_for_settling(struct laf_recorder *recorder)
{
	int unused;

	if (!laf_worker_collect(&recorder->settling, true, &unused))
		settle(NULL);
}

void laf_recorder_close(struct laf_recorder *recorder, bool leave)
{
	int unused;

	laf_former_close(recorder, leave);
	laf_worker_collect(&recorder->settling, true, &unused);
	(leave ? laf_engine_leave : laf_engine_close)(recorder->engine);
	laf_policy_free(recorder->policies[0]);
	laf_policy_free(recorder->policies[1]);
	laf_losses_clear(&recorder->losses);
	free(recorder->done);
	free(recorder->top);
	memset(recorder, 0, sizeof(*recorder));
}

static bool watch_of(void *engine, const struct laf_watch_key *key, struct laf_watch *ret)
{
	return !laf_engine_watch(engine, key, ret);
}

struct compilation {
	const struct laf_rules *rules;
	const struct laf_policy_recall *recall;
	struct laf_policy *policy;
	struct laf_error *err;
	int result;
};

static void compile(void *arg)
{
	struct compilation *c = arg;

	c->result = laf_policy_compile_again(c->rules, c->recall, &c->policy, c->err);
}

struct losing {
	struct laf_losses *losses;
	const struct laf_policy *policy;
};

static void add_lost(void *arg, const struct laf_wire_lost *lost, uint64_t n)
{
	struct losing *to = arg;

	laf_losses_add(to->losses, to->policy, lost->rule, lost->call, n);
}

/* What one of our two policies lost in the kernel. */
static void add_losses_of(struct laf_recorder *recorder, uint32_t slot, bool forget, struct laf_losses *losses)
{
	struct losing to = { .losses = losses, .policy = recorder->policies[slot] };

	if (to.policy)
		laf_engine_losses(recorder->engine, recorder->generations[slot], forget, add_lost, &to);
}

void laf_recorder_losses(struct laf_recorder *recorder, struct laf_losses *ret)
{
	*ret = (struct laf_losses){ 0 };
	laf_losses_merge(ret, &recorder->losses);
	add_losses_of(recorder, 0, false, ret);
	add_losses_of(recorder, 1, false, ret);
	laf_losses_sort(ret);
}

static int reload(struct laf_recorder *recorder, struct laf_error *err)
{
	uint32_t generation = laf_engine_generation(recorder->engine) + 1;
	uint32_t slot = generation & 1;
	uint64_t changes = laf_engine_changes(recorder->engine);
	const struct laf_policy_recall recall = {
		.previous = recorder->policies[!slot], .watch = watch_of, .arg = recorder->engine,
	};
	struct compilation c = { .rules = recorder->rules, .recall = &recall, .err = err };
	struct laf_policy *policy;
	int r;

	laf_aside(recorder, compile, &c);
	if (c.result)
		return c.result;
	policy = c.policy;
	policy->changes = changes;
	/* the slot's former policy went out of force one reload ago: read out what it decided */
	wait_for_settling(recorder);
	laf_recorder_read(recorder, true);
	add_losses_of(recorder, slot, true, &recorder->losses);
	laf_policy_free(recorder->policies[slot]);
	recorder->policies[slot] = policy;
	recorder->generations[slot] = generation;
	r = recorder->keep ? laf_keep_save_rules(recorder->keep, generation, recorder->rules, err) : 0;
	if (!r && recorder->netlink)
		r = laf_netlink_set_rules(recorder->netlink, recorder->rules, err);
	if (!r)
		r = laf_engine_set_policy(recorder->engine, policy, err);
	if (r) {
		laf_policy_free(policy);
		recorder->policies[slot] = NULL;
	} else {
		laf_worker_start(&recorder->settling, settle, NULL);
	}
	return r;
}

int laf_recorder_reload(struct laf_recorder *recorder, struct laf_error *err)
{
	int r = -EAGAIN;

	for (unsigned tries = 0; r == -EAGAIN && tries < RELOAD_TRIES; tries++)
		r = reload(recorder, err);
	return r;
}

/* The kernel numbers its own records, in the same log, one by one. We are half the range of numbers away from it, in quarters:
 * that it goes on to the next quarter is seen long before it could meet one of ours. */
static uint32_t next_serial(struct laf_recorder *recorder)
{
	uint32_t quarter = (recorder->kernel_serial >> 30) + 2;

	return quarter << 30 | (recorder->serial++ & 0x3fffffff);
}

uint32_t laf_recorder_stamp(struct laf_recorder *recorder, uint64_t *ret_time_ms)
{
	*ret_time_ms = clock_ms(CLOCK_REALTIME);
	return next_serial(recorder);
}

static void count_kernel(struct laf_recorder *recorder, const struct laf_netlink_record *record, size_t bytes)
{
	recorder->kernel_records++;
	if (recorder->top)
		laf_top_count_record(recorder->top, record->type, record->serial, record->text, record->len, bytes);
}

static void record_kernel(struct laf_recorder *recorder, const struct laf_netlink_record *record)
{
	const char *text;
	size_t bytes;

	recorder->kernel_serial = record->serial;
	if (laf_format_text(recorder->formatter, record->type, record->time_ms, record->text, record->len, &text, &bytes) ||
	    laf_sink_write(recorder->sink, text, bytes, 1 | LAF_SINK_ALONE))
		recorder->kernel_unwritten++;
	else
		count_kernel(recorder, record, bytes);
}

static void record_kernel_until(struct laf_recorder *recorder, uint64_t until_ns)
{
	const struct laf_netlink_record *record;

	while (recorder->netlink && (record = laf_netlink_next(recorder->netlink, until_ns)))
		record_kernel(recorder, record);
}

/* Here, behind the rings. */
static int lose(struct laf_recorder *recorder, const struct laf_policy *policy, const struct laf_event *event, uint64_t *count)
{
	bool narrow = event->wire->arch == AUDIT_ARCH_I386;

	laf_losses_add(&recorder->losses, policy, event->wire->rule, LAF_CALL_INDEX(narrow, event->wire->nr % LAF_ABI_CALLS), 1);
	(*count)++;
	recorder->lost_held++;
	return 0;
}

static int record_event(void *arg, struct laf_event *event)
{
	struct laf_recorder *recorder = arg;
	uint32_t slot = event->wire->policy & 1;
	const struct laf_policy *policy = recorder->policies[slot];
	unsigned records;
	const char *text;
	size_t bytes;

	record_kernel_until(recorder, event->wire->exit_ns);
	if (!policy || recorder->generations[slot] != event->wire->policy)
		return lose(recorder, NULL, event, &recorder->undecided);
	if (!laf_policy_decide(policy, event) || laf_twins_take(&recorder->twins, event->wire)) {
		recorder->rejected++;
		return 0;
	}
	if (recorder->remember && event->wire->exit_ns >= recorder->remember_ns)
		laf_twins_add(recorder->remember, event->wire);
	if (laf_rate_is_over(&recorder->rate, event->wire->exit_ns))
		return lose(recorder, policy, event, &recorder->limited);
	event->serial = next_serial(recorder);
	laf_loaders_name(&recorder->loaders, event);
	if (laf_format_event(recorder->formatter, event, &text, &bytes, &records) ||
	    laf_sink_write_from(recorder->sink, (struct laf_sink_source){ event->ring, event->ring_end }, text, bytes, records))
		return lose(recorder, policy, event, &recorder->unwritten);
	recorder->events++;
	recorder->partial += (event->wire->flags & LAF_EV_DETAIL) != 0;
	recorder->records += records;
	if (recorder->top)
		laf_top_count_event(recorder->top, event, bytes);
	recorder->rate.messages += records;
	return 0;
}

int laf_recorder_read(struct laf_recorder *recorder, bool all)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int r = recorder->former ? laf_former_read(recorder) : 0;

	if (r)
		return r;
	if (recorder->netlink)
		laf_netlink_read(recorder->netlink);
	laf_engine_read(recorder->engine, all, record_event, recorder);
	record_kernel_until(recorder, all ? UINT64_MAX : now - LAF_ENGINE_HOLD_NS);
	r = laf_sink_flush(recorder->sink);
	if (!r)
		give_back(recorder, NULL);
	return r;
}

/* With no rules in force every event that was made before is in the rings; those of calls that are under way follow at once. */
int laf_recorder_stop(struct laf_recorder *recorder, struct laf_error *err)
{
	static const struct laf_rules none;
	int r;

	recorder->rules = &none;
	r = laf_recorder_reload(recorder, err);
	laf_recorder_read(recorder, true);
	return r;
}

/* The next daemon finds in the rings what this one could not write. */
static void leave_unwritten(struct laf_recorder *recorder)
{
	recorder->unwritten -= recorder->lost_held < recorder->unwritten ? recorder->lost_held : recorder->unwritten;
	recorder->lost_held = 0;
}

int laf_recorder_finish(struct laf_recorder *recorder, bool leave)
{
	struct laf_sink_given_up lost;
	int r = laf_sink_finish(recorder->sink, &lost);

	recorder->events -= lost.events;
	recorder->records -= lost.records;
	if (leave)
		leave_unwritten(recorder);
	else
		recorder->unwritten += lost.events;
	recorder->kernel_records -= lost.alone;
	recorder->kernel_unwritten += lost.alone + lost.own;
	recorder->own_given_up = lost.own;
	return r;
}

/* What no map in the kernel counts for the next daemon, and no ring holds for it. */
static uint64_t lost_here(const struct laf_recorder *recorder, const struct laf_recorder_loss *loss)
{
	uint64_t lost = loss->unwritten + loss->limited + recorder->undecided - recorder->lost_held;

	for (unsigned i = 0; i < LAF_LOSS_CAUSES; i++)
		lost += recorder->lost_by_cause[i];
	return lost;
}

int laf_recorder_get_loss(struct laf_recorder *recorder, struct laf_recorder_loss *ret)
{
	struct laf_engine_stats stats;
	unsigned i;
	int r = laf_engine_get_stats(recorder->engine, &stats);

	if (r)
		return r;
	memset(ret, 0, sizeof(*ret));
	for (i = 0; i < LAF_LOSS_CAUSES; i++)
		ret->by_cause[i] = stats.lost[i] + recorder->lost_by_cause[i];
	ret->by_cause[LAF_LOSS_UNDECIDED] += recorder->undecided;
	ret->unwritten = recorder->lost_before + recorder->unwritten + stats.malformed;
	ret->limited = recorder->limited;
	if (recorder->keep)
		laf_journal_set_lost(&recorder->keep->journal, lost_here(recorder, ret));
	laf_former_add_loss(recorder, ret);
	for (i = 0; i < LAF_LOSS_CAUSES; i++)
		ret->total += ret->by_cause[i];
	ret->kernel = recorder->kernel_unwritten + (recorder->netlink ? recorder->netlink->lost : 0);
	ret->total += ret->unwritten + ret->limited + ret->kernel;
	return 0;
}

const char *laf_loss_name(unsigned cause)
{
	static const char *const names[] = {
		[LAF_LOSS_RING_FULL] = "ring-full",
		[LAF_LOSS_NO_CONTEXT] = "no-context",
		[LAF_LOSS_NO_RING] = "no-ring",
		[LAF_LOSS_UNDECIDED] = "undecided",
		[LAF_LOSS_MISSED] = "missed",
		[LAF_LOSS_BACKLOG] = "backlog",
		[LAF_LOSS_CAUSES] = "unwritten",
		[LAF_LOSS_CAUSES + 1] = "rate",
		[LAF_LOSS_CAUSES + 2] = "kernel-record",
	};

	return cause < LAF_LOSS_NAMES ? names[cause] : "unknown";
}

uint64_t laf_loss_count(const struct laf_recorder_loss *loss, unsigned cause)
{
	if (cause < LAF_LOSS_CAUSES)
		return loss->by_cause[cause];
	switch (cause) {
	case LAF_LOSS_CAUSES:
		return loss->unwritten;
	case LAF_LOSS_CAUSES + 1:
		return loss->limited;
	default:
		return loss->kernel;
	}
}

void laf_loss_text(const struct laf_recorder_loss *loss, char *buf, size_t size)
{
	const char *separator = " (";
	size_t n = 0;
	unsigned i;

	buf[0] = 0;
	for (i = 0; i < LAF_LOSS_NAMES; i++) {
		uint64_t count = laf_loss_count(loss, i);

		if (!count)
			continue;
		n += snprintf(buf + n, size - n, "%s%s %llu", separator, laf_loss_name(i),
			      (unsigned long long)count);
		separator = ", ";
	}
	if (n)
		snprintf(buf + n, size - n, ")");
}

int laf_recorder_summary(struct laf_recorder *recorder, char *buf, size_t size)
{
	struct laf_recorder_loss loss = { 0 };
	struct laf_engine_stats stats = { 0 };
	char causes[256], unmarked[64] = "", partial[64] = "", kernel[64] = "";

	laf_recorder_get_loss(recorder, &loss);
	laf_engine_get_stats(recorder->engine, &stats);
	laf_loss_text(&loss, causes, sizeof(causes));
	if (stats.unmarked)
		snprintf(unmarked, sizeof(unmarked), ", %llu processes not followed",
			 (unsigned long long)stats.unmarked);
	if (recorder->partial)
		snprintf(partial, sizeof(partial), ", %llu events lack a detail",
			 (unsigned long long)recorder->partial);
	if (recorder->netlink)
		snprintf(kernel, sizeof(kernel), ", %llu records of the kernel's own",
			 (unsigned long long)recorder->kernel_records);
	return snprintf(buf, size, "%llu events, %llu records%s, %llu lost%s%s%s, engine %s",
			(unsigned long long)recorder->events, (unsigned long long)recorder->records, kernel,
			(unsigned long long)loss.total, causes, unmarked, partial,
			laf_engine_name(recorder->engine));
}
