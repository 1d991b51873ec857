// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon's life: start, turns, end. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "../clock.h"
#include "../worker.h"
#include "failure.h"
#include "force.h"
#include "own.h"
#include "owner.h"
#include "plugin_config.h"
#include "power.h"
#include "rates.h"
#include "readrules.h"
#include "recorder.h"
#include "reload.h"
#include "repath.h"
#include "service.h"
#include "state.h"
#include "status.h"

#define PLUGINS_END_MS 1000 /* for plugins to read what is in their queues, and to end */
#define LEAVE SIGQUIT     /* end, and let the programs record on into the rings */
#define READ_EVERY_MS 20  /* how long an event may wait in a ring that is not full */
#define DETACH_EVERY_MS 2000 /* a few programs that no rule needs any more */

struct service {
	struct laf_config *config;
	const char *file; /* of the configuration */
	int owner_fd;
	struct laf_force force;
	struct laf_control *control;
	struct laf_log log;
	struct laf_plugins plugins;
	struct laf_recorder recorder;
	struct laf_repath repath;
	struct laf_keep keep;
	struct laf_netlink netlink;
	struct laf_own own;
	struct laf_rates rates;
	struct laf_failure failure;
	struct laf_worker detacher;
	uint64_t detach_ms; /* when it is to look again */
	int signals;
	struct laf_signal end; /* what ended us */
	bool told_unwritable;
};

/* What an operator must hear: to syslog, and to standard error where that is not the journal as well. */
static void say(void *arg, int priority, const char *text)
{
	struct service *s = arg;

	if (priority <= LOG_ERR)
		snprintf(s->force.last_error, sizeof(s->force.last_error), "%s", text);
	syslog(LOG_DAEMON | priority, "%s", text);
	if (!getenv("JOURNAL_STREAM"))
		fprintf(stderr, "laf: %s\n", text);
}

static void open_plugins(struct service *s)
{
	s->plugins.say = say;
	s->plugins.say_arg = s;
	laf_plugins_load(&s->plugins, s->config, false);
	s->log.sink.tee = laf_plugins_take;
	s->log.sink.tee_arg = &s->plugins;
}

static void write_record(void *arg, const char *type, const char *body)
{
	struct service *s = arg;

	laf_own_write_once(&s->own, type, body);
}

/* Where the setting says auto, it is no fault if they can't be had, but said. */
static int open_kernel_records(struct service *s, struct laf_error *err)
{
	bool engine = !strcmp(laf_engine_name(s->recorder.engine), LAF_ENGINE_KERNEL);
	enum laf_netlink_mode mode = engine ? LAF_NETLINK_DAEMON : s->config->kernel_records;
	struct laf_error why = { 0 };
	int r = laf_netlink_open(&s->netlink, mode, s->force.folder, s->recorder.rules, &why);

	if (r) {
		*err = why;
		return r;
	}
	if (why.text[0])
		fprintf(stderr, "laf: %s; the kernel's own records are not taken\n", why.text);
	if (s->netlink.mode != LAF_NETLINK_NO)
		s->recorder.netlink = &s->netlink;
	return 0;
}

static int start_counting(struct service *s, struct laf_error *err)
{
	s->recorder.top = calloc(1, sizeof(*s->recorder.top));
	return s->recorder.top ? 0 : laf_error_set(err, -ENOMEM, "daemon: out of memory");
}

/* Who is not the only daemon fails at once, before the log is touched. */
static int open_all(struct service *s, struct laf_error *err)
{
	const struct laf_config *config = s->config;
	struct laf_engine_options options = {
		.name = config->engine[0] ? config->engine : NULL, .ring_bytes = config->ring_kib << 10,
		.hold = true, .no_kernel = config->kernel_records == LAF_NETLINK_NO,
	};
	struct laf_formatter *formatter = NULL;
	int r = laf_owner_take(s->force.folder, &s->owner_fd, err);

	if (!r)
		r = laf_force_load(&s->force, err);
	if (!r)
		r = laf_signals_open(&s->signals, err);
	if (!r)
		r = laf_keep_open(&s->keep, s->force.folder, config->log.file, err);
	if (!r)
		r = laf_log_open(&s->log, &config->log, say, s, err);
	if (!r)
		open_plugins(s);
	if (!r)
		r = laf_new_formatter(config, &formatter, err);
	if (s->keep.pins[0])
		options.pins = s->keep.pins;
	if (!r)
		r = laf_repath_open(&s->repath, &s->recorder, laf_force_rules(&s->force), err);
	if (!r)
		r = laf_recorder_open(&s->recorder, &options, laf_force_rules(&s->force), formatter, &s->log.sink, err);
	if (!r)
		r = start_counting(s, err);
	if (!r)
		laf_recorder_join(&s->recorder);
	if (!r)
		r = laf_recorder_keep(&s->recorder, &s->keep, err);
	if (!r)
		laf_repath_start(&s->repath);
	if (!r)
		r = laf_control_open(s->force.folder, &s->control, err);
	if (!r)
		r = open_kernel_records(s, err);
	if (!r)
		laf_force_limit(&s->force);
	if (!r)
		laf_warn_lists(laf_force_rules(&s->force), s->netlink.loads_all, s->netlink.found.changed);
	return r ? r : laf_power_drop(config, s->plugins.n > 0, err);
}

/* Once each time that it begins: the log itself can't tell. */
static void say_unwritable(struct service *s, int r)
{
	char *error = s->force.last_error;

	if (r && r != -ECANCELED && !s->told_unwritable) {
		snprintf(error, sizeof(s->force.last_error), "log: writing to %.100s: %s", s->log.sink.name, strerror(-r));
		fprintf(stderr, "laf: %s; it is tried again, and what there is no room to keep is lost\n", error);
	}
	s->told_unwritable = r != 0;
}

/* Until there is something to do, or it is time to look into the rings. */
static void wait_for_work(struct service *s)
{
	struct pollfd fds[LAF_PLUGINS_MAX + 8] = {
		{ .fd = laf_engine_fd(s->recorder.engine), .events = POLLIN },
		{ .fd = laf_control_fd(s->control), .events = POLLIN },
		{ .fd = s->signals, .events = POLLIN },
	};
	unsigned n = 3;

	n += laf_plugins_poll(&s->plugins, fds + n);
	poll(fds, n, READ_EVERY_MS);
}

static void reload(struct service *s, const struct laf_signal *signal)
{
	struct laf_error err = { 0 };
	char text[1024];
	int r = laf_reload(s->config, s->file, &s->recorder, &s->log, &err);

	if (r) {
		laf_error_string(&err, text, sizeof(text));
		say(s, LOG_ERR, text);
	} else {
		laf_plugins_load(&s->plugins, s->config, true);
	}
	laf_own_write_config(&s->own, signal, !r);
}

static void obey(struct service *s, const struct laf_signal *signal)
{
	switch (signal->number) {
	case SIGHUP:
		reload(s, signal);
		break;
	case SIGUSR1:
		laf_sink_flush(&s->log.sink);
		laf_own_write_signal(&s->own, "DAEMON_ROTATE", "rotate-logs", signal, !laf_log_rotate(&s->log));
		break;
	case SIGUSR2:
		laf_plugins_resume(&s->plugins);
		laf_own_write_signal(&s->own, "DAEMON_RESUME", "resume-logging", signal, !laf_log_resume(&s->log));
		break;
	case SIGCONT:
		laf_state_write(s->config, &s->log, &s->plugins, &s->recorder);
		break;
	default:
		s->end = *signal;
	}
}

static void take_signals(struct service *s)
{
	struct laf_signal signal;

	while (!s->end.number && laf_signals_take(s->signals, &signal))
		obey(s, &signal);
}

static void check_balance(struct service *s)
{
	char text[128];

	laf_recorder_balance(&s->recorder);
	if (!laf_own_write_balance(&s->own))
		return;
	snprintf(text, sizeof(text), "daemon: of the events produced, %lld are neither written nor counted lost",
		 (long long)s->recorder.balance.unaccounted);
	say(s, s->recorder.balance.unaccounted ? LOG_ERR : LOG_NOTICE, text);
}

/* -f holds for what is lost from then on. */
static void follow_failure(struct service *s)
{
	struct laf_recorder_loss loss;

	if (s->force.settings.failure != s->failure.mode && !laf_recorder_get_loss(&s->recorder, &loss))
		laf_failure_set(&s->failure, s->force.settings.failure, loss.total);
}

static void heed_loss(struct service *s, bool last)
{
	laf_own_write_loss(&s->own, last);
	laf_own_write_doubt(&s->own, &s->log, last);
	laf_failure_heed(&s->failure, &s->own.seen, &s->log.sink);
}

static void answer(void *arg, pid_t pid, const struct laf_control_request *request, struct laf_control_reply *ret)
{
	struct service *s = arg;
	FILE *to;

	if (request->what != LAF_CONTROL_STATUS && request->what != LAF_CONTROL_TOP) {
		laf_force_change(&s->force, pid, request, ret);
		follow_failure(s);
		return;
	}
	to = open_memstream(&ret->out, &ret->out_bytes);
	ret->status = to ? 0 : 1;
	if (!to)
		return;
	if (request->what == LAF_CONTROL_STATUS)
		laf_status_write(&s->force, &s->log, &s->plugins, &s->rates, to);
	else
		laf_status_write_top(&s->force, &s->rates, to);
	fclose(to);
}

static int detach_idle(void *engine)
{
	return laf_engine_detach_idle(engine);
}

/* In a thread: the rings must not wait for the kernel. */
static void detach_sometimes(struct service *s)
{
	uint64_t now_ms = clock_ms(CLOCK_MONOTONIC);
	int n;

	laf_worker_collect(&s->detacher, false, &n);
	if (now_ms < s->detach_ms)
		return;
	s->detach_ms = now_ms + DETACH_EVERY_MS;
	laf_worker_start(&s->detacher, detach_idle, s->recorder.engine);
}

static void follow(struct service *s)
{
	struct laf_error err;
	int n;

	if (s->keep.why_not)
		fprintf(stderr, "laf: daemon: pinning its programs: %s; if it is killed, recording ends with it\n", strerror(-s->keep.why_not));

	s->own.told_lost = s->own.seen.total = s->recorder.told_lost;
	laf_failure_set(&s->failure, s->force.settings.failure, s->recorder.told_lost);
	laf_own_write_start(&s->own);
	laf_own_write_former(&s->own);
	laf_force_tell(&s->force);
	laf_rates_tick(&s->rates, &s->recorder);
	while (!s->end.number) {
		wait_for_work(s);
		say_unwritable(s, laf_recorder_read(&s->recorder, false));
		laf_repath_check(&s->repath);
		laf_control_serve(s->control, answer, s);
		take_signals(s);
		laf_log_tick(&s->log);
		laf_plugins_feed(&s->plugins);
		heed_loss(s, false);
		check_balance(s);
		laf_rates_tick(&s->rates, &s->recorder);
		detach_sometimes(s);
	}
	laf_worker_collect(&s->detacher, true, &n);
	laf_netlink_leave(&s->netlink);
	if (s->end.number == LEAVE)
		laf_recorder_read(&s->recorder, true);
	else if (laf_recorder_stop(&s->recorder, &err))
		say(s, LOG_WARNING, "daemon: the rules could not be taken out of force: events of this moment are lost");
	heed_loss(s, true);
	laf_own_write_signal(&s->own, "DAEMON_END", "terminate", &s->end, true);
}

static void say_end(struct service *s)
{
	int64_t unaccounted = 0;
	char text[512];

	laf_recorder_summary(&s->recorder, text, sizeof(text));
	fprintf(stderr, "laf: %s\n", text);
	if (s->log.sync.in_doubt)
		fprintf(stderr, "laf: of the events written, %llu may be missing: bringing them to the disk failed\n",
			(unsigned long long)s->log.sync.in_doubt);
	if (!laf_recorder_check(&s->recorder, &unaccounted) && unaccounted)
		fprintf(stderr, "laf: the counts do not add up: of the events produced, %lld are neither written nor counted lost\n",
			(long long)unaccounted);
}

/* Of how much the log does not tell: its last word on losses was written before its end. */
static uint64_t lost_untold(struct service *s)
{
	struct laf_recorder_loss loss;

	if (s->end.number == LEAVE)
		return s->recorder.own_given_up;
	if (laf_recorder_get_loss(&s->recorder, &loss) || loss.total <= s->own.told_lost)
		return 0;
	return loss.total - s->own.told_lost;
}

/* The log ends here. Returns 0, or 1 with err filled where it lacks its end: nothing in it can say so. */
static int finish(struct service *s, struct laf_error *err)
{
	int r = laf_recorder_finish(&s->recorder, s->end.number == LEAVE);
	unsigned long long untold = lost_untold(s);

	laf_log_sync(&s->log);
	say_end(s);
	laf_state_remove(s->config);
	if (r || untold)
		laf_error_set(err, r, "log: %s lacks its end: %llu lost of which it does not tell, %llu of them the daemon's own: %s",
			      s->log.settings.file, untold, (unsigned long long)s->recorder.own_given_up,
			      r == -ECANCELED ? "writing is suspended" : strerror(r ? -r : ENOBUFS));
	else if (s->log.sync.failing)
		laf_error_set(err, -EIO, "log: bringing %s to the disk failed: it may lack its end", s->log.settings.file);
	else
		return 0;
	syslog(LOG_DAEMON | LOG_ERR, "%s", err->text);
	return 1;
}

/* The recording goes on, for the next daemon: that was asked for, or this one could not take over what it found. */
static bool leaves(const struct service *s, bool opened)
{
	return opened ? s->end.number == LEAVE : s->keep.resumed;
}

int laf_service_run(struct laf_config *config, const char *file, struct laf_error *err)
{
	struct service s = {
		.config = config, .file = file, .owner_fd = -1, .log.sink.fd = -1, .repath.fd = -1, .signals = -1,
		.netlink = LAF_NETLINK_CLOSED,
		.failure.sysrq_fd = -1,
		.own = { .recorder = &s.recorder, .config = config },
		.force = {
			.config = config, .folder = laf_run_folder(), .settings = LAF_SETTINGS_INIT,
			.recorder = &s.recorder, .repath = &s.repath, .write_record = write_record, .arg = &s,
		},
	};
	bool opened;
	int r;

	umask(0077);
	openlog("laf", LOG_PID, LOG_DAEMON);
	laf_set_priority(config); /* where it is not allowed, it is a little slower */
	r = open_all(&s, err);
	opened = !r;
	if (opened) {
		follow(&s);
		r = finish(&s, err);
	}
	laf_netlink_leave(&s.netlink);
	laf_netlink_close(&s.netlink);
	laf_plugins_close(&s.plugins, opened ? PLUGINS_END_MS : 0);
	laf_control_close(s.control);
	laf_repath_close(&s.repath);
	laf_log_close(&s.log);
	laf_formatter_free(s.recorder.formatter);
	laf_recorder_close(&s.recorder, leaves(&s, opened));
	laf_keep_close(&s.keep, leaves(&s, opened));
	laf_force_clear(&s.force);
	laf_failure_close(&s.failure);
	if (s.signals >= 0)
		close(s.signals);
	if (s.owner_fd >= 0)
		close(s.owner_fd);
	return r;
}
