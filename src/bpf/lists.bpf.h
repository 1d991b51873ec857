/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists other than exit, as far as they act in the kernel: tasks, and names on file systems. */
#ifndef LAF_LISTS_BPF_H
#define LAF_LISTS_BPF_H

#include "maps.bpf.h"

/* How the task list decided a task when it was made. No state: not at all; its calls go by the exit list. */
struct laf_task_state {
	u32 recorded; /* 1: all that it calls, 0: nothing */
	u32 zero;
	char key[LAF_KEY_MAX + sizeof(struct laf_insn)]; /* ended by NUL; empty = none */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct laf_task_state);
} task_states SEC(".maps");

static __always_inline struct laf_task_state *state_of(struct task_struct *task)
{
	return tasks_decided ? bpf_task_storage_get(&task_states, task, 0, 0) : NULL;
}

static __always_inline bool is_exempt(struct task_struct *task)
{
	struct laf_task_state *state = state_of(task);

	return state && !state->recorded;
}

static __always_inline struct laf_policy_lists *lists_of(u32 slot)
{
	void *code = bpf_map_lookup_elem(&codes, &slot);
	u32 at = LAF_LISTS;

	return code ? bpf_map_lookup_elem(code, &at) : NULL;
}

/* The head of __audit_inode(): nothing is noted of what lies on such a file system. */
VERIFIED_ALONE int on_left_out(u64 inode)
{
	u32 slot = generation & 1;
	struct laf_policy_lists *lists = lists_of(slot);
	struct laf_inode_key key = { .dev = LAF_DEV_FSTYPE };
	bool listed, keep;
	void *inodes;

	if (!inode || !lists || !lists->filesystems)
		return 0;
	key.ino = (u32)BPF_CORE_READ((struct inode *)inode, i_sb, s_magic);
	inodes = bpf_map_lookup_elem(&inode_tables, &slot);
	listed = inodes && bpf_map_lookup_elem(inodes, &key);
	keep = lists->flags & LAF_LISTS_KEEP;
	return listed != keep;
}

static __always_inline bool is_left_out(struct inode *inode)
{
	return filesystems_chosen && on_left_out((u64)inode);
}

#endif
