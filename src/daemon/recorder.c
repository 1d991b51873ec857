// SPDX-License-Identifier: GPL-2.0-or-later
/* The road of an event through user space. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../clock.h"
#include "recorder.h"

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
	/* two runs in one millisecond must not give the same number: start from the clock */
	recorder->serial = LAF_SERIAL_FIRST | (clock_ms(CLOCK_REALTIME) * 64 & ~LAF_SERIAL_FIRST);
	r = laf_policy_compile(rules, &policy, err);
	if (r)
		return r;
	r = laf_engine_open(options, policy, &recorder->engine, err);
	if (r) {
		add_cause(err, r);
		laf_policy_free(policy);
		return r;
	}
	generation = laf_engine_generation(recorder->engine);
	recorder->policies[generation & 1] = policy;
	recorder->generations[generation & 1] = generation;
	return 0;
}

void laf_recorder_close(struct laf_recorder *recorder)
{
	laf_engine_close(recorder->engine);
	laf_policy_free(recorder->policies[0]);
	laf_policy_free(recorder->policies[1]);
	memset(recorder, 0, sizeof(*recorder));
}

int laf_recorder_reload(struct laf_recorder *recorder, struct laf_error *err)
{
	uint32_t generation = laf_engine_generation(recorder->engine) + 1;
	uint32_t slot = generation & 1;
	struct laf_policy *policy;
	int r;

	r = laf_policy_compile(recorder->rules, &policy, err);
	if (r)
		return r;
	/* the slot's former policy went out of force one reload ago: what it decided is in the rings, read it out */
	laf_recorder_read(recorder, true);
	laf_policy_free(recorder->policies[slot]);
	recorder->policies[slot] = policy;
	recorder->generations[slot] = generation;
	r = laf_engine_set_policy(recorder->engine, policy, err);
	if (r) {
		laf_policy_free(policy);
		recorder->policies[slot] = NULL;
	}
	return r;
}

uint32_t laf_recorder_stamp(struct laf_recorder *recorder, uint64_t *ret_time_ms)
{
	*ret_time_ms = clock_ms(CLOCK_REALTIME);
	return recorder->serial++ | LAF_SERIAL_FIRST;
}

static int record_event(void *arg, struct laf_event *event)
{
	struct laf_recorder *recorder = arg;
	uint32_t slot = event->wire->policy & 1;
	unsigned records;
	const char *text;
	size_t bytes;

	if (!recorder->policies[slot] || recorder->generations[slot] != event->wire->policy) {
		recorder->undecided++;
		return 0;
	}
	if (!laf_policy_decide(recorder->policies[slot], event)) {
		recorder->rejected++;
		return 0;
	}
	event->serial = recorder->serial++ | LAF_SERIAL_FIRST;
	laf_loaders_name(&recorder->loaders, event);
	if (laf_format_event(recorder->formatter, event, &text, &bytes, &records) ||
	    laf_sink_write(recorder->sink, text, bytes, records)) {
		recorder->unwritten++;
		return 0;
	}
	recorder->events++;
	recorder->partial += (event->wire->flags & LAF_EV_DETAIL) != 0;
	recorder->records += records;
	return 0;
}

int laf_recorder_read(struct laf_recorder *recorder, bool all)
{
	laf_engine_read(recorder->engine, all, record_event, recorder);
	return laf_sink_flush(recorder->sink);
}

int laf_recorder_finish(struct laf_recorder *recorder)
{
	uint64_t events, records;
	int r = laf_sink_finish(recorder->sink, &events, &records);

	recorder->events -= events;
	recorder->records -= records;
	recorder->unwritten += events;
	return r;
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
		ret->by_cause[i] = stats.lost[i];
	ret->by_cause[LAF_LOSS_UNDECIDED] += recorder->undecided;
	ret->unwritten = recorder->unwritten + stats.malformed;
	for (i = 0; i < LAF_LOSS_CAUSES; i++)
		ret->total += ret->by_cause[i];
	ret->total += ret->unwritten;
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
		[LAF_LOSS_CAUSES] = "unwritten",
	};

	return cause <= LAF_LOSS_CAUSES ? names[cause] : "unknown";
}

/* " (ring-full 12, unwritten 1)", or nothing. */
static void loss_text(const struct laf_recorder_loss *loss, char *buf, size_t size)
{
	const char *separator = " (";
	size_t n = 0;
	unsigned i;

	buf[0] = 0;
	for (i = 0; i <= LAF_LOSS_CAUSES; i++) {
		uint64_t count = i < LAF_LOSS_CAUSES ? loss->by_cause[i] : loss->unwritten;

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
	char causes[256], unmarked[64] = "", partial[64] = "";

	laf_recorder_get_loss(recorder, &loss);
	laf_engine_get_stats(recorder->engine, &stats);
	loss_text(&loss, causes, sizeof(causes));
	if (stats.unmarked)
		snprintf(unmarked, sizeof(unmarked), ", %llu processes not followed",
			 (unsigned long long)stats.unmarked);
	if (recorder->partial)
		snprintf(partial, sizeof(partial), ", %llu events lack a detail",
			 (unsigned long long)recorder->partial);
	return snprintf(buf, size, "%llu events, %llu records, %llu lost%s%s%s, engine %s",
			(unsigned long long)recorder->events, (unsigned long long)recorder->records,
			(unsigned long long)loss.total, causes, unmarked, partial,
			laf_engine_name(recorder->engine));
}
