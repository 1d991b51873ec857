/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's audit as it was found: what is changed of it is written down before, and put back at the end, or by the next of us
 * when there was no end. */
#ifndef LAF_FOUND_H
#define LAF_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include <laf/error.h>

#define LAF_FOUND_SETTINGS 3

struct laf_found {
	bool changed; /* what follows holds */
	bool rules;   /* all rules of the kernel are ours, not just the one that keeps tasks out */
	uint32_t found[LAF_FOUND_SETTINGS];
	uint32_t ours[LAF_FOUND_SETTINGS];
};

/* Enable the kernel's audit, which is off and has no rules: with `rules` for rules that are loaded behind it, else with the one
 * that keeps tasks out of it, so that no call pays. Nobody is made to wait for room in its queue. `folder` is where to write
 * down what it was. Returns 0 or a negative errno with err filled; then all is as it was. */
int laf_found_enable(int fd, const char *folder, bool rules, struct laf_found *found, struct laf_error *err);

/* Put back each setting that is still as we set it, and take our rules out. */
void laf_found_restore(int fd, const char *folder, struct laf_found *found);

/* The same for what a daemon that died has left. Returns whether there was something. */
bool laf_found_restore_left(int fd, const char *folder);

#endif
