/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -e 2: rules and settings that no daemon changes before the next boot. They lie in the run folder, which a boot empties. */
#ifndef LAF_LOCKED_H
#define LAF_LOCKED_H

#include <laf/error.h>
#include <laf/rules.h>

#include "../control/execute.h"

/* Returns 0 or a negative errno with err filled. */
int laf_locked_write(const char *folder, const struct laf_rules *rules, const struct laf_settings *settings,
		     struct laf_error *err);
void laf_locked_remove(const char *folder); /* of a lock that did not come about */

/* Into empty rules. Returns 1 if there is a lock, 0 if there is none, or a negative errno with err filled: then a lock is there that can't be
 * read, and nothing else may be put in force. */
int laf_locked_read(const char *folder, struct laf_rules *rules, struct laf_settings *settings, struct laf_error *err);

#endif
