// SPDX-License-Identifier: GPL-2.0-or-later
/* Following watched names by inotify on the folders they lie in, and on the folders above these. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <libaudit.h>

#include "../clock.h"
#include "repath.h"

#define CHANGES (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

/* The fields with a path; the files of the first the engine may follow by itself. */
static const unsigned path_fields[] = { AUDIT_WATCH, AUDIT_DIR, AUDIT_EXE };
#define N_PATH_FIELDS (sizeof(path_fields) / sizeof(*path_fields))

/* A folder that is watched already keeps its number; numbers go up. */
static void watch_folder(struct laf_repath *repath, const char *path)
{
	int number = inotify_add_watch(repath->fd, path, CHANGES);

	if (number > repath->last_number) {
		repath->last_number = number;
		repath->due = repath->fresh = true; /* what happened there before was not heard */
	}
	if (number < 0 && errno != ENOENT && errno != ENOTDIR)
		repath->unwatched++;
}

/* How much of a path is the folder that it lies in, with its slash; 0 = it can't be a path. */
static size_t folder_len(const char *path, size_t len)
{
	while (len && path[len - 1] == '/')
		len--;
	while (len && path[len - 1] != '/')
		len--;
	return len < PATH_MAX ? len : 0;
}

/* A folder and all above it: one that is not there comes some time, one that is there may be moved. */
static void watch_above(struct laf_repath *repath, const char *folder, size_t len)
{
	char above[PATH_MAX];

	memcpy(above, folder, len);
	while (len--) {
		if (above[len] != '/')
			continue;
		above[len + !len] = 0;
		watch_folder(repath, above);
	}
}

static void watch_folders(struct laf_repath *repath, const struct laf_rules *rules)
{
	const char *last = "";
	size_t i, f, len, last_len = 0;

	repath->unwatched = 0;
	repath->fresh = false;
	for (i = 0; i < rules->n; i++)
		for (f = 0; f < N_PATH_FIELDS; f++) {
			const char *path = laf_rule_field_string(&rules->list[i], path_fields[f], &len);

			len = path ? folder_len(path, len) : 0;
			if (!len || (len == last_len && !memcmp(path, last, len))) /* rules often name what lies together */
				continue;
			watch_above(repath, path, len);
			last = path;
			last_len = len;
		}
}

static void follow(struct laf_repath *repath)
{
	repath->followed = laf_engine_follow(repath->recorder->engine, !repath->unwatched && !repath->fresh,
					     &repath->misfits);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_name(const struct laf_names *names, const char *name)
{
	return names->n && bsearch(&name, names->list, names->n, sizeof(*names->list), compare_names);
}

static int add_name(struct laf_names *names, const char *text, size_t len)
{
	if (names->n == names->room) {
		size_t room = names->room ? names->room * 2 : 64;
		char **list = realloc(names->list, room * sizeof(*list));

		if (!list)
			return -ENOMEM;
		names->list = list;
		names->room = room;
	}
	names->list[names->n] = strndup(text, len);
	return names->list[names->n++] ? 0 : -ENOMEM;
}

/* Each component of a path; the last one goes to `last`. */
static int add_path(struct laf_names *above, struct laf_names *last, const char *path, size_t len)
{
	size_t from, to;
	int r = 0;

	while (len && path[len - 1] == '/')
		len--;
	for (from = 0; !r && from < len; from = to + 1) {
		const char *slash = memchr(path + from, '/', len - from);

		to = slash ? (size_t)(slash - path) : len;
		if (to > from)
			r = add_name(to == len ? last : above, path + from, to - from);
	}
	return r;
}

/* Sorted, each once. */
static void order_names(struct laf_names *names)
{
	size_t kept = 0, i;

	if (names->n)
		qsort(names->list, names->n, sizeof(*names->list), compare_names);
	for (i = 0; i < names->n; i++) {
		if (kept && !strcmp(names->list[kept - 1], names->list[i]))
			free(names->list[i]);
		else
			names->list[kept++] = names->list[i];
	}
	names->n = kept;
}

static void forget_names(struct laf_names *names)
{
	while (names->n)
		free(names->list[--names->n]);
	free(names->list);
	*names = (struct laf_names){ 0 };
}

static int collect_names(struct laf_names *files, struct laf_names *others, const struct laf_rules *rules)
{
	size_t i, f, len;
	int r = 0;

	for (i = 0; i < rules->n; i++)
		for (f = 0; !r && f < N_PATH_FIELDS; f++) {
			const char *path = laf_rule_field_string(&rules->list[i], path_fields[f], &len);

			if (path)
				r = add_path(others, path_fields[f] == AUDIT_WATCH ? files : others, path, len);
		}
	order_names(files);
	order_names(others);
	return r;
}

int laf_repath_open(struct laf_repath *repath, struct laf_recorder *recorder, const struct laf_rules *rules,
		    struct laf_error *err)
{
	memset(repath, 0, sizeof(*repath));
	repath->recorder = recorder;
	repath->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (repath->fd < 0)
		return laf_error_set(err, -errno, "rules: watching for replaced files: %s", strerror(errno));
	if (collect_names(&repath->files, &repath->others, rules))
		return laf_error_set(err, -ENOMEM, "rules: out of memory");
	watch_folders(repath, rules);
	repath->due = repath->fresh = false; /* the names are still to be looked up */
	return 0;
}

void laf_repath_start(struct laf_repath *repath)
{
	follow(repath);
}

void laf_repath_renew(struct laf_repath *repath)
{
	struct laf_names files = { 0 }, others = { 0 };

	if (collect_names(&files, &others, repath->recorder->rules)) {
		forget_names(&files);
		forget_names(&others);
		repath->failures++;
	} else {
		forget_names(&repath->files);
		forget_names(&repath->others);
		repath->files = files;
		repath->others = others;
	}
	watch_folders(repath, repath->recorder->rules);
	follow(repath);
}

/* Is it about something that the rules must be compiled anew for? What the engine follows itself is not, but for a file that is
 * moved away: when two are exchanged, the kernel tells that the one which took the name is moved away, too. */
static bool matters(const struct laf_repath *repath, const struct inotify_event *event)
{
	if (!event->len || has_name(&repath->others, event->name))
		return true;
	return (!repath->followed || event->mask & IN_MOVED_FROM) && has_name(&repath->files, event->name);
}

/* Take all that inotify has to say. */
static bool take_changes(struct laf_repath *repath)
{
	char buffer[16384] __attribute__((aligned(8)));
	const struct inotify_event *event;
	bool found = false;
	ssize_t n, at;

	while ((n = read(repath->fd, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < n; at += sizeof(*event) + event->len) {
			event = (const void *)(buffer + at);
			found |= matters(repath, event);
		}
	return found;
}

/* Has a name changed in a way that the engine could not follow? */
static bool has_misfits(struct laf_repath *repath)
{
	uint64_t before = repath->misfits;

	follow(repath);
	return repath->misfits != before;
}

/* What happened in a folder before it was watched was not heard: then it is looked at once more. */
static void look_again(struct laf_repath *repath)
{
	repath->due = false;
	repath->last_ms = clock_ms(CLOCK_MONOTONIC);
	if (laf_recorder_reload(repath->recorder, NULL)) {
		repath->failures++;
		repath->due = true;
	}
	watch_folders(repath, repath->recorder->rules);
	follow(repath);
}

void laf_repath_check(struct laf_repath *repath)
{
	repath->due |= take_changes(repath) | has_misfits(repath);
	if (repath->due && clock_ms(CLOCK_MONOTONIC) - repath->last_ms >= LAF_REPATH_EVERY_MS)
		look_again(repath);
}

void laf_repath_close(struct laf_repath *repath)
{
	forget_names(&repath->files);
	forget_names(&repath->others);
	if (repath->fd >= 0)
		close(repath->fd);
	repath->fd = -1;
}
