/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which calls and rules lost events: for people, to find the rule that floods. The count that must add up is laf_recorder_get_loss()'s. */
#ifndef LAF_LOSSES_H
#define LAF_LOSSES_H

#include <stddef.h>
#include <stdint.h>

#include "../rules/policy.h"

#define LAF_LOSSES_MAX 1024 /* pairs of a call and a rule; the last one stands for all others */

/* Its key, or its place in the list that was in force, names the rule. */
struct laf_loss_of {
	uint32_t call; /* LAF_CALL_INDEX; UINT32_MAX = others */
	uint64_t n;
	char rule[64];
};

struct laf_losses {
	struct laf_loss_of *list;
	size_t n;
};

/* `rule` as in the wire format; `policy`: what decided, NULL = it is not known. What there is no memory for is not counted here. */
void laf_losses_add(struct laf_losses *losses, const struct laf_policy *policy, uint32_t rule, uint32_t call, uint64_t n);

/* Add all of `from`. */
void laf_losses_merge(struct laf_losses *losses, const struct laf_losses *from);

/* The greatest first. */
void laf_losses_sort(struct laf_losses *losses);

/* "b64 openat KEY" */
int laf_loss_of_text(const struct laf_loss_of *loss, char *buf, size_t size);

void laf_losses_clear(struct laf_losses *losses);

#endif
