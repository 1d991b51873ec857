// SPDX-License-Identifier: GPL-2.0-or-later
/* A new file in the place of the current one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "log_files.h"

/* Both forms of a number to the next one. Returns 0, 1 if there is neither, or a negative errno. */
static int shift_one(struct laf_log *log, unsigned number)
{
	char from[LAF_LOG_NAME], to[LAF_LOG_NAME];
	bool forms[2] = { laf_log_exists(log, number, false), laf_log_exists(log, number, true) };
	int packed;

	if (!forms[0] && !forms[1])
		return 1;
	for (packed = 0; packed < 2; packed++) {
		laf_log_name(log, number, packed, from);
		laf_log_name(log, number + 1, packed, to);
		if (forms[packed] ? rename(from, to) : unlink(to) && errno != ENOENT)
			return -errno;
	}
	return 0;
}

/* Make room for a file .1. With KEEP_LOGS nothing is ever replaced; else the oldest of num_logs is. */
static int shift(struct laf_log *log)
{
	unsigned i, last = log->settings.num_logs - 1;

	if (log->settings.max_log_action == LAF_ACTION_KEEP_LOGS)
		for (last = 1; laf_log_exists(log, last, false) || laf_log_exists(log, last, true); last++)
			;
	log->known_logs = 0;
	for (i = last - 1; i >= 1; i--) {
		int r = shift_one(log, i);

		if (r < 0)
			return r;
		if (!r && !log->known_logs)
			log->known_logs = i + 1;
	}
	return 0;
}

/* The new file is there before the old one gives up its name: whatever fails, there is a log to write to. */
static int replace(struct laf_log *log, int fd, const char *fresh)
{
	char first[LAF_LOG_NAME], packed[LAF_LOG_NAME];
	mode_t read = log->settings.group ? 0040 : 0;
	int r = shift(log);

	if (r)
		return r;
	laf_log_name(log, 1, false, first);
	laf_log_name(log, 1, true, packed);
	if (fchown(fd, -1, log->settings.group) || fchmod(fd, 0600 | read))
		return -errno;
	if ((unlink(packed) && errno != ENOENT) || (rename(log->settings.file, first) && errno != ENOENT))
		return -errno;
	if (rename(fresh, log->settings.file)) {
		r = -errno;
		rename(first, log->settings.file);
		return r;
	}
	fchmod(log->sink.fd, 0400 | read);
	return 0;
}

static int open_fresh(const struct laf_log *log, const char *fresh)
{
	int flags = O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	int fd;

	flags |= log->settings.flush == LAF_FLUSH_DATA ? O_DSYNC : log->settings.flush == LAF_FLUSH_SYNC ? O_SYNC : 0;
	if (unlink(fresh) && errno != ENOENT)
		return -errno;
	fd = open(fresh, flags, 0600);
	return fd < 0 ? -errno : fd;
}

int laf_log_rotate(struct laf_log *log)
{
	char fresh[LAF_LOG_NAME];
	int fd, r;

	if (log->settings.num_logs < 2 && log->settings.max_log_action != LAF_ACTION_KEEP_LOGS) {
		laf_log_say(log, LOG_NOTICE, "it is not rotated: num_logs is below 2");
		return -ENOTSUP;
	}
	if (!log->settings.write_logs || log->sink.fd < 0)
		return -ENOTSUP;
	snprintf(fresh, sizeof(fresh), "%s.new", log->settings.file);
	fd = open_fresh(log, fresh);
	r = fd < 0 ? fd : replace(log, fd, fresh);
	if (r) {
		if (fd >= 0)
			close(fd);
		unlink(fresh);
		laf_log_say(log, LOG_ERR, "rotating it: %s; it goes on in the same file", strerror(-r));
		return r;
	}
	laf_log_sync_last(log);
	laf_sink_move(&log->sink, fd);
	log->size = log->born_s = log->sync.from = log->sync.begun_size = 0;
	log->told_size = false;
	log->rotated++;
	laf_log_pack_next(log);
	return 0;
}
