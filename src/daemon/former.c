// SPDX-License-Identifier: GPL-2.0-or-later
/* A recorder of its own for the rings of another version, with that one's rules, journal and files, writing to the same log. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../clock.h"
#include "former.h"

#define BOTH_NS (2 * LAF_TWINS_APART_NS) /* so long that a thread's calls of before can't be taken for those behind it */
#define LASTING_NS 10000000000ull        /* calls that began before have so long to end */

struct laf_former {
	struct laf_recorder recorder;
	struct laf_keep keep;
	uint64_t until_ns;
};

static int open_recorder(struct laf_former *former, struct laf_recorder *recorder, struct laf_error *err)
{
	struct laf_recorder *theirs = &former->recorder;
	int r;

	theirs->formatter = recorder->formatter;
	theirs->sink = recorder->sink;
	theirs->top = recorder->top;
	theirs->remember = &recorder->twins;
	theirs->remember_ns = laf_engine_resumed(recorder->engine) ? 0 : UINT64_MAX;
	theirs->done = calloc(laf_engine_rings(theirs->engine) + 1, sizeof(*theirs->done));
	if (!theirs->done)
		return laf_error_set(err, -ENOMEM, "daemon: out of memory");
	former->until_ns = UINT64_MAX;
	former->keep.folder = recorder->keep->folder;
	r = laf_keep_start(&former->keep, theirs->engine, err);
	if (r)
		return r;
	theirs->keep = &former->keep;
	return laf_recorder_go_on(theirs, err);
}

static void close_recorder(struct laf_former *former, bool leave)
{
	former->recorder.top = NULL; /* it is not its own */
	laf_recorder_close(&former->recorder, leave);
	laf_keep_close(&former->keep, leave);
	free(former);
}

/* The numbers of events go on, and what the log tells of losses does. */
static void go_on_with(struct laf_recorder *recorder, const struct laf_former *former)
{
	uint32_t serial = former->recorder.serial;

	if (!laf_journal_last(&former->keep.journal)->serial)
		return; /* it was killed before it wrote anything */
	if ((!laf_engine_resumed(recorder->engine) && !recorder->begun) || (int32_t)(serial - recorder->serial) > 0)
		recorder->serial = serial;
	if (recorder->told_lost < former->recorder.told_lost)
		recorder->told_lost = former->recorder.told_lost;
}

/* The former is read out first, so that it loses nothing while both record. What it has behind that, or all if we don't know since when both
 * record, may have a twin. Our rules come in force as in any change of rules. */
static int begin(struct laf_recorder *recorder, struct laf_error *err)
{
	int r;

	laf_former_read(recorder);
	if (!laf_engine_resumed(recorder->engine))
		recorder->former->recorder.remember_ns = clock_ns(CLOCK_MONOTONIC);
	r = laf_recorder_reload(recorder, err);
	return r ? r : laf_recorder_complete(recorder, err);
}

static int take_over(struct laf_recorder *recorder, struct laf_error *err)
{
	struct laf_former *former = recorder->former;
	int r = open_recorder(former, recorder, err);

	if (r)
		return r;
	go_on_with(recorder, former);
	laf_twins_clear(&recorder->twins);
	if (!recorder->begun)
		r = begin(recorder, err);
	if (r)
		return r;
	recorder->keep->resumed = true;
	laf_former_read(recorder);
	nanosleep(&(struct timespec){ .tv_nsec = BOTH_NS }, NULL);
	laf_engine_retire(former->recorder.engine);
	former->until_ns = clock_ns(CLOCK_MONOTONIC) + LASTING_NS;
	return 0;
}

/* One was killed while it took over from another: that one has had its time. */
static int take_next(struct laf_recorder *recorder, struct laf_error *err)
{
	int r;

	recorder->former->until_ns = 0;
	r = laf_former_read(recorder);
	if (r)
		return laf_error_set(err, r, "log: writing what another version recorded: %s", strerror(-r));
	return laf_former_take(recorder, err);
}

int laf_former_take(struct laf_recorder *recorder, struct laf_error *err)
{
	struct laf_former *former = calloc(1, sizeof(*former));
	int r = -ENOENT;

	if (!former)
		return laf_error_set(err, -ENOMEM, "daemon: out of memory");
	if (recorder->keep->pins[0])
		r = laf_engine_open_former(recorder->keep->pins, recorder->engine, &former->recorder.engine, err);
	if (r) {
		free(former);
		return r == -ENOENT ? 0 : r;
	}
	recorder->former = former;
	r = take_over(recorder, err);
	if (!r && laf_engine_beside(recorder->former->recorder.engine))
		return take_next(recorder, err);
	if (r)
		laf_former_close(recorder, true);
	return r;
}

/* What this daemon has written is its own; that it was not produced by its engine is in the base. */
static void carry_counts(struct laf_recorder *recorder, struct laf_recorder *theirs)
{
	recorder->events += theirs->events;
	recorder->balance.base -= theirs->events;
	recorder->records += theirs->records;
	recorder->partial += theirs->partial;
	recorder->serial = theirs->serial;
	theirs->events = theirs->records = theirs->partial = 0;
}

/* Its losses are ours from now on: in the journal, too, before it is gone. */
static void finish(struct laf_recorder *recorder)
{
	struct laf_former *former = recorder->former;
	struct laf_recorder_loss loss = { 0 };
	struct laf_losses losses;

	laf_former_add_loss(recorder, &loss);
	laf_recorder_losses(&former->recorder, &losses);
	laf_losses_merge(&recorder->losses, &losses);
	laf_losses_clear(&losses);
	for (unsigned i = 0; i < LAF_LOSS_CAUSES; i++)
		recorder->lost_by_cause[i] += loss.by_cause[i];
	recorder->lost_before += loss.unwritten + loss.limited;
	recorder->twins.until_ns = clock_ns(CLOCK_MONOTONIC);
	recorder->former = NULL;
	laf_recorder_get_loss(recorder, &loss);
	close_recorder(former, false);
}

int laf_former_read(struct laf_recorder *recorder)
{
	struct laf_former *former = recorder->former;
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	int r = laf_sink_flush(recorder->sink);

	if (r)
		return r; /* what is in the buffer comes of the rings that it was joined to */
	laf_recorder_join(&former->recorder);
	former->recorder.serial = recorder->serial;
	former->recorder.kernel_serial = recorder->kernel_serial;
	r = laf_recorder_read(&former->recorder, true);
	carry_counts(recorder, &former->recorder);
	if (r)
		return r;
	laf_recorder_join(recorder);
	if (now_ns > former->until_ns)
		finish(recorder);
	return 0;
}

void laf_former_add_loss(const struct laf_recorder *recorder, struct laf_recorder_loss *ret)
{
	struct laf_recorder_loss loss;

	if (!recorder->former || laf_recorder_get_loss(&recorder->former->recorder, &loss))
		return;
	for (unsigned i = 0; i < LAF_LOSS_CAUSES; i++)
		ret->by_cause[i] += loss.by_cause[i];
	ret->unwritten += loss.unwritten;
	ret->limited += loss.limited;
}

bool laf_former_is_blind(const struct laf_recorder *recorder)
{
	return laf_engine_blind(recorder->former->recorder.engine);
}

const char *laf_former_name(const struct laf_recorder *recorder)
{
	return recorder->former ? laf_engine_layout(recorder->former->recorder.engine) : NULL;
}

void laf_former_close(struct laf_recorder *recorder, bool leave)
{
	if (recorder->former) {
		laf_recorder_join(recorder);
		close_recorder(recorder->former, leave);
	}
	recorder->former = NULL;
	laf_twins_clear(&recorder->twins);
}
