/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name hooks: kernel functions that show what the names of audited calls lead to. */
#ifndef LAF_HOOKS_H
#define LAF_HOOKS_H

#include "bpf.h"

enum laf_hooks_use {
	LAF_HOOKS_NONE,
	LAF_HOOKS_SURE,      /* the kernel skips none of them */
	LAF_HOOKS_SKIPPABLE, /* it does where it preempts a task inside one: a call that this happens to does without */
};

/* Before loading: load the hooks that this kernel has, or none where one that nothing stands in for is missing. */
void laf_hooks_choose(struct bpf_engine *t, enum laf_hooks_use use);

/* Attach those that the names of the policy's calls need and that are not attached yet. Returns 0 or a negative errno. */
int laf_hooks_attach(struct bpf_engine *t, const struct laf_policy *policy);

/* Is it a hook whose misses lose no event? By its program or by where its link is; the other is NULL. */
bool laf_hooks_skippable(struct bpf_engine *t, const struct bpf_program *program, struct bpf_link **link);

/* Is a program of this name one of them? */
bool laf_hooks_has(const char *program);

#endif
