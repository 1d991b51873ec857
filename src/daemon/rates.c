// SPDX-License-Identifier: GPL-2.0-or-later
/* Rates, as differences between now and a sample of some seconds ago. */
#include "../clock.h"
#include "rates.h"

#define SAMPLE_EVERY_MS 1000

static struct laf_rates_sample sample_of(const struct laf_recorder *recorder)
{
	return (struct laf_rates_sample){
		clock_ms(CLOCK_MONOTONIC), recorder->events, recorder->records + recorder->kernel_records,
	};
}

void laf_rates_tick(struct laf_rates *rates, const struct laf_recorder *recorder)
{
	struct laf_rates_sample now = sample_of(recorder);

	if (!rates->n)
		rates->begun_ms = now.ms;
	else if (now.ms - rates->samples[(rates->n - 1) % LAF_RATES_SECONDS].ms < SAMPLE_EVERY_MS)
		return;
	rates->samples[rates->n++ % LAF_RATES_SECONDS] = now;
}

static const struct laf_rates_sample *oldest(const struct laf_rates *rates)
{
	return &rates->samples[rates->n < LAF_RATES_SECONDS ? 0 : rates->n % LAF_RATES_SECONDS];
}

void laf_rates_get(const struct laf_rates *rates, const struct laf_recorder *recorder, double *ret_events, double *ret_records)
{
	struct laf_rates_sample now = sample_of(recorder);
	const struct laf_rates_sample *then = oldest(rates);
	double seconds = (now.ms - then->ms) / 1000.0;

	*ret_events = *ret_records = 0;
	if (!rates->n || seconds <= 0)
		return;
	*ret_events = (now.events - then->events) / seconds;
	*ret_records = (now.records - then->records) / seconds;
}
