/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of ours in the kernel's audit. */
#ifndef LAF_LOAD_H
#define LAF_LOAD_H

#include <stdbool.h>

#include <laf/error.h>
#include <laf/rules.h>

/* Make what is loaded (`loaded`, a copy; empty at first) what `rules` says: with `all`, all of them; else just one that keeps tasks out
 * of the kernel's audit, so that no call pays for it, and those that filter single records (lists user, exclude). What stays
 * in front stays loaded. Returns 0 or a negative errno with err filled; then what could be loaded is. */
int laf_load_rules(int fd, struct laf_rules *loaded, const struct laf_rules *rules, bool all, struct laf_error *err);

/* Take them out. */
void laf_unload_rules(int fd, struct laf_rules *loaded);

/* Take out all that there are. */
void laf_unload_all(int fd);

#endif
