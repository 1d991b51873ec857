// SPDX-License-Identifier: GPL-2.0-or-later
/* Is anything missing? While events are being made there are bounds for what must be there. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "../clock.h"
#include "aside.h"
#include "recorder.h"

#define CHECK_EVERY_MS 5000
#define TRIES 10 /* turns in which nothing may wait by chance, before it is seen to that nothing of before does */

struct sums {
	uint64_t produced;
	uint64_t gone; /* written, rejected or lost */
};

/* Losses are read before what was produced, so that there are never more of them. */
static int get_sums(struct laf_recorder *recorder, struct sums *ret)
{
	struct laf_engine_stats stats;
	int r = laf_engine_get_stats(recorder->engine, &stats);

	if (r)
		return r;
	ret->produced = stats.produced;
	ret->gone = recorder->balance.base + recorder->events + recorder->rejected + recorder->undecided + recorder->limited +
		    recorder->unwritten + stats.malformed;
	for (unsigned i = 0; i < LAF_LOSS_CAUSES; i++)
		ret->gone += i == LAF_LOSS_MISSED ? 0 : stats.lost[i]; /* what the kernel skipped was not produced either */
	return 0;
}

int laf_recorder_check(struct laf_recorder *recorder, int64_t *ret_unaccounted)
{
	struct sums sums;
	int r = recorder->balance.based ? get_sums(recorder, &sums) : -ENODATA;

	if (!r)
		*ret_unaccounted = (int64_t)(sums.produced - sums.gone);
	return r;
}

static void settle(void *arg)
{
	laf_engine_settle();
}

/* What was produced before is then in the rings or counted as lost, and read out of them. */
static void read_out(struct laf_recorder *recorder)
{
	uint64_t from_ns = clock_ns(CLOCK_MONOTONIC);

	laf_aside(recorder, settle, NULL);
	while (clock_ns(CLOCK_MONOTONIC) - from_ns <= LAF_ENGINE_HOLD_NS)
		nanosleep(&(struct timespec){ .tv_nsec = LAF_ENGINE_HOLD_NS / 2 }, NULL);
	laf_recorder_read(recorder, false);
}

/* A daemon that goes on with another one's rings does not know what that one wrote. */
static void find_base(struct laf_balance *balance, const struct sums *before, const struct sums *after)
{
	if (before->produced != after->produced)
		return;
	balance->base += after->produced - after->gone;
	balance->based = true;
}

static bool is_even(const struct laf_balance *balance, const struct sums *sums)
{
	return balance->based && sums->produced == sums->gone;
}

/* Where events are being made all the time so many are missing at least; more may be, and the former answer may have been better. */
static void judge(struct laf_balance *balance, const struct sums *before, const struct sums *after)
{
	bool exact = before->produced == after->produced;
	int64_t least = 0;

	if (after->gone < before->produced)
		least = before->produced - after->gone;
	else if (after->gone > after->produced)
		least = -(int64_t)(after->gone - after->produced);
	if (exact || llabs(least) > llabs(balance->unaccounted))
		balance->unaccounted = least;
	balance->checked = true;
}

static void check(struct laf_recorder *recorder)
{
	struct laf_balance *balance = &recorder->balance;
	struct sums before, after;

	if (get_sums(recorder, &before))
		return;
	if (is_even(balance, &before)) { /* often there is a moment in which nothing waits */
		balance->checked = true;
		balance->unaccounted = 0;
		balance->tries = 0;
		return;
	}
	if (++balance->tries < TRIES)
		return;
	balance->tries = 0;
	read_out(recorder);
	if (get_sums(recorder, &after))
		return;
	if (balance->based)
		judge(balance, &before, &after);
	else
		find_base(balance, &before, &after);
}

void laf_recorder_balance(struct laf_recorder *recorder)
{
	struct laf_balance *balance = &recorder->balance;
	uint64_t now_ms = clock_ms(CLOCK_MONOTONIC);

	if (!balance->tries && now_ms - balance->looked_ms < CHECK_EVERY_MS)
		return;
	balance->looked_ms = now_ms;
	check(recorder);
}
