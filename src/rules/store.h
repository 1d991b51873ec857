/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of rules as bytes, to be read back exactly as it was. */
#ifndef LAF_RULES_STORE_H
#define LAF_RULES_STORE_H

#include <stddef.h>
#include <stdio.h>

#include <laf/rules.h>

/* Returns 0 or -EIO. */
int laf_rules_store(const struct laf_rules *rules, FILE *to);

/* Into an empty set. Returns 0, -ENOMEM, or -EBADMSG for bytes that are no rules; then the set is empty. */
int laf_rules_restore(struct laf_rules *rules, FILE *from);

/* A file for our eyes alone with `bytes` of the caller's, then the rules. It appears under its name, in the place of one that was there,
 * when it is complete. Returns 0 or a negative errno. */
int laf_rules_save(const char *path, const void *head, size_t bytes, const struct laf_rules *rules);

/* Open such a file and read what stands before the rules; the caller closes it. Returns 0, -ENOENT, -EPERM for one that is not ours alone,
 * -EBADMSG, or another negative errno. */
int laf_rules_open_saved(const char *path, void *ret_head, size_t bytes, FILE **ret);

#endif
