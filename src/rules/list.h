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

/* What a rule says of its call's arguments, up to the field that is to be put in words. */
struct laf_arguments {
	uint32_t elf;  /* of arch=, 0 = none */
	unsigned call; /* the last one that it names */
	uint32_t values[4];
};

/* A word for that argument, into buf. Returns 0, or not 0 where it has none. */
typedef int (*laf_argument_fn)(const struct laf_arguments *arguments, unsigned argument, char *buf, size_t size);

/* As laf_rule_string() and laf_rules_write(), with words for numbers as `auditctl -l -i` has them. */
int laf_rule_words(const struct laf_rule *rule, laf_argument_fn words, char *buf, size_t size);
void laf_rules_write_words(const struct laf_rules *rules, const char *key, laf_argument_fn words, FILE *to);

#endif
