/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals, taken one by one in the daemon's own time, and who sent them. */
#ifndef LAF_SIGNALS_H
#define LAF_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <laf/error.h>

struct laf_signal {
	int number;
	pid_t pid; /* of the sender */
	uint32_t uid;
	uint32_t auid; /* as auditd has it: of a sender without one, the uid */
	uint32_t ses;
	char subj[256]; /* "" = there are no labels */
};

/* Block TERM, INT, QUIT, HUP, USR1, USR2 and CONT from now on, and ignore PIPE. *ret_fd is readable when one has come.
 * Returns 0 or a negative errno with err filled. */
int laf_signals_open(int *ret_fd, struct laf_error *err);

/* The next signal that has come. Returns false if there is none. */
bool laf_signals_take(int fd, struct laf_signal *ret);

#endif
