// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread for one piece of work. */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "aside.h"

#define READ_EVERY_NS 5000000

struct work {
	void (*run)(void *arg);
	void *arg;
};

static void *run(void *arg)
{
	const struct work *work = arg;

	work->run(work->arg);
	return NULL;
}

/* Signals stay the main thread's. */
static int start(pthread_t *thread, struct work *work)
{
	sigset_t all, old;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(thread, NULL, run, work);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r;
}

static bool ended(pthread_t thread)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += READ_EVERY_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return !pthread_timedjoin_np(thread, NULL, &until);
}

void laf_aside(struct laf_recorder *recorder, void (*work)(void *arg), void *arg)
{
	struct work what = { work, arg };
	pthread_t thread;

	if (start(&thread, &what)) {
		work(arg);
		return;
	}
	while (!ended(thread))
		laf_recorder_read(recorder, false);
}
