/* SPDX-License-Identifier: GPL-2.0-or-later */
/* At a call's start: what is taken from the caller before it can change it. */
#ifndef LAF_TAKE_BPF_H
#define LAF_TAKE_BPF_H

#include "fcaps.bpf.h"
#include "path.bpf.h"

static __always_inline struct laf_long *long_of_task(void)
{
	return bpf_task_storage_get(&longs, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* Is the text of a name in struct laf_long? */
static __always_inline bool lies_apart(const struct laf_context *c, u32 source)
{
	return source >= TEXTS_HERE || (source <= NAME_GIVEN_1 && c->name[source & 1].apart);
}

/* Where it is there. */
static __always_inline char *text_apart(struct laf_long *l, u32 source)
{
	u32 more = source - TEXTS_HERE;

	asm volatile("" : "+r"(more));
	return more < TEXTS - TEXTS_HERE ? l->text_more[more] : l->text[source & 1];
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
	if (n < 0)
		return -1;
	if (n == NAME_MAX_HERE)
		return take_long_name(c, i, ptr);
	c->name[i].len = n ? n - 1 : 0; /* before 6.13 an empty text counts 0 bytes, later its NUL */
	c->name[i].apart = 0;
	c->name[i].taken = 1;
	return 0;
}

/* Of an open the hooks see the kernel's own copy of the name; one that never came so far is taken at the end. */
static __always_inline bool is_copied_by_hooks(const volatile struct laf_call_shape *shape)
{
	return names_hooked && (shape->kind == LAF_KIND_OPEN || shape->kind == LAF_KIND_OPENAT2);
}

/* Names that are given, and not empty where an empty one is refused. */
static __always_inline void take_names(struct laf_context *c, const volatile struct laf_call_shape *shape)
{
	u32 i;

	c->name[0].taken = c->name[1].taken = 0;
	if (is_copied_by_hooks(shape))
		return;
	for (i = 0; i < 2; i++) {
		u64 ptr = arg_of(c, shape->name[i]);

		if (ptr)
			take_name(c, i, ptr);
	}
}

/* Does the call take each of two names just before it looks it up? */
static __always_inline bool takes_in_turn(const volatile struct laf_call_shape *shape)
{
	if (shape->flags & LAF_SHAPE_LATE)
		return true;
	return shape->kind == LAF_KIND_PLAIN && !(shape->flags & LAF_SHAPE_PARENT) && shape->name[1] != LAF_ARG_NONE;
}

/* The names that the call was given come first, whenever they are looked up. */
static __always_inline void reserve_names(struct laf_context *c, const volatile struct laf_call_shape *shape)
{
	u32 i;

	c->seen.cut = c->seen.clear = c->seen.unseen = 0;
	c->seen.hooked = names_hooked;
	c->seen.n = c->seen.n_texts = 0;
	c->seen.tried = c->seen.made_in = c->seen.mnt = 0;
	c->seen.wanted = c->seen.refused = 0;
	if (!c->seen.hooked || takes_in_turn(shape))
		return;
	for (i = 0; i < 2; i++) {
		if (shape->name[i] == LAF_ARG_NONE || (i && arg_of(c, shape->name[0]) == arg_of(c, shape->name[1])))
			break;
		__builtin_memset(&c->seen.name[i], 0, sizeof(c->seen.name[i]));
		c->seen.name[i].source = i;
		c->seen.n = i + 1;
	}
}

/* How many arguments a socketcall has: the table nargs[] of net/socket.c, four bits each, call 0 lowest. */
static __always_inline u32 socket_nargs(u64 call)
{
	if (call > 20)
		return 0;
	return (call < 16 ? 0x5526644433323330ull : 0x45433ull) >> (call & 15) * 4 & 15;
}

/* Arguments that lie in the caller's memory, as wide as its ABI has them. */
VERIFIED_ALONE int take_inner(struct laf_context *c, u32 special)
{
	u32 narrow[8] = {}, i, n = 6;
	u64 from;

	if (!c)
		return 0;
	c->n_inner = 0;
	if (special == LAF_SPECIAL_OPENAT2) {
		if (!bpf_probe_read_user(c->inner, 24, (void *)c->args[2])) /* flags, mode, resolve */
			c->n_inner = 3;
		return 0;
	}
	from = c->args[0];
	if (special == LAF_SPECIAL_SOCKETCALL) {
		n = socket_nargs(c->args[0]);
		from = c->args[1];
	}
	if (!n || bpf_probe_read_user(narrow, n * sizeof(u32) & 31, (void *)from))
		return 0;
	for (i = 0; i < 6; i++)
		c->inner[i] = narrow[i];
	c->n_inner = n;
	return 0;
}

static __always_inline bool has_inner(u32 special)
{
	return special == LAF_SPECIAL_OPENAT2 || special == LAF_SPECIAL_SOCKETCALL || special == LAF_SPECIAL_OLD_MMAP;
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

/* Where a call has its address: by its shape, or by the call that a socketcall makes (linux/net.h, SYS_…). */
static __always_inline void find_saddr(struct laf_context *c, const volatile struct laf_call_shape *shape)
{
	c->saddr_kind = shape->saddr_kind;
	c->saddr_arg = shape->saddr;
	if (shape->special != LAF_SPECIAL_SOCKETCALL || !c->n_inner)
		return;
	c->saddr_arg = 1;
	switch (c->args[0]) {
	case 2: case 3: /* bind, connect */
		c->saddr_kind = LAF_SADDR_IN;
		break;
	case 5: case 6: case 7: case 18: /* accept, getsockname, getpeername, accept4 */
		c->saddr_kind = LAF_SADDR_OUT;
		break;
	case 11: /* sendto */
		c->saddr_kind = LAF_SADDR_IN;
		c->saddr_arg = 4;
		break;
	case 12: /* recvfrom */
		c->saddr_kind = LAF_SADDR_OUT;
		c->saddr_arg = 4;
		break;
	case 16: case 20: /* sendmsg, sendmmsg */
		c->saddr_kind = LAF_SADDR_IN_MSG;
		break;
	case 17: case 19: /* recvmsg, recvmmsg */
		c->saddr_kind = LAF_SADDR_OUT_MSG;
		break;
	}
}

/* Argument `i` of a call with an address. */
static __always_inline u64 saddr_arg_of(const struct laf_context *c, u32 i)
{
	return shape_of(c->abi, c->nr)->special == LAF_SPECIAL_SOCKETCALL ? c->inner[i & 7] : c->args[i & 7];
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

VERIFIED_ALONE int take_saddr(struct laf_context *c)
{
	u64 ptr = 0, first, second;
	u32 len = 0;

	if (!c)
		return 0;
	c->saddr_ptr = 0;
	find_saddr(c, shape_of(c->abi, c->nr));
	first = saddr_arg_of(c, c->saddr_arg);
	second = saddr_arg_of(c, c->saddr_arg + 1);
	switch (c->saddr_kind) {
	case LAF_SADDR_IN:
		take_saddr_in(c, first, second);
		break;
	case LAF_SADDR_IN_MSG: /* a length over the limit is cut, a negative one refused (net/socket.c) */
		read_msghdr(c->abi, first, &ptr, &len);
		take_saddr_in(c, ptr, (s32)len > (s32)SADDR_MAX ? SADDR_MAX : len);
		break;
	case LAF_SADDR_OUT:
		c->saddr_ptr = first;
		bpf_probe_read_user(&c->saddr_room, sizeof(u32), (void *)second);
		break;
	case LAF_SADDR_OUT_MSG:
		read_msghdr(c->abi, first, &c->saddr_ptr, &c->saddr_room);
		break;
	}
	return 0;
}

VERIFIED_ALONE int take_cwd(struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_long *l = long_of_task();
	u32 flags = 0;

	if (!c || !l || !loose(task)->fs)
		return 0;
	l->cwd_bytes = walk_path((u64)BPF_CORE_READ(task, fs, pwd.dentry), (u64)BPF_CORE_READ(task, fs, pwd.mnt),
				 &l->cwd, &flags, NULL);
	l->cwd_flags = flags;
	c->cwd_taken = 1;
	return 0;
}

static __always_inline void take_fd_file(struct laf_context *c, u32 arg)
{
	u64 file;

	if (arg > 5)
		return;
	__builtin_memset(&c->fd_file, 0, sizeof(c->fd_file));
	file = file_of(arg_of(c, arg));
	if (!file || BPF_CORE_READ((struct file *)file, f_mode) & FMODE_PATH)
		return;
	if (is_left_out(BPF_CORE_READ((struct file *)file, f_inode)))
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
	} else {
		c->args[0] = regs->di;
		c->args[1] = regs->si;
		c->args[2] = regs->dx;
		c->args[3] = regs->r10;
	}
}

static __always_inline void take_last_args(struct laf_context *c, struct pt_regs *regs, u32 abi)
{
	if (abi) {
		c->args[4] = (u32)regs->di;
		c->args[5] = (u32)regs->bp;
	} else {
		c->args[4] = regs->r8;
		c->args[5] = regs->r9;
	}
}

/* What few calls have. */
static __always_inline void take_more(struct laf_context *c, const volatile struct laf_call_shape *shape)
{
	if (has_inner(shape->special))
		take_inner(c, shape->special);
	if (shape->saddr_kind || shape->special == LAF_SPECIAL_SOCKETCALL)
		take_saddr(c);
	take_fd_file(c, shape->fd);
	if (shape->kind == LAF_KIND_CHDIR)
		take_cwd(c);
	if (shape->kind == LAF_KIND_EXEC)
		take_exec_caps(c);
}

/* Fill the context for a call that starts. */
static __always_inline void take_call(struct laf_context *c, struct pt_regs *regs, u32 abi, u32 nr)
{
	const volatile struct laf_call_shape *shape = shape_of(abi, nr);
	bool more = shape->flags & LAF_SHAPE_MORE;

	if (hooks_skippable)
		c->entry_ns = bpf_ktime_get_ns();
	c->entry_tick = bpf_jiffies64();
	c->left.is_there = 0;
	c->nr = nr;
	c->abi = abi;
	c->policy = generation;
	c->interp_len = 0;
	take_args(c, regs, abi);
	if (more)
		take_last_args(c, regs, abi);
	take_names(c, shape);
	reserve_names(c, shape);
	c->n_inner = 0;
	c->saddr_kind = c->saddr_len = c->saddr_room = 0;
	c->fd_ok = 0;
	c->cwd_taken = 0;
	if (more)
		take_more(c, shape);
	c->active = 1;
}

#endif
