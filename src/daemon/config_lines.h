/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of `name = value` lines that only root can write. */
#ifndef LAF_CONFIG_LINES_H
#define LAF_CONFIG_LINES_H

#include <stdio.h>

#include <laf/error.h>

/* Open a file that nobody but root can write or replace. Returns 0 or a negative errno with err filled (but for err->file). */
int laf_config_open(const char *path, FILE **ret, struct laf_error *err);

/* One line: `value` (may be changed) is its first word, `rest` the others. Returns 0, -ENOENT where there is no setting of that name, else
 * -EINVAL with *ret_wants saying what it takes. */
typedef int (*laf_config_set_fn)(void *arg, const char *name, char *value, const char *rest, const char **ret_wants);

/* Hand out each line. Returns 0 or a negative errno with err filled. */
int laf_config_read_lines(FILE *f, laf_config_set_fn set, void *arg, struct laf_error *err);

#endif
