/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a SYSCALL record that tells who did it, kept from one event of a task to the next. */
#ifndef LAF_RECORD_TASK_H
#define LAF_RECORD_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/event.h>

#define TASK_SLOTS 64      /* a power of two */
#define TASK_RAW_MAX 448   /* bytes of pid to comm, terminal and program that a slot can hold */
#define TASK_TEXT_MAX 1536 /* bytes of text made of them */

struct task_text {
	uint32_t raw_len; /* 0 = nothing here */
	uint32_t tty_len;
	uint64_t good_until_ms; /* by the events' own time */
	uint16_t exe_flags;
	uint16_t text_len;     /* " ppid=… exe=…" */
	uint16_t enriched_len; /* " AUID=… FSGID=…", behind it */
	char raw[TASK_RAW_MAX];
	char text[TASK_TEXT_MAX];
};

struct task_cache {
	struct task_text *slots;
};

int laf_tasks_init(struct task_cache *tasks);
void laf_tasks_free(struct task_cache *tasks);
void laf_tasks_flush(struct task_cache *tasks);

/* The slot of the event's task; *ret_hit says whether its text is the event's. */
struct task_text *laf_task_slot(struct task_cache *tasks, const struct laf_event *e, bool *ret_hit);

/* Keep the text and its enriched part as those of the event's task, if they fit. */
void laf_task_keep(struct task_text *slot, const struct laf_event *e, uint64_t good_until_ms,
		   const char *text, size_t len, const char *enriched, size_t enriched_len);

#endif
