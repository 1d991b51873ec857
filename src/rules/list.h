/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands carried out on a set of rules, with the kernel's answers. */
#ifndef LAF_RULES_LIST_H
#define LAF_RULES_LIST_H

#include <laf/rules.h>

#include "parse.h"

/* Do what the command says. Takes command->rule over when it succeeds. `file` and `line` go with the rule.
 * Returns 0 or what the kernel would answer, with err filled: -EINVAL, -EEXIST, -ENOENT, …; -E2BIG or
 * -ENOMEM. */
int laf_rules_apply(struct laf_rules *rules, struct laf_command *command, const char *file, unsigned line,
		    struct laf_error *err);

/* Put a rule behind the others, without a question. Takes `data` over when it succeeds. Returns 0, -ENOMEM, or -EBADMSG when
 * there are too many. */
int laf_rules_append(struct laf_rules *rules, struct audit_rule_data *data);

/* A deep copy. Returns 0 or -ENOMEM. */
int laf_rules_copy(const struct laf_rules *rules, struct laf_rules *ret);

#endif
