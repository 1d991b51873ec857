/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules compiled into what the kernel side evaluates, and what user space keeps of them. */
#ifndef LAF_POLICY_H
#define LAF_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include <laf/error.h>
#include <laf/event.h>
#include <laf/rules.h>

#include "../bpf/policy.h"

struct laf_policy_inode {
	struct laf_inode_key key;
	struct laf_inode_rules rules;
};

struct laf_policy_key {
	char *text; /* NULL = the rule has no key */
	uint32_t len;
};

struct laf_policy_texts; /* watched paths by their text, for laf_policy_decide() */

/* Free-standing: keeps nothing of the rules it came from. */
struct laf_policy {
	struct laf_insn *code; /* entries 0 to LAF_CALLS - 1 are struct laf_policy_call */
	uint32_t n_code;
	struct laf_policy_inode *inodes;
	uint32_t n_inodes;
	struct laf_policy_key *keys; /* by rule: wire.rule and wire.key_rule index it */
	uint32_t n_rules;
	struct laf_policy_texts *texts;
	char **folders; /* where watched names (path=, dir=, exe=) lie or would lie: when a name comes, goes
			 * or is replaced there, compile anew */
	uint32_t n_folders;
};

/* Compile the exit list of `rules` (other lists are ignored). Paths are resolved to (device, inode) as they
 * are now, a link at the end is not followed; absent ones are kept by text. Returns 0, -ENOMEM, or with err
 * filled -E2BIG, or -EINVAL for a field that the exit list does not take. */
int laf_policy_compile(const struct laf_rules *rules, struct laf_policy **ret, struct laf_error *err);
void laf_policy_free(struct laf_policy *policy);

/* Decide an event and give it its key: for a candidate, match the text of its names (absolute, made so
 * with base or cwd; "." ".." and "//" resolved as text) against path= and dir= rules whose condition held.
 * Returns whether the event is to be recorded. */
bool laf_policy_decide(const struct laf_policy *policy, struct laf_event *event);

static inline const struct laf_policy_call *laf_policy_call(const struct laf_policy *p, uint32_t abi,
							    uint32_t nr)
{
	return (const struct laf_policy_call *)&p->code[LAF_CALL_INDEX(abi, nr)];
}

#endif
