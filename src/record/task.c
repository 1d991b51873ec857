// SPDX-License-Identifier: GPL-2.0-or-later
/* Text of the last tasks: found by pid, valid while every byte it was made of is the same. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "task.h"

/* pid to comm stand together in the event, and nothing else between them. */
#define IDS_AT offsetof(struct laf_wire_event, pid)
#define IDS_BYTES (offsetof(struct laf_wire_event, position) - IDS_AT)
_Static_assert(IDS_BYTES == 12 * 4 + 16, "pid to comm");

#define NO_EXE 0xffff

int laf_tasks_init(struct task_cache *tasks)
{
	tasks->slots = calloc(TASK_SLOTS, sizeof(*tasks->slots));
	return tasks->slots ? 0 : -ENOMEM;
}

void laf_tasks_free(struct task_cache *tasks)
{
	free(tasks->slots);
}

void laf_tasks_flush(struct task_cache *tasks)
{
	for (unsigned i = 0; i < TASK_SLOTS; i++)
		tasks->slots[i].raw_len = 0;
}

static size_t raw_len(const struct laf_event *e)
{
	return IDS_BYTES + e->tty_len + e->exe.bytes;
}

static uint16_t exe_flags(const struct laf_event *e)
{
	return e->exe.components ? e->exe.flags : NO_EXE;
}

static const char *ids_of(const struct laf_event *e)
{
	return (const char *)e->wire + IDS_AT;
}

/* For a slot whose lengths are those of the event. */
static bool same_bytes(const struct task_text *t, const struct laf_event *e)
{
	const char *tty = t->raw + IDS_BYTES, *exe = tty + e->tty_len;

	return !memcmp(t->raw, ids_of(e), IDS_BYTES) && (!e->tty_len || !memcmp(tty, e->tty, e->tty_len)) &&
	       (!e->exe.bytes || !memcmp(exe, e->exe.components, e->exe.bytes));
}

struct task_text *laf_task_slot(struct task_cache *tasks, const struct laf_event *e, bool *ret_hit)
{
	struct task_text *t = &tasks->slots[e->wire->pid % TASK_SLOTS];

	*ret_hit = t->raw_len == raw_len(e) && t->tty_len == e->tty_len && t->exe_flags == exe_flags(e) &&
		   e->time_ms < t->good_until_ms && same_bytes(t, e);
	return t;
}

void laf_task_keep(struct task_text *slot, const struct laf_event *e, uint64_t good_until_ms,
		   const char *text, size_t len, const char *enriched, size_t enriched_len)
{
	size_t bytes = raw_len(e);

	slot->raw_len = 0;
	if (bytes > TASK_RAW_MAX || len + enriched_len > TASK_TEXT_MAX)
		return;
	memcpy(slot->raw, ids_of(e), IDS_BYTES);
	if (e->tty_len)
		memcpy(slot->raw + IDS_BYTES, e->tty, e->tty_len);
	if (e->exe.bytes)
		memcpy(slot->raw + IDS_BYTES + e->tty_len, e->exe.components, e->exe.bytes);
	slot->tty_len = e->tty_len;
	slot->exe_flags = exe_flags(e);
	memcpy(slot->text, text, len);
	memcpy(slot->text + len, enriched, enriched_len);
	slot->text_len = len;
	slot->enriched_len = enriched_len;
	slot->good_until_ms = good_until_ms;
	slot->raw_len = bytes;
}
