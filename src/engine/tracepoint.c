// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracepoint engine: two programs that see every call of the machine. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../rules/calls.h"
#include "bpf.h"
#include "hooks.h"
#include "policymaps.h"

static void choose(struct bpf_engine *t)
{
	bpf_program__set_autoload(t->bpf->progs.laf_function_begins, false);
	bpf_program__set_autoload(t->bpf->progs.laf_function_ends, false);
	bpf_program__set_autoload(t->bpf->progs.laf_bare_function_begins, false);
	bpf_program__set_autoload(t->bpf->progs.laf_bare_function_ends, false);
	laf_hooks_choose(t, false);
}

/* Does any audited call need to be seen at its start? */
static bool needs_entry(const struct bpf_engine *t, const struct laf_policy *policy)
{
	static const struct laf_call_shape plain = {
		.name = { LAF_ARG_NONE, LAF_ARG_NONE }, .dfd = { LAF_ARG_NONE, LAF_ARG_NONE }, .fd = LAF_ARG_NONE,
	};
	uint32_t abi, nr;

	for (abi = 0; abi < LAF_ABIS; abi++)
		for (nr = 0; nr < LAF_SHAPES; nr++) {
			const struct laf_call_shape *s = laf_bpf_shape(t, abi, nr);

			if (laf_policy_audits(policy, abi, nr) &&
			    (s->kind != LAF_KIND_PLAIN || s->saddr_kind || s->special == LAF_SPECIAL_SOCKETCALL ||
			     s->special == LAF_SPECIAL_OLD_MMAP || s->fd != LAF_ARG_NONE ||
			     memcmp(s->name, plain.name, sizeof(s->name))))
				return true;
		}
	return false;
}

static bool audits_anything(const struct laf_policy *policy)
{
	uint32_t i;

	for (i = 0; i < LAF_CALLS; i++)
		if (((const struct laf_policy_call *)&policy->code[i])->flags & LAF_CALL_AUDITED)
			return true;
	return false;
}

static int attach_needed(struct bpf_engine *t, const struct laf_policy *policy)
{
	int r;

	if (!audits_anything(policy))
		return 0;
	if (t->scoped || needs_entry(t, policy)) {
		r = laf_bpf_attach(t->bpf->progs.laf_sys_enter, &t->bpf->links.laf_sys_enter);
		if (!r)
			r = laf_bpf_attach(t->bpf->progs.laf_exec, &t->bpf->links.laf_exec);
		if (r)
			return r;
		t->bpf->bss->entry_hooked = 1;
	}
	return laf_bpf_attach(t->bpf->progs.laf_sys_exit, &t->bpf->links.laf_sys_exit);
}

static void detach(struct bpf_engine *t)
{
}

static uint64_t no_misses(struct bpf_engine *t)
{
	return 0;
}

static const struct laf_bpf_plan plan = {
	.choose = choose,
	.attach = attach_needed,
	.detach = detach,
	.misses = no_misses,
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
	.changes = laf_bpf_changes,
	.follow = laf_bpf_follow,
	.watch = laf_bpf_watch,
	.mark = laf_bpf_mark,
	.get_stats = laf_bpf_get_stats,
};
