/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a rule file, one after the other, as `auditctl -R` sees them. */
#ifndef LAF_RULES_LINES_H
#define LAF_RULES_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include <laf/error.h>

#include "text.h"

/* Open a rule file that auditctl would read. Returns 0 or a negative errno with err filled: -ENOENT, -EPERM for one not owned by root or
 * world writable, -EINVAL for no regular file. */
int laf_lines_open(const char *path, FILE **ret, struct laf_error *err);

/* Called for each line that is not blank or a comment. `words` are valid during the call, and NULL for a line that can't be cut
 * into words: then err is filled. err->file and err->line are set. Return not 0 to stop. */
typedef int (*laf_lines_fn)(void *arg, const struct laf_words *words, const char *text, struct laf_error *err);

/* Returns 0, what fn returned, or a negative errno with err filled. `path` is for messages. A line that is too long is a fault, but with
 * `as_auditctl` what lies beyond its limit is a line of its own, and words are left out where there are more than a third of the bytes. */
int laf_lines_read(FILE *file, const char *path, bool as_auditctl, laf_lines_fn fn, void *arg,
		   struct laf_error *err);

#endif
