// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs of the BPF engines; each loads those that it attaches. */
#include "hooks.bpf.h"
#include "tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* The tracepoint engine: every call's start and end. */

SEC("tp_btf/sys_enter")
int BPF_PROG(laf_sys_enter, struct pt_regs *regs, long id)
{
	u32 nr = id;

	if (nr >= LAF_ABI_CALLS || !bit_is_set(audited_any, nr))
		return 0;
	return end_if_exit(call_begins(regs, current_abi(bpf_get_current_task_btf()), nr));
}

/* sys_enter is not attached where no audited call needs it: take at the end what is still there. */
static __always_inline struct laf_context *context_at_exit(struct pt_regs *regs, u32 nr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 abi = current_abi(task);
	struct laf_context *c;

	if (entry_hooked || nr >= LAF_ABI_CALLS)
		return NULL;
	if (!call_is_audited(abi, nr) || (u32)task->tgid == self_tgid || is_exempt(task))
		return NULL;
	c = context_of(task, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!c) {
		count_loss(LAF_LOSS_NO_CONTEXT);
		return NULL;
	}
	take_call(c, regs, abi, nr);
	return c;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(laf_sys_exit, struct pt_regs *regs, long ret)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_context *c;
	u32 nr = regs->orig_ax;

	/* a number out of range is what sigreturn leaves behind */
	if (nr < LAF_ABI_CALLS &&
	    (!bit_is_set(audited_any, nr) || !bit_is_set(ending[current_abi(task)], nr)))
		return 0;
	c = context_of(task, 0);
	if (!c || !c->active) {
		c = scoped ? NULL : context_at_exit(regs, nr);
		if (!c)
			return 0;
	}
	c->active = 0;
	/* a call left open by a change of rules must not end in another's place */
	if (nr >= LAF_ABI_CALLS && shape_of(c->abi, c->nr)->kind != LAF_KIND_SIGRETURN)
		return 0;
	return finish(c, ret, 0);
}

/* The fexit engine: each audited call's own function has two stubs of a few instructions, which jump to one of the next five. They are
 * verified for one function and serve all with the same arguments: most have the registers for their only one, those without
 * arguments (__do_sys_getpid()) have something that is not used. */

__u64 narrow[LAF_ABI_CALLS / 64] = {}; /* 32-bit calls that are seen where all of them pass, not at their function */

static __always_inline struct laf_context *function_begins(struct pt_regs *regs)
{
	u32 nr = regs->orig_ax, abi = current_abi(bpf_get_current_task_btf());

	if (nr >= LAF_ABI_CALLS || (abi && bit_is_set(narrow, nr)))
		return NULL;
	return call_begins(regs, abi, nr);
}

static __always_inline int function_ends(s64 ret)
{
	struct laf_context *c = context_of(bpf_get_current_task_btf(), 0);

	if (!c || !c->active)
		return 0;
	c->active = 0;
	return finish(c, ret, 0);
}

SEC("fentry/__x64_sys_openat")
int BPF_PROG(laf_function_begins, struct pt_regs *regs)
{
	function_begins(regs);
	return 0;
}

/* Verifying what a call's end takes is most of the time that loading takes: only exit() has it at its start. */
SEC("fentry/__x64_sys_openat")
int BPF_PROG(laf_function_exits, struct pt_regs *regs)
{
	return end_if_exit(function_begins(regs));
}

SEC("fexit/__x64_sys_openat")
int BPF_PROG(laf_function_ends, struct pt_regs *regs, long ret)
{
	return function_ends(ret);
}

SEC("fentry/__do_sys_getpid")
int BPF_PROG(laf_bare_function_begins)
{
	function_begins((void *)bpf_task_pt_regs(bpf_get_current_task_btf()));
	return 0;
}

SEC("fexit/__do_sys_getpid")
int BPF_PROG(laf_bare_function_ends, struct pt_regs *unused, long ret)
{
	return function_ends(ret);
}

/* Where all 32-bit calls pass: for those that have one function with the 64-bit call, which so pays nothing, and where there are
 * too many to hook one by one. (A function of its own that programs can be attached to: in 6.1 since 6.1.84, and in 6.12.) */

SEC("fentry/ia32_sys_call")
int BPF_PROG(laf_narrow_begins, struct pt_regs *regs, u32 nr)
{
	if (nr >= LAF_ABI_CALLS || !bit_is_set(narrow, nr))
		return 0;
	call_begins(regs, current_abi(bpf_get_current_task_btf()), nr);
	return 0;
}

SEC("fexit/ia32_sys_call")
int BPF_PROG(laf_narrow_ends, struct pt_regs *regs, u32 nr, long ret)
{
	return function_ends(ret);
}

#define STUB_TARGET(name)                              \
	struct {                                       \
		__uint(type, BPF_MAP_TYPE_PROG_ARRAY); \
		__uint(max_entries, 1);                \
		__type(key, u32);                      \
		__type(value, u32);                    \
	} name SEC(".maps")

STUB_TARGET(function_begin);
STUB_TARGET(function_exit);
STUB_TARGET(function_end);
STUB_TARGET(bare_function_begin);
STUB_TARGET(bare_function_end);
