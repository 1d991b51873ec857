// SPDX-License-Identifier: GPL-2.0-or-later
/* From the daemon's answer to ordered lines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../control/control.h"
#include "top_counts.h"
#include "values.h"

static const char *const table_names[LAF_TOP_TABLES] = { [LAF_TOP_RULES] = "rule", [LAF_TOP_PROGRAMS] = "program" };

static int add_line(struct laf_top_counts *counts, unsigned table, const char *name, uint64_t events, uint64_t bytes)
{
	struct laf_top_line *grown = realloc(counts->lines[table], (counts->n[table] + 1) * sizeof(*grown));
	char *copy = strdup(name);

	if (grown)
		counts->lines[table] = grown;
	if (!grown || !copy) {
		free(copy);
		return -ENOMEM;
	}
	grown[counts->n[table]++] = (struct laf_top_line){ copy, events, bytes };
	return 0;
}

static int take_line(struct laf_top_counts *counts, const struct laf_value *value)
{
	unsigned long long events = 0, bytes = 0;
	unsigned table;

	if (sscanf(value->value, "%llu %llu", &events, &bytes) != 2)
		return -EBADMSG;
	for (table = 0; value->which && table < LAF_TOP_TABLES; table++)
		if (!strcmp(value->name, table_names[table]))
			return add_line(counts, table, value->which, events, bytes);
	if (!value->which)
		counts->all = (struct laf_top_line){ NULL, events, bytes };
	return 0;
}

static int take_value(struct laf_top_counts *counts, const struct laf_value *value)
{
	const struct { const char *name; uint64_t *to; } numbers[] = {
		{ "now_ms", &counts->now_ms }, { "begun_ms", &counts->begun_ms }, { "records", &counts->records },
		{ "lost", &counts->lost }, { "runs", &counts->runs }, { "run_ns", &counts->run_ns },
		{ "ring_fill_percent", &counts->ring_fill_percent },
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(value->name, numbers[i].name)) {
			*numbers[i].to = strtoull(value->value, NULL, 10);
			return 0;
		}
	if (strcmp(value->name, "engine"))
		return take_line(counts, value);
	snprintf(counts->engine, sizeof(counts->engine), "%s", value->value);
	return 0;
}

int laf_top_ask(struct laf_top_counts *ret, struct laf_error *err)
{
	struct laf_control_reply reply;
	struct laf_value value;
	char *text;
	int r = laf_control_top(NULL, &reply, err);

	if (r)
		return r;
	memset(ret, 0, sizeof(*ret));
	for (text = reply.out; !r && laf_value_next(&text, &value);)
		r = take_value(ret, &value);
	if (!r && !ret->now_ms)
		r = -EBADMSG; /* it does not know the question */
	laf_control_reply_clear(&reply);
	if (!r)
		return 0;
	laf_top_clear(ret);
	return laf_error_set(err, r, "top: the daemon's answer: %s", strerror(-r));
}

void laf_top_clear(struct laf_top_counts *counts)
{
	unsigned table, i;

	for (table = 0; table < LAF_TOP_TABLES; table++) {
		for (i = 0; i < counts->n[table]; i++)
			free(counts->lines[table][i].name);
		free(counts->lines[table]);
	}
	memset(counts, 0, sizeof(*counts));
}

/* A line stays where it is until its place is given to another: it is mostly found at the first try. */
static const struct laf_top_line *find(const struct laf_top_counts *counts, unsigned table, unsigned likely, const char *name)
{
	unsigned n = counts->n[table], i;

	for (i = 0; i < n; i++)
		if (!strcmp(counts->lines[table][(likely + i) % n].name, name))
			return &counts->lines[table][(likely + i) % n];
	return NULL;
}

/* One that is smaller than it was has been given up and begun anew. */
static void take_off(struct laf_top_line *line, const struct laf_top_line *before)
{
	if (!before || line->events < before->events || line->bytes < before->bytes)
		return;
	line->events -= before->events;
	line->bytes -= before->bytes;
}

static int by_events(const void *a, const void *b)
{
	const struct laf_top_line *x = a, *y = b;

	if (x->events != y->events)
		return x->events < y->events ? 1 : -1;
	return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : strcmp(x->name, y->name);
}

static int fill_table(const struct laf_top_counts *now, const struct laf_top_counts *before, unsigned table, struct laf_top_counts *ret)
{
	struct laf_top_line others = ret->all;
	int r = 0;

	for (unsigned i = 0; !r && i < now->n[table]; i++) {
		struct laf_top_line line = now->lines[table][i];

		take_off(&line, before ? find(before, table, i, line.name) : NULL);
		others.events -= line.events < others.events ? line.events : others.events;
		others.bytes -= line.bytes < others.bytes ? line.bytes : others.bytes;
		if (line.events)
			r = add_line(ret, table, line.name, line.events, line.bytes);
	}
	if (!r && others.events)
		r = add_line(ret, table, "(others)", others.events, others.bytes);
	if (ret->n[table])
		qsort(ret->lines[table], ret->n[table], sizeof(*ret->lines[table]), by_events);
	return r;
}

int laf_top_difference(const struct laf_top_counts *now, const struct laf_top_counts *before, struct laf_top_counts *ret)
{
	static const struct laf_top_counts nothing;
	const struct laf_top_counts *then = before ? before : &nothing;
	int r = 0;

	*ret = *now;
	memset(ret->lines, 0, sizeof(ret->lines));
	memset(ret->n, 0, sizeof(ret->n));
	ret->now_ms -= before ? before->now_ms : now->begun_ms;
	take_off(&ret->all, &then->all);
	ret->records -= then->records;
	ret->lost -= then->lost;
	ret->runs -= then->runs;
	ret->run_ns -= then->run_ns;
	for (unsigned table = 0; !r && table < LAF_TOP_TABLES; table++)
		r = fill_table(now, before, table, ret);
	return r;
}
