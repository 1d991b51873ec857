// SPDX-License-Identifier: GPL-2.0-or-later
/* Rotated files are compressed one after the other, in a thread. Only the writer names files: while one is compressed, it
 * may be shifted, and is found again by its inode. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "log_files.h"

static void scratch_name(const struct laf_log *log, char name[LAF_LOG_NAME])
{
	snprintf(name, LAF_LOG_NAME, "%s.packing", log->settings.file);
}

/* The lowest number that is due; 0: none. */
static unsigned find_due(const struct laf_log *log)
{
	unsigned i;

	for (i = 1; laf_log_exists(log, i, false) || laf_log_exists(log, i, true); i++)
		if (i >= log->settings.compress_from && laf_log_exists(log, i, false))
			return i;
	return 0;
}

static void close_both(struct laf_compress *c)
{
	if (c->from >= 0)
		close(c->from);
	if (c->to >= 0)
		close(c->to);
	c->from = c->to = -1;
}

void laf_log_pack_next(struct laf_log *log)
{
	struct laf_compress *c = &log->compress;
	char name[LAF_LOG_NAME], scratch[LAF_LOG_NAME];
	unsigned number;
	int r;

	if (!log->settings.compress_from || log->compressor.running)
		return;
	number = find_due(log);
	if (!number)
		return;
	laf_log_name(log, number, false, name);
	scratch_name(log, scratch);
	unlink(scratch);
	atomic_store(&c->stop, false);
	c->from = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	c->to = open(scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	r = c->from < 0 || c->to < 0 ? -errno : laf_worker_start(&log->compressor, laf_compress_run, c);
	if (!r)
		return;
	close_both(c);
	unlink(scratch);
	laf_log_say(log, LOG_WARNING, "compressing %s: %s", name, strerror(-r));
}

/* Where is the file now that was compressed? 0: it was removed meanwhile. */
static unsigned find_number(const struct laf_log *log)
{
	char name[LAF_LOG_NAME];
	struct stat was, is;
	unsigned i;

	if (fstat(log->compress.from, &was))
		return 0;
	for (i = 1; laf_log_exists(log, i, false) || laf_log_exists(log, i, true); i++) {
		laf_log_name(log, i, false, name);
		if (!lstat(name, &is) && is.st_ino == was.st_ino && is.st_dev == was.st_dev)
			return i;
	}
	return 0;
}

/* The compressed file stands under its name before the other is removed. */
static int put_in_place(struct laf_log *log, const char *scratch)
{
	char plain[LAF_LOG_NAME], packed[LAF_LOG_NAME];
	unsigned number = find_number(log);

	if (!number)
		return -ENOENT;
	laf_log_name(log, number, false, plain);
	laf_log_name(log, number, true, packed);
	if (fchown(log->compress.to, -1, log->settings.group) ||
	    fchmod(log->compress.to, log->settings.group ? 0440 : 0400) || rename(scratch, packed) || unlink(plain))
		return -errno;
	return 0;
}

void laf_log_pack_collect(struct laf_log *log, bool wait)
{
	char scratch[LAF_LOG_NAME];
	int r;

	if (wait)
		atomic_store(&log->compress.stop, true);
	if (!laf_worker_collect(&log->compressor, wait, &r))
		return;
	scratch_name(log, scratch);
	if (!r)
		r = put_in_place(log, scratch);
	if (r)
		unlink(scratch);
	close_both(&log->compress);
	if (!r)
		laf_log_pack_next(log); /* one that failed is tried again after the next rotation */
	else if (r != -ENOENT && r != -ECANCELED)
		laf_log_say(log, LOG_WARNING, "compressing a rotated file: %s; it stays as it is", strerror(-r));
}
