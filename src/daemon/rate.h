/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A limit of messages a second, as the kernel's audit has it (audit_rate_check()). */
#ifndef LAF_RATE_H
#define LAF_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct laf_rate {
	uint32_t limit;    /* 0 = none */
	uint64_t messages; /* in this second: for who writes them to count */
	uint64_t from_ns;  /* when it began */
};

/* By the time of an event, not of its reading: one that waited is not one of many. */
static inline bool laf_rate_is_over(struct laf_rate *rate, uint64_t at_ns)
{
	if ((int64_t)(at_ns - rate->from_ns) >= 1000000000) {
		rate->from_ns = at_ns;
		rate->messages = 0;
	}
	return rate->limit && rate->messages >= rate->limit;
}

#endif
