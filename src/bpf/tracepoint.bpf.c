// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracepoint engine's programs: every call's start and end, new tasks, new programs. */
#include "emit.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline struct laf_context *context_of(struct task_struct *task, u64 flags)
{
	return bpf_task_storage_get(&contexts, task, 0, flags);
}

static __always_inline struct laf_scratch *scratch_here(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&scratches, &cpu);
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
	const volatile struct laf_call_shape *shape = shape_of(c->abi, c->nr);
	u32 kind = c->saddr_kind, arg = c->saddr_arg, len = 0;
	u64 ptr;

	if (kind == LAF_SADDR_NONE)
		return;
	if (kind == LAF_SADDR_IN || kind == LAF_SADDR_IN_MSG) {
		if (is_early(c, shape, ret) || is_early_socketcall(c, shape, ret))
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
	take_saddr_late(c, s->ev.exit);
	verdict = decide(s, c, no_return);
	if (verdict == VERDICT_NO)
		return 0;
	find_names(s, c);
	return emit(s, c, verdict);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(laf_sys_enter, struct pt_regs *regs, long id)
{
	struct task_struct *task;
	struct laf_context *c;
	u32 nr = id, abi;

	if (nr >= LAF_ABI_CALLS || !bit_is_set(audited_any, nr))
		return 0;
	task = bpf_get_current_task_btf();
	abi = current_abi(task);
	if (!call_is_audited(abi, nr) || (u32)task->tgid == self_tgid)
		return 0;
	c = context_of(task, scoped ? 0 : BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!c) {
		if (!scoped)
			count_loss(abi, nr, LAF_LOSS_NO_CONTEXT);
		return 0;
	}
	if (scoped && !c->scoped)
		return 0;
	take_call(c, regs, abi, nr);
	if (shape_of(abi, nr)->kind == LAF_KIND_EXIT) {
		c->active = 0;
		finish(c, 0, 1);
	}
	return 0;
}

/* sys_enter is not attached where no audited call needs it: take at the end what is still there. */
static __always_inline struct laf_context *context_at_exit(struct pt_regs *regs, u32 nr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 abi = current_abi(task);
	struct laf_context *c;

	if (entry_hooked || nr >= LAF_ABI_CALLS)
		return NULL;
	if (!call_is_audited(abi, nr) || (u32)task->tgid == self_tgid)
		return NULL;
	c = context_of(task, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!c) {
		count_loss(abi, nr, LAF_LOSS_NO_CONTEXT);
		return NULL;
	}
	take_call(c, regs, abi, nr);
	return c;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(laf_sys_exit, struct pt_regs *regs, long ret)
{
	struct laf_context *c;
	u32 nr = regs->orig_ax;

	/* a number out of range is what sigreturn leaves behind */
	if (nr < LAF_ABI_CALLS && !bit_is_set(audited_any, nr))
		return 0;
	c = context_of(bpf_get_current_task_btf(), 0);
	if (!c || !c->active) {
		c = scoped ? NULL : context_at_exit(regs, nr);
		if (!c)
			return 0;
	}
	c->active = 0;
	return finish(c, ret, 0);
}

/* What an audited command starts belongs to it. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(laf_fork, struct task_struct *parent, struct task_struct *child)
{
	struct laf_context *c = context_of(parent, 0), *mine;

	if (!c || !c->scoped)
		return 0;
	mine = context_of(child, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (mine) {
		mine->scoped = 1;
		__sync_fetch_and_add(&scope_started, 1);
	} else {
		__sync_fetch_and_add(&orphans, 1);
	}
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(laf_task_exit, struct task_struct *task)
{
	struct laf_context *c = context_of(bpf_get_current_task_btf(), 0);

	if (c && c->scoped)
		__sync_fetch_and_add(&scope_ended, 1);
	return 0;
}

/* The caller's page was not there at the start, and is gone for good. execveat() has "/dev/fd/N", and after a slash the
 * name, in place of the name. */
static __always_inline void take_exec_name(struct laf_context *c, struct linux_binprm *bprm)
{
	const char *name = bprm->filename;
	u32 at = sizeof("/dev/fd/") - 1, i;
	long n;

	n = bpf_probe_read_kernel_str(c->text[0], NAME_MAX_HERE, name);
	if (n > 0 && bprm->fdpath) {
		for (i = 0; i < 10 && c->text[0][at] >= '0' && c->text[0][at] <= '9'; i++)
			at++;
		if (c->text[0][at] == '/')
			at++;
		n = bpf_probe_read_kernel_str(c->text[0], NAME_MAX_HERE, name + at);
	}
	if (n <= 0 || n >= NAME_MAX_HERE)
		return;
	c->name[0].len = n - 1;
	c->name[0].apart = 0;
	c->name[0].taken = 1;
}

/* The new program's interpreter, known only now; arguments are counted before any of them can be changed. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(laf_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct laf_context *c = context_of(bpf_get_current_task_btf(), 0);
	long n;

	if (!c || !c->active)
		return 0;
	c->argc = bprm->argc;
	c->interp_len = 0;
	if (!c->name[0].taken)
		take_exec_name(c, bprm);
	if (bprm->interp == bprm->filename)
		return 0;
	n = bpf_probe_read_kernel_str(c->interp, INTERP_MAX, bprm->interp);
	if (n > 1)
		c->interp_len = n - 1;
	return 0;
}
