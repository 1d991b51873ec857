/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks: a dentry up to the root, as components; descriptors to their files; files to their inodes. */
#ifndef LAF_PATH_BPF_H
#define LAF_PATH_BPF_H

#include "maps.bpf.h"

#define WALK_STEPS_MAX 4096 /* a path of PATH_MAX bytes has at most half as many components */

/* The part of struct dentry that a step reads. */
struct laf_step {
	struct dentry *parent;
	const unsigned char *name;
	u32 len;
};

struct laf_walk {
	u64 dentry, mnt, mnt_root;
	u64 root_dentry, root_mnt;
	struct laf_components *to;
	u32 used;
	u32 flags; /* LAF_PATH_… */
};

static __always_inline void read_step(u64 dentry, struct laf_step *step)
{
	struct dentry *d = (struct dentry *)dentry;
	struct { u64 parent; u32 hash, len; u64 name; } raw;

	/* parent and name stand side by side in every kernel so far: one read instead of three */
	if (bpf_core_field_offset(struct dentry, d_name) == bpf_core_field_offset(struct dentry, d_parent) + 8) {
		bpf_probe_read_kernel(&raw, sizeof(raw), (void *)(dentry + bpf_core_field_offset(struct dentry, d_parent)));
		step->parent = (struct dentry *)raw.parent;
		step->name = (const unsigned char *)raw.name;
		step->len = raw.len;
		return;
	}
	step->parent = BPF_CORE_READ(d, d_parent);
	step->name = BPF_CORE_READ(d, d_name.name);
	step->len = BPF_CORE_READ(d, d_name.len);
}

/* At a mount's root: go on at the place it is mounted on. Returns 1 at the top of all mounts. */
static __always_inline long walk_across(struct laf_walk *w)
{
	struct mount *m = (struct mount *)(w->mnt - bpf_core_field_offset(struct mount, mnt));
	struct mount *parent = BPF_CORE_READ(m, mnt_parent);
	struct vfsmount *above;

	if (!parent || parent == m)
		return 1;
	w->dentry = (u64)BPF_CORE_READ(m, mnt_mountpoint);
	above = (struct vfsmount *)((u64)parent + bpf_core_field_offset(struct mount, mnt));
	w->mnt = (u64)above;
	w->mnt_root = (u64)BPF_CORE_READ(above, mnt_root);
	return 0;
}

static long walk_step(u32 i, struct laf_walk *w)
{
	struct laf_step step;
	u32 used = w->used;
	u32 len;

	if (w->dentry == w->root_dentry && w->mnt == w->root_mnt)
		return 1;
	if (w->dentry == w->mnt_root)
		return walk_across(w);
	read_step(w->dentry, &step);
	if ((u64)step.parent == w->dentry || !step.parent)
		return 1; /* the top of a file system that is mounted nowhere */
	len = step.len & 255;
	if (used + len + 1 > PATH_MAX || used > PATH_MAX) {
		w->flags |= LAF_PATH_TRUNCATED;
		return 1;
	}
	w->to->bytes[used] = len;
	bpf_probe_read_kernel(&w->to->bytes[used + 1], len, step.name);
	w->used = used + 1 + len;
	w->dentry = (u64)step.parent;
	return 0;
}

static __always_inline bool is_unlinked(u64 dentry)
{
	struct dentry *d = (struct dentry *)dentry;

	return !BPF_CORE_READ(d, d_hash.pprev) && (u64)BPF_CORE_READ(d, d_parent) != dentry;
}

/* A file that lies in no folder and names itself (memfd): its whole path is "/name (deleted)". */
static __always_inline bool is_pseudo(u64 dentry)
{
	struct dentry *d = (struct dentry *)dentry;
	const struct dentry_operations *op = BPF_CORE_READ(d, d_op);

	return op && BPF_CORE_READ(op, d_dname);
}

/* Write the path of (dentry, mnt) as seen from the task's root to `to`.
 * Returns how many bytes; *ret_flags says what is special about it. */
VERIFIED_ALONE u32 walk_path(u64 dentry, u64 mnt, struct laf_components *to, u32 *ret_flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_walk w = { .dentry = dentry, .mnt = mnt, .to = to };

	if (!to || !ret_flags)
		return 0;
	w.mnt_root = (u64)BPF_CORE_READ((struct vfsmount *)mnt, mnt_root);
	if (task->fs) {
		w.root_dentry = (u64)task->fs->root.dentry;
		w.root_mnt = (u64)task->fs->root.mnt;
	}
	if (dentry != w.mnt_root && is_pseudo(dentry)) {
		struct laf_step step;

		read_step(dentry, &step);
		w.flags = LAF_PATH_PSEUDO;
		w.used = 1 + (step.len & 255);
		to->bytes[0] = step.len & 255;
		bpf_probe_read_kernel(&to->bytes[1], step.len & 255, step.name);
	} else {
		if (is_unlinked(dentry))
			w.flags = LAF_PATH_DELETED;
		bpf_loop(WALK_STEPS_MAX, walk_step, &w, 0);
	}
	*ret_flags = w.flags;
	return w.used;
}

/* The file behind a descriptor of the current task, or 0. */
static __always_inline u64 file_of(u32 fd)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct fdtable *table;
	struct file **slots;
	u64 file = 0;

	if (!task->files)
		return 0;
	table = task->files->fdt;
	if (fd >= BPF_CORE_READ(table, max_fds))
		return 0;
	slots = BPF_CORE_READ(table, fd);
	bpf_probe_read_kernel(&file, sizeof(file), slots + fd);
	return file;
}

/* What a PATH record tells of an inode. Returns whether there is one. */
static __always_inline bool read_inode(u64 dentry, struct laf_wire_name *name)
{
	struct inode *inode = BPF_CORE_READ((struct dentry *)dentry, d_inode);

	if (!inode)
		return false;
	name->ino = BPF_CORE_READ(inode, i_ino);
	name->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	name->rdev = BPF_CORE_READ(inode, i_rdev);
	name->uid = BPF_CORE_READ(inode, i_uid.val);
	name->gid = BPF_CORE_READ(inode, i_gid.val);
	name->mode = BPF_CORE_READ(inode, i_mode);
	name->flags |= LAF_NAME_INODE;
	return true;
}

#endif
