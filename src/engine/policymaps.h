/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A compiled policy as kernel maps. */
#ifndef LAF_POLICYMAPS_H
#define LAF_POLICYMAPS_H

#include <stdint.h>

#include <laf/error.h>

#include "../rules/policy.h"

/* The maps of maps: one slot for each of two policies. */
struct laf_policymaps {
	int codes_fd, inodes_fd, watches_fd;
};

/* Make the maps of `policy` and put them into slot `slot` of these. Returns 0 or a negative errno. */
int laf_policymaps_load(const struct laf_policy *policy, const struct laf_policymaps *maps, uint32_t slot,
			struct laf_error *err);

/* Is the call audited by this policy? */
static inline bool laf_policy_audits(const struct laf_policy *policy, uint32_t abi, uint32_t nr)
{
	return laf_policy_call(policy, abi, nr)->flags & LAF_CALL_AUDITED;
}

/* Does it audit any? */
static inline bool laf_policy_audits_any(const struct laf_policy *policy)
{
	uint32_t i;

	for (i = 0; i < LAF_CALLS; i++)
		if (((const struct laf_policy_call *)&policy->code[i])->flags & LAF_CALL_AUDITED)
			return true;
	return false;
}

#endif
