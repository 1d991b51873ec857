// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's audit, changed and put back. The file is a line "name found ours" for each setting. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "found.h"
#include "load.h"

#define BACKLOG_LEAST 8192 /* records in the kernel's queue; less than a megabyte for each thousand */

/* In the order in which they are put back: once it is off, the rest makes no records. */
enum { ENABLED, BACKLOG_LIMIT, BACKLOG_WAIT_TIME, FAILURE, RATE_LIMIT };

static const struct setting {
	const char *name;
	uint32_t mask;
	size_t at;
} settings[LAF_FOUND_SETTINGS] = {
	{ "enabled", AUDIT_STATUS_ENABLED, offsetof(struct audit_status, enabled) },
	{ "backlog_limit", AUDIT_STATUS_BACKLOG_LIMIT, offsetof(struct audit_status, backlog_limit) },
	{ "backlog_wait_time", AUDIT_STATUS_BACKLOG_WAIT_TIME, offsetof(struct audit_status, backlog_wait_time) },
	{ "failure", AUDIT_STATUS_FAILURE, offsetof(struct audit_status, failure) },
	{ "rate_limit", AUDIT_STATUS_RATE_LIMIT, offsetof(struct audit_status, rate_limit) },
};

static uint32_t *value(struct audit_status *status, unsigned i)
{
	return (uint32_t *)((char *)status + settings[i].at);
}

static int set(int fd, unsigned i, uint32_t to)
{
	struct audit_status status = { 0 };

	*value(&status, i) = to;
	return laf_kaudit_set(fd, settings[i].mask, &status);
}

static const char *file_in(const char *folder, char ret[PATH_MAX])
{
	snprintf(ret, PATH_MAX, "%s/kernel-audit", folder);
	return ret;
}

static int save(const char *folder, const struct laf_found *found)
{
	char text[256], file[PATH_MAX];
	int n = 0, fd, r;

	for (unsigned i = 0; i < LAF_FOUND_SETTINGS; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s %u %u\n", settings[i].name, found->found[i], found->ours[i]);
	if (mkdir(folder, 0700) && errno != EEXIST)
		return -errno;
	fd = open(file_in(folder, file), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	r = write(fd, text, n) == n ? 0 : -EIO;
	close(fd);
	return r;
}

static bool read_file(const char *folder, struct laf_found *found)
{
	char file[PATH_MAX];
	FILE *f = fopen(file_in(folder, file), "re");
	bool whole = true;

	if (!f)
		return false;
	for (unsigned i = 0; i < LAF_FOUND_SETTINGS; i++) {
		char name[32];

		whole = whole && fscanf(f, "%31s %u %u", name, &found->found[i], &found->ours[i]) == 3 &&
			!strcmp(name, settings[i].name);
	}
	fclose(f);
	found->changed = whole;
	return whole;
}

static void forget(const char *folder)
{
	char file[PATH_MAX];

	unlink(file_in(folder, file));
}

/* Each that is still as we set it. */
void laf_found_restore(int fd, const char *folder, struct laf_found *found)
{
	struct audit_status now;

	if (!found->changed)
		return;
	found->changed = false;
	for (unsigned i = 0; i < LAF_FOUND_SETTINGS && !laf_kaudit_get(fd, &now); i++)
		if (*value(&now, i) == found->ours[i] && found->ours[i] != found->found[i])
			set(fd, i, found->found[i]);
	forget(folder);
}

bool laf_found_restore_left(int fd, const char *folder)
{
	struct laf_found found = { 0 };
	struct audit_status now;

	if (!read_file(folder, &found) || laf_kaudit_get(fd, &now))
		return false;
	if (now.pid && !kill(now.pid, 0)) { /* it is somebody's by now, and so are the rules */
		forget(folder);
		return false;
	}
	laf_found_restore(fd, folder, &found);
	laf_unload_all(fd);
	return true;
}

/* 0: as many as come. */
static uint32_t enough(uint32_t backlog_limit)
{
	return backlog_limit && backlog_limit < BACKLOG_LEAST ? BACKLOG_LEAST : backlog_limit;
}

int laf_found_enable(int fd, const char *folder, struct laf_found *found, struct laf_error *err)
{
	struct audit_status now;
	int r = laf_kaudit_get(fd, &now);

	if (r)
		return laf_error_set(err, r, "kernel audit: asking for its status: %s", strerror(-r));
	for (unsigned i = 0; i < LAF_FOUND_SETTINGS; i++)
		found->found[i] = found->ours[i] = *value(&now, i);
	found->ours[ENABLED] = 1;
	found->ours[BACKLOG_LIMIT] = enough(now.backlog_limit);
	found->ours[BACKLOG_WAIT_TIME] = 0;
	r = save(folder, found);
	if (r)
		return laf_error_set(err, r, "kernel audit: writing down how it was, in %s: %s", folder, strerror(-r));
	found->changed = true;
	for (int i = LAF_FOUND_SETTINGS - 1; !r && i >= 0; i--)
		if (found->ours[i] != found->found[i])
			r = set(fd, i, found->ours[i]);
	if (!r)
		return 0;
	laf_found_restore(fd, folder, found);
	return laf_error_set(err, r, "kernel audit: enabling it: %s", strerror(-r));
}

int laf_found_limit(int fd, const char *folder, struct laf_found *found, const struct audit_status *want)
{
	struct laf_found old = *found;
	int r = 0;

	found->ours[BACKLOG_LIMIT] = enough(want->backlog_limit);
	found->ours[FAILURE] = want->failure;
	found->ours[RATE_LIMIT] = want->rate_limit;
	if (memcmp(&old, found, sizeof(old)))
		r = save(folder, found);
	for (unsigned i = 0; !r && i < LAF_FOUND_SETTINGS; i++)
		if (found->ours[i] != old.ours[i])
			r = set(fd, i, found->ours[i]);
	return r;
}
