/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call begins, a call ends: what every engine does then. */
#ifndef LAF_CALL_BPF_H
#define LAF_CALL_BPF_H

#include "emit.bpf.h"
#include "misses.bpf.h"

static __always_inline struct laf_context *context_of(struct task_struct *task, u64 flags)
{
	return bpf_task_storage_get(&contexts, task, 0, flags);
}

static __always_inline struct laf_scratch *scratch_here(void)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct laf_scratch *s = bpf_map_lookup_elem(&scratches, &cpu);

	if (s)
		s->cpu = cpu;
	return s;
}

/* Restart codes never reach the caller: the kernel's audit logs them as -EINTR. */
static __always_inline s64 return_code(s64 ret)
{
	if (ret <= -ERESTARTSYS && ret >= -ERESTART_RESTARTBLOCK && ret != -ENOIOCTLCMD)
		return -EINTR;
	return ret;
}

/* As in the rows of the calls that it makes: a bad descriptor is found before the address is taken; connect() takes it
 * before it sees that the file is no socket. */
static __always_inline bool is_early_socketcall(struct laf_context *c, const volatile struct laf_call_shape *shape,
						s64 ret)
{
	return shape->special == LAF_SPECIAL_SOCKETCALL && (ret == -EBADF || (ret == -ENOTSOCK && c->args[0] != 3));
}

/* An address that the call copied out, or that was not in memory at its start. */
static __always_inline void take_saddr_late(struct laf_context *c, s64 ret)
{
	u32 kind = c->saddr_kind, arg = c->saddr_arg, len = 0;
	const volatile struct laf_call_shape *shape;
	u64 ptr;

	if (kind == LAF_SADDR_NONE)
		return;
	shape = shape_of(c->abi, c->nr);
	if (kind == LAF_SADDR_IN || kind == LAF_SADDR_IN_MSG) {
		if (is_early(c, ret) || is_early_socketcall(c, shape, ret))
			c->saddr_len = 0;
		if (!c->saddr_room || ret == -EFAULT)
			return;
		len = c->saddr_room;
	} else {
		if (ret < 0 || !c->saddr_ptr || (kind == LAF_SADDR_OUT && !c->saddr_room))
			return;
		if (kind == LAF_SADDR_OUT)
			bpf_probe_read_user(&len, sizeof(len), (void *)saddr_arg_of(c, arg + 1));
		else
			read_msghdr(c->abi, saddr_arg_of(c, arg), &ptr, &len);
	}
	asm volatile("" : "+r"(len));
	if (!len || len > SADDR_MAX)
		return;
	if (!bpf_probe_read_user(c->saddr, len, (void *)c->saddr_ptr))
		c->saddr_len = len;
}

/* A call has ended, or will not: decide it, and send what is wanted. */
static __always_inline int finish(struct laf_context *c, s64 ret, u32 no_return)
{
	struct laf_scratch *s = scratch_here();
	u32 verdict;

	if (!s || !c)
		return 0;
	s->used = s->n_names = s->unseen = s->found = 0;
	s->opened_dentry = 0;
	s->ev.flags = no_return ? LAF_EV_NO_RETURN : 0;
	s->ev.exit = return_code(ret);
	if (hooks_skippable && c->seen.hooked && hook_was_skipped(c)) { /* what they saw may be half of it: do without */
		c->seen.hooked = 0;
		s->ev.flags |= LAF_EV_DETAIL;
	}
	take_saddr_late(c, s->ev.exit);
	verdict = decide(s, c, no_return);
	if (verdict == VERDICT_NO)
		return 0;
	if (has_one_name(c) && !s->found)
		s->n_names = 1;
	else if (!has_no_names(c))
		find_names(s, c);
	return emit(s, c, verdict);
}

/* A call of this task begins; the caller has seen that its number is audited in some ABI. Returns its context, or NULL where it is
 * not to be recorded. */
static __always_inline struct laf_context *call_begins(struct pt_regs *regs, u32 abi, u32 nr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_context *c;

	if (!call_is_audited(abi, nr) || (u32)task->tgid == self_tgid || is_exempt(task))
		return NULL;
	c = context_of(task, scoped ? 0 : BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!c) {
		if (!scoped)
			count_loss(LAF_LOSS_NO_CONTEXT);
		return NULL;
	}
	if (scoped && !c->scoped)
		return NULL;
	/* Its last call's end was not seen: the kernel skips the programs there if another was attached to the function meanwhile. Where it skips
	 * programs for other reasons, it counts them. */
	if (c->active && !hooks_skippable && c->policy == generation)
		count_loss(LAF_LOSS_MISSED);
	watch_misses(c);
	take_call(c, regs, abi, nr);
	return c;
}

/* exit() does not come back: its start is its end. */
static __always_inline int end_if_exit(struct laf_context *c)
{
	const volatile struct laf_call_shape *shape;

	if (!c)
		return 0;
	shape = shape_of(c->abi, c->nr);
	if (shape->flags & LAF_SHAPE_MORE && shape->kind == LAF_KIND_EXIT) {
		c->active = 0;
		finish(c, 0, 1);
	}
	return 0;
}

#endif
