/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules that can never decide anything. What is said here is certain; not all that is so is found. */
#ifndef LAF_RULES_SHADOW_H
#define LAF_RULES_SHADOW_H

#include <laf/rules.h>

enum laf_idle_cause {
	LAF_IDLE_FIELDS,   /* no event has such fields */
	LAF_IDLE_ARCH,     /* no call of this machine has such an arch= */
	LAF_IDLE_CALLS,    /* it names no call */
	LAF_IDLE_SHADOWED, /* one rule before it matches all that it matches */
};

struct laf_idle {
	enum laf_idle_cause cause;
	unsigned field; /* FIELDS: AUDIT_… of those that contradict each other */
	size_t by;      /* SHADOWED: the rule's index */
};

/* Of rules of the exit list, where the first one that matches decides. */
bool laf_rule_idle(const struct laf_rules *rules, size_t index, struct laf_idle *ret);

#endif
