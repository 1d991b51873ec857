// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel keeps the programs by their pins, the run folder the rest. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "../control/control.h"
#include "../engine/pins.h"
#include "../rules/store.h"
#include "keep.h"

#define SYSTEM_PINS "/sys/fs/bpf"
#define NO_SET LAF_PINS_SET "unpinned" /* the files of a set of pins are in a folder of the same name */

/* The system's BPF file system, which no unit's own view of the files hides; for another run folder one of its own. */
static void name_pins(const char *folder, char *pins, size_t size)
{
	struct statfs fs;

	if (!getenv("LAF_RUN") && !statfs(SYSTEM_PINS, &fs) && fs.f_type == BPF_FS_MAGIC)
		snprintf(pins, size, "%s/laf", SYSTEM_PINS);
	else
		snprintf(pins, size, "%s/bpf", folder);
}

/* The folder with all that is in it; no folders are. */
static void remove_files(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_type != DT_DIR)
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(folder);
}

static void file_in(const char *files, const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - 16, files, name);
}

static int settle(const char *files, const char *log, struct laf_error *err)
{
	int fd = open(log, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), r;
	struct laf_journal journal;
	char path[PATH_MAX];

	if (fd < 0)
		return 0;
	file_in(files, "journal", path);
	r = laf_journal_open(&journal, path, libbpf_num_possible_cpus(), err);
	if (!r) {
		r = laf_journal_settle(&journal, fd);
		laf_journal_close(&journal);
		if (r < 0)
			laf_error_set(err, r, "log: cutting off %s where its last write broke off: %s", log, strerror(-r));
	}
	close(fd);
	return r < 0 ? r : 0;
}

/* What belongs to rings that are gone goes, too. */
static int settle_all(const struct laf_keep *keep, const char *log, struct laf_error *err)
{
	char files[PATH_MAX], pins[PATH_MAX];
	DIR *dir = opendir(keep->folder);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return laf_error_set(err, -errno, "daemon: reading %s: %s", keep->folder, strerror(errno));
	while (!r && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, LAF_PINS_SET, strlen(LAF_PINS_SET)))
			continue;
		snprintf(files, sizeof(files), "%s/%s", keep->folder, entry->d_name);
		snprintf(pins, sizeof(pins), "%s/%s", keep->pins, entry->d_name);
		if (log && keep->pins[0] && !access(pins, F_OK))
			r = settle(files, log, err);
		else
			remove_files(files);
	}
	closedir(dir);
	return r;
}

int laf_keep_open(struct laf_keep *keep, const char *folder, const char *log, struct laf_error *err)
{
	*keep = (struct laf_keep){ .folder = folder };
	if (strlen(folder) > sizeof(keep->pins) - 8)
		return laf_error_set(err, -ENAMETOOLONG, "daemon: %s: the name is too long", folder);
	name_pins(folder, keep->pins, sizeof(keep->pins));
	keep->why_not = laf_pins_prepare(keep->pins);
	if (keep->why_not)
		keep->pins[0] = 0;
	return settle_all(keep, log, err);
}

int laf_keep_start(struct laf_keep *keep, struct laf_engine *engine, struct laf_error *err)
{
	const char *layout = laf_engine_layout(engine);
	char path[PATH_MAX];
	int r;

	keep->resumed = laf_engine_resumed(engine);
	snprintf(keep->files, sizeof(keep->files), "%s/%s", keep->folder, layout[0] ? layout : NO_SET);
	if (mkdir(keep->files, 0700) && errno != EEXIST)
		return laf_error_set(err, -errno, "daemon: making %s: %s", keep->files, strerror(errno));
	file_in(keep->files, "journal", path);
	r = laf_journal_open(&keep->journal, path, libbpf_num_possible_cpus(), err);
	if (r)
		return r;
	if (!keep->resumed)
		laf_journal_clear(&keep->journal);
	r = laf_engine_keep(engine, keep->files, keep->resumed, laf_journal_last(&keep->journal)->ends);
	return r ? laf_error_set(err, r, "daemon: keeping the state of the rings in %s: %s", keep->files, strerror(-r)) : 0;
}

static void rules_path(const struct laf_keep *keep, uint32_t generation, char path[PATH_MAX])
{
	file_in(keep->files, generation & 1 ? "rules-1" : "rules-0", path);
}

int laf_keep_save_rules(const struct laf_keep *keep, uint32_t generation, const struct laf_rules *rules,
			struct laf_error *err)
{
	char path[PATH_MAX];
	int r;

	rules_path(keep, generation, path);
	r = laf_rules_save(path, &generation, sizeof(generation), rules);
	return r ? laf_error_set(err, r, "rules: keeping them in %s: %s", path, strerror(-r)) : 0;
}

int laf_keep_read_rules(const struct laf_keep *keep, uint32_t generation, struct laf_rules *ret, struct laf_error *err)
{
	char path[PATH_MAX];
	uint32_t found;
	FILE *f;
	int r;

	rules_path(keep, generation, path);
	r = laf_rules_open_saved(path, &found, sizeof(found), &f);
	if (r == -ENOENT)
		return 0;
	if (!r) {
		r = found == generation ? laf_rules_restore(ret, f) : 0;
		fclose(f);
	}
	return r ? laf_error_set(err, r, "rules: reading %s: %s", path, strerror(-r)) : found == generation;
}

int laf_keep_clean(const char *folder, struct laf_error *err)
{
	struct laf_keep keep = { .folder = folder };
	int r;

	name_pins(folder, keep.pins, sizeof(keep.pins));
	r = laf_pins_remove(keep.pins);
	if (r < 0)
		return laf_error_set(err, r, "daemon: taking away what is in %s: %s", keep.pins, strerror(-r));
	settle_all(&keep, NULL, err);
	return r;
}

void laf_keep_close(struct laf_keep *keep, bool leave)
{
	laf_journal_close(&keep->journal);
	if (keep->files[0] && !leave)
		remove_files(keep->files);
}
