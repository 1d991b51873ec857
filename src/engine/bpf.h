/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the BPF engines share, and what each of them provides. */
#ifndef LAF_ENGINE_BPF_H
#define LAF_ENGINE_BPF_H

#include <bpf/libbpf.h>

#include "../rules/policy.h"
#include "calls.skel.h"
#include "engine.h"

struct bpf_engine;

/* How an engine hooks calls. */
struct laf_bpf_plan {
	void (*choose)(struct bpf_engine *t); /* say which programs of the object are loaded */
	int (*attach)(struct bpf_engine *t, const struct laf_policy *policy); /* what this policy needs beyond what is there */
	void (*detach)(struct bpf_engine *t); /* what is not in the object's own links */
	uint64_t (*misses)(struct bpf_engine *t); /* of programs that are not in the object */
};

struct bpf_engine {
	const struct laf_bpf_plan *plan;
	struct calls_bpf *bpf;
	unsigned n_cpus;
	int *ring_fds;
	uint32_t ring_bytes;
	bool scoped;
	uint64_t marked; /* by laf_engine_mark() */
	bool name_hooks; /* are loaded */
	void *hooks;     /* the plan's own */
	char log[4096];  /* libbpf's last words, for the error message */
};

/* The engine interface, for every plan. */
int laf_bpf_open(struct laf_engine *engine, const struct laf_bpf_plan *plan,
		 const struct laf_engine_options *options, const struct laf_policy *policy, struct laf_error *err);
void laf_bpf_close(struct laf_engine *engine);
int laf_bpf_set_policy(struct laf_engine *engine, const struct laf_policy *policy, struct laf_error *err);
uint64_t laf_bpf_changes(struct laf_engine *engine);
bool laf_bpf_follow(struct laf_engine *engine, bool marked, uint64_t *ret_misfits);
int laf_bpf_watch(struct laf_engine *engine, const struct laf_watch_key *key, struct laf_watch *ret);
int laf_bpf_mark(struct laf_engine *engine, int pidfd, struct laf_error *err);
int laf_bpf_get_stats(struct laf_engine *engine, struct laf_engine_stats *ret);

/* Attach a program of the object once. Returns 0 or a negative errno. */
int laf_bpf_attach(struct bpf_program *program, struct bpf_link **link);

/* What the arguments of a call are, as the programs have it for the running kernel. */
static inline const struct laf_call_shape *laf_bpf_shape(const struct bpf_engine *t, uint32_t abi, uint32_t nr)
{
	return &t->bpf->rodata->shapes[abi * LAF_SHAPES + (nr < LAF_SHAPES ? nr : LAF_SHAPES - 1)];
}

/* How often the kernel skipped a program (recursion_misses). */
uint64_t laf_bpf_misses(int fd);

#endif
