// SPDX-License-Identifier: GPL-2.0-or-later
/* Bringing the log to the disk, and what is known of it there. Where that fails, the kernel takes what could not be written for clean: it is in
 * memory alone, and goes with it, unless it is written once more. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "../clock.h"
#include "log_files.h"

#define TRY_EVERY_MS 1000         /* while it fails */
#define REWRITE_BYTES (16u << 20) /* at most: it takes time that the rings must have */

static bool is_open(const struct laf_log *log)
{
	return log->settings.write_logs && log->sink.fd >= 0;
}

/* Make what may be in memory alone dirty again, by writing the same to the same place. */
static void rewrite(struct laf_log *log)
{
	int fd = log->sink.fd, flags = fcntl(fd, F_GETFL);
	uint64_t at = log->sync.from;
	char piece[65536];
	ssize_t n = 1;

	/* with O_APPEND pwrite() appends */
	if (log->size > at + REWRITE_BYTES || flags < 0 || fcntl(fd, F_SETFL, flags & ~O_APPEND))
		return;
	for (; at < log->size && n > 0; at += n) {
		n = pread(fd, piece, log->size - at < sizeof(piece) ? log->size - at : sizeof(piece), at);
		if (n > 0)
			n = pwrite(fd, piece, n, at);
	}
	fcntl(fd, F_SETFL, flags);
}

static void begin(struct laf_log *log)
{
	struct laf_log_sync *sync = &log->sync;

	if (sync->failing)
		rewrite(log);
	sync->begun_ms = clock_ms(CLOCK_MONOTONIC);
	sync->begun_size = log->size;
	sync->begun_bytes = log->sink.bytes;
	sync->begun_events = log->sink.events;
	sync->records = log->sink.records;
}

/* It is the kernel's one word on all that was written since the last one: nobody can say of which. */
static void end(struct laf_log *log, int error)
{
	struct laf_log_sync *sync = &log->sync;

	sync->failing = error != 0;
	if (!error)
		sync->from = sync->begun_size;
	else if (log->settings.flush != LAF_FLUSH_NONE)
		sync->in_doubt += sync->begun_events - sync->events;
	sync->events = sync->begun_events;
	if (error && !log->suspended)
		laf_log_react(log, LAF_LOG_FAILED, "bringing it to the disk", error);
}

static int sync_in_thread(void *arg)
{
	int fd = (int)(intptr_t)arg;
	int r = fsync(fd) ? -errno : 0;

	close(fd);
	return r;
}

static void collect(struct laf_log *log, bool wait)
{
	int r;

	if (laf_worker_collect(&log->sync.worker, wait, &r))
		end(log, -r);
}

void laf_log_sync(struct laf_log *log)
{
	collect(log, true);
	if (!is_open(log) || (!log->sync.failing && log->sync.begun_bytes == log->sink.bytes))
		return;
	begin(log);
	end(log, fsync(log->sink.fd) ? errno : 0);
}

/* While a thread is at it, the next turn is soon enough. */
static void sync_beside(struct laf_log *log)
{
	int fd;

	collect(log, false);
	if (log->sync.worker.running || !is_open(log))
		return;
	fd = fcntl(log->sink.fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return;
	begin(log);
	if (laf_worker_start(&log->sync.worker, sync_in_thread, (void *)(intptr_t)fd))
		close(fd);
}

static bool is_due(const struct laf_log *log)
{
	if (!is_open(log))
		return false;
	if (log->sync.failing)
		return clock_ms(CLOCK_MONOTONIC) - log->sync.begun_ms >= TRY_EVERY_MS;
	return log->sink.records - log->sync.records >= log->settings.freq;
}

void laf_log_sync_if_due(struct laf_log *log)
{
	collect(log, false);
	if (!is_due(log))
		return;
	if (log->settings.flush == LAF_FLUSH_INCREMENTAL_ASYNC)
		sync_beside(log);
	else if (log->settings.flush == LAF_FLUSH_INCREMENTAL)
		laf_log_sync(log);
}

void laf_log_sync_last(struct laf_log *log)
{
	if (log->settings.flush == LAF_FLUSH_INCREMENTAL) {
		laf_log_sync(log);
	} else if (log->settings.flush == LAF_FLUSH_INCREMENTAL_ASYNC) {
		collect(log, true);
		sync_beside(log);
	}
}
