/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name hooks: where the kernel looks up, makes and removes while an audited call runs. */
#ifndef LAF_HOOKS_BPF_H
#define LAF_HOOKS_BPF_H

#include "sights.bpf.h"

/* A lookup ended: `parent`, in the folder where the last component is to be. Returns the name's entry, or NO_ENTRY where it
 * found nothing or is not watched. */
static __always_inline u32 looked_up(struct laf_context *c, struct filename *name, struct path *path, u32 parent, int ret)
{
	u32 at;

	if (!c)
		return NO_ENTRY;
	if (!name && !ret && is_left_out(BPF_CORE_READ(path, dentry, d_inode)))
		return NO_ENTRY;
	at = entry_of(c, number_of(c, name));
	if (ret || at >= NAMES_MAX)
		return NO_ENTRY;
	c->seen.mnt = (u64)BPF_CORE_READ(path, mnt);
	see_inode(c, at, (u64)BPF_CORE_READ(path, dentry), parent);
	return at;
}

/* What was noted of a walk is of no other. */
static __always_inline void forget_walk(struct laf_context *c)
{
	c->seen.tried = c->seen.made_in = c->seen.wanted = 0;
}

SEC("fexit/filename_lookup")
int BPF_PROG(laf_filename_lookup, int dfd, struct filename *name, unsigned flags, struct path *path, struct path *root,
	     int ret)
{
	struct laf_context *c = watched();
	u32 at = looked_up(c, name, path, 0, ret);

	if (c)
		forget_walk(c); /* a security module may look names up before the call opens one */
	if (c && at < NAMES_MAX && has_flag(c, LAF_SHAPE_NO_CAPS))
		c->seen.name[at & (NAMES_MAX - 1)].wire.flags |= LAF_NAME_NO_CAPS;
	return 0;
}

/* In 6.1 and 6.12. The first try, under RCU, may have to be repeated. */
SEC("fexit/path_parentat")
int BPF_PROG(laf_path_parentat, struct nameidata *nd, unsigned flags, struct path *parent, int ret)
{
	if (ret == -ECHILD || ret == -ESTALE)
		return 0;
	looked_up(watched(), BPF_CORE_READ(nd, name), parent, 1, ret);
	return 0;
}

/* Since path_parentat() is no function any more; seven arguments. */
SEC("fexit/__filename_parentat")
int BPF_PROG(laf_filename_parentat, int dfd, struct filename *name, unsigned flags, struct path *parent, void *last,
	     int *type, struct path *root, int ret)
{
	looked_up(watched(), name, parent, 1, ret);
	return 0;
}

/* An open that found the file, and may still be refused. */
SEC("fexit/complete_walk")
int BPF_PROG(laf_complete_walk, struct nameidata *nd, int ret)
{
	struct laf_context *c;

	if (ret)
		return 0;
	c = watched();
	if (!c)
		return 0;
	c->seen.tried = (u64)nd->path.dentry;
	c->seen.mnt = (u64)nd->path.mnt;
	return 0;
}

/* The same where the file system looks it up and opens it in one step. */
SEC("fexit/finish_open")
int BPF_PROG(laf_finish_open, struct file *file, struct dentry *dentry, void *open, int ret)
{
	struct laf_context *c;

	if (ret)
		return 0;
	c = watched();
	if (!c)
		return 0;
	c->seen.tried = (u64)dentry;
	c->seen.mnt = (u64)file->f_path.mnt;
	return 0;
}

/* An open that may make a file asks whether it may write in its folder, before it looks for the file. */
SEC("fentry/mnt_want_write")
int BPF_PROG(laf_want_write)
{
	struct laf_context *c = watched();
	struct nameidata *nd;

	if (!c || c->seen.tried)
		return 0;
	nd = loose(bpf_get_current_task_btf())->nameidata;
	if (nd && nd->flags & LOOKUP_CREATE)
		c->seen.wanted = (u64)nd->path.dentry;
	return 0;
}

/* An open looks for a file to make. */
SEC("fentry/security_path_mknod")
int BPF_PROG(laf_path_mknod, const struct path *dir)
{
	struct laf_context *c = watched();

	if (c)
		c->seen.made_in = (u64)BPF_CORE_READ(dir, dentry);
	return 0;
}

VERIFIED_ALONE int see_opened(struct laf_context *c, u32 at, u64 opened, u32 flags)
{
	struct file *file = (struct file *)opened;
	struct dentry *dentry, *parent;
	bool created;

	if (!c)
		return 0;
	created = BPF_CORE_READ(file, f_mode) & FMODE_CREATED;
	dentry = BPF_CORE_READ(file, f_path.dentry);
	parent = BPF_CORE_READ(dentry, d_parent);
	c->seen.mnt = (u64)BPF_CORE_READ(file, f_path.mnt);
	if (flags & O_CREAT && (created || creat_parent || c->seen.made_in))
		see_inode(c, at, (u64)parent, 1);
	if (created)
		see_made(c, (u64)BPF_CORE_READ(parent, d_inode), (u64)dentry, true);
	else
		see_inode(c, at, (u64)dentry, 0);
	return 0;
}

/* The folder in which a failed open was to make a file, if it came there; before 6.12 it was noted earlier. */
static __always_inline u64 folder_of_refused(struct laf_context *c, s64 error)
{
	u64 tried = c->seen.tried;

	if (c->seen.made_in)
		return c->seen.made_in;
	if (!creat_parent)
		return error == -EROFS ? c->seen.wanted : 0;
	if (tried)
		return (u64)BPF_CORE_READ((struct dentry *)tried, d_parent);
	return c->seen.wanted;
}

/* A failed open came to the file, or to the folder where it was to be made. */
VERIFIED_ALONE int see_refused(struct laf_context *c, u32 at, u32 flags, s64 error)
{
	u64 folder;

	if (!c)
		return 0;
	folder = flags & O_CREAT ? folder_of_refused(c, error) : 0;
	if (folder)
		see_inode(c, at, folder, 1);
	if (c->seen.tried && !(flags & O_TMPFILE_BIT))
		see_inode(c, at, c->seen.tried, 0);
	else if (creat_parent && !folder && error == -EISDIR) /* a slash at the end of a name to be made */
		c->seen.unseen = 1;
	return 0;
}

#define CLEAR_MAX 32 /* folders */

/* 1 + the policy's generation, if neither the file nor a folder above it can have rules; else 0. Pointers of the kernel's types are
 * read at the cost of a load; decide.bpf.h has none left. */
static __always_inline u32 clear_of_rules(struct dentry *dentry)
{
	u32 now = generation, dev = dentry->d_sb->s_dev, i;

	for (i = 0; i < CLEAR_MAX; i++) {
		struct dentry *parent = dentry->d_parent;

		if (is_in_filter(now, dentry->d_inode->i_ino, dev))
			return 0;
		if (parent == dentry)
			return now + 1;
		dentry = parent;
	}
	return 0;
}

/* Most opens: the call's only name led to a file that was there. Returns false where it is anything else. */
static __always_inline bool see_plain(struct laf_context *c, struct filename *name, const struct open_flags *op,
				      struct file *file)
{
	struct laf_found_name *n = &c->seen.name[0];
	struct dentry *dentry;
	struct inode *inode;

	if (filesystems_chosen || op->open_flag & O_CREAT || is_error(number_of(c, file)))
		return false;
	if (is_error(number_of(c, name)) || (u64)name->uptr != arg_of(c, shape_of(c->abi, c->nr)->name[0]))
		return false;
	dentry = file->f_path.dentry;
	inode = dentry->d_inode;
	if (!inode || file->f_mode & FMODE_CREATED)
		return false;
	copy_first_name(c, name->name);
	n->sight = NAME_SEEN;
	n->wire.nametype = LAF_NAME_NORMAL;
	tell_inode(&n->wire, inode);
	n->generation = inode->i_generation;
	n->dentry = n->leaf = (u64)dentry;
	n->mnt = (u64)file->f_path.mnt;
	c->seen.tried = 0;
	return true;
}

static __always_inline void see_open(struct laf_context *c, struct filename *name, const struct open_flags *op,
				     struct file *file)
{
	u32 at = entry_of(c, number_of(c, name)), flags;

	if (at >= NAMES_MAX)
		return;
	flags = BPF_CORE_READ(op, open_flag);
	if (is_error(number_of(c, file)))
		see_refused(c, at, flags, number_of(c, file));
	else
		see_opened(c, at, number_of(c, file), flags);
	forget_walk(c);
}

/* All that an open notes lies on the way from its file to the root: one walk tells whether there are rules on it. */
SEC("fexit/do_filp_open")
int BPF_PROG(laf_do_filp_open, int dfd, struct filename *name, const struct open_flags *op, struct file *file)
{
	struct laf_context *c = watched();
	bool first;

	if (!c)
		return 0;
	first = c->seen.n == 1 && c->seen.name[0].sight != NAME_SEEN;
	if (!first || !see_plain(c, name, op, file))
		see_open(c, name, op, file);
	if (first && inodes_ruled && !is_error(number_of(c, file)))
		c->seen.clear = clear_of_rules(file->f_path.dentry);
	return 0;
}

/* The kernel's audit asks for the capabilities of every name; an exec asks for those of the program without it. */
SEC("fexit/get_vfs_caps_from_disk")
int BPF_PROG(laf_file_caps, void *idmap, struct dentry *dentry, struct cpu_vfs_cap_data *caps, int ret)
{
	struct laf_context *c = watched();
	u32 magic;

	if (!c || ret || shape_of(c->abi, c->nr)->kind != LAF_KIND_EXEC)
		return 0;
	magic = caps->magic_etc;
	c->fcaps.ver = (magic & VFS_CAP_REVISION_MASK) >> VFS_CAP_REVISION_SHIFT;
	c->fcaps.effective = magic & VFS_CAP_FLAGS_EFFECTIVE;
	c->fcaps.rootid = caps->rootid.val;
	bpf_core_read(&c->fcaps.permitted, sizeof(u64), &caps->permitted);
	bpf_core_read(&c->fcaps.inheritable, sizeof(u64), &caps->inheritable);
	c->fcaps.ino = BPF_CORE_READ(dentry, d_inode, i_ino);
	c->fcaps.dev = BPF_CORE_READ(dentry, d_inode, i_sb, s_dev);
	return 0;
}

/* What a driver makes while it is opened: a terminal. */
SEC("fexit/devpts_pty_new")
int BPF_PROG(laf_pty_new, void *fsi, int index, void *priv, struct dentry *made)
{
	struct laf_context *c = watched();

	if (c && !is_error(number_of(c, made)))
		see_child(c, (u64)BPF_CORE_READ(made, d_parent, d_inode), number_of(c, made), LAF_NAME_CREATE);
	return 0;
}

/* A message queue is looked up: the caller's name leads to it, or to the folder of all queues where it will come or go
 * (prepare_open() and mq_unlink() of ipc/mqueue.c). */
static __always_inline int queue_looked_up(struct dentry *folder, struct dentry *found)
{
	struct laf_context *c = watched();
	u64 dentry;
	bool makes;

	if (!c || !has_flag(c, LAF_SHAPE_QUEUE))
		return 0;
	dentry = number_of(c, found);
	makes = has_flag(c, LAF_SHAPE_MAKES);
	if (makes && is_error(dentry))
		return 0;
	if (makes && BPF_CORE_READ((struct dentry *)dentry, d_inode)) {
		see_inode(c, 0, dentry, 0);
	} else if ((!makes || arg_of(c, 1) & O_CREAT) && !is_left_out(BPF_CORE_READ(folder, d_inode))) {
		see_inode(c, 0, number_of(c, folder), 1);
		c->seen.name[0].wire.flags |= LAF_NAME_HIDDEN;
	}
	c->seen.name[0].sight = NAME_SEEN;
	return 0;
}

SEC("fexit/lookup_one_len")
int BPF_PROG(laf_lookup_queue_by_text, const char *name, struct dentry *folder, int len, struct dentry *found)
{
	return queue_looked_up(folder, found);
}

SEC("fexit/lookup_noperm")
int BPF_PROG(laf_lookup_queue, void *name, struct dentry *folder, struct dentry *found)
{
	return queue_looked_up(folder, found);
}

SEC("fexit/may_delete")
int BPF_PROG(laf_may_delete, void *idmap, struct inode *dir, struct dentry *victim, bool isdir, int ret)
{
	struct laf_context *c = watched();

	if (!c)
		return 0;
	if (ret)
		c->seen.refused = 1;
	if (BPF_CORE_READ(victim, d_inode))
		see_child(c, number_of(c, dir), number_of(c, victim), LAF_NAME_DELETE);
	return 0;
}

static __always_inline int made(struct inode *dir, struct dentry *dentry, bool failed)
{
	struct laf_context *c = watched();

	if (c)
		see_made(c, number_of(c, dir), number_of(c, dentry), !failed);
	return 0;
}

SEC("fexit/vfs_mkdir")
int BPF_PROG(laf_vfs_mkdir, void *idmap, struct inode *dir, struct dentry *dentry, u32 mode, u64 ret)
{
	return made(dir, dentry, is_error(ret) || is_error((s64)(s32)ret));
}

SEC("fexit/vfs_mknod")
int BPF_PROG(laf_vfs_mknod, void *idmap, struct inode *dir, struct dentry *dentry, u32 mode, u32 dev, int ret)
{
	return made(dir, dentry, ret);
}

SEC("fexit/vfs_create")
int BPF_PROG(laf_vfs_create, void *idmap, struct inode *dir, struct dentry *dentry, u32 mode, u32 excl, int ret)
{
	return made(dir, dentry, ret);
}

SEC("fexit/vfs_symlink")
int BPF_PROG(laf_vfs_symlink, void *idmap, struct inode *dir, struct dentry *dentry, const char *target, int ret)
{
	return made(dir, dentry, ret);
}

SEC("fexit/vfs_link")
int BPF_PROG(laf_vfs_link, struct dentry *old, void *idmap, struct inode *dir, struct dentry *dentry, void *delegated,
	     int ret)
{
	return made(dir, dentry, ret);
}

SEC("fexit/vfs_mkobj")
int BPF_PROG(laf_make_queue, struct dentry *dentry, u16 mode, void *make, void *arg, int ret)
{
	struct laf_context *c = watched();

	if (c && !ret && has_flag(c, LAF_SHAPE_QUEUE))
		see_child(c, (u64)BPF_CORE_READ(dentry, d_parent, d_inode), number_of(c, dentry), LAF_NAME_CREATE);
	return 0;
}

static __always_inline u64 folder_of_rename(struct renamedata *rd, bool new)
{
	if (bpf_core_field_exists(rd->old_dir))
		return new ? (u64)BPF_CORE_READ(rd, new_dir) : (u64)BPF_CORE_READ(rd, old_dir);
	return new ? (u64)BPF_CORE_READ(rd, new_parent, d_inode) : (u64)BPF_CORE_READ(rd, old_parent, d_inode);
}

/* Afterwards the old dentry has the new name; after an exchange the new one the old name, too. */
SEC("fexit/vfs_rename")
int BPF_PROG(laf_vfs_rename, struct renamedata *rd, int ret)
{
	struct laf_context *c = watched();
	struct dentry *old, *new;

	if (!c)
		return 0;
	old = BPF_CORE_READ(rd, old_dentry);
	new = BPF_CORE_READ(rd, new_dentry);
	if (BPF_CORE_READ(old, d_inode) == BPF_CORE_READ(new, d_inode))
		return 0; /* two names of one file: nothing is done */
	if (ret) {
		if (!BPF_CORE_READ(new, d_inode) && !c->seen.refused)
			see_child(c, folder_of_rename(rd, true), number_of(c, new), LAF_NAME_CREATE);
		return 0;
	}
	see_made(c, folder_of_rename(rd, true), number_of(c, old), !BPF_CORE_READ(new, d_inode));
	if (BPF_CORE_READ(rd, flags) & RENAME_EXCHANGE)
		see_child(c, folder_of_rename(rd, false), (u64)new, LAF_NAME_CREATE);
	return 0;
}

#endif
