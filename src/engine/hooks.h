/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name hooks: kernel functions that show what the names of audited calls lead to. */
#ifndef LAF_HOOKS_H
#define LAF_HOOKS_H

#include "bpf.h"

/* Before loading: load the hooks that this kernel has, or none where they are not wanted, or one that nothing stands in for is missing. */
void laf_hooks_choose(struct bpf_engine *t, bool wanted);

/* Attach those that the names of the policy's calls need and that are not attached yet. Returns 0 or a negative errno. */
int laf_hooks_attach(struct bpf_engine *t, const struct laf_policy *policy);

#endif
