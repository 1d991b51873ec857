/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks: a dentry up to the root, as components; descriptors to their files; files to their inodes. */
#ifndef LAF_PATH_BPF_H
#define LAF_PATH_BPF_H

#include "lists.bpf.h"

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
	u64 mnt_ns;
	struct laf_chain *chain; /* or NULL */
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

static __always_inline u32 read_d_seq(u64 dentry)
{
	u32 seq = 1;

	bpf_probe_read_kernel(&seq, sizeof(seq), (void *)(dentry + bpf_core_field_offset(struct dentry, d_seq)));
	return seq;
}

static __always_inline void chain_add(struct laf_walk *w, struct laf_chain *chain)
{
	u32 n = chain->n;

	if (n >= CHAIN_MAX) {
		chain->whole = 0;
		return;
	}
	chain->dentry[n] = w->dentry;
	chain->seq[n] = read_d_seq(w->dentry);
	if (chain->seq[n] & 1)
		chain->whole = 0;
	chain->n = n + 1;
	if (!chain->crossed)
		chain->low = n + 1;
}

/* A path that leaves the task's own mounts is moved by what happens elsewhere. */
static __always_inline void chain_cross(struct laf_walk *w, struct laf_chain *chain, struct mount *m)
{
	chain->crossed = 1;
	if ((u64)BPF_CORE_READ(m, mnt_ns) != w->mnt_ns)
		chain->whole = 0;
}

/* At a mount's root: go on at the place it is mounted on. Returns 1 at the top of all mounts. */
static __always_inline long walk_across(struct laf_walk *w)
{
	struct mount *m = (struct mount *)(w->mnt - bpf_core_field_offset(struct mount, mnt));
	struct mount *parent = BPF_CORE_READ(m, mnt_parent);
	struct vfsmount *above;

	if (w->chain)
		chain_cross(w, w->chain, m);
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
	if (w->chain)
		chain_add(w, w->chain);
	w->to->bytes[used] = len;
	bpf_probe_read_kernel(&w->to->bytes[used + 1], len, step.name);
	w->used = used + 1 + len;
	w->dentry = (u64)step.parent;
	return 0;
}

/* The beginning of an object, read at once; members are taken out by their offsets. */
#define HEAD_BYTES 104
struct laf_head {
	u8 bytes[HEAD_BYTES];
};

#define HEAD_HAS(type, member) (bpf_core_field_offset(struct type, member) + 8 <= HEAD_BYTES)
#define HEAD_GET(head, as, type, member) (*(as *)((head)->bytes + bpf_core_field_offset(struct type, member)))

/* What is special about a path's last component: a file that lies in no folder and names itself (memfd), whose whole
 * path is "/name (deleted)", or one that was unlinked. */
VERIFIED_ALONE u32 leaf_flags(u64 dentry, u64 mnt_root)
{
	struct dentry *d = (struct dentry *)dentry;
	const struct dentry_operations *op;
	u64 hashed, parent;
	struct laf_head head;

	if (HEAD_HAS(dentry, d_hash.pprev) && HEAD_HAS(dentry, d_parent) && HEAD_HAS(dentry, d_op)) {
		bpf_probe_read_kernel(&head, sizeof(head), d);
		hashed = HEAD_GET(&head, u64, dentry, d_hash.pprev);
		parent = HEAD_GET(&head, u64, dentry, d_parent);
		op = HEAD_GET(&head, void *, dentry, d_op);
	} else {
		hashed = (u64)BPF_CORE_READ(d, d_hash.pprev);
		parent = (u64)BPF_CORE_READ(d, d_parent);
		op = BPF_CORE_READ(d, d_op);
	}
	if (op && dentry != mnt_root && BPF_CORE_READ(op, d_dname))
		return LAF_PATH_PSEUDO;
	return !hashed && parent != dentry ? LAF_PATH_DELETED : 0;
}

static __always_inline void chain_begin(struct laf_chain *chain, u64 dentry, u32 flags)
{
	struct dentry *d = (struct dentry *)dentry;

	chain->leaf = dentry;
	chain->hash = BPF_CORE_READ(d, d_name.hash);
	chain->hashed = BPF_CORE_READ(d, d_hash.pprev) != NULL;
	chain->n = chain->low = chain->crossed = 0;
	chain->whole = !(flags & LAF_PATH_TRUNCATED);
}

/* Write the path of (dentry, mnt) as seen from the task's root to `to`, and to `chain` (may be NULL) what it was made of.
 * Returns how many bytes; *ret_flags says what is special about it. */
VERIFIED_ALONE u32 walk_path(u64 dentry, u64 mnt, struct laf_components *to, u32 *ret_flags, struct laf_chain *chain)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_walk w = { .dentry = dentry, .mnt = mnt, .to = to, .used = unknown_zero, .chain = chain };

	if (!to || !ret_flags)
		return 0;
	w.mnt_root = (u64)BPF_CORE_READ((struct vfsmount *)mnt, mnt_root);
	if (loose(task)->fs) {
		w.root_dentry = (u64)loose(task)->fs->root.dentry;
		w.root_mnt = (u64)loose(task)->fs->root.mnt;
	}
	w.mnt_ns = (u64)loose(task)->nsproxy->mnt_ns;
	w.flags = leaf_flags(dentry, w.mnt_root);
	if (chain)
		chain_begin(chain, dentry, w.flags);
	if (w.flags == LAF_PATH_PSEUDO) {
		struct laf_step step;

		read_step(dentry, &step);
		if (chain)
			chain_add(&w, chain);
		w.used = 1 + (step.len & 255);
		to->bytes[0] = step.len & 255;
		bpf_probe_read_kernel(&to->bytes[1], step.len & 255, step.name);
	} else {
		bpf_loop(WALK_STEPS_MAX, walk_step, &w, 0);
	}
	if (chain && w.flags & LAF_PATH_TRUNCATED)
		chain->whole = 0;
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
	if (fd >= table->max_fds)
		return 0;
	slots = table->fd;
	bpf_probe_read_kernel(&file, sizeof(file), slots + fd);
	return file;
}

/* What a PATH record tells of an inode, by a pointer that the verifier knows. */
static __always_inline void tell_inode(struct laf_wire_name *name, struct inode *inode)
{
	name->ino = inode->i_ino;
	name->dev = inode->i_sb->s_dev;
	name->rdev = inode->i_rdev;
	name->uid = inode->i_uid.val;
	name->gid = inode->i_gid.val;
	name->mode = inode->i_mode;
	name->flags |= LAF_NAME_INODE;
}

/* The same by a number, without bpf_rdonly_cast(). */
static __always_inline void read_head_of_inode(struct laf_wire_name *name, struct inode *inode)
{
	struct super_block *sb;
	struct laf_head head;

	if (HEAD_HAS(inode, i_ino) && HEAD_HAS(inode, i_rdev) && HEAD_HAS(inode, i_sb) && HEAD_HAS(inode, i_gid)) {
		bpf_probe_read_kernel(&head, sizeof(head), inode);
		name->ino = HEAD_GET(&head, u64, inode, i_ino);
		name->rdev = HEAD_GET(&head, u32, inode, i_rdev);
		name->uid = HEAD_GET(&head, u32, inode, i_uid.val);
		name->gid = HEAD_GET(&head, u32, inode, i_gid.val);
		name->mode = HEAD_GET(&head, u16, inode, i_mode);
		sb = HEAD_GET(&head, struct super_block *, inode, i_sb);
	} else {
		name->ino = BPF_CORE_READ(inode, i_ino);
		name->rdev = BPF_CORE_READ(inode, i_rdev);
		name->uid = BPF_CORE_READ(inode, i_uid.val);
		name->gid = BPF_CORE_READ(inode, i_gid.val);
		name->mode = BPF_CORE_READ(inode, i_mode);
		sb = BPF_CORE_READ(inode, i_sb);
	}
	name->dev = BPF_CORE_READ(sb, s_dev);
	name->flags |= LAF_NAME_INODE;
}

/* The inode of a dentry, both numbers. Returns whether there is one. */
VERIFIED_ALONE int read_inode(u64 dentry, struct laf_wire_name *name)
{
	u64 inode = (u64)READ(dentry, dentry, d_inode);

	if (!inode || !name)
		return 0;
	if (can_cast)
		tell_inode(name, bpf_rdonly_cast((void *)inode, bpf_core_type_id_kernel(struct inode)));
	else
		read_head_of_inode(name, (struct inode *)inode);
	return 1;
}

#endif
