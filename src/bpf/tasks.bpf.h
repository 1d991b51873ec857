/* SPDX-License-Identifier: GPL-2.0-or-later */
/* New tasks, ended tasks, new programs: what the calls alone do not show. */
#ifndef LAF_TASKS_BPF_H
#define LAF_TASKS_BPF_H

#include "call.bpf.h"

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

#endif
