// SPDX-License-Identifier: GPL-2.0-or-later
/* Pins. The links lie in a folder of their own: they go first, so that no program runs whose maps nobody can reach. */
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

#include "pins.h"

#define LAYOUT "layout-" /* and the number in hex: the mark of a complete set */
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
	char links[PATH_BYTES];

	if (mkdir(folder, 0700) && errno != EEXIST)
		return -errno;
	if (!is_bpf(folder) && mount("bpf", folder, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700"))
		return -errno;
	snprintf(links, sizeof(links), "%s/links", folder);
	return mkdir(links, 0700) && errno != EEXIST ? -errno : 0;
}

/* 1: a complete set of this layout, 0: none, -ESTALE: one of another, or another negative errno. */
static int look(const struct laf_pins *pins)
{
	DIR *dir = opendir(pins->folder);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		if (!strncmp(entry->d_name, LAYOUT, strlen(LAYOUT)))
			r = strcmp(entry->d_name, pins->layout) ? -ESTALE : 1;
	closedir(dir);
	return r;
}

int laf_pins_open(struct laf_pins *pins, const char *folder, const char *engine, const void *object, size_t bytes,
		  struct laf_error *err)
{
	int r;

	*pins = (struct laf_pins){ 0 };
	if (snprintf(pins->folder, sizeof(pins->folder), "%s", folder) >= (int)sizeof(pins->folder))
		return laf_error_set(err, -ENAMETOOLONG, "engine: pinning to %s: the name is too long", folder);
	snprintf(pins->layout, sizeof(pins->layout), LAYOUT "%016llx", (unsigned long long)
		 hash_of(engine, strlen(engine), hash_of(object, bytes, 0xcbf29ce484222325ull)));
	r = laf_pins_prepare(folder);
	if (!r)
		r = look(pins);
	if (r == -ESTALE)
		pins->folder[0] = 0;
	if (r == -ESTALE)
		return laf_error_set(err, r, "engine: %s holds the programs of another version or engine, which go on recording; "
				     "'laf cleanup' ends them", folder);
	if (!r) {
		r = laf_pins_remove(folder);
		r = r < 0 ? r : laf_pins_prepare(folder);
	}
	if (r < 0)
		return laf_error_set(err, r, "engine: pinning to %s: %s", folder, strerror(-r));
	pins->found = r == 1;
	return 0;
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
	path_of(pins, "", pins->layout, path);
	r = bpf_obj_pin(fd, path);
	close(fd);
	return r;
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

int laf_pins_remove(const char *folder)
{
	char links[PATH_BYTES];
	int in_links, n;

	if (!is_bpf(folder))
		return 0;
	snprintf(links, sizeof(links), "%s/links", folder);
	in_links = empty_folder(links);
	if (in_links < 0)
		return in_links;
	rmdir(links);
	n = empty_folder(folder);
	if (n < 0)
		return n;
	if (rmdir(folder) && errno == EBUSY && !umount(folder)) /* it is a mount of its own */
		rmdir(folder);
	return in_links + n;
}
