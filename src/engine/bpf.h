/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the BPF engines share, and what each of them provides. */
#ifndef LAF_ENGINE_BPF_H
#define LAF_ENGINE_BPF_H

#include <pthread.h>

#include <bpf/libbpf.h>

#include "../rules/policy.h"
#include "calls.skel.h"
#include "engine.h"
#include "pins.h"

struct bpf_engine;

#define LAF_STUB "stub-" /* the pins of the fexit engine's links begin so */

/* What is taken off in one go, not yet off; -1 = no descriptor. */
struct laf_leaving {
	struct bpf_link *link;
	int fds[4];
};

/* What the kernel counts of a program. */
struct laf_bpf_runs {
	uint64_t missed; /* how often it was skipped (recursion_misses) */
	uint64_t n, ns;  /* while somebody has it measured: how often it ran, and how long */
};

/* How an engine hooks calls. */
struct laf_bpf_plan {
	const char *name; /* of the engine */
	void (*choose)(struct bpf_engine *t); /* say which programs of the object are loaded */
	int (*attach)(struct bpf_engine *t, const struct laf_policy *policy); /* what this policy needs beyond what is there */
	void (*settle)(struct bpf_engine *t, uint64_t now_ns); /* the policy is in force: what it does not need is idle from now on */
	void (*detach)(struct bpf_engine *t); /* what is not in the object's own links */
	/* the next two may be NULL */
	bool (*pick)(struct bpf_engine *t, uint64_t before_ns, struct laf_leaving *ret); /* of that, one that was idle before then */
	void (*runs)(struct bpf_engine *t, struct laf_bpf_runs *runs); /* add those of programs that are not in the object */
};

#define LAF_OBJECT_LINKS (sizeof(((struct calls_bpf *)0)->links) / sizeof(struct bpf_link *))

/* One of the object's links. */
struct laf_use {
	bool needed;      /* by the policy that is being put in force */
	uint64_t idle_ns; /* since when no policy has needed it (CLOCK_MONOTONIC); 0 = it is needed */
	int found_fd;     /* the program of one that was there; -1 = it is the object's */
};

struct bpf_engine {
	const struct laf_bpf_plan *plan;
	struct calls_bpf *bpf;
	struct laf_pins pins;
	struct laf_bpf_runs gone_runs; /* of found programs that are gone */
	unsigned n_cpus;
	int *ring_fds;
	uint32_t ring_bytes;
	bool scoped;
	bool forced; /* this engine was asked for */
	uint64_t marked; /* by laf_engine_mark() */
	bool name_hooks; /* are loaded */
	bool needs_entry; /* the policy needs sys_enter */
	void *hooks;     /* the plan's own */
	char log[4096];  /* libbpf's first warning, for the error message */
	pthread_mutex_t lock; /* what is attached: laf_bpf_detach_idle() has a thread of its own */
	pthread_cond_t gone;
	bool detaching;       /* it waits for the kernel */
	uint64_t idle_ns;     /* how long something must not have been needed */
	struct laf_use uses[LAF_OBJECT_LINKS];
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

int laf_bpf_losses(struct laf_engine *engine, uint32_t generation, bool forget, laf_loss_fn fn, void *arg);
void laf_bpf_limit(struct laf_engine *engine, uint64_t bytes);
int laf_bpf_detach_idle(struct laf_engine *engine);
int laf_bpf_complete(struct laf_engine *engine);

/* A descriptor of the program that a link runs, or a negative errno. */
int laf_bpf_program_of(int link_fd);

/* The policy needs a program of the object: attach it, if it is not. Returns 0 or a negative errno. */
int laf_bpf_attach(struct bpf_engine *t, struct bpf_program *program, struct bpf_link **link);

/* What the arguments of a call are, as the programs have it for the running kernel. */
static inline const struct laf_call_shape *laf_bpf_shape(const struct bpf_engine *t, uint32_t abi, uint32_t nr)
{
	return &t->bpf->rodata->shapes[abi * LAF_SHAPES + (nr < LAF_SHAPES ? nr : LAF_SHAPES - 1)];
}

/* The policy is in force: what it does not need is idle, from now on if it was not before. */
static inline void laf_use_settle(struct laf_use *use, uint64_t now_ns)
{
	if (use->needed)
		use->idle_ns = 0;
	else if (!use->idle_ns)
		use->idle_ns = now_ns;
}

/* Add those of the program behind `fd`; -1 = none. */
void laf_bpf_add_runs(int fd, struct laf_bpf_runs *runs);

#endif
