/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many events and records a second, of the last ten seconds. */
#ifndef LAF_RATES_H
#define LAF_RATES_H

#include <stdint.h>

#include "recorder.h"

#define LAF_RATES_SECONDS 10u

struct laf_rates_sample {
	uint64_t ms; /* CLOCK_MONOTONIC */
	uint64_t events, records;
};

struct laf_rates {
	struct laf_rates_sample samples[LAF_RATES_SECONDS]; /* one a second, the oldest at [n % LAF_RATES_SECONDS] */
	uint64_t n; /* taken so far */
	uint64_t begun_ms;
};

/* Call it some times a second. */
void laf_rates_tick(struct laf_rates *rates, const struct laf_recorder *recorder);

/* Records: with the kernel's own. Both 0 before the first tick. */
void laf_rates_get(const struct laf_rates *rates, const struct laf_recorder *recorder, double *ret_events, double *ret_records);

#endif
