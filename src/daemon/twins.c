// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread makes one call at a time: in its own order, what is next to an event in time and the same is its twin. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "twins.h"

#define NONE SIZE_MAX
#define SLOTS_FIRST 256
#define ROOM_FIRST 1024

struct laf_twin {
	uint64_t exit_ns;
	uint64_t key;  /* of the call */
	size_t next;   /* of the thread; NONE = it is the last */
};

struct laf_twin_thread {
	uint32_t tid; /* 0 = the slot is free */
	size_t first; /* that may still have a twin to come; NONE = none */
	size_t last;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

static uint64_t key_of(const struct laf_wire_event *e)
{
	uint64_t hash = mix(mix(mix(0, e->arch), e->nr), e->exit);

	for (unsigned i = 0; i < 4; i++)
		hash = mix(hash, e->args[i]);
	return hash;
}

static struct laf_twin_thread *slot_of(struct laf_twin_thread *threads, size_t slots, uint32_t tid)
{
	size_t i = mix(0, tid) & (slots - 1);

	while (threads[i].tid && threads[i].tid != tid)
		i = (i + 1) & (slots - 1);
	return &threads[i];
}

/* At least half of the slots stay free. */
static int grow_threads(struct laf_twins *twins)
{
	size_t slots = twins->slots ? twins->slots * 2 : SLOTS_FIRST;
	struct laf_twin_thread *threads;

	if (twins->n_threads < twins->slots / 2)
		return 0;
	threads = calloc(slots, sizeof(*threads));
	if (!threads)
		return -ENOMEM;
	for (size_t i = 0; i < twins->slots; i++)
		if (twins->threads[i].tid)
			*slot_of(threads, slots, twins->threads[i].tid) = twins->threads[i];
	free(twins->threads);
	twins->threads = threads;
	twins->slots = slots;
	return 0;
}

static int grow_list(struct laf_twins *twins)
{
	size_t room = twins->room ? twins->room * 2 : ROOM_FIRST;
	struct laf_twin *list;

	if (twins->n < twins->room)
		return 0;
	list = realloc(twins->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	twins->list = list;
	twins->room = room;
	return 0;
}

int laf_twins_add(struct laf_twins *twins, const struct laf_wire_event *event)
{
	struct laf_twin_thread *thread;
	int r = grow_list(twins);

	if (!r)
		r = grow_threads(twins);
	if (r || !event->tid)
		return r;
	thread = slot_of(twins->threads, twins->slots, event->tid);
	if (!thread->tid) {
		*thread = (struct laf_twin_thread){ .tid = event->tid, .first = NONE };
		twins->n_threads++;
	}
	twins->list[twins->n] = (struct laf_twin){ .exit_ns = event->exit_ns, .key = key_of(event), .next = NONE };
	if (thread->first == NONE)
		thread->first = twins->n;
	else
		twins->list[thread->last].next = twins->n;
	thread->last = twins->n++;
	return 0;
}

static uint64_t apart_ns(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

bool laf_twins_take(struct laf_twins *twins, const struct laf_wire_event *event)
{
	uint64_t at_ns = event->exit_ns, key, best_ns = LAF_TWINS_APART_NS;
	struct laf_twin_thread *thread;
	const struct laf_twin *twin;
	size_t i, best = NONE;

	if (!twins->n)
		return false;
	if (twins->until_ns && at_ns > twins->until_ns + LAF_TWINS_APART_NS)
		laf_twins_clear(twins);
	thread = twins->n ? slot_of(twins->threads, twins->slots, event->tid) : NULL;
	if (!thread || !thread->tid)
		return false;
	key = key_of(event);
	for (i = thread->first; i != NONE; i = twin->next) {
		twin = &twins->list[i];
		if (twin->exit_ns > at_ns + LAF_TWINS_APART_NS)
			break;
		if (twin->exit_ns + LAF_TWINS_APART_NS < at_ns)
			thread->first = twin->next;
		else if (twin->key == key && apart_ns(twin->exit_ns, at_ns) < best_ns)
			best_ns = apart_ns(twin->exit_ns, at_ns), best = i;
	}
	if (best != NONE)
		thread->first = twins->list[best].next; /* those before it have had their time */
	return best != NONE;
}

void laf_twins_clear(struct laf_twins *twins)
{
	free(twins->list);
	free(twins->threads);
	*twins = (struct laf_twins){ 0 };
}
