/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up call, and the kernel side's way through a compiled policy in plain C. */
#ifndef LAF_POLICY_RUN_H
#define LAF_POLICY_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../src/rules/policy.h"

#define RUN_ABOVE_MAX 8
#define RUN_NAMES_MAX 4

struct run_inode {
	uint64_t ino;
	uint32_t dev;
};

/* A collected name: the file itself and the folders above it, nearest first. */
struct run_name {
	bool known;
	uint64_t ino;
	uint32_t dev, rdev, uid, gid;
	uint16_t mode;
	struct run_inode above[RUN_ABOVE_MAX];
	unsigned n_above;
	const char *text; /* absolute, for deciding by text */
};

struct run_event {
	unsigned abi, nr;
	bool returns;       /* it has a return value */
	int64_t exit;
	uint64_t args[4];
	uint64_t open_flags; /* of the open family */
	bool opens;          /* is of it */
	uint32_t pid, ppid, pers, auid, ses;
	uint32_t uid, euid, suid, fsuid, gid, egid, sgid, fsgid;
	uint32_t groups[3];
	unsigned n_groups;
	int family;         /* of the address, -1 = none */
	uint64_t exe_ino;
	uint32_t exe_dev;
	unsigned n_names;
	struct run_name names[RUN_NAMES_MAX];
};

struct run_result {
	bool recorded;
	uint32_t rule, key_rule, position;
	uint64_t conds[LAF_CONDS_MAX / 64];
	bool candidate;
	uint32_t steps; /* entries looked at */
};

struct run {
	const struct laf_policy *policy;
	const struct run_event *event;
	const struct run_name *name; /* under test in the inode stage */
	struct run_result *result;
	uint8_t action;
};

static inline bool run_compare(uint32_t l, unsigned op, uint32_t r)
{
	const bool answers[] = { l == r, l != r, l < r, l <= r, l > r, l >= r, (l & r) != 0, (l & r) == r };

	return answers[op];
}

static inline bool run_in_groups(const struct run_event *e, uint32_t gid)
{
	for (unsigned i = 0; i < e->n_groups; i++)
		if (e->groups[i] == gid)
			return true;
	return false;
}

static inline bool run_group(const struct run_event *e, uint32_t gid, unsigned op, uint32_t val)
{
	bool result = run_compare(gid, op, val);

	if (op == LAF_EQ)
		return result || run_in_groups(e, val);
	if (op == LAF_NE)
		return result && !run_in_groups(e, val);
	return result;
}

static inline uint32_t run_id(const struct run_event *e, unsigned what)
{
	switch (what) {
	case LAF_T_AUID: return e->auid;
	case LAF_T_UID: return e->uid;
	case LAF_T_EUID: return e->euid;
	case LAF_T_SUID: return e->suid;
	case LAF_T_FSUID: return e->fsuid;
	case LAF_T_GID: return e->gid;
	case LAF_T_EGID: return e->egid;
	case LAF_T_SGID: return e->sgid;
	case LAF_T_FSGID: return e->fsgid;
	}
	abort();
}

static inline bool run_test_name(const struct run_name *n, unsigned what, unsigned op, uint32_t val)
{
	switch (what) {
	case LAF_T_DEVMAJOR: return run_compare(n->dev >> 20, op, val) || run_compare(n->rdev >> 20, op, val);
	case LAF_T_DEVMINOR:
		return run_compare(n->dev & 0xfffff, op, val) || run_compare(n->rdev & 0xfffff, op, val);
	case LAF_T_INODE: return run_compare(n->ino, op, val);
	case LAF_T_OBJ_UID: return run_compare(n->uid, op, val);
	case LAF_T_OBJ_GID: return run_compare(n->gid, op, val);
	}
	abort();
}

static inline bool run_test_names(const struct run *r, const struct run_name *only, unsigned what,
				  unsigned op, uint32_t val)
{
	if (only)
		return run_test_name(only, what, op, val);
	for (unsigned i = 0; i < r->event->n_names; i++)
		if (run_test_name(&r->event->names[i], what, op, val))
			return true;
	return false;
}

static inline bool run_filetype(const struct run_event *e, unsigned op, uint32_t val)
{
	bool found = false;

	for (unsigned i = 0; i < e->n_names; i++)
		found |= e->names[i].known && (e->names[i].mode & S_IFMT) == val;
	return found == (op == LAF_EQ);
}

static inline bool run_ids(const struct run *r, unsigned left, unsigned op, unsigned right)
{
	if (right == LAF_T_OBJ_UID || right == LAF_T_OBJ_GID)
		return run_test_names(r, NULL, right, op, run_id(r->event, left));
	return run_compare(run_id(r->event, left), op, run_id(r->event, right));
}

static inline bool run_opened(const struct run_event *e, unsigned op, uint32_t val)
{
	static const uint32_t modes[] = { 4, 2, 6, 6 };

	return !e->opens || !!(modes[e->open_flags & 3] & val) == (op == LAF_EQ);
}

static inline bool run_insn(const struct run *r, uint32_t at)
{
	const struct laf_insn *insn = &r->policy->code[at];
	const struct laf_insn_inode *exe = (const void *)&insn[1];
	const struct run_event *e = r->event;
	unsigned op = insn->op;
	uint32_t val = insn->val, call = LAF_CALL_INDEX(e->abi, e->nr);

	switch (insn->what) {
	case LAF_T_PID: return run_compare(e->pid, op, val);
	case LAF_T_PPID: return run_compare(e->ppid, op, val);
	case LAF_T_PERS: return run_compare(e->pers, op, val);
	case LAF_T_EXIT: return e->returns && run_compare(e->exit, op, val);
	case LAF_T_SUCCESS: return e->returns && run_compare(e->exit < 0 ? 2 : 1, op, val ? 1 : 2);
	case LAF_T_AUID_SET: return run_compare(e->auid != UINT32_MAX, op, val);
	case LAF_T_SES: return run_compare(e->ses, op, val);
	case LAF_T_GID: case LAF_T_EGID: return run_group(e, run_id(e, insn->what), op, val);
	case LAF_T_ARG0: case LAF_T_ARG1: case LAF_T_ARG2: case LAF_T_ARG3:
		return run_compare(e->args[insn->what - LAF_T_ARG0], op, val);
	case LAF_T_SADDR_FAM: return e->family >= 0 && run_compare(e->family, op, val);
	case LAF_T_DEVMAJOR: case LAF_T_DEVMINOR: case LAF_T_INODE: case LAF_T_OBJ_UID: case LAF_T_OBJ_GID:
		return run_test_names(r, r->name, insn->what, op, val);
	case LAF_T_FILETYPE: return run_filetype(e, op, val);
	case LAF_T_OPENED: return run_opened(e, op, val);
	case LAF_T_BIND: return e->abi != 1 || e->nr != 102 || run_compare(e->args[0], op, val);
	case LAF_T_EXE: return (exe->ino == e->exe_ino && exe->dev == e->exe_dev) == (op == LAF_EQ);
	case LAF_T_COMPARE: return run_ids(r, val, op, insn->aux);
	case LAF_T_CALL: return ((const uint8_t *)&r->policy->code[val])[call / 8] >> (call % 8) & 1;
	case LAF_T_ROLE: case LAF_T_NEVER: return false;
	}
	return run_compare(run_id(e, insn->what), op, val);
}

/* Run one program; true if something better than the best so far matched. */
static inline bool run_code(struct run *r, uint32_t at)
{
	while (at) {
		const struct laf_insn *insn = &r->policy->code[at];

		if (at < LAF_CODE || at >= r->policy->n_code)
			abort();
		r->result->steps++;
		if (insn->what == LAF_STOP)
			return false;
		if (insn->what == LAF_MATCH) {
			if (insn->val >= r->result->position)
				return false;
			r->result->position = insn->val;
			r->result->rule = insn->aux;
			r->action = insn->op;
			return true;
		}
		if (insn->what == LAF_COND) {
			if (insn->aux < r->result->position) {
				r->result->conds[insn->val / 64] |= UINT64_C(1) << (insn->val % 64);
				r->result->candidate = true;
			}
			at++;
			continue;
		}
		if (insn->fail <= at)
			abort();
		at = run_insn(r, at) ? at + (insn->what == LAF_T_EXE ? 2 : 1) : insn->fail;
	}
	return false;
}

static inline const struct laf_inode_rules *run_rules(const struct laf_policy *p, uint64_t ino, uint32_t dev)
{
	for (uint32_t i = 0; i < p->n_inodes; i++)
		if (p->inodes[i].key.ino == ino && p->inodes[i].key.dev == dev)
			return &p->inodes[i].rules;
	return NULL;
}

static inline void run_trees(struct run *r)
{
	for (unsigned i = 0; i < r->event->n_names; i++) {
		const struct run_name *n = &r->event->names[i];

		for (unsigned k = 0; n->known && k <= n->n_above; k++) {
			const struct laf_inode_rules *rules = k ?
				run_rules(r->policy, n->above[k - 1].ino, n->above[k - 1].dev) :
				run_rules(r->policy, n->ino, n->dev);

			if (rules && rules->tree && run_code(r, rules->tree))
				r->result->key_rule = r->policy->keys[r->result->rule].text ? r->result->rule
											    : LAF_RULE_NONE;
		}
	}
}

static inline void run_watches(struct run *r)
{
	for (unsigned i = 0; i < r->event->n_names; i++) {
		const struct laf_inode_rules *rules;
		bool matched = false;

		r->name = &r->event->names[i];
		rules = r->name->known ? run_rules(r->policy, r->name->ino, r->name->dev) : NULL;
		if (rules && rules->watch)
			matched |= run_code(r, rules->watch);
		rules = run_rules(r->policy, (uint32_t)r->name->ino, LAF_DEV_ANY);
		if (rules && rules->watch)
			matched |= run_code(r, rules->watch);
		r->name = NULL;
		if (!matched)
			continue;
		if (r->policy->keys[r->result->rule].text)
			r->result->key_rule = r->result->rule;
		return;
	}
}

/* All four stages. */
static inline struct run_result run_policy(const struct laf_policy *policy, const struct run_event *event)
{
	struct run_result result = { .rule = LAF_RULE_NONE,
				     .key_rule = LAF_RULE_NONE,
				     .position = UINT32_MAX };
	struct run r = { .policy = policy, .event = event, .result = &result };
	const struct laf_policy_call *head = laf_policy_call(policy, event->abi, event->nr);
	bool unknown = false;

	if (!(head->flags & LAF_CALL_AUDITED))
		return result;
	if (run_code(&r, head->code) && policy->keys[result.rule].text)
		result.key_rule = result.rule;
	if (head->flags & LAF_CALL_DIRS)
		run_trees(&r);
	if (head->flags & LAF_CALL_WATCHES)
		run_watches(&r);
	for (unsigned i = 0; i < event->n_names; i++)
		unknown |= !event->names[i].known;
	if (unknown)
		run_code(&r, head->conds);
	result.recorded = result.rule != LAF_RULE_NONE && r.action;
	return result;
}

#endif
