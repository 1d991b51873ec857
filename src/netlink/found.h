/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of the kernel's audit as they were found: what is changed of them is written down before, and put back at the end, or by
 * the next of us when there was no end. */
#ifndef LAF_FOUND_H
#define LAF_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include <laf/error.h>

#include "kaudit.h"

#define LAF_FOUND_SETTINGS 5

struct laf_found {
	bool changed; /* what follows holds */
	uint32_t found[LAF_FOUND_SETTINGS];
	uint32_t ours[LAF_FOUND_SETTINGS];
};

/* Enable it, with room in its queue, and nobody is made to wait for more. `folder` is where to write down how it was. Returns 0 or a
 * negative errno with err filled; then all is as it was. */
int laf_found_enable(int fd, const char *folder, struct laf_found *found, struct laf_error *err);

/* Other limits (failure, rate_limit, backlog_limit of `want`) for rules of ours. Returns 0 or a negative errno. */
int laf_found_limit(int fd, const char *folder, struct laf_found *found, const struct audit_status *want);

/* Put back each setting that is still as we set it. */
void laf_found_restore(int fd, const char *folder, struct laf_found *found);

/* The same for what a daemon that died has left, and all rules are taken out: there were none before it. Returns whether there was
 * something to put back. */
bool laf_found_restore_left(int fd, const char *folder);

#endif
