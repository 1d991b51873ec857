/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `laf top` shows: the difference between two answers of the daemon. */
#ifndef LAF_TOP_COUNTS_H
#define LAF_TOP_COUNTS_H

#include <stdint.h>

#include <laf/error.h>

enum laf_top_by { LAF_TOP_RULES, LAF_TOP_PROGRAMS, LAF_TOP_TABLES };

struct laf_top_line {
	char *name;
	uint64_t events, bytes;
};

struct laf_top_counts {
	uint64_t now_ms, begun_ms;
	uint64_t records, lost;
	uint64_t runs, run_ns;
	uint64_t ring_fill_percent;
	char engine[16];
	struct laf_top_line all;
	struct laf_top_line *lines[LAF_TOP_TABLES];
	unsigned n[LAF_TOP_TABLES];
};

/* Ask the daemon. Returns 0 or a negative errno with err filled. */
int laf_top_ask(struct laf_top_counts *ret, struct laf_error *err);
void laf_top_clear(struct laf_top_counts *counts);

/* What came between `before` (NULL: the daemon's start) and `now`; now_ms is the time between them. Only lines with events, ordered, those with the
 * most first; one "(others)" holds what the daemon has no line for any more. Returns 0 or -ENOMEM. */
int laf_top_difference(const struct laf_top_counts *now, const struct laf_top_counts *before, struct laf_top_counts *ret);

#endif
