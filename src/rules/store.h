/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of rules as bytes, to be read back exactly as it was. */
#ifndef LAF_RULES_STORE_H
#define LAF_RULES_STORE_H

#include <stdio.h>

#include <laf/rules.h>

/* Returns 0 or -EIO. */
int laf_rules_store(const struct laf_rules *rules, FILE *to);

/* Into an empty set. Returns 0, -ENOMEM, or -EBADMSG for bytes that are no rules; then the set is empty. */
int laf_rules_restore(struct laf_rules *rules, FILE *from);

#endif
