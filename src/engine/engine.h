/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of the engine interface: what each engine provides. */
#ifndef LAF_ENGINE_PRIVATE_H
#define LAF_ENGINE_PRIVATE_H

#include <laf/engine.h>

#include "ring.h"

#define LAF_WHY_MAX 200 /* bytes of a reason */

/* One way to see system calls. Each function as its namesake in <laf/engine.h>. */
struct laf_engine_ops {
	const char *name;
	bool (*usable)(char *why, size_t size); /* can it run here? Says why, or why not. */
	int (*open)(struct laf_engine *engine, const struct laf_engine_options *options,
		    const struct laf_policy *policy, struct laf_error *err);
	void (*close)(struct laf_engine *engine);
	int (*set_policy)(struct laf_engine *engine, const struct laf_policy *policy, struct laf_error *err);
	/* these six may be NULL */
	int (*losses)(struct laf_engine *engine, uint32_t generation, bool forget, laf_loss_fn fn, void *arg);
	void (*limit)(struct laf_engine *engine, uint64_t bytes);
	int (*detach_idle)(struct laf_engine *engine);
	uint64_t (*changes)(struct laf_engine *engine);
	bool (*follow)(struct laf_engine *engine, bool marked, uint64_t *ret_misfits);
	int (*watch)(struct laf_engine *engine, const struct laf_watch_key *key, struct laf_watch *ret);
	int (*mark)(struct laf_engine *engine, int pidfd, struct laf_error *err);
	int (*complete)(struct laf_engine *engine);
	int (*get_stats)(struct laf_engine *engine, struct laf_engine_stats *ret);
};

struct laf_engine {
	const struct laf_engine_ops *ops;
	void *state; /* the engine's own */
	struct laf_rings rings;
	uint32_t generation;
	bool hold;    /* laf_engine_read() does not give room back */
	bool leaving; /* what is pinned stays when it is closed */
	bool resumed; /* its programs and rings are those of one before */
	bool beside;  /* another version records */
	const char *layout; /* the name of its set of pins, or NULL */
	bool blind;   /* of a former one: it does not see calls end that were under way when the other was attached */
	int64_t wall_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC, at the last read */
};

extern const struct laf_engine_ops laf_engine_fexit;
extern const struct laf_engine_ops laf_engine_tracepoint;
extern const struct laf_engine_ops laf_engine_kernel;
extern const struct laf_engine_ops laf_engine_former; /* of another version: not to be chosen, see laf_engine_open_former() */

#endif
