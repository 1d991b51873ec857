/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding an equal rule among many: a table of the rules by their hash. */
#ifndef LAF_RULES_INDEX_H
#define LAF_RULES_INDEX_H

#include <libaudit.h>

#include <laf/rules.h>

/* Equal rules have equal hashes. */
uint32_t laf_rule_hash(const struct audit_rule_data *data);

bool laf_rule_equal(const struct audit_rule_data *a, const struct audit_rule_data *b);

/* Is there a rule equal to this one? */
bool laf_index_has(const struct laf_rules *rules, const struct audit_rule_data *data);

/* Returns 0 or -ENOMEM. The data stays the set's. */
int laf_index_add(struct laf_rules *rules, const struct audit_rule_data *data, uint32_t hash);

/* `data` itself, not one equal to it. */
void laf_index_remove(struct laf_rules *rules, const struct audit_rule_data *data, uint32_t hash);

#endif
