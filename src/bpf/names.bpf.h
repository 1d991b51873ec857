/* SPDX-License-Identifier: GPL-2.0-or-later */
/* At a call's end: the names it collected, with the inodes that this engine can see. */
#ifndef LAF_NAMES_BPF_H
#define LAF_NAMES_BPF_H

#include "take.bpf.h"

static __always_inline struct laf_found_name *add_name(struct laf_scratch *s, u32 source, u32 nametype)
{
	struct laf_found_name *n;
	u32 i = s->n_names;

	if (i >= NAMES_MAX)
		return NULL;
	n = &s->names[i];
	__builtin_memset(n, 0, sizeof(*n));
	n->wire.nametype = nametype;
	n->source = source;
	s->n_names = i + 1;
	return n;
}

/* The file that the call worked on: where it really is may have to be told. */
static __always_inline void note_file(struct laf_scratch *s, struct file *file)
{
	s->opened_dentry = (u64)READ(file, file, f_path.dentry);
	s->opened_mnt = (u64)READ(file, file, f_path.mnt);
}

static __always_inline bool lies_left_out(u64 dentry)
{
	return filesystems_chosen && on_left_out((u64)BPF_CORE_READ((struct dentry *)dentry, d_inode));
}

static __always_inline void see_file(struct laf_found_name *n, u64 dentry)
{
	if (!read_inode(dentry, &n->wire))
		return;
	n->generation = READ(inode, READ(dentry, dentry, d_inode), i_generation);
	n->dentry = dentry;
}

/* A name of which a filesystem rule leaves the text alone: no rule can match it. */
static __always_inline void leave_out(struct laf_found_name *n)
{
	if (!n)
		return;
	n->wire.nametype = LAF_NAME_UNKNOWN;
	n->wire.flags |= LAF_NAME_UNSOUGHT;
}

/* The file that an open led to: NORMAL or CREATE, and with O_CREAT the folder as PARENT before it. */
VERIFIED_ALONE int find_opened(struct laf_scratch *s, struct laf_context *c, u32 fd, u64 open_flags)
{
	struct file *file = (struct file *)file_of(fd);
	struct laf_found_name *n;
	u64 dentry, parent;
	bool created;
	u32 source;

	if (!s || !c)
		return 0;
	source = shape_of(c->abi, c->nr)->name[0] == LAF_ARG_NONE ? NAME_EMPTY : NAME_GIVEN_0;
	if (!file)
		goto unseen;
	created = READ(file, file, f_mode) & FMODE_CREATED;
	dentry = number_of(c, READ(file, file, f_path.dentry));
	parent = number_of(c, READ(dentry, dentry, d_parent));
	if ((open_flags & O_CREAT) && (created || creat_parent) && !lies_left_out(parent)) {
		n = add_name(s, NAME_GIVEN_0, LAF_NAME_PARENT);
		if (n) {
			n->wire.flags = LAF_NAME_FOLDER;
			see_file(n, parent);
		}
	}
	if (lies_left_out(dentry)) {
		if (!s->n_names)
			leave_out(add_name(s, source, LAF_NAME_UNKNOWN));
		return 0;
	}
	n = add_name(s, source, created ? LAF_NAME_CREATE : LAF_NAME_NORMAL);
	if (n)
		see_file(n, dentry);
	note_file(s, file);
	return 0;
unseen:
	add_name(s, source, LAF_NAME_UNKNOWN);
	s->unseen = 1;
	return 0;
}

struct laf_find_loader {
	u64 file;
};

static long found_vma(struct task_struct *task, struct vm_area_struct *vma, struct laf_find_loader *found)
{
	found->file = (u64)vma->vm_file;
	return 0;
}

#define AT_BASE 7      /* where the loader was mapped */
#define AUXV_SCANNED 24

/* The address the loader was mapped at, from the new program's auxiliary vector; 0 = none. */
static __always_inline u64 loader_base(struct task_struct *task)
{
	u64 auxv = (u64)loose(task)->mm + bpf_core_field_offset(struct mm_struct, saved_auxv);
	bool narrow = current_abi(task);
	u32 i;

	for (i = 0; i < AUXV_SCANNED; i++) {
		u64 pair[2] = {};
		u32 narrow_pair[2] = {};

		if (narrow) {
			bpf_probe_read_kernel(narrow_pair, sizeof(narrow_pair), (void *)(auxv + i * 8));
			pair[0] = narrow_pair[0];
			pair[1] = narrow_pair[1];
		} else {
			bpf_probe_read_kernel(pair, sizeof(pair), (void *)(auxv + i * 16));
		}
		if (!pair[0])
			return 0;
		if (pair[0] == AT_BASE)
			return pair[1];
	}
	return 0;
}

static __always_inline void find_loader(struct laf_scratch *s, struct task_struct *task)
{
	struct laf_find_loader found = {};
	struct laf_found_name *n;
	u64 base = loader_base(task);
	struct file *file;

	if (!base || bpf_find_vma(task, base, found_vma, &found, 0) || !found.file)
		return;
	file = (struct file *)found.file;
	s->loader_dentry = (u64)BPF_CORE_READ(file, f_path.dentry);
	s->loader_mnt = (u64)BPF_CORE_READ(file, f_path.mnt);
	n = add_name(s, NAME_FILE, LAF_NAME_NORMAL);
	if (!n)
		return;
	n->wire.flags = LAF_NAME_COMPONENTS;
	if (lies_left_out(s->loader_dentry))
		leave_out(n);
	else
		see_file(n, s->loader_dentry);
}

/* A new program: its file; where it is a script, the script (whose inode nobody saw) and its interpreter; the loader. */
VERIFIED_ALONE int find_exec(struct laf_scratch *s, struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_found_name *n;
	struct file *exe;

	if (!s || !c)
		return 0;
	n = add_name(s, NAME_GIVEN_0, c->interp_len ? LAF_NAME_UNKNOWN : LAF_NAME_NORMAL);
	if (c->interp_len) {
		s->unseen = 1;
		n = add_name(s, NAME_INTERP, LAF_NAME_NORMAL);
	}
	if (!loose(task)->mm)
		return 0;
	exe = BPF_CORE_READ(task, mm, exe_file);
	if (n && exe && is_left_out(BPF_CORE_READ(exe, f_inode))) {
		leave_out(n);
	} else if (n && exe) {
		note_file(s, exe);
		see_file(n, s->opened_dentry);
	}
	find_loader(s, task);
	return 0;
}

/* Did the call fail before any name was taken? */
VERIFIED_ALONE int is_early(struct laf_context *c, s64 ret)
{
	const volatile struct laf_call_shape *shape;
	u64 bad;
	u32 i;

	if (!c || ret >= 0)
		return false;
	shape = shape_of(c->abi, c->nr);
	bad = arg_of(c, shape->bad_arg);
	if (ret == -ENOSYS)
		return true;
	if (ret == -EINVAL && bad & shape->bad_bits)
		return true;
	if (shape->bad_zero && !bad && (ret == -EINVAL || ret == -EFAULT))
		return true;
	for (i = 0; i < 4; i++)
		if (shape->early[i] && ret == -(s64)shape->early[i])
			return true;
	return false;
}

/* Some names are taken only by some commands of a call. */
static __always_inline bool is_wanted(struct laf_context *c, const volatile struct laf_call_shape *shape, u32 i)
{
	u64 value = arg_of(c, shape->when_arg);

	if (shape->when_arg == LAF_ARG_NONE || i != shape->when_name)
		return true;
	if (shape->when_number)
		return value < 64 && shape->when_bits >> (value & 63) & 1;
	return value & shape->when_bits;
}

/* Was this name taken by the kernel? An empty one is refused unless the flags say; two at one address are one. */
static __always_inline bool name_counts(struct laf_context *c, const volatile struct laf_call_shape *shape, u32 i)
{
	if (!c->name[i].taken || !is_wanted(c, shape, i))
		return false;
	if (i && arg_of(c, shape->name[0]) == arg_of(c, shape->name[1]))
		return false;
	if (c->name[i].len || shape->empty_flag == 0xffff)
		return true;
	return arg_of(c, shape->flags_arg) & shape->empty_flag;
}

static __always_inline u64 open_flags_of(struct laf_context *c, const volatile struct laf_call_shape *shape)
{
	u32 arg = shape->open_flags;

	if (arg > 5)
		return shape->flags & LAF_SHAPE_PARENT ? O_CREAT : 0; /* creat(), and opening without flags */
	return shape->kind == LAF_KIND_OPENAT2 ? c->inner[0] : arg_of(c, arg);
}

/* Errors after which no inode at all was found for the name, so that no rule can match it; where a call looks at the folder
 * first, or at more files than one, it may have been. */
static __always_inline bool is_unsought(const volatile struct laf_call_shape *shape, s64 ret)
{
	if (ret >= 0 || shape->flags & LAF_SHAPE_PARENT || shape->kind == LAF_KIND_EXEC)
		return false;
	if (ret == -ENOENT || ret == -EBADF || ret == -ENAMETOOLONG)
		return true;
	return (ret == -ENOTDIR || ret == -ELOOP) && shape->kind == LAF_KIND_PLAIN;
}

/* The names of a call that has none resolved, as they were given. */
VERIFIED_ALONE int find_given(struct laf_scratch *s, struct laf_context *c)
{
	const volatile struct laf_call_shape *shape;
	struct laf_found_name *n;
	bool unsought;
	u32 i;

	if (!s || !c)
		return 0;
	shape = shape_of(c->abi, c->nr);
	unsought = is_unsought(shape, s->ev.exit);
	for (i = 0; i < 2; i++) {
		if (!name_counts(c, shape, i))
			continue;
		n = add_name(s, i, LAF_NAME_UNKNOWN);
		if (n && shape->dfd[i] < 6)
			n->base_dfd = 1 + shape->dfd[i];
		if (n && (unsought || shape->name[i] == shape->text_arg))
			n->wire.flags = LAF_NAME_UNSOUGHT;
		else
			s->unseen = 1;
	}
	return 0;
}

/* The path in an address of AF_UNIX is looked up as a name. */
static __always_inline void find_socket(struct laf_scratch *s, struct laf_context *c)
{
	if (c->saddr_kind != LAF_SADDR_IN && c->saddr_kind != LAF_SADDR_IN_MSG)
		return;
	if (c->saddr_len < 3 || *(u16 *)c->saddr != AF_UNIX || !c->saddr[2])
		return;
	if (add_name(s, NAME_SOCKET, LAF_NAME_UNKNOWN))
		s->unseen = 1;
}

/* The file of a descriptor that a call works on. */
static __always_inline void find_fd_file(struct laf_scratch *s, struct laf_context *c,
					 const volatile struct laf_call_shape *shape)
{
	struct laf_found_name *n;
	struct file *file;

	if (!c->fd_ok)
		return;
	n = add_name(s, NAME_NONE, LAF_NAME_NORMAL);
	if (!n)
		return;
	n->wire = c->fd_file;
	file = (struct file *)file_of(arg_of(c, shape->fd));
	if (!file)
		return;
	note_file(s, file);
	n->generation = BPF_CORE_READ(file, f_inode, i_generation);
	n->dentry = n->leaf = s->opened_dentry;
	n->mnt = s->opened_mnt;
}

/* A page that was not there at the start is there now, unless the call failed for it. */
static __always_inline void take_names_late(struct laf_context *c, const volatile struct laf_call_shape *shape)
{
	u32 i;

	for (i = 0; i < 2; i++)
		if (!c->name[i].taken && arg_of(c, shape->name[i]))
			take_name(c, i, arg_of(c, shape->name[i]));
}

/* A name as the hooks saw it. */
VERIFIED_ALONE int take_seen(struct laf_scratch *s, struct laf_context *c, u32 i, u32 early)
{
	const struct laf_found_name *seen;
	struct laf_found_name *n;
	u32 at;

	if (!s || !c)
		return 0;
	seen = seen_at(c, i);
	if (seen->sight == NAME_RESERVED && (early || !name_counts(c, shape_of(c->abi, c->nr), i & 1)))
		return 0;
	at = s->n_names;
	if (at >= NAMES_MAX)
		return 0;
	n = name_at(s, at);
	*n = *seen;
	s->n_names = at + 1;
	if (!(n->wire.flags & LAF_NAME_INODE) && !c->seen.unseen)
		n->wire.flags |= LAF_NAME_UNSOUGHT;
	return 0;
}

VERIFIED_ALONE int find_seen(struct laf_scratch *s, struct laf_context *c, u32 early)
{
	u32 i;

	if (!s || !c)
		return 0;
	if (c->seen.cut)
		s->ev.flags |= LAF_EV_DETAIL;
	s->unseen |= c->seen.unseen;
	for (i = 0; i < NAMES_MAX && i < c->seen.n; i++)
		take_seen(s, c, i, early);
	return 0;
}

/* Most calls take no names, and nothing was looked up for them. */
static __always_inline bool has_no_names(const struct laf_context *c)
{
	const volatile struct laf_call_shape *shape = shape_of(c->abi, c->nr);

	return !c->seen.n && shape->kind == LAF_KIND_PLAIN && shape->name[0] == LAF_ARG_NONE && shape->name[1] == LAF_ARG_NONE &&
	       shape->fd == LAF_ARG_NONE && !shape->saddr_kind && !shape->special;
}

/* Or one, which the hooks saw, and nothing besides: it need not be collected. */
static __always_inline bool has_one_name(const struct laf_context *c)
{
	return c->seen.hooked && c->seen.n == 1 && c->seen.name[0].sight == NAME_SEEN &&
	       c->seen.name[0].wire.flags & LAF_NAME_INODE && !c->seen.cut && !(shape_of(c->abi, c->nr)->flags & LAF_SHAPE_MORE);
}

/* Collect the names of the call into the scratch; once an event. */
VERIFIED_ALONE int find_names(struct laf_scratch *s, struct laf_context *c)
{
	const volatile struct laf_call_shape *shape;
	bool early;
	s64 ret;

	if (!s || !c || s->found)
		return 0;
	s->found = 1;
	ret = s->ev.exit;
	shape = shape_of(c->abi, c->nr);
	early = ret < 0 && is_early(c, ret);
	if (early && !c->seen.hooked && !(fd_first && c->fd_ok))
		return 0;
	if (shape->kind == LAF_KIND_EXEC && ret == 0 && !c->seen.hooked)
		return find_exec(s, c);
	if (ret != -EFAULT)
		take_names_late(c, shape);
	if (ret != -EFAULT && has_inner(shape->special) && !c->n_inner)
		take_inner(c, shape->special);
	if (!early || fd_first)
		find_fd_file(s, c, shape);
	if (c->seen.hooked && (c->seen.n || shape->kind != LAF_KIND_OPEN))
		return find_seen(s, c, early);
	find_socket(s, c);
	if ((shape->kind == LAF_KIND_OPEN || shape->kind == LAF_KIND_OPENAT2) && ret >= 0)
		find_opened(s, c, ret, open_flags_of(c, shape));
	else
		find_given(s, c);
	return 0;
}

#endif
