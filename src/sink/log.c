// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing to the log: up to the size of a file, then what the settings say; synced as they say. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../clock.h"
#include "log_files.h"

static struct laf_log *of_sink(struct laf_sink *sink)
{
	return (struct laf_log *)((char *)sink - offsetof(struct laf_log, sink));
}

void laf_log_say(struct laf_log *log, int priority, const char *format, ...)
{
	char text[PATH_MAX + 256];
	va_list args;
	int n;

	n = snprintf(text, sizeof(text), "log: %s: ", log->settings.file);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	log->say(log->say_arg, priority, text);
}

void laf_log_suspend(struct laf_log *log)
{
	log->suspended = true;
	laf_log_sync_last(log);
	laf_sink_move(&log->sink, -1);
}

static bool is_over(const struct laf_log *log, uint64_t size)
{
	return log->settings.max_log_mib && size >= (uint64_t)log->settings.max_log_mib << 20;
}

static void check_size(struct laf_log *log)
{
	if (!log->settings.write_logs || !is_over(log, log->size))
		return;
	switch (log->settings.max_log_action) {
	case LAF_ACTION_SYSLOG:
		if (!log->told_size)
			laf_log_say(log, LOG_ERR, "it is larger than max_log_file");
		log->told_size = true;
		break;
	case LAF_ACTION_SUSPEND:
		laf_log_say(log, LOG_ERR, "it is larger than max_log_file: writing is suspended");
		laf_log_suspend(log);
		break;
	case LAF_ACTION_ROTATE:
		if (log->settings.num_logs < 2)
			break;
		/* fall through */
	case LAF_ACTION_KEEP_LOGS:
		laf_log_rotate(log);
		break;
	}
}

/* How many of the texts in the buffer go to the current file: the last one makes it as large as it may become. */
static size_t count_texts(const struct laf_log *log)
{
	const struct laf_sink *sink = &log->sink;
	size_t i;

	if (!is_over(log, log->size + sink->used))
		return sink->n_texts;
	for (i = 0; i < sink->n_texts; i++)
		if (is_over(log, log->size + sink->texts[i].end - sink->half))
			return i + 1;
	return sink->n_texts;
}

/* Returns whether to try again at once. */
static bool write_failed(struct laf_log *log, int error)
{
	if (error != ENOSPC)
		return laf_log_react(log, LAF_LOG_FAILED, "writing to it", error);
	/* one that is empty is not rotated: there is nothing to gain */
	if (log->told_full && (log->settings.disk_full_action.action != LAF_ACTION_ROTATE || !log->size))
		return false;
	log->told_full = true;
	return laf_log_react(log, LAF_LOG_FULL, "writing to it", error);
}

/* Learn what went to the file: texts that are larger than the buffer go there past write_texts(). */
static void account(struct laf_log *log)
{
	if (log->sink.bytes != log->counted && !log->born_s)
		log->born_s = clock_ms(CLOCK_REALTIME) / 1000;
	if (log->settings.write_logs)
		log->size += log->sink.bytes - log->counted;
	log->counted = log->sink.bytes;
}

static int write_texts(struct laf_log *log)
{
	int r = laf_sink_put(&log->sink, count_texts(log));

	account(log);
	if (!r) {
		log->errors = log->sync.failing ? log->errors : 0;
		return 0;
	}
	return write_failed(log, -r) ? 0 : r;
}

static int flush(struct laf_sink *sink)
{
	struct laf_log *log = of_sink(sink);
	uint64_t before = log->counted;
	int r = 0;

	account(log);
	if (!log->suspended)
		check_size(log);
	while (!r && sink->used && !log->suspended) {
		r = write_texts(log);
		if (!r)
			check_size(log);
	}
	if (log->counted != before) {
		laf_log_sync_if_due(log);
		laf_log_check_space(log);
	}
	return log->suspended ? -ECANCELED : r;
}

static void follow_settings(struct laf_log *log)
{
	laf_log_set_modes(log);
	laf_log_remove_excess(log);
	check_size(log);
	laf_log_check_space(log);
	laf_log_pack_next(log);
}

int laf_log_open(struct laf_log *log, const struct laf_log_settings *settings, laf_log_say_fn say, void *say_arg,
		 struct laf_error *err)
{
	int fd;

	memset(log, 0, sizeof(*log));
	log->settings = *settings;
	log->say = say;
	log->say_arg = say_arg;
	log->sink.fd = log->compress.from = log->compress.to = -1;
	fd = laf_log_open_file(log, err);
	if (fd < 0)
		return fd;
	if (laf_sink_open_fd(&log->sink, fd, settings->file)) {
		close(fd);
		return laf_error_set(err, -ENOMEM, "log: out of memory");
	}
	log->sink.owned = true;
	log->sink.flush = flush;
	laf_log_learn_size(log);
	follow_settings(log);
	return 0;
}

/* The file is opened anew in any case: its name, mode or way of writing may be another. */
int laf_log_reconfigure(struct laf_log *log, const struct laf_log_settings *settings, struct laf_error *err)
{
	struct laf_log_settings old = log->settings;
	int fd;

	laf_sink_flush(&log->sink);
	laf_log_sync_last(log);
	laf_log_pack_collect(log, true);
	log->settings = *settings;
	fd = laf_log_open_file(log, err);
	if (fd < 0) {
		log->settings = old;
		return fd;
	}
	laf_sink_move(&log->sink, fd);
	snprintf(log->sink.name, sizeof(log->sink.name), "%.255s", settings->file);
	log->suspended = log->told_size = log->told_space = log->told_admin_space = log->told_full = false;
	log->errors = 0;
	laf_log_learn_size(log);
	follow_settings(log);
	return 0;
}

int laf_log_resume(struct laf_log *log)
{
	struct laf_error err;
	int fd;

	log->told_size = log->told_space = log->told_admin_space = log->told_full = false;
	log->errors = 0;
	if (!log->suspended)
		return 0;
	fd = laf_log_open_file(log, &err);
	if (fd < 0) {
		laf_log_react(log, LAF_LOG_FAILED, "opening it again", -fd);
		return fd;
	}
	laf_sink_move(&log->sink, fd);
	log->suspended = false;
	laf_log_learn_size(log);
	check_size(log);
	return 0;
}

void laf_log_tick(struct laf_log *log)
{
	uint64_t now_s = clock_ms(CLOCK_REALTIME) / 1000;

	laf_log_sync_if_due(log);
	laf_log_pack_collect(log, false);
	if (log->settings.max_log_age_s && log->born_s && !log->suspended &&
	    now_s >= log->born_s + log->settings.max_log_age_s && laf_log_rotate(log))
		log->born_s = now_s; /* try again when it is as old again, not all the time */
}

static const char *yes(bool is)
{
	return is ? "yes" : "no";
}

static unsigned limit_mib(const struct laf_space *limit, const struct statvfs *st)
{
	return limit->percent ? ((uint64_t)st->f_blocks * st->f_frsize / 100 * limit->percent) >> 20 : limit->mib;
}

void laf_log_write_state(const struct laf_log *log, FILE *f)
{
	const struct laf_log_settings *s = &log->settings;
	struct statvfs st;

	fprintf(f, "writing to logs = %s\n", yes(s->write_logs));
	if (!s->write_logs)
		return;
	fprintf(f, "current log size = %llu KB\n", (unsigned long long)log->size >> 10);
	fprintf(f, "max log size = %llu KB\n", (unsigned long long)s->max_log_mib << 10);
	fprintf(f, "logs detected last rotate/shift = %u\n", log->known_logs);
	fprintf(f, "space left on partition = %s\n", yes(!log->told_full));
	if (log->sink.fd >= 0 && !fstatvfs(log->sink.fd, &st)) {
		fprintf(f, "Logging partition free space %llu MB\n",
			(unsigned long long)st.f_bavail * st.f_frsize >> 20);
		fprintf(f, "space_left setting %u MB\n", limit_mib(&s->space_left, &st));
		fprintf(f, "admin_space_left setting %u MB\n", limit_mib(&s->admin_space_left, &st));
	}
	fprintf(f, "logging suspended = %s\n", yes(log->suspended));
	fprintf(f, "file system space action performed = %s\n", yes(log->told_space));
	fprintf(f, "admin space action performed = %s\n", yes(log->told_admin_space));
	fprintf(f, "disk error detected = %s\n", yes(log->sink.error && log->sink.error != ENOSPC));
}

void laf_log_close(struct laf_log *log)
{
	laf_log_sync(log);
	laf_log_pack_collect(log, true);
	laf_sink_close(&log->sink);
}
