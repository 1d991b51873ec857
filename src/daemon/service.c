// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon's life: start, turns, end. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <libaudit.h>

#include "../clock.h"
#include "force.h"
#include "owner.h"
#include "recorder.h"
#include "repath.h"
#include "service.h"
#include "status.h"

#define READ_EVERY_MS 20  /* how long an event may wait in a ring that is not full */
#define PRIORITY -4       /* as auditd (priority_boost): readers must keep up with writers */
#define LOSS_EVERY_MS 1000 /* how often a growing loss is written to the log */

struct service {
	const struct laf_config *config;
	int owner_fd;
	struct laf_force force;
	struct laf_control *control;
	struct laf_formatter *formatter;
	struct laf_sink sink;
	struct laf_recorder recorder;
	struct laf_repath repath;
	struct laf_netlink netlink;
	bool told_unwritable;
	uint64_t told_lost; /* up to where the log says so */
	uint64_t told_ms;
};

static volatile sig_atomic_t ending;

static void on_end(int number)
{
	ending = number;
}

static uint32_t read_id(const char *path)
{
	unsigned id = 4294967295u;
	FILE *f = fopen(path, "re");

	if (!f)
		return id;
	if (fscanf(f, "%u", &id) != 1)
		id = 4294967295u;
	fclose(f);
	return id;
}

/* A record of the daemon's own. */
static void write_record(void *arg, const char *type, const char *body)
{
	struct service *s = arg;
	uint64_t ms;
	uint32_t serial = laf_recorder_stamp(&s->recorder, &ms);
	const char *line;
	char text[1024];
	size_t bytes;
	int n;

	n = snprintf(text, sizeof(text), "audit(%llu.%03llu:%u): %s", (unsigned long long)ms / 1000,
		     (unsigned long long)ms % 1000, serial, body);
	if (n >= (int)sizeof(text))
		n = sizeof(text) - 1;
	if (!laf_format_text(s->formatter, audit_name_to_msg_type(type), ms, text, n, &line, &bytes))
		laf_sink_write(&s->sink, line, bytes, 0);
}

static void write_start(struct service *s)
{
	char body[512];
	struct utsname u;

	uname(&u);
	snprintf(body, sizeof(body), "op=start ver=laf-0.1 format=%s kernel=%.65s auid=%u pid=%d uid=%u ses=%u "
		 "res=success", s->config->format == LAF_FORMAT_RAW ? "raw" : "enriched", u.release,
		 read_id("/proc/self/loginuid"), getpid(), getuid(), read_id("/proc/self/sessionid"));
	write_record(s, "DAEMON_START", body);
}

static void write_end(struct service *s)
{
	char body[256];

	snprintf(body, sizeof(body), "op=terminate auid=%u uid=%u ses=%u pid=%d res=success",
		 read_id("/proc/self/loginuid"), getuid(), read_id("/proc/self/sessionid"), getpid());
	write_record(s, "DAEMON_END", body);
}

/* The log itself says what it lacks: how much since the last such record, in all, and by what cause. */
static void write_loss(struct service *s, bool now)
{
	struct laf_recorder_loss loss;
	char body[512];
	unsigned i;
	int n;

	if (!now && clock_ms(CLOCK_MONOTONIC) - s->told_ms < LOSS_EVERY_MS)
		return;
	s->told_ms = clock_ms(CLOCK_MONOTONIC);
	if (laf_recorder_get_loss(&s->recorder, &loss) || loss.total <= s->told_lost)
		return;
	n = snprintf(body, sizeof(body), "op=lost-events lost=%llu total=%llu",
		     (unsigned long long)(loss.total - s->told_lost), (unsigned long long)loss.total);
	for (i = 0; i < LAF_LOSS_NAMES; i++)
		n += snprintf(body + n, sizeof(body) - n, " %s=%llu", laf_loss_name(i),
			      (unsigned long long)laf_loss_count(&loss, i));
	snprintf(body + n, sizeof(body) - n, " res=failed");
	write_record(s, "DAEMON_ERR", body);
	s->told_lost = loss.total;
}

/* Where the setting says auto, it is no fault if they can't be had, but said. */
static int open_kernel_records(struct service *s, struct laf_error *err)
{
	struct laf_error why = { 0 };
	int r = laf_netlink_open(&s->netlink, s->config->kernel_records, s->force.folder, &why);

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

/* The log's folder is made, private, where it is missing. */
static void make_folder(const char *file)
{
	char folder[PATH_MAX];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", file);
	slash = strrchr(folder, '/');
	if (slash && slash != folder) {
		*slash = 0;
		mkdir(folder, 0700);
	}
}

static int open_all(struct service *s, struct laf_error *err)
{
	const struct laf_config *config = s->config;
	struct laf_engine_options options = {
		.name = config->engine[0] ? config->engine : NULL, .ring_bytes = config->ring_bytes,
	};
	int r = laf_owner_take(s->force.folder, &s->owner_fd, err);

	if (!r)
		r = laf_force_load(&s->force, err);
	if (r)
		return r;
	r = laf_formatter_new(config->format, config->node[0] ? config->node : NULL, &s->formatter);
	if (r)
		return laf_error_set(err, r, "daemon: out of memory");
	make_folder(config->log_file);
	r = laf_sink_open(&s->sink, config->log_file, 0600, err);
	if (!r)
		r = laf_recorder_open(&s->recorder, &options, laf_force_rules(&s->force), s->formatter, &s->sink, err);
	if (!r)
		r = laf_repath_open(&s->repath, &s->recorder, err);
	if (!r)
		r = laf_control_open(s->force.folder, &s->control, err);
	if (!r)
		r = open_kernel_records(s, err);
	return r;
}

static void catch_signals(void)
{
	struct sigaction act = { .sa_handler = on_end };

	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Once each time that it begins: the log itself can't tell. */
static void say_unwritable(struct service *s, int r)
{
	if (r && !s->told_unwritable)
		fprintf(stderr, "laf: log: writing to %s: %s; it is tried again, and what there is no room to keep is lost\n",
			s->sink.name, strerror(-r));
	s->told_unwritable = r != 0;
}

/* Until there is something to do, or it is time to look into the rings. */
static void wait_for_work(struct service *s)
{
	struct pollfd fds[] = {
		{ .fd = laf_engine_fd(s->recorder.engine), .events = POLLIN },
		{ .fd = laf_control_fd(s->control), .events = POLLIN },
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), READ_EVERY_MS);
}

static void answer(void *arg, pid_t pid, const struct laf_control_request *request, struct laf_control_reply *ret)
{
	FILE *to;

	if (request->what != LAF_CONTROL_STATUS) {
		laf_force_change(arg, pid, request, ret);
		return;
	}
	to = open_memstream(&ret->out, &ret->out_bytes);
	ret->status = to ? 0 : 1;
	if (!to)
		return;
	laf_status_write(arg, to);
	fclose(to);
}

static void follow(struct service *s)
{
	write_start(s);
	laf_force_tell(&s->force);
	while (!ending) {
		wait_for_work(s);
		say_unwritable(s, laf_recorder_read(&s->recorder, false));
		laf_repath_check(&s->repath);
		laf_control_serve(s->control, answer, &s->force);
		write_loss(s, false);
	}
	laf_netlink_leave(&s->netlink);
	laf_recorder_read(&s->recorder, true);
	write_loss(s, true);
	write_end(s);
}

static void say_end(struct service *s)
{
	char text[512];

	laf_recorder_summary(&s->recorder, text, sizeof(text));
	fprintf(stderr, "laf: %s\n", text);
}

int laf_service_run(const struct laf_config *config, struct laf_error *err)
{
	struct service s = {
		.config = config, .owner_fd = -1, .sink.fd = -1, .repath.fd = -1, .netlink = LAF_NETLINK_CLOSED,
		.force = {
			.config = config, .folder = laf_run_folder(), .settings = LAF_SETTINGS_INIT,
			.recorder = &s.recorder, .repath = &s.repath, .write_record = write_record, .arg = &s,
		},
	};
	int r;

	umask(0077);
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* where it is not allowed, it is a little slower */
	catch_signals();
	r = open_all(&s, err);
	if (!r) {
		follow(&s);
		r = laf_recorder_finish(&s.recorder);
		say_end(&s);
		if (r)
			laf_error_set(err, r, "log: writing to %s: %s", s.sink.name, strerror(-r));
	}
	laf_netlink_leave(&s.netlink);
	laf_netlink_close(&s.netlink);
	laf_control_close(s.control);
	laf_repath_close(&s.repath);
	laf_sink_close(&s.sink);
	laf_recorder_close(&s.recorder);
	laf_formatter_free(s.formatter);
	laf_force_clear(&s.force);
	if (s.owner_fd >= 0)
		close(s.owner_fd);
	return r;
}
