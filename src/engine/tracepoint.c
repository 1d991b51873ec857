// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracepoint engine: two programs that see every call of the machine. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../rules/calls.h"
#include "bpf.h"
#include "hooks.h"
#include "policymaps.h"
#include "preempt.h"
#include "probe.h"

/* Where only preemption keeps the fexit engine away, the name hooks are of use; not for one command that did not ask for it,
 * as they take seconds to come off. */
static enum laf_hooks_use hooks_use(const struct bpf_engine *t)
{
	if ((t->scoped && !t->forced) || !laf_preempt_skips() || laf_probe_fexit())
		return LAF_HOOKS_NONE;
	return LAF_HOOKS_SKIPPABLE;
}

static void choose(struct bpf_engine *t)
{
	bpf_program__set_autoload(t->bpf->progs.laf_function_begins, false);
	bpf_program__set_autoload(t->bpf->progs.laf_function_exits, false);
	bpf_program__set_autoload(t->bpf->progs.laf_function_ends, false);
	bpf_program__set_autoload(t->bpf->progs.laf_bare_function_begins, false);
	bpf_program__set_autoload(t->bpf->progs.laf_bare_function_ends, false);
	bpf_program__set_autoload(t->bpf->progs.laf_narrow_begins, false);
	bpf_program__set_autoload(t->bpf->progs.laf_narrow_ends, false);
	laf_hooks_choose(t, hooks_use(t));
}

/* Does any audited call need to be seen at its start: for what it is given, or for the time? */
static bool needs_entry(const struct bpf_engine *t, const struct laf_policy *policy)
{
	uint32_t abi, nr;

	for (abi = 0; abi < LAF_ABIS; abi++)
		for (nr = 0; nr < LAF_SHAPES; nr++)
			if (laf_policy_audits(policy, abi, nr) && !(laf_bpf_shape(t, abi, nr)->flags & LAF_SHAPE_PROMPT))
				return true;
	return false;
}

static int attach_needed(struct bpf_engine *t, const struct laf_policy *policy)
{
	int r;

	t->needs_entry = t->scoped || needs_entry(t, policy);
	if (!laf_policy_audits_any(policy))
		return 0;
	if (laf_hooks_attach(t, policy))
		t->name_hooks = false, t->bpf->bss->names_hooked = 0; /* a detail less */
	if (t->needs_entry) {
		r = laf_bpf_attach(t, t->bpf->progs.laf_sys_enter, &t->bpf->links.laf_sys_enter);
		if (!r)
			r = laf_bpf_attach(t, t->bpf->progs.laf_exec, &t->bpf->links.laf_exec);
		if (r)
			return r;
		t->bpf->bss->entry_hooked = 1;
	}
	return laf_bpf_attach(t, t->bpf->progs.laf_sys_exit, &t->bpf->links.laf_sys_exit);
}

/* Before sys_enter comes off: what is then still there is taken at the end. */
static void settle(struct bpf_engine *t, uint64_t now_ns)
{
	t->bpf->bss->entry_hooked = t->needs_entry;
}

static void detach(struct bpf_engine *t)
{
}

static const struct laf_bpf_plan plan = {
	.name = "tracepoint",
	.choose = choose,
	.attach = attach_needed,
	.settle = settle,
	.detach = detach,
};

static bool usable(char *why, size_t size)
{
	int r = laf_probe_tracepoint();

	snprintf(why, size, r ? "the kernel refuses BPF programs on system calls: %s" : "BPF programs on system calls load",
		 strerror(-r));
	return !r;
}

static int open_tracepoint(struct laf_engine *engine, const struct laf_engine_options *options,
			   const struct laf_policy *policy, struct laf_error *err)
{
	return laf_bpf_open(engine, &plan, options, policy, err);
}

const struct laf_engine_ops laf_engine_tracepoint = {
	.name = "tracepoint",
	.usable = usable,
	.open = open_tracepoint,
	.close = laf_bpf_close,
	.set_policy = laf_bpf_set_policy,
	.losses = laf_bpf_losses,
	.limit = laf_bpf_limit,
	.detach_idle = laf_bpf_detach_idle,
	.changes = laf_bpf_changes,
	.follow = laf_bpf_follow,
	.watch = laf_bpf_watch,
	.mark = laf_bpf_mark,
	.complete = laf_bpf_complete,
	.get_stats = laf_bpf_get_stats,
};
