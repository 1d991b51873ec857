/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who fills the log: events and bytes written, by rule (its key) and by program. It is counted with every event: nothing is allocated,
 * and a row is found by one hash, or none where the last event was of the same. */
#ifndef LAF_TOP_H
#define LAF_TOP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <laf/event.h>

#define LAF_TOP_SETS 64u
#define LAF_TOP_WAYS 8u
#define LAF_TOP_NAME 152u /* bytes of a name that are kept */

struct laf_top_count {
	uint64_t events, bytes;
};

/* What a row is named by: its text, or a path as components. 24 bytes beside the name. */
struct laf_top_row {
	struct laf_top_count count;
	uint32_t len;      /* of the whole name */
	uint16_t is_path;
	uint16_t flags;    /* of the path: LAF_PATH_… */
	char name[LAF_TOP_NAME];
};

/* A name has its place in one of the rows of its set. Where all are taken the lightest is given up, and what it counted is among the others: each event
 * is in one row. A row inherits the weight of the one that it takes the place of, so that what is busy now does not stand back behind what once was. */
struct laf_top_table {
	uint64_t hashes[LAF_TOP_SETS][LAF_TOP_WAYS]; /* 0 = free */
	uint64_t weights[LAF_TOP_SETS][LAF_TOP_WAYS];
	struct laf_top_row rows[LAF_TOP_SETS][LAF_TOP_WAYS];
	struct laf_top_count others;
	struct laf_top_row *last;
	uint64_t *last_weight;
};

struct laf_top {
	struct laf_top_table rules, programs;
	struct laf_top_count all;
	/* of the kernel's own record that was counted last */
	uint32_t serial;
	struct laf_top_row *rule, *program;
};

/* An event that was written with so many bytes of text. */
void laf_top_count_event(struct laf_top *top, const struct laf_event *event, size_t bytes);

/* A record of the kernel's own: several with one serial number are one event, which is counted by the first. A SYSCALL is
 * counted for the key it has, others for their type. */
void laf_top_count_record(struct laf_top *top, unsigned type, uint32_t serial, const char *text, size_t len, size_t bytes);

/* As lines: "all=EVENTS BYTES", "rule{KEY}=EVENTS BYTES", "program{PATH}=EVENTS BYTES". */
void laf_top_write(const struct laf_top *top, FILE *to);

#endif
