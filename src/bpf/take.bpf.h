/* SPDX-License-Identifier: GPL-2.0-or-later */
/* At a call's start: what is taken from the caller before it can change it. */
#ifndef LAF_TAKE_BPF_H
#define LAF_TAKE_BPF_H

#include "path.bpf.h"

static __always_inline struct laf_long *long_of_task(void)
{
	return bpf_task_storage_get(&longs, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* getname() takes at most PATH_MAX bytes with the NUL; a longer name is ENAMETOOLONG and no name at all. */
VERIFIED_ALONE int take_long_name(struct laf_context *c, u32 i, u64 ptr)
{
	struct laf_long *l = long_of_task();
	u8 last = 1;
	long n;

	if (!l || !c)
		return -1;
	i &= 1;
	n = bpf_probe_read_user_str(l->text[i], PATH_MAX, (void *)ptr);
	if (n <= 0)
		return -1;
	if (n == PATH_MAX && (bpf_probe_read_user(&last, 1, (void *)(ptr + PATH_MAX - 1)) || last))
		return -1;
	c->name[i].len = n - 1;
	c->name[i].apart = 1;
	c->name[i].taken = 1;
	return 0;
}

VERIFIED_ALONE int take_name(struct laf_context *c, u32 i, u64 ptr)
{
	long n;

	if (!c)
		return -1;
	i &= 1;
	n = bpf_probe_read_user_str(c->text[i], NAME_MAX_HERE, (void *)ptr);
	if (n <= 0)
		return -1;
	if (n == NAME_MAX_HERE)
		return take_long_name(c, i, ptr);
	c->name[i].len = n - 1;
	c->name[i].apart = 0;
	c->name[i].taken = 1;
	return 0;
}

/* Names that are given, and not empty where an empty one is refused. */
static __always_inline void take_names(struct laf_context *c, const volatile struct laf_call_shape *shape)
{
	u32 i;

	c->name[0].taken = c->name[1].taken = 0;
	for (i = 0; i < 2; i++) {
		u64 ptr = arg_of(c, shape->name[i]);

		if (ptr)
			take_name(c, i, ptr);
	}
}

/* struct msghdr begins with the address and its length, in either ABI. */
static __always_inline void read_msghdr(u32 abi, u64 msg, u64 *ret_ptr, u32 *ret_len)
{
	struct { u64 ptr; u32 len; u32 zero; } wide = {};
	struct { u32 ptr; u32 len; } narrow = {};

	if (abi) {
		bpf_probe_read_user(&narrow, sizeof(narrow), (void *)msg);
		*ret_ptr = narrow.ptr;
		*ret_len = narrow.len;
	} else {
		bpf_probe_read_user(&wide, sizeof(wide), (void *)msg);
		*ret_ptr = wide.ptr;
		*ret_len = wide.len;
	}
}

static __always_inline void take_saddr_in(struct laf_context *c, u64 ptr, u32 len)
{
	if (!ptr || !len || len > SADDR_MAX)
		return;
	asm volatile("" : "+r"(len));
	if (len > SADDR_MAX)
		return;
	if (!bpf_probe_read_user(c->saddr, len, (void *)ptr))
		c->saddr_len = len;
	else
		c->saddr_ptr = ptr, c->saddr_room = len; /* again at the end */
}

VERIFIED_ALONE int take_saddr(struct laf_context *c, u32 kind, u32 arg)
{
	u64 ptr = 0;
	u32 len = 0;

	if (!c)
		return 0;
	c->saddr_len = c->saddr_room = 0;
	c->saddr_ptr = 0;
	if (kind == LAF_SADDR_NONE || arg > 4)
		return 0;
	switch (kind) {
	case LAF_SADDR_IN:
		take_saddr_in(c, arg_of(c, arg), arg_of(c, arg + 1));
		break;
	case LAF_SADDR_IN_MSG: /* a length over the limit is cut, a negative one refused (net/socket.c) */
		read_msghdr(c->abi, arg_of(c, arg), &ptr, &len);
		take_saddr_in(c, ptr, (s32)len > (s32)SADDR_MAX ? SADDR_MAX : len);
		break;
	case LAF_SADDR_OUT:
		c->saddr_ptr = arg_of(c, arg);
		bpf_probe_read_user(&c->saddr_room, sizeof(u32), (void *)arg_of(c, arg + 1));
		break;
	case LAF_SADDR_OUT_MSG:
		read_msghdr(c->abi, arg_of(c, arg), &c->saddr_ptr, &c->saddr_room);
		break;
	}
	return 0;
}

VERIFIED_ALONE int take_cwd(struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_long *l = long_of_task();
	u32 flags = 0;

	if (!c || !l || !task->fs)
		return 0;
	l->cwd_bytes = walk_path((u64)BPF_CORE_READ(task, fs, pwd.dentry), (u64)BPF_CORE_READ(task, fs, pwd.mnt),
				 &l->cwd, &flags);
	l->cwd_flags = flags;
	c->cwd_taken = 1;
	return 0;
}

static __always_inline void take_fd_file(struct laf_context *c, u32 arg)
{
	u64 file;

	__builtin_memset(&c->fd_file, 0, sizeof(c->fd_file));
	c->fd_ok = 0;
	if (arg > 5)
		return;
	file = file_of(arg_of(c, arg));
	if (!file || BPF_CORE_READ((struct file *)file, f_mode) & FMODE_PATH)
		return;
	c->fd_ok = read_inode((u64)BPF_CORE_READ((struct file *)file, f_path.dentry), &c->fd_file);
	c->fd_file.flags |= LAF_NAME_NULL;
	c->fd_file.nametype = LAF_NAME_NORMAL;
}

static __always_inline void take_args(struct laf_context *c, struct pt_regs *regs, u32 abi)
{
	if (abi) {
		c->args[0] = (u32)regs->bx;
		c->args[1] = (u32)regs->cx;
		c->args[2] = (u32)regs->dx;
		c->args[3] = (u32)regs->si;
		c->args[4] = (u32)regs->di;
		c->args[5] = (u32)regs->bp;
	} else {
		c->args[0] = regs->di;
		c->args[1] = regs->si;
		c->args[2] = regs->dx;
		c->args[3] = regs->r10;
		c->args[4] = regs->r8;
		c->args[5] = regs->r9;
	}
}

/* Fill the context for a call that starts. */
static __always_inline void take_call(struct laf_context *c, struct pt_regs *regs, u32 abi, u32 nr)
{
	const volatile struct laf_call_shape *shape = shape_of(abi, nr);

	c->entry_ns = bpf_ktime_get_ns();
	c->nr = nr;
	c->abi = abi;
	c->interp_len = 0;
	take_args(c, regs, abi);
	take_names(c, shape);
	take_saddr(c, shape->saddr_kind, shape->saddr);
	take_fd_file(c, shape->fd);
	c->cwd_taken = 0;
	if (shape->kind == LAF_KIND_CHDIR)
		take_cwd(c);
	c->active = 1;
}

#endif
