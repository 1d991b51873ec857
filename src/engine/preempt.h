/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the kernel preempts itself: a program at a function's exit is skipped where a preempted task is inside it. */
#ifndef LAF_PREEMPT_H
#define LAF_PREEMPT_H

#include <stdbool.h>

enum laf_preempt {
	LAF_PREEMPT_UNKNOWN,
	LAF_PREEMPT_NONE,
	LAF_PREEMPT_VOLUNTARY,
	LAF_PREEMPT_LAZY,
	LAF_PREEMPT_FULL,
};

enum laf_preempt laf_preempt_model(void);

/* Can a task be preempted inside a program on a function, so that others skip it? */
bool laf_preempt_skips(void);

/* "none", "voluntary" and so on. */
const char *laf_preempt_name(enum laf_preempt model);

#endif
