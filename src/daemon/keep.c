// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel keeps the programs by their pins, the run folder the rest. */
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

/* The system's BPF file system, which no unit's own view of the files hides; for another run folder one of its own. */
static void name_pins(const char *folder, char *pins, size_t size)
{
	struct statfs fs;

	if (!getenv("LAF_RUN") && !statfs(SYSTEM_PINS, &fs) && fs.f_type == BPF_FS_MAGIC)
		snprintf(pins, size, "%s/laf", SYSTEM_PINS);
	else
		snprintf(pins, size, "%s/bpf", folder);
}

static int settle(struct laf_keep *keep, const char *log, struct laf_error *err)
{
	int fd = open(log, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), r = 1;

	if (fd >= 0) {
		r = laf_journal_settle(&keep->journal, fd);
		close(fd);
	}
	if (r < 0)
		return laf_error_set(err, r, "log: cutting off %s where its last write broke off: %s", log, strerror(-r));
	keep->settled = r;
	return 0;
}

int laf_keep_open(struct laf_keep *keep, const char *folder, const char *log, struct laf_error *err)
{
	char path[PATH_MAX];
	int r;

	*keep = (struct laf_keep){ .folder = folder };
	if (strlen(folder) > sizeof(keep->pins) - 8)
		return laf_error_set(err, -ENAMETOOLONG, "daemon: %s: the name is too long", folder);
	name_pins(folder, keep->pins, sizeof(keep->pins));
	keep->why_not = laf_pins_prepare(keep->pins);
	if (keep->why_not)
		keep->pins[0] = 0;
	snprintf(path, sizeof(path), "%s/journal", folder);
	r = laf_journal_open(&keep->journal, path, libbpf_num_possible_cpus(), err);
	return r ? r : settle(keep, log, err);
}

int laf_keep_start(struct laf_keep *keep, struct laf_engine *engine, struct laf_error *err)
{
	const struct laf_checkpoint *last = laf_journal_last(&keep->journal);
	int r;

	keep->resumed = laf_engine_resumed(engine);
	if (!keep->resumed)
		laf_journal_clear(&keep->journal);
	r = laf_engine_keep(engine, keep->folder, keep->resumed, keep->settled ? last->ends : NULL);
	return r ? laf_error_set(err, r, "daemon: keeping the state of the rings in %s: %s", keep->folder, strerror(-r)) : 0;
}

static void rules_path(const struct laf_keep *keep, uint32_t generation, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/rules-%u", keep->folder, generation & 1);
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
	char pins[200];
	int r;

	name_pins(folder, pins, sizeof(pins));
	r = laf_pins_remove(pins);
	return r < 0 ? laf_error_set(err, r, "daemon: taking away what is in %s: %s", pins, strerror(-r)) : r;
}

void laf_keep_close(struct laf_keep *keep, bool leave)
{
	char path[PATH_MAX];
	unsigned i;

	for (i = 0; !leave && keep->folder && i < keep->journal.n_rings; i++) {
		snprintf(path, sizeof(path), "%s/told-%u", keep->folder, i);
		unlink(path);
	}
	laf_journal_close(&keep->journal);
}
