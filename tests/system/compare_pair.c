// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding for each event its twin in the other log: process by process, in order. */
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define LOOK_AHEAD 400
#define PIDS 4194304

static unsigned char *chosen; /* by pid */

bool chosen_process(int pid)
{
	return pid >= 0 && pid < PIDS && chosen[pid];
}

static void choose(const struct log *log, const char *name, const char *value)
{
	for (size_t i = 0; i < log->n; i++)
		if (log->ev[i].call && log->ev[i].pid < PIDS && field_is(log->ev[i].call, name, value))
			chosen[log->ev[i].pid] = 1;
}

/* Two records are of one call when everything before " items=" is the same. */
static bool same_call(const struct event *a, const struct event *b)
{
	const char *ea = strstr(a->call, " items="), *eb = strstr(b->call, " items=");

	return ea && eb && ea - a->call == eb - b->call && !memcmp(a->call, b->call, ea - a->call);
}

struct list {
	struct event **ev;
	size_t n;
};

/* Events of chosen processes, sorted by pid; within a pid in the order of the log. */
static int by_pid(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct list list_of(struct log *log)
{
	struct list l = { calloc(log->n + 1, sizeof(*l.ev)), 0 };

	for (size_t i = 0; i < log->n; i++)
		if (log->ev[i].call && chosen_process(log->ev[i].pid))
			l.ev[l.n++] = &log->ev[i];
	qsort(l.ev, l.n, sizeof(*l.ev), by_pid);
	return l;
}

static size_t run_length(const struct list *l, size_t from)
{
	size_t n = 0;

	while (from + n < l->n && l->ev[from + n]->pid == l->ev[from]->pid)
		n++;
	return n;
}

/* The nearest place where the two go on together. */
static void align(struct event **a, size_t na, struct event **b, size_t nb)
{
	size_t i = 0, j = 0;

	while (i < na && j < nb) {
		size_t d;

		if (same_call(a[i], b[j])) {
			a[i]->twin = b[j];
			b[j++]->twin = a[i++];
			continue;
		}
		for (d = 1; d < LOOK_AHEAD; d++) {
			if (i + d < na && same_call(a[i + d], b[j])) {
				i += d;
				break;
			}
			if (j + d < nb && same_call(a[i], b[j + d])) {
				j += d;
				break;
			}
		}
		if (d == LOOK_AHEAD)
			i++, j++;
	}
}

size_t pair_events(struct log *kernel, struct log *ours, const char *name, const char *value)
{
	size_t i = 0, j = 0, outside = 0;
	struct list a, b;

	chosen = calloc(1, PIDS);
	choose(kernel, name, value);
	choose(ours, name, value);
	a = list_of(kernel);
	b = list_of(ours);
	while (i < a.n && j < b.n) {
		size_t na = run_length(&a, i), nb = run_length(&b, j);

		if (a.ev[i]->pid == b.ev[j]->pid)
			align(a.ev + i, na, b.ev + j, nb);
		if (a.ev[i]->pid <= b.ev[j]->pid) {
			if (a.ev[i]->pid == b.ev[j]->pid)
				j += nb;
			i += na;
		} else {
			j += nb;
		}
	}
	free(a.ev);
	free(b.ev);
	for (i = 0; i < ours->n; i++)
		outside += ours->ev[i].call && !chosen_process(ours->ev[i].pid);
	return outside;
}
