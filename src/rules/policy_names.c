// SPDX-License-Identifier: GPL-2.0-or-later
/* Watched names: the files and folders behind them, as they are now. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy_build.h"

#define NAME_LEN_MAX 4096

static uint32_t kernel_dev(unsigned major, unsigned minor)
{
	return major << 20 | minor;
}

static int by_id(const void *left, const void *right)
{
	const struct policy_mount *a = left, *b = right;

	return a->id < b->id ? -1 : a->id > b->id;
}

/* \040 and the like, in place. */
static void unescape(char *text)
{
	char *out = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] && text[3]) {
			*out++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 3;
		} else {
			*out++ = *text;
		}
	}
	*out = 0;
}

static int add_mount(struct policy_build *b, const char *line)
{
	unsigned long long id;
	unsigned major, minor;
	char *point = NULL;
	int error;

	if (sscanf(line, "%llu %*u %u:%u %*s %ms", &id, &major, &minor, &point) != 4) {
		free(point);
		return 0;
	}
	unescape(point);
	error = policy_grow(&b->mounts, &b->mounts_room, b->n_mounts + 1, sizeof(*b->mounts));
	if (error)
		free(point);
	else
		b->mounts[b->n_mounts++] = (struct policy_mount){ id, kernel_dev(major, minor), point };
	return error;
}

/* Without /proc there are no mounts to know of: not an error. */
int policy_mounts_read(struct policy_build *b)
{
	FILE *file;
	char *line = NULL;
	size_t room = 0;
	int error = 0;

	if (b->mounts_read)
		return 0;
	b->mounts_read = true;
	file = fopen("/proc/self/mountinfo", "re");
	if (!file)
		return 0;
	while (!error && getline(&line, &room, file) > 0)
		error = add_mount(b, line);
	free(line);
	fclose(file);
	if (b->n_mounts)
		qsort(b->mounts, b->n_mounts, sizeof(*b->mounts), by_id);
	return error;
}

/* The device that the kernel side sees is the superblock's; where stat() tells another one (btrfs), mountinfo
 * has it. */
static uint32_t device_of(const struct policy_build *b, const struct statx *st)
{
	struct policy_mount key = { .id = st->stx_mnt_id }, *mount = NULL;

	if (b->n_mounts && st->stx_mask & STATX_MNT_ID)
		mount = bsearch(&key, b->mounts, b->n_mounts, sizeof(*b->mounts), by_id);
	return mount ? mount->dev : kernel_dev(st->stx_dev_major, st->stx_dev_minor);
}

/* Where the inode's generation stands in a file handle: ext4 and btrfs' like have (inode, generation), tmpfs (generation,
 * inode, high half), XFS (64-bit inode, generation). Another layout leaves it unknown. */
static void date_file(const char *path, struct policy_id *id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} h = { .handle.handle_bytes = MAX_HANDLE_SZ };
	const uint32_t low = id->ino, high = id->ino >> 32;
	uint32_t words[3] = { 0 };
	int mount_id;

	if (name_to_handle_at(AT_FDCWD, path, &h.handle, &mount_id, 0))
		return;
	memcpy(words, h.handle.f_handle,
	       h.handle.handle_bytes < sizeof(words) ? h.handle.handle_bytes : sizeof(words));
	id->dated = true;
	if (h.handle.handle_bytes == 8 && words[0] == low && !high)
		id->generation = words[1];
	else if (h.handle.handle_bytes == 12 && words[1] == low && words[2] == high && words[0] != low)
		id->generation = words[0];
	else if (h.handle.handle_bytes == 12 && words[0] == low && words[1] == high)
		id->generation = words[2];
	else
		id->dated = false;
}

/* What a network file system last heard is good enough: a server that is away must not hold up the rules. */
bool policy_file_id(struct policy_build *b, const char *path, struct policy_id *ret)
{
	struct statx st;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
		  STATX_INO | STATX_MNT_ID, &st))
		return false;
	*ret = (struct policy_id){ .ino = st.stx_ino, .dev = device_of(b, &st) };
	date_file(path, ret);
	return true;
}

int policy_folder_add(struct policy_build *b, const char *text, uint32_t len, uint32_t *ret_folder)
{
	char path[NAME_LEN_MAX + 1];
	struct policy_folder folder = { 0 };
	size_t known = b->folder_texts.n;
	int error;

	while (len > 1 && text[len - 1] == '/')
		len--;
	error = policy_pool_add(&b->folder_texts, text, len, ret_folder);
	if (error || *ret_folder < known)
		return error;
	if (len < sizeof(path)) {
		memcpy(path, text, len);
		path[len] = 0;
		folder.real = realpath(path, NULL);
		if (!folder.real && errno == ENOMEM)
			return -ENOMEM;
		if (folder.real && !policy_file_id(b, folder.real, &folder.id)) {
			free(folder.real);
			folder.real = NULL;
		}
	}
	error = policy_grow(&b->folders, &b->folders_room, known + 1, sizeof(*b->folders));
	if (error)
		free(folder.real);
	else
		b->folders[b->n_folders++] = folder;
	return error;
}

struct policy_spot policy_spot_of(const struct policy_build *b, const struct policy_name *name)
{
	const struct policy_folder *folder = &b->folders[name->folder];

	return (struct policy_spot){
		.folder = folder->id, .has_folder = folder->real, .file = name->id, .has_file = name->found,
	};
}

/* Without links: the folder's own place and the last component. */
static int real_name(struct policy_build *b, const char *path, uint32_t len, uint32_t folder_len,
		     struct policy_name *name)
{
	const char *real = b->folders[name->folder].real;
	bool slash = len > 1 && path[len - 1] == '/'; /* then the last link is followed, too */

	if (slash || len == folder_len) {
		name->real = realpath(path, NULL);
		return name->real || errno != ENOMEM ? 0 : -ENOMEM;
	}
	if (real && asprintf(&name->real, "%s/%s", real[1] ? real : "", path + folder_len) < 0) {
		name->real = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int look_up(struct policy_build *b, const char *text, uint32_t len, struct policy_name *name)
{
	char path[NAME_LEN_MAX + 1];
	uint32_t folder_len = len;
	struct policy_spot now;
	int error;

	while (folder_len > 1 && text[folder_len - 1] == '/')
		folder_len--;
	while (folder_len > 1 && text[folder_len - 1] != '/')
		folder_len--;
	error = policy_folder_add(b, text, folder_len, &name->folder);
	if (error || len >= sizeof(path))
		return error;
	memcpy(path, text, len);
	path[len] = 0;
	name->found = policy_file_id(b, path, &name->id);
	now = policy_spot_of(b, name);
	policy_former_find(b, text, len, &now, &name->was);
	return real_name(b, path, len, folder_len, name);
}

int policy_name_add(struct policy_build *b, const char *text, uint32_t len, uint32_t *ret_name)
{
	struct policy_name name = { 0 };
	size_t known = b->name_texts.n;
	int error = policy_pool_add(&b->name_texts, text, len, ret_name);

	if (error || *ret_name < known)
		return error;
	error = policy_grow(&b->names, &b->names_room, known + 1, sizeof(*b->names));
	if (error)
		return error;
	error = look_up(b, text, len, &name);
	b->names[b->n_names++] = name;
	return error;
}

void policy_names_clear(struct policy_build *b)
{
	for (size_t i = 0; i < b->n_names; i++)
		free(b->names[i].real);
	for (size_t i = 0; i < b->n_folders; i++)
		free(b->folders[i].real);
	for (size_t i = 0; i < b->n_mounts; i++)
		free(b->mounts[i].point);
	free(b->names);
	free(b->folders);
	free(b->mounts);
	policy_pool_clear(&b->name_texts);
	policy_pool_clear(&b->folder_texts);
}
