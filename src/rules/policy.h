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

struct laf_policy_watch {
	struct laf_watch_key key;
	struct laf_watch watch;
};

struct laf_policy_key {
	char *text; /* NULL = the rule has no key */
	uint32_t len;
};

struct laf_policy_texts;   /* watched paths by their text, for laf_policy_decide() */
struct laf_policy_filters; /* the rules of the lists exclude and user */

struct policy_former; /* where its names led */

/* Free-standing: keeps nothing of the rules it came from. */
struct laf_policy {
	struct laf_insn *code; /* entries 0 to LAF_CALLS - 1 are struct laf_policy_call */
	uint32_t n_code;
	struct laf_policy_inode *inodes;
	uint32_t n_inodes;
	struct laf_policy_watch *watches; /* of path= rules whose folder is there */
	uint32_t n_watches;
	struct laf_policy_key *keys; /* by rule: wire.rule and wire.key_rule index it */
	uint32_t n_rules;
	struct laf_policy_texts *texts;
	struct laf_policy_filters *filters; /* NULL = there are none */
	char **folders; /* where watched names (path=, dir=, exe=) lie or would lie: when a name comes, goes
			 * or is replaced there, compile anew */
	uint32_t n_folders;
	struct policy_former *former;
	uint64_t changes; /* laf_engine_changes() before its names were looked up; set by who compiles it */
};

/* Compile `rules` (the list io_uring is ignored). Paths are resolved to (device, inode) as they
 * are now, a link at the end is not followed; absent ones are kept by text. Returns 0, -ENOMEM, or with err
 * filled -E2BIG, or -EINVAL for a field that the list does not take. */
int laf_policy_compile(const struct laf_rules *rules, struct laf_policy **ret, struct laf_error *err);

/* The same rules, or others, compiled again: a rule goes with a folder that was moved since, and holds for its name, too.
 * `watch` (may be NULL) says which file the kernel side has last seen under a watched name. */
struct laf_policy_recall {
	const struct laf_policy *previous;
	bool (*watch)(void *arg, const struct laf_watch_key *key, struct laf_watch *ret);
	void *arg;
};
int laf_policy_compile_again(const struct laf_rules *rules, const struct laf_policy_recall *recall,
			     struct laf_policy **ret, struct laf_error *err);
void laf_policy_free(struct laf_policy *policy);

/* Decide an event and give it its key and the records that are left out (event->excluded): for a candidate, match the text of its names (absolute, made so
 * with base or cwd; "." ".." and "//" resolved as text) against path= and dir= rules whose condition held.
 * Returns whether the event is to be recorded. */
bool laf_policy_decide(const struct laf_policy *policy, struct laf_event *event);

/* Who makes a record or sends a message, as the kernel has it: ids of the initial namespaces. */
struct laf_policy_creds {
	uint32_t pid; /* of the thread */
	uint32_t uid, gid, auid;
	uint32_t exe_dev; /* kernel dev_t */
	uint64_t exe_ino; /* 0 = no program, or not known */
};

/* The list user: is a message of this type to be written? */
bool laf_policy_user(const struct laf_policy *policy, uint32_t msgtype, const struct laf_policy_creds *creds);
/* The list exclude: is a record of this type left out? */
bool laf_policy_excludes(const struct laf_policy *policy, uint32_t msgtype, const struct laf_policy_creds *creds);

static inline const struct laf_policy_lists *laf_policy_lists(const struct laf_policy *p)
{
	return (const struct laf_policy_lists *)&p->code[LAF_LISTS];
}

static inline const struct laf_policy_call *laf_policy_call(const struct laf_policy *p, uint32_t abi,
							    uint32_t nr)
{
	return (const struct laf_policy_call *)&p->code[LAF_CALL_INDEX(abi, nr)];
}

#endif
