// SPDX-License-Identifier: GPL-2.0-or-later
/* Following watched names by inotify on the folders they lie in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <libaudit.h>

#include "../clock.h"
#include "repath.h"

#define CHANGES (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

static struct laf_policy *policy_of(struct laf_repath *repath)
{
	return repath->recorder->policies[laf_engine_generation(repath->recorder->engine) & 1];
}

/* Adding a folder that is watched already changes nothing. */
static void watch_folders(struct laf_repath *repath)
{
	struct laf_policy *policy = policy_of(repath);
	uint32_t i;

	repath->unwatched = 0;
	for (i = 0; policy && i < policy->n_folders; i++)
		if (inotify_add_watch(repath->fd, policy->folders[i], CHANGES) < 0 && errno != ENOENT)
			repath->unwatched++;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Keep the last component of a path. */
static int add_name(struct laf_repath *repath, const char *path, size_t len)
{
	const char *slash;

	while (len && path[len - 1] == '/')
		len--;
	slash = memrchr(path, '/', len);
	if (slash) {
		len -= slash + 1 - path;
		path = slash + 1;
	}
	repath->names[repath->n_names] = strndup(path, len);
	return repath->names[repath->n_names++] ? 0 : -ENOMEM;
}

static void forget_names(struct laf_repath *repath)
{
	while (repath->n_names)
		free(repath->names[--repath->n_names]);
	free(repath->names);
	repath->names = NULL;
}

static int collect_names(struct laf_repath *repath, const struct laf_rules *rules)
{
	static const unsigned fields[] = { AUDIT_WATCH, AUDIT_DIR, AUDIT_EXE };
	size_t i, f, len;

	repath->names = calloc(rules->n * 3 + 1, sizeof(*repath->names));
	if (!repath->names)
		return -ENOMEM;
	for (i = 0; i < rules->n; i++)
		for (f = 0; f < 3; f++) {
			const char *path = laf_rule_field_string(&rules->list[i], fields[f], &len);

			if (path && add_name(repath, path, len))
				return -ENOMEM;
		}
	qsort(repath->names, repath->n_names, sizeof(*repath->names), compare_names);
	return 0;
}

int laf_repath_open(struct laf_repath *repath, struct laf_recorder *recorder, struct laf_error *err)
{
	memset(repath, 0, sizeof(*repath));
	repath->recorder = recorder;
	repath->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (repath->fd < 0)
		return laf_error_set(err, -errno, "rules: watching for replaced files: %s", strerror(errno));
	if (collect_names(repath, recorder->rules))
		return laf_error_set(err, -ENOMEM, "rules: out of memory");
	watch_folders(repath);
	return 0;
}

void laf_repath_renew(struct laf_repath *repath)
{
	struct laf_repath renewed = { 0 };

	if (collect_names(&renewed, repath->recorder->rules)) {
		forget_names(&renewed);
		repath->failures++;
	} else {
		forget_names(repath);
		repath->names = renewed.names;
		repath->n_names = renewed.n_names;
	}
	watch_folders(repath);
}

/* Take all that inotify has to say. Returns whether any of it is about a name that a rule is about. */
static bool take_changes(struct laf_repath *repath)
{
	char buffer[16384] __attribute__((aligned(8)));
	const struct inotify_event *event;
	bool found = false;
	const char *name;
	ssize_t n, at;

	while ((n = read(repath->fd, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < n; at += sizeof(*event) + event->len) {
			event = (const void *)(buffer + at);
			name = event->name;
			found |= !event->len || bsearch(&name, repath->names, repath->n_names,
							sizeof(*repath->names), compare_names);
		}
	return found;
}

void laf_repath_check(struct laf_repath *repath)
{
	uint64_t now = clock_ms(CLOCK_MONOTONIC);

	repath->due |= take_changes(repath);
	if (!repath->due || now - repath->last_ms < LAF_REPATH_EVERY_MS)
		return;
	repath->due = false;
	repath->last_ms = now;
	if (laf_recorder_reload(repath->recorder, NULL))
		repath->failures++;
	watch_folders(repath);
}

void laf_repath_close(struct laf_repath *repath)
{
	forget_names(repath);
	if (repath->fd >= 0)
		close(repath->fd);
	repath->fd = -1;
}
