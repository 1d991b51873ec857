// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread for each job: jobs are rare. */
#include <errno.h>
#include <signal.h>

#include "worker.h"

static void *run(void *arg)
{
	struct laf_worker *worker = arg;

	worker->result = worker->job(worker->arg);
	atomic_store(&worker->done, true);
	return NULL;
}

int laf_worker_start(struct laf_worker *worker, int (*job)(void *arg), void *arg)
{
	sigset_t all, old;
	int r;

	if (worker->running)
		return -EBUSY;
	worker->job = job;
	worker->arg = arg;
	atomic_store(&worker->done, false);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(&worker->thread, NULL, run, worker);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	worker->running = r == 0;
	return -r;
}

bool laf_worker_collect(struct laf_worker *worker, bool wait, int *ret_result)
{
	if (!worker->running || (!wait && !atomic_load(&worker->done)))
		return false;
	pthread_join(worker->thread, NULL);
	worker->running = false;
	*ret_result = worker->result;
	return true;
}
