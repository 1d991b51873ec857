/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One daemon at a time: who holds the lock in the run folder is it. */
#ifndef LAF_OWNER_H
#define LAF_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

#include <laf/error.h>

/* Make the folder, for root alone, where it is missing, and take its lock, in one step; the kernel gives it up when the process ends,
 * however that comes. Returns 0; -EBUSY with err filled while another daemon has it; -EPERM for a folder that others can write, or
 * another negative errno. *ret_fd is to be closed at the very end. */
int laf_owner_take(const char *folder, int *ret_fd, struct laf_error *err);

/* Send the daemon that has the lock a signal, and wait until it has ended. Returns 0; -ESRCH with err filled: there is none;
 * -ETIMEDOUT: it has not ended after `timeout_ms`; or another negative errno with err filled. */
int laf_owner_end(const char *folder, int signal, int timeout_ms, struct laf_error *err);

#endif
