// SPDX-License-Identifier: GPL-2.0-or-later
/* Pins: each set in a folder of its own. The links lie apart: they go first, so that no program runs whose maps nobody can reach. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/magic.h>

#include "../bpf/wire.h"
#include "pins.h"

#define TEXT_OF(number) #number
#define NUMBERED(number) LAF_PINS_SET TEXT_OF(number) "-"
#define SET NUMBERED(LAF_WIRE_LAYOUT) /* and the hash of the object and the engine: a set that we understand */
#define MARK "complete"
#define PATH_BYTES 512

/* FNV-1a of 64 bits (IETF draft-eastlake-fnv). It tells builds apart, not enemies: root alone writes here. */
static uint64_t hash_of(const void *object, size_t bytes, uint64_t hash)
{
	const uint8_t *at = object;
	size_t i;

	for (i = 0; i < bytes; i++)
		hash = (hash ^ at[i]) * 0x100000001b3ull;
	return hash;
}

/* A BPF file system takes no dots (kernel/bpf/inode.c, bpf_lookup()). */
static void path_of(const struct laf_pins *pins, const char *kind, const char *name, char path[PATH_BYTES])
{
	char *at = path + snprintf(path, PATH_BYTES, "%s/%s", pins->folder, kind);

	snprintf(at, PATH_BYTES - (at - path), "%.200s", name);
	for (; *at; at++)
		if (*at == '.' || *at == '/')
			*at = '_';
}

static bool is_bpf(const char *folder)
{
	struct statfs fs;

	return !statfs(folder, &fs) && fs.f_type == BPF_FS_MAGIC;
}

int laf_pins_prepare(const char *folder)
{
	if (mkdir(folder, 0700) && errno != EEXIST)
		return -errno;
	if (!is_bpf(folder) && mount("bpf", folder, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700"))
		return -errno;
	return 0;
}

/* Returns how many there were, or a negative errno. */
static int empty_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int n = 0, r = 0;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(dir))) {
		if (strchr(entry->d_name, '.') || entry->d_type == DT_DIR)
			continue; /* the kernel's own have a dot: maps.debug */
		if (unlinkat(dirfd(dir), entry->d_name, 0))
			r = -errno;
		else
			n++;
	}
	closedir(dir);
	return r ? r : n;
}

/* All but the folder itself. Returns how many pins there were, or a negative errno. */
static int remove_pins(const char *folder)
{
	char links[PATH_BYTES];
	int in_links, n;

	snprintf(links, sizeof(links), "%s/links", folder);
	in_links = empty_folder(links);
	if (in_links < 0)
		return in_links;
	rmdir(links);
	n = empty_folder(folder);
	return n < 0 ? n : in_links + n;
}

static int remove_set(const char *folder, const char *name)
{
	char path[PATH_BYTES];
	int n;

	snprintf(path, sizeof(path), "%s/%.200s", folder, name);
	n = remove_pins(path);
	return n >= 0 && rmdir(path) && errno != ENOENT ? -errno : n;
}

static bool is_complete(const char *folder, const char *name)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%.200s/" MARK, folder, name);
	return !access(path, F_OK);
}

/* Call fn for each set until it does not return 0, and return that. */
static int for_each_set(const char *folder, int (*fn)(const char *folder, const struct dirent *set, void *arg), void *arg)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while (!r && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, LAF_PINS_SET, strlen(LAF_PINS_SET)))
			r = fn(folder, entry, arg);
	closedir(dir);
	return r;
}

/* What a start left that came to no end goes; what is whole must be understood. (A mark that is no folder: of before sets had some.) */
static int look_at(const char *folder, const struct dirent *set, void *unused)
{
	int n;

	if (set->d_type != DT_DIR)
		return -ESTALE;
	if (is_complete(folder, set->d_name))
		return strncmp(set->d_name, SET, strlen(SET)) ? -ESTALE : 0;
	n = remove_set(folder, set->d_name);
	return n < 0 ? n : 0;
}

static int open_set(struct laf_pins *pins, const char *folder)
{
	char links[PATH_BYTES];
	int r = laf_pins_prepare(folder);

	if (!r)
		r = for_each_set(folder, look_at, NULL);
	if (r)
		return r;
	pins->found = is_complete(folder, pins->layout);
	snprintf(links, sizeof(links), "%s/links", pins->folder);
	if (!pins->found && (mkdir(pins->folder, 0700) || mkdir(links, 0700)))
		return -errno;
	return 0;
}

int laf_pins_name(struct laf_pins *pins, const char *folder, const char *layout)
{
	*pins = (struct laf_pins){ 0 };
	if (snprintf(pins->layout, sizeof(pins->layout), "%s", layout) < (int)sizeof(pins->layout) &&
	    snprintf(pins->folder, sizeof(pins->folder), "%s/%s", folder, layout) < (int)sizeof(pins->folder))
		return 0;
	pins->folder[0] = 0;
	return -ENAMETOOLONG;
}

int laf_pins_open(struct laf_pins *pins, const char *folder, const char *engine, const void *object, size_t bytes,
		  struct laf_error *err)
{
	char layout[sizeof(pins->layout)];
	int r;

	snprintf(layout, sizeof(layout), SET "%016llx", (unsigned long long)
		 hash_of(engine, strlen(engine), hash_of(object, bytes, 0xcbf29ce484222325ull)));
	r = laf_pins_name(pins, folder, layout);
	if (!r)
		r = open_set(pins, folder);
	if (!r)
		return 0;
	pins->folder[0] = 0;
	if (r == -ESTALE)
		return laf_error_set(err, r, "engine: %s holds the programs of a version whose events this one can't read; they go on "
				     "recording: start that version once more and end it with 'laf daemon stop', or give up "
				     "what they recorded with 'laf cleanup'", folder);
	return laf_error_set(err, r, "engine: pinning to %s: %s", folder, strerror(-r));
}

struct other {
	const char *than;
	struct laf_pins *ret;
	int n;
};

static int is_other(const char *folder, const struct dirent *set, void *arg)
{
	struct other *other = arg;
	int r;

	if (strncmp(set->d_name, SET, strlen(SET)) || !strcmp(set->d_name, other->than) || !is_complete(folder, set->d_name))
		return 0;
	if (other->n++)
		return 0;
	r = laf_pins_name(other->ret, folder, set->d_name);
	other->ret->found = true;
	return r;
}

int laf_pins_find_other(const char *folder, const char *than, struct laf_pins *ret)
{
	struct other other = { .than = than, .ret = ret };
	int r = for_each_set(folder, is_other, &other);

	return r ? r : other.n;
}

int laf_pins_find_map(const struct laf_pins *pins, const char *name)
{
	char path[PATH_BYTES];

	path_of(pins, "map_", name, path);
	return bpf_obj_get(path);
}

int laf_pins_each_link(const struct laf_pins *pins, int (*fn)(void *arg, const char *name, int fd), void *arg)
{
	char path[PATH_BYTES];
	struct dirent *entry;
	int fd, r = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/links", pins->folder);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!r && (entry = readdir(dir))) {
		fd = entry->d_name[0] == '.' ? -ENOENT : laf_pins_find_fd(pins, entry->d_name);
		if (fd < 0)
			continue;
		r = fn(arg, entry->d_name, fd);
		close(fd);
	}
	closedir(dir);
	return r;
}

int laf_pins_use_maps(const struct laf_pins *pins, struct bpf_object *object)
{
	char path[PATH_BYTES];
	struct bpf_map *map;
	int r = 0;

	bpf_object__for_each_map(map, object) {
		path_of(pins, "map_", bpf_map__name(map), path);
		r = r ? r : bpf_map__set_pin_path(map, path);
	}
	return r;
}

int laf_pins_find_link(const struct laf_pins *pins, const char *name, struct bpf_link **ret)
{
	char path[PATH_BYTES];
	struct bpf_link *link;

	if (!pins->found)
		return -ENOENT;
	path_of(pins, "links/", name, path);
	if (access(path, F_OK))
		return -errno;
	link = bpf_link__open(path);
	if (!link)
		return -errno;
	*ret = link;
	return 0;
}

int laf_pins_find_fd(const struct laf_pins *pins, const char *name)
{
	char path[PATH_BYTES];

	if (!pins->found)
		return -ENOENT;
	path_of(pins, "links/", name, path);
	return bpf_obj_get(path);
}

int laf_pins_keep_fd(const struct laf_pins *pins, const char *name, int fd)
{
	char path[PATH_BYTES];

	if (!pins->folder[0])
		return 0;
	path_of(pins, "links/", name, path);
	return bpf_obj_pin(fd, path);
}

int laf_pins_keep_link(const struct laf_pins *pins, const char *name, struct bpf_link *link)
{
	char path[PATH_BYTES];

	if (!pins->folder[0])
		return 0;
	path_of(pins, "links/", name, path);
	return bpf_link__pin(link, path);
}

void laf_pins_drop_link(const struct laf_pins *pins, const char *name)
{
	char path[PATH_BYTES];

	if (!pins->folder[0])
		return;
	path_of(pins, "links/", name, path);
	unlink(path);
}

int laf_pins_complete(const struct laf_pins *pins)
{
	char path[PATH_BYTES];
	int fd, r;

	if (!pins->folder[0] || pins->found)
		return 0;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "laf_layout", sizeof(uint32_t), sizeof(uint32_t), 1, NULL);
	if (fd < 0)
		return fd;
	path_of(pins, "", MARK, path);
	r = bpf_obj_pin(fd, path);
	close(fd);
	return r;
}

static int find_any(const char *folder, const struct dirent *set, void *unused)
{
	return 1;
}

/* Nothing is in it any more: neither the folder nor, where it is one of its own, the file system is needed. */
static void tidy(const char *folder)
{
	if (for_each_set(folder, find_any, NULL))
		return;
	if (rmdir(folder) && errno == EBUSY && !umount(folder))
		rmdir(folder);
}

int laf_pins_close(const struct laf_pins *pins)
{
	char folder[sizeof(pins->folder)];
	int n;

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(pins->folder, '/') - pins->folder), pins->folder);
	n = remove_set(folder, pins->layout);
	tidy(folder);
	return n < 0 ? n : 0;
}

static int remove_counted(const char *folder, const struct dirent *set, void *arg)
{
	int *total = arg, n = set->d_type == DT_DIR ? remove_set(folder, set->d_name) : 0;

	*total += n;
	return n < 0 ? n : 0;
}

int laf_pins_remove(const char *folder)
{
	int total = 0, r, n;

	if (!is_bpf(folder))
		return 0;
	r = for_each_set(folder, remove_counted, &total);
	if (r)
		return r;
	n = remove_pins(folder); /* of a version that had no sets */
	if (n < 0)
		return n;
	tidy(folder);
	return total + n;
}
