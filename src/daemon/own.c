// SPDX-License-Identifier: GPL-2.0-or-later
/* The log itself says what happened to it. */
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <libaudit.h>

#include "../clock.h"
#include "../control/execute.h"
#include "former.h"
#include "own.h"

#define LOOK_EVERY_MS 200  /* the counters are many: a look at them is some dozens of system calls */
#define LOSS_EVERY_MS 1000 /* how often a growing loss is told */
#define LOSS_OVER_MS 1000  /* one that has not grown for so long has ended */

int laf_own_write(struct laf_own *own, const char *type, const char *body)
{
	uint64_t ms;
	uint32_t serial = laf_recorder_stamp(own->recorder, &ms);
	const char *line;
	char text[1536];
	size_t bytes;
	int n, r;

	n = snprintf(text, sizeof(text), "audit(%llu.%03llu:%u): %s", (unsigned long long)ms / 1000,
		     (unsigned long long)ms % 1000, serial, body);
	if (n >= (int)sizeof(text))
		n = sizeof(text) - 1;
	r = laf_format_text(own->recorder->formatter, audit_name_to_msg_type(type), ms, text, n, &line, &bytes);
	return r ? r : laf_sink_write(own->recorder->sink, line, bytes, 0);
}

void laf_own_write_once(struct laf_own *own, const char *type, const char *body)
{
	if (laf_own_write(own, type, body))
		own->recorder->kernel_unwritten++;
}

void laf_own_write_start(struct laf_own *own)
{
	char body[512];
	struct laf_who who;
	struct utsname u;

	uname(&u);
	laf_who_read(getpid(), &who);
	snprintf(body, sizeof(body), "op=start ver=laf-0.1 format=%s kernel=%.65s auid=%u pid=%d uid=%u ses=%u "
		 "res=success", own->config->format == LAF_FORMAT_RAW ? "raw" : "enriched", u.release,
		 who.auid, getpid(), getuid(), who.ses);
	laf_own_write_once(own, "DAEMON_START", body);
}

void laf_own_write_former(struct laf_own *own)
{
	const char *name = laf_former_name(own->recorder);
	char body[128];

	if (!name)
		return;
	snprintf(body, sizeof(body), "op=take-over from=%s under-way=%s res=success", name,
		 laf_former_is_blind(own->recorder) ? "missing" : "recorded");
	laf_own_write_once(own, "DAEMON_CONFIG", body);
}

void laf_own_write_signal(struct laf_own *own, const char *type, const char *op, const struct laf_signal *signal,
			  bool success)
{
	char body[512];

	snprintf(body, sizeof(body), "op=%s auid=%u uid=%u ses=%u pid=%d%s%s res=%s", op, signal->auid, signal->uid,
		 signal->ses, signal->pid, signal->subj[0] ? " subj=" : "", signal->subj, success ? "success" : "failed");
	laf_own_write_once(own, type, body);
}

void laf_own_write_config(struct laf_own *own, const struct laf_signal *signal, bool success)
{
	char body[512];

	if (!success) {
		laf_own_write_signal(own, "DAEMON_CONFIG", "reconfigure state=no-change", signal, false);
		return;
	}
	snprintf(body, sizeof(body), "op=reconfigure state=changed auid=%u pid=%d subj=%s res=success", signal->auid,
		 signal->pid, signal->subj[0] ? signal->subj : "?");
	laf_own_write_once(own, "DAEMON_CONFIG", body);
}

static int write_loss(struct laf_own *own, const struct laf_recorder_loss *loss, const char *state)
{
	char body[768];
	unsigned i;
	int n;

	n = snprintf(body, sizeof(body), "op=lost-events state=%s lost=%llu since-begin=%llu total=%llu", state,
		     (unsigned long long)(loss->total - own->told_lost),
		     (unsigned long long)(loss->total - own->lost_before), (unsigned long long)loss->total);
	for (i = 0; i < LAF_LOSS_NAMES; i++)
		n += snprintf(body + n, sizeof(body) - n, " %s=%llu", laf_loss_name(i),
			      (unsigned long long)laf_loss_count(loss, i));
	snprintf(body + n, sizeof(body) - n, " res=failed");
	return laf_own_write(own, "DAEMON_ERR", body);
}

/* What is due, or NULL. */
static const char *loss_state(const struct laf_own *own, uint64_t total, uint64_t now_ms, bool last)
{
	if (!own->losing)
		return total > own->told_lost ? "begin" : NULL;
	if (last || now_ms - own->grown_ms >= LOSS_OVER_MS)
		return "end";
	return total > own->told_lost && now_ms - own->told_ms >= LOSS_EVERY_MS ? "more" : NULL;
}

static bool tell_loss(struct laf_own *own, bool last)
{
	uint64_t now_ms = clock_ms(CLOCK_MONOTONIC);
	struct laf_recorder_loss loss;
	const char *state;

	if (laf_recorder_get_loss(own->recorder, &loss))
		return false;
	if (loss.total > own->seen.total)
		own->grown_ms = now_ms;
	own->seen = loss;
	state = loss_state(own, loss.total, now_ms, last);
	if (!state)
		return false;
	if (!own->losing)
		own->lost_before = own->told_lost;
	if (write_loss(own, &loss, state))
		return false; /* the log has no room: it is told when it has */
	own->losing = state[0] != 'e';
	own->told_lost = own->recorder->told_lost = loss.total;
	own->told_ms = now_ms;
	return true;
}

void laf_own_write_loss(struct laf_own *own, bool last)
{
	uint64_t now_ms = clock_ms(CLOCK_MONOTONIC);

	if (!last && now_ms - own->looked_ms < LOOK_EVERY_MS)
		return;
	own->looked_ms = now_ms;
	/* one that begins at the very end ends there, too */
	if (tell_loss(own, last) && last && own->losing)
		tell_loss(own, true);
}

void laf_own_write_doubt(struct laf_own *own, const struct laf_log *log, bool last)
{
	uint64_t in_doubt = log->sync.in_doubt;
	char body[128];

	if (in_doubt == own->told_in_doubt || (!last && (log->sync.failing || log->suspended)))
		return;
	snprintf(body, sizeof(body), "op=in-doubt events=%llu since-start=%llu res=failed",
		 (unsigned long long)(in_doubt - own->told_in_doubt), (unsigned long long)in_doubt);
	if (!laf_own_write(own, "DAEMON_ERR", body))
		own->told_in_doubt = in_doubt;
}

bool laf_own_write_balance(struct laf_own *own)
{
	int64_t unaccounted = own->recorder->balance.unaccounted;
	char body[128];

	if (unaccounted == own->told_unaccounted)
		return false;
	snprintf(body, sizeof(body), "op=balance unaccounted=%lld res=%s", (long long)unaccounted, unaccounted ? "failed" : "success");
	if (laf_own_write(own, "DAEMON_ERR", body))
		return false; /* as above */
	own->told_unaccounted = unaccounted;
	return true;
}
