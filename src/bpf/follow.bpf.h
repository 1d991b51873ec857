/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following watched names: which file has one is kept right at the moment when it comes, goes or is replaced. As the kernel's audit
 * has marks on the folders of watched names, so has the daemon, by inotify; a program hears what inotify hears, in the task that
 * makes the change. */
#ifndef LAF_FOLLOW_BPF_H
#define LAF_FOLLOW_BPF_H

#include "maps.bpf.h"

struct laf_watch_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct laf_watch_key));
	__uint(value_size, sizeof(struct laf_watch));
} watch_template SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, u32);
	__array(values, struct laf_watch_map);
} watch_tables SEC(".maps") = { .values = { &watch_template, &watch_template } };

__u32 names_followed = 0; /* the daemon has its marks, and this program hears of them */

/* Written by programs, but only when a watched name changes; in a map, and so in pages, of their own. */
__u64 watch_changes SEC(".data.changes") = 0; /* names that came, went or were replaced */
__u64 watch_misfits SEC(".data.changes") = 0; /* of these, what only compiling the rules anew sets right */

/* The file that had the name has it no more; for the call that took it away it still has (audit_update_watch()). */
static __always_inline void leave_file(u32 slot, struct laf_watch *w, struct laf_context *c)
{
	struct laf_inode_key key = { .ino = w->ino, .dev = w->dev };
	void *inodes = bpf_map_lookup_elem(&inode_tables, &slot);
	struct laf_inode_rules *rules;

	if (!w->known || !inodes)
		return;
	w->known = 0;
	if (c && c->active && slot == (generation & 1)) {
		c->left = (struct laf_left){
			.is_there = 1, .policy = generation, .ino = w->ino, .dev = w->dev, .program = w->program,
		};
	}
	rules = bpf_map_lookup_elem(inodes, &key);
	if (!rules || !rules->watch)
		return;
	if (rules->watch != w->program) /* it has other watched names, too */
		__sync_fetch_and_add(&watch_misfits, 1);
	else if (rules->tree || rules->holds)
		rules->watch = 0;
	else
		bpf_map_delete_elem(inodes, &key);
}

static __always_inline void take_file(u32 slot, struct laf_watch *w, struct inode *inode)
{
	struct laf_inode_key key = { .ino = inode->i_ino, .dev = inode->i_sb->s_dev };
	struct laf_inode_rules fresh = { .watch = w->program, .dated = w->dated, .generation = inode->i_generation };
	void *inodes = bpf_map_lookup_elem(&inode_tables, &slot);
	struct laf_inode_rules *rules;

	if (!inodes)
		return;
	w->ino = key.ino;
	w->dev = key.dev;
	w->generation = fresh.generation;
	w->known = 1;
	put_in_filter(slot, key.ino, key.dev); /* a folder that only holds watched names is in the table, but not there */
	rules = bpf_map_lookup_elem(inodes, &key);
	if (rules && !(rules->dated && rules->generation != fresh.generation)) {
		if (!rules->watch)
			rules->watch = w->program;
		else if (rules->watch != w->program)
			__sync_fetch_and_add(&watch_misfits, 1);
		return;
	}
	if (bpf_map_update_elem(inodes, &key, &fresh, 0))
		__sync_fetch_and_add(&watch_misfits, 1);
}

#define FS_MOVED_FROM 0x40
#define FS_MOVED_TO 0x80
#define FS_CREATE 0x100
#define FS_DELETE 0x200

static __always_inline void follow_name(u32 slot, struct laf_watch_key *key, u32 mask, struct inode *inode)
{
	void *watches = bpf_map_lookup_elem(&watch_tables, &slot);
	struct laf_watch *w = watches ? bpf_map_lookup_elem(watches, key) : NULL;
	struct laf_context *c = NULL;

	if (!w)
		return;
	if (mask & (FS_DELETE | FS_MOVED_FROM))
		c = bpf_task_storage_get(&contexts, bpf_get_current_task_btf(), 0, 0);
	leave_file(slot, w, c);
	if (mask & (FS_CREATE | FS_MOVED_TO) && inode)
		take_file(slot, w, inode);
	__sync_fetch_and_add(&watch_changes, 1);
}

/* Both slots: a policy that is being put in force must not miss what happens meanwhile. */
SEC("fentry/inotify_handle_inode_event")
int BPF_PROG(laf_name_changed, void *mark, u32 mask, struct inode *inode, struct inode *dir, const struct qstr *name)
{
	struct laf_watch_key key = {};
	u32 len;

	if (!(mask & (FS_CREATE | FS_MOVED_TO | FS_DELETE | FS_MOVED_FROM)) || !dir || !name)
		return 0;
	len = name->len;
	asm volatile("" : "+r"(len));
	if (len > LAF_WATCH_NAME_MAX)
		return 0;
	key.ino = dir->i_ino;
	key.dev = dir->i_sb->s_dev;
	key.len = len;
	bpf_probe_read_kernel(key.name, len, name->name);
	follow_name(0, &key, mask, inode);
	follow_name(1, &key, mask, inode);
	return 0;
}

#endif
