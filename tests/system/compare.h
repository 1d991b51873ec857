/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two audit logs of the same workload, compared event by event: what the parts of the comparator share. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One line of a log: type and text after "msg=audit(…): ". */
struct record {
	char *type;
	char *body;
};

/* All records of one serial number. */
struct event {
	double time;
	unsigned long serial;
	size_t line;        /* of the first record, from 1 */
	bool scattered;     /* records of other events stood between its own */
	struct record *rec; /* in the order of the log */
	size_t n_rec;
	/* from the SYSCALL record; call == NULL where there is none */
	char *call;         /* the body of that record */
	unsigned arch, nr;
	int pid;
	long exit;
	bool has_exit;
	char step[32];      /* the label of the workload's step: its own, or the last one in the log */
	struct event *twin; /* the same event in the other log */
};

struct log {
	const char *path;
	char *text;
	struct event *ev;
	size_t n;
};

/* compare_log.c */
int log_read(const char *path, struct log *ret_log); /* 0 or -errno */
const char *event_call_name(const struct event *e, char *buf, size_t size); /* "openat", "#999" */
struct record *event_record(const struct event *e, const char *type);
/* Value of field `name` in a body; its length, 0 when absent. */
size_t field(const char *body, const char *name, const char **ret_value);
bool field_is(const char *body, const char *name, const char *value);
/* The same as text: quotes off, hex decoded. NULL for (null) or none; else freed by the caller. */
char *field_text(const char *body, const char *name);

/* compare_pair.c: set the twins of the events of the chosen processes: those of which some event has name=value. Returns
 * the number of events of `ours` that belong to other processes. */
size_t pair_events(struct log *kernel, struct log *ours, const char *name, const char *value);
bool chosen_process(int pid);

/* compare_known.c: the differences that are known, with their reasons. */
/* Change the kernel's event to what the engine can make of it. `ours` may be NULL. Returns true when anything was changed. */
bool known_apply(const char *engine, struct event *kernel, const struct event *ours);
/* Is it known that one log has this event and the other not? `extra`: ours has it. `set`: what the rules go by. */
bool known_choice(const char *engine, const char *set, const struct event *e, bool extra);
void known_report(FILE *f, const char *engine, bool only_unused);

#endif
