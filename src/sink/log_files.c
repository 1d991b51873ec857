// SPDX-License-Identifier: GPL-2.0-or-later
/* Names, modes and sizes of the log files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "log_files.h"

void laf_log_name(const struct laf_log *log, unsigned number, bool packed, char name[LAF_LOG_NAME])
{
	if (number)
		snprintf(name, LAF_LOG_NAME, "%s.%u%s", log->settings.file, number, packed ? ".zst" : "");
	else
		snprintf(name, LAF_LOG_NAME, "%s", log->settings.file);
}

bool laf_log_exists(const struct laf_log *log, unsigned number, bool packed)
{
	char name[LAF_LOG_NAME];

	laf_log_name(log, number, packed, name);
	return !access(name, F_OK);
}

static mode_t mode(const struct laf_log *log, mode_t owner)
{
	return log->settings.group ? owner | S_IRGRP : owner;
}

static int is_ours(const struct laf_log *log, int fd, struct laf_error *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return laf_error_set(err, -errno, "log: %s: %s", log->settings.file, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return laf_error_set(err, -EINVAL, "log: %s is not a regular file", log->settings.file);
	if (st.st_uid != geteuid())
		return laf_error_set(err, -EPERM, "log: %s does not belong to root", log->settings.file);
	return 0;
}

/* A writer that was killed may have left the beginning of a line: the next one must not continue it. */
static void cut_half_line(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END), end = size;
	char piece[4096];

	while (end > 0) {
		size_t n = end < (off_t)sizeof(piece) ? (size_t)end : sizeof(piece);
		char *newline;

		if (pread(fd, piece, n, end - n) != (ssize_t)n)
			return;
		newline = memrchr(piece, '\n', n);
		end -= newline ? piece + n - newline - 1 : (ssize_t)n;
		if (newline)
			break;
	}
	if (end < size && ftruncate(fd, end))
		return;
}

/* The folder is made, private, where it is missing. */
static void make_folder(const struct laf_log *log)
{
	char folder[PATH_MAX];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", log->settings.file);
	slash = strrchr(folder, '/');
	if (!slash || slash == folder)
		return;
	*slash = 0;
	mkdir(folder, 0700);
}

int laf_log_open_file(struct laf_log *log, struct laf_error *err)
{
	int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd, r;

	if (!log->settings.write_logs)
		return open("/dev/null", O_WRONLY | O_CLOEXEC);
	flags |= log->settings.flush == LAF_FLUSH_DATA ? O_DSYNC : log->settings.flush == LAF_FLUSH_SYNC ? O_SYNC : 0;
	make_folder(log);
	fd = open(log->settings.file, flags, 0600);
	if (fd < 0)
		return laf_error_set(err, -errno, "log: opening %s: %s", log->settings.file,
				     errno == ELOOP ? "it is a symbolic link, and none is followed" : strerror(errno));
	r = is_ours(log, fd, err);
	/* the group first: a mode with it would else let the old group read */
	if (!r && (fchown(fd, -1, log->settings.group) || fchmod(fd, mode(log, 0600))))
		r = laf_error_set(err, -errno, "log: setting the mode of %s: %s", log->settings.file, strerror(errno));
	if (r) {
		close(fd);
		return r;
	}
	cut_half_line(fd);
	return fd;
}

/* A folder that others may enter is not the log's alone: it is left as it is. */
static void set_folder_mode(const struct laf_log *log)
{
	char folder[PATH_MAX];
	struct stat st;

	snprintf(folder, sizeof(folder), "%s", log->settings.file);
	*strrchr(folder, '/') = 0;
	if (stat(folder, &st) || st.st_uid != geteuid() || st.st_mode & S_IRWXO)
		return;
	if (chown(folder, -1, log->settings.group) || chmod(folder, log->settings.group ? 0750 : 0700))
		return;
}

static void set_file_mode(const struct laf_log *log, unsigned number, bool packed)
{
	char name[LAF_LOG_NAME];

	laf_log_name(log, number, packed, name);
	if (lchown(name, -1, log->settings.group) || chmod(name, mode(log, 0400)))
		return;
}

void laf_log_set_modes(struct laf_log *log)
{
	unsigned i;

	if (!log->settings.write_logs)
		return;
	set_folder_mode(log);
	for (i = 1; laf_log_exists(log, i, false) || laf_log_exists(log, i, true); i++) {
		set_file_mode(log, i, false);
		set_file_mode(log, i, true);
	}
}

/* The second in `msg=audit(SECONDS.…` of the first record; 0 if there is none. */
static uint64_t first_second(int fd)
{
	char text[1024];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	char *at;

	text[n > 0 ? n : 0] = 0;
	at = strstr(text, "msg=audit(");
	return at ? strtoull(at + 10, NULL, 10) : 0;
}

void laf_log_learn_size(struct laf_log *log)
{
	struct stat st;

	log->size = log->born_s = 0;
	if (!log->settings.write_logs || fstat(log->sink.fd, &st))
		return;
	log->size = st.st_size;
	if (!log->sync.failing || log->sync.from > log->size)
		log->sync.from = log->size;
	if (log->size)
		log->born_s = first_second(log->sink.fd);
}

void laf_log_remove_excess(struct laf_log *log)
{
	char name[LAF_LOG_NAME];
	bool some = true;
	unsigned i;

	if (log->settings.max_log_action != LAF_ACTION_ROTATE || log->settings.num_logs < 2)
		return;
	for (i = log->settings.num_logs; some; i++) {
		int packed;

		some = false;
		for (packed = 0; packed < 2; packed++) {
			laf_log_name(log, i, packed, name);
			if (unlink(name))
				continue;
			some = true;
			laf_log_say(log, LOG_NOTICE, "%s is removed: num_logs is %u", name, log->settings.num_logs);
		}
	}
}
