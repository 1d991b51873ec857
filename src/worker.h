/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job in a thread of its own, one at a time. */
#ifndef LAF_WORKER_H
#define LAF_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct laf_worker {
	pthread_t thread;
	bool running; /* started and not yet collected */
	atomic_bool done;
	int (*job)(void *arg);
	void *arg;
	int result;
};

/* Start a job in a thread of its own that sees no signals. Returns 0, -EBUSY while another is not collected, or a negative errno. */
int laf_worker_start(struct laf_worker *worker, int (*job)(void *arg), void *arg);

/* Collect what has ended; with `wait`, wait for that. Returns whether there was something, and what the job returned. */
bool laf_worker_collect(struct laf_worker *worker, bool wait, int *ret_result);

#endif
