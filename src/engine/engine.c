// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine interface: choosing one, and what all of them share on the way out of the rings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "engine.h"

static const struct laf_engine_ops *const engines[] = {
	&laf_engine_fexit,
	&laf_engine_tracepoint,
	&laf_engine_kernel,
};

static const struct laf_engine_ops *by_name(const char *name)
{
	unsigned i;

	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

/* The first that can run here: the better ones come first. Else NULL. `why` says what was against the one before it, too. */
static const struct laf_engine_ops *best(char *why, size_t size)
{
	char one[LAF_WHY_MAX], before[LAF_WHY_MAX] = "";
	unsigned i;

	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		bool usable = engines[i]->usable(one, sizeof(one));

		snprintf(why, size, "%s%s%s", before, before[0] ? "; " : "", one);
		if (usable)
			return engines[i];
		memcpy(before, one, sizeof(before));
	}
	return NULL;
}

const char *laf_engine_best(char *why, size_t size)
{
	char unasked[LAF_WHY_MAX];

	const struct laf_engine_ops *ops = best(why ? why : unasked, why ? size : sizeof(unasked));

	return ops ? ops->name : NULL;
}

/* For one command: hooks on a hundred functions take seconds to come off, and nobody else pays for long. */
static const struct laf_engine_ops *choose(const struct laf_engine_options *options)
{
	const struct laf_engine_ops *ops;
	char why[LAF_WHY_MAX];

	if (options->name)
		return by_name(options->name);
	if (options->scoped)
		return &laf_engine_tracepoint;
	ops = best(why, sizeof(why));
	if (!ops || (options->no_kernel && ops == &laf_engine_kernel))
		return &laf_engine_tracepoint; /* it will say what is wrong */
	return ops;
}

int laf_engine_open(const struct laf_engine_options *options, const struct laf_policy *policy,
		    struct laf_engine **ret, struct laf_error *err)
{
	const struct laf_engine_ops *ops = choose(options);
	struct laf_engine *engine;
	int r;

	if (!ops)
		return laf_error_set(err, -ENOTSUP, "engine: no engine is called '%s'; there are: fexit, tracepoint, kernel",
				     options->name);
	engine = calloc(1, sizeof(*engine));
	if (!engine)
		return laf_error_set(err, -ENOMEM, "engine: out of memory");
	engine->ops = ops;
	engine->hold = options->hold;
	engine->rings.epoll_fd = -1;
	r = ops->open(engine, options, policy, err);
	if (r) {
		laf_engine_close(engine);
		return r;
	}
	*ret = engine;
	return 0;
}

void laf_engine_close(struct laf_engine *engine)
{
	if (!engine)
		return;
	laf_rings_close(&engine->rings);
	engine->ops->close(engine);
	free(engine);
}

void laf_engine_leave(struct laf_engine *engine)
{
	if (engine)
		engine->leaving = true;
	laf_engine_close(engine);
}

const char *laf_engine_name(const struct laf_engine *engine)
{
	return engine->ops->name;
}

int laf_engine_set_policy(struct laf_engine *engine, const struct laf_policy *policy, struct laf_error *err)
{
	return engine->ops->set_policy(engine, policy, err);
}

int laf_engine_detach_idle(struct laf_engine *engine)
{
	return engine->ops->detach_idle ? engine->ops->detach_idle(engine) : 0;
}

void laf_engine_limit(struct laf_engine *engine, uint64_t bytes)
{
	if (engine->ops->limit)
		engine->ops->limit(engine, bytes);
}

int laf_engine_losses(struct laf_engine *engine, uint32_t generation, bool forget, laf_loss_fn fn, void *arg)
{
	return engine->ops->losses ? engine->ops->losses(engine, generation, forget, fn, arg) : 0;
}

uint32_t laf_engine_generation(const struct laf_engine *engine)
{
	return engine->generation;
}

uint64_t laf_engine_changes(struct laf_engine *engine)
{
	return engine->ops->changes ? engine->ops->changes(engine) : 0;
}

bool laf_engine_follow(struct laf_engine *engine, bool marked, uint64_t *ret_misfits)
{
	*ret_misfits = 0;
	return engine->ops->follow && engine->ops->follow(engine, marked, ret_misfits);
}

int laf_engine_watch(struct laf_engine *engine, const struct laf_watch_key *key, struct laf_watch *ret)
{
	return engine->ops->watch ? engine->ops->watch(engine, key, ret) : -ENOENT;
}

int laf_engine_mark(struct laf_engine *engine, int pidfd, struct laf_error *err)
{
	return engine->ops->mark(engine, pidfd, err);
}

int laf_engine_wait(struct laf_engine *engine, int timeout_ms)
{
	return laf_rings_wait(&engine->rings, timeout_ms);
}

int laf_engine_fd(const struct laf_engine *engine)
{
	return engine->rings.epoll_fd;
}

#define OFFSET_TRIES 5
#define OFFSET_READ_NS 20000  /* the clocks are read apart by no more than that, if we are not preempted */
#define OFFSET_SLACK_NS 500000 /* less is no step of the wall clock, but how it was read */

/* Follow the wall clock where it is set, not where reading it took long: times must not go back. */
static void follow_wall_clock(struct laf_engine *engine)
{
	uint64_t before, after, wall;
	int64_t offset, moved;
	unsigned i = 0;

	do {
		before = clock_ns(CLOCK_MONOTONIC);
		wall = clock_ns(CLOCK_REALTIME);
		after = clock_ns(CLOCK_MONOTONIC);
	} while (after - before > OFFSET_READ_NS && ++i < OFFSET_TRIES);
	offset = wall - (before + (after - before) / 2);
	moved = offset - engine->wall_offset_ns;
	if (moved > OFFSET_SLACK_NS || moved < -OFFSET_SLACK_NS)
		engine->wall_offset_ns = offset;
}

struct outlet {
	struct laf_engine *engine;
	laf_event_fn fn;
	void *arg;
};

static int give_time(void *arg, struct laf_event *event)
{
	struct outlet *outlet = arg;

	event->time_ms = (event->wire->entry_ns + outlet->engine->wall_offset_ns) / 1000000;
	return outlet->fn(outlet->arg, event);
}

int laf_engine_read(struct laf_engine *engine, bool all, laf_event_fn fn, void *arg)
{
	struct outlet outlet = { .engine = engine, .fn = fn, .arg = arg };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	int r;

	follow_wall_clock(engine);
	r = laf_rings_read(&engine->rings, all ? UINT64_MAX : now - LAF_ENGINE_HOLD_NS, give_time, &outlet);
	if (!engine->hold)
		laf_rings_release(&engine->rings, NULL);
	return r;
}

void laf_engine_release(struct laf_engine *engine, const uint64_t *ends)
{
	laf_rings_release(&engine->rings, ends);
}

int laf_engine_keep(struct laf_engine *engine, const char *folder, bool go_on, const uint64_t *ends)
{
	return laf_rings_keep(&engine->rings, folder, go_on, ends);
}

bool laf_engine_resumed(const struct laf_engine *engine)
{
	return engine->resumed;
}

const char *laf_engine_layout(const struct laf_engine *engine)
{
	return engine->layout ? engine->layout : "";
}

bool laf_engine_beside(const struct laf_engine *engine)
{
	return engine->beside;
}

bool laf_engine_blind(const struct laf_engine *former)
{
	return former->blind;
}

int laf_engine_complete(struct laf_engine *engine)
{
	return engine->ops->complete ? engine->ops->complete(engine) : 0;
}

unsigned laf_engine_rings(const struct laf_engine *engine)
{
	return engine->rings.n;
}

int laf_engine_get_stats(struct laf_engine *engine, struct laf_engine_stats *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->delivered = engine->rings.delivered;
	ret->malformed = engine->rings.malformed + engine->rings.untold;
	laf_rings_fill(&engine->rings, &ret->ring_bytes, &ret->ring_unread);
	return engine->ops->get_stats(engine, ret);
}
