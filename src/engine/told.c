// SPDX-License-Identifier: GPL-2.0-or-later
/* Two tables of the same slots: one to look into, one to be found by the next daemon. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../statefile.h"
#include "told.h"

struct laf_told_slot {
	uint64_t seq; /* 0 = nothing here */
	struct laf_event_task task; /* points into `sections` */
	uint64_t sections[LAF_TOLD_BYTES / sizeof(uint64_t)];
};
#define SLOTS_BYTES (LAF_TOLD_SLOTS * sizeof(struct laf_told_slot))

struct laf_told_saved {
	uint64_t seq;
	uint64_t bytes;
	uint64_t sections[LAF_TOLD_BYTES / sizeof(uint64_t)];
};
#define SAVED_BYTES (LAF_TOLD_SLOTS * sizeof(struct laf_told_saved))

int laf_told_open(struct laf_told *told)
{
	/* all of it now: it is counted as ours from the start, not as something that grows */
	void *at = mmap(NULL, SLOTS_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (at == MAP_FAILED)
		return -errno;
	told->slots = at;
	return 0;
}

void laf_told_close(struct laf_told *told)
{
	if (told->slots)
		munmap(told->slots, SLOTS_BYTES);
	if (told->saved)
		munmap(told->saved, SAVED_BYTES);
}

/* The part of a message that tells of the task, or NULL. */
static const void *part_of(const struct laf_wire_event *e, size_t bytes, size_t *ret_bytes)
{
	if (e->bytes > bytes || e->task_at > e->bytes || e->bytes - e->task_at > LAF_TOLD_BYTES)
		return NULL;
	*ret_bytes = e->bytes - e->task_at;
	return (const uint8_t *)e + e->task_at;
}

static void fill(struct laf_told_slot *slot, uint64_t seq, const void *part, size_t bytes)
{
	slot->seq = 0;
	if (!part || bytes > sizeof(slot->sections))
		return;
	memcpy(slot->sections, part, bytes);
	if (!laf_event_decode_task(slot->sections, bytes, &slot->task))
		slot->seq = seq;
}

void laf_told_keep(struct laf_told *told, const struct laf_wire_event *e, size_t bytes)
{
	size_t part_bytes = 0;
	const void *part = part_of(e, bytes, &part_bytes);

	fill(&told->slots[e->slot % LAF_TOLD_SLOTS], e->seq, part, part_bytes);
}

const struct laf_event_task *laf_told_find(const struct laf_told *told, const struct laf_wire_event *e)
{
	const struct laf_told_slot *slot = &told->slots[e->slot % LAF_TOLD_SLOTS];

	return slot->seq == e->told ? &slot->task : NULL;
}

int laf_told_open_file(struct laf_told *told, const char *path, bool go_on)
{
	void *at;
	int r = laf_statefile_map(path, SAVED_BYTES, &at);

	if (r)
		return r;
	told->saved = at;
	if (!go_on)
		memset(at, 0, SAVED_BYTES);
	return 0;
}

void laf_told_load(struct laf_told *told)
{
	unsigned i;

	for (i = 0; i < LAF_TOLD_SLOTS; i++)
		fill(&told->slots[i], told->saved[i].seq, told->saved[i].sections, told->saved[i].bytes);
}

void laf_told_save(struct laf_told *told, const struct laf_wire_event *e, size_t bytes)
{
	struct laf_told_saved *saved = &told->saved[e->slot % LAF_TOLD_SLOTS];
	size_t part_bytes = 0;
	const void *part = part_of(e, bytes, &part_bytes);

	saved->seq = part ? e->seq : 0;
	saved->bytes = part_bytes;
	if (part)
		memcpy(saved->sections, part, part_bytes);
}
