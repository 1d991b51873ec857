/* SPDX-License-Identifier: GPL-2.0-or-later */
/* New tasks, ended tasks, new programs: what the calls alone do not show. */
#ifndef LAF_TASKS_BPF_H
#define LAF_TASKS_BPF_H

#include "call.bpf.h"

static __always_inline struct laf_wire_scope *scope_count(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&scope_counts, &zero);
}

/* What an audited command starts belongs to it. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(laf_fork, struct task_struct *parent, struct task_struct *child)
{
	struct laf_context *c = context_of(parent, 0), *mine;
	struct laf_wire_scope *count = scope_count();

	if (!c || !c->scoped || !count)
		return 0;
	mine = context_of(child, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (mine) {
		mine->scoped = 1;
		__sync_fetch_and_add(&count->started, 1);
	} else {
		__sync_fetch_and_add(&count->unmarked, 1);
	}
	return 0;
}

/* Does a task rule decide what the current task starts? s->run.action says how. */
VERIFIED_ALONE int decide_task(struct laf_scratch *s)
{
	struct laf_policy_lists *lists;

	if (!s)
		return 0;
	s->run.slot = generation & 1;
	lists = lists_of(s->run.slot);
	if (!lists || !lists->task)
		return 0;
	start_run(s);
	return run_code(s, NULL, lists->task);
}

/* The text of a key lies in the policy's code. */
static __always_inline void copy_key(struct laf_task_state *state, u32 slot, u32 from)
{
	void *code = bpf_map_lookup_elem(&codes, &slot);
	struct laf_insn *text;
	u32 i, at;

	for (i = 0; code && i <= LAF_KEY_MAX / sizeof(*text); i++) {
		at = from + i;
		text = bpf_map_lookup_elem(code, &at);
		if (!text)
			return;
		__builtin_memcpy(&state->key[i * sizeof(*text)], text, sizeof(*text));
		if (!state->key[i * sizeof(*text) + sizeof(*text) - 1])
			return;
	}
}

/* audit_alloc(): the task list decides a task for all its life when it is made, by what it has from the one that makes it: of
 * itself it has nothing yet, not even its pid. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(laf_task_new, struct task_struct *parent, struct task_struct *child)
{
	struct laf_scratch *s = scratch_here();
	struct laf_task_state *state;

	if (!s || !decide_task(s))
		return 0;
	state = bpf_task_storage_get(&task_states, child, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!state) {
		if (s->run.action)
			count_loss(LAF_LOSS_NO_CONTEXT);
		return 0;
	}
	state->recorded = s->run.action;
	if (s->run.action && s->run.rule)
		copy_key(state, s->run.slot, s->run.rule);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(laf_task_exit, struct task_struct *task)
{
	struct laf_context *c = context_of(bpf_get_current_task_btf(), 0);
	struct laf_wire_scope *count = scope_count();

	if (c && c->scoped && count)
		__sync_fetch_and_add(&count->ended, 1);
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

#endif
