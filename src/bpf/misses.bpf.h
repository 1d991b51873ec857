/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was a name hook skipped in a call? Where a task is preempted inside a hook, the kernel skips this hook for all others on the
 * same processor until the task goes on, and counts it. */
#ifndef LAF_MISSES_BPF_H
#define LAF_MISSES_BPF_H

#include "maps.bpf.h"

#define HOOKS_MAX 24

__u32 hook_ids[HOOKS_MAX] = {};           /* the attached hooks, as programs; then 0 */
__u64 miss_counts[HOOKS_MAX] = {};        /* the way from a processor's element of `misses` to where the kernel counts for each */

volatile __u64 misses_address = 0;        /* as a number */

struct laf_misses {
	u64 sum;
	u64 noticed_ns; /* when it was last found changed */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct laf_misses);
} misses SEC(".maps");

extern void bpf_preempt_disable(void) __ksym __weak; /* since 6.10 */
extern void bpf_preempt_enable(void) __ksym __weak;

/* Around what takes task storage's lock, which is one a processor and which nobody waits for: who finds it taken gets nothing. */
static __always_inline void stay_here(void)
{
	if (hooks_skippable)
		bpf_preempt_disable();
}

static __always_inline void leave_again(void)
{
	if (hooks_skippable)
		bpf_preempt_enable();
}

static __always_inline u64 misses_beside(struct laf_context *c, const struct laf_misses *element)
{
	u64 sum = 0, count, from = number_of(c, element);
	u32 i;

	for (i = 0; i < HOOKS_MAX && miss_counts[i]; i++)
		if (!bpf_probe_read_kernel(&count, sizeof(count), (void *)(from + miss_counts[i])))
			sum += count;
	return sum;
}

/* Returns when this processor's misses were last found grown. */
VERIFIED_ALONE u64 notice_misses(struct laf_context *c)
{
	struct laf_misses *here;
	u32 zero = 0;
	u64 sum;

	if (!hooks_skippable || !c)
		return 0;
	here = bpf_map_lookup_elem(&misses, &zero);
	if (!here)
		return 0;
	sum = misses_beside(c, here);
	if (sum != here->sum) {
		here->sum = sum;
		here->noticed_ns = bpf_ktime_get_ns();
	}
	return here->noticed_ns;
}

/* A call begins, before its time is noted. */
static __always_inline void watch_misses(struct laf_context *c)
{
	if (!hooks_skippable || !names_hooked)
		return;
	c->seen.cpu = bpf_get_smp_processor_id();
	c->seen.moves = bpf_get_current_task_btf()->se.nr_migrations;
	notice_misses(c);
}

/* Ends: was a hook skipped since, on the processor where it began or on this one? Whoever was on more is not to be sure. */
static __always_inline bool hook_was_skipped(struct laf_context *c)
{
	u64 moves = bpf_get_current_task_btf()->se.nr_migrations - c->seen.moves;
	struct laf_misses *first;
	u32 zero = 0;

	if (notice_misses(c) > c->entry_ns || moves > 1)
		return true;
	if (!moves)
		return false;
	first = bpf_map_lookup_percpu_elem(&misses, &zero, c->seen.cpu);
	return !first || first->noticed_ns > c->entry_ns || first->sum != misses_beside(c, first);
}

/* Run when hooks were attached: finds the kernel's counts. What is allocated for each processor lies equally far apart on all. */
SEC("iter/bpf_prog")
int laf_find_counts(struct bpf_iter__bpf_prog *ctx)
{
	struct bpf_prog *prog = ctx->prog;
	u64 count, element = 0;
	u32 id, i;

	if (!prog)
		return 0;
	misses_address = (u64)&misses;
	bpf_probe_read_kernel(&element, sizeof(element),
			      (void *)(misses_address + bpf_core_field_offset(struct bpf_array, pptrs)));
	id = BPF_CORE_READ(prog, aux, id);
	count = (u64)BPF_CORE_READ(prog, stats) + bpf_core_field_offset(struct bpf_prog_stats, misses);
	for (i = 0; i < HOOKS_MAX; i++)
		if (hook_ids[i] == id)
			miss_counts[i] = count - element;
	return 0;
}

#endif
