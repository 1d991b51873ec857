// SPDX-License-Identifier: GPL-2.0-or-later
/* Which calls a rule can still decide, behind the rules before it and in view of those after it. */
#include <errno.h>
#include <string.h>

#include "policy_build.h"

/* Rules repeat the same set many times over: the last answer is kept. `version` counts changes of `with`. */
struct cut {
	uint32_t set, version, result;
	bool valid;
};

static const struct call_set *set_of(const struct policy_build *b, const struct policy_rule *rule)
{
	return policy_pool_get(&b->sets, rule->set);
}

/* rule->set &= with */
static int cut_set(struct policy_build *b, struct policy_rule *rule, const struct call_set *with,
		   uint32_t version, struct cut *last)
{
	struct call_set set;
	int error;

	if (!last->valid || last->set != rule->set || last->version != version) {
		last->set = rule->set;
		last->version = version;
		set = *set_of(b, rule);
		set_and(&set, with);
		last->valid = false;
		error = policy_pool_add(&b->sets, &set, sizeof(set), &last->result);
		if (error)
			return error;
		last->valid = true;
	}
	rule->set = last->result;
	return 0;
}

/* Take the calls for which nothing of the rule is left to test out of `alive`. */
static bool take_certain(const struct policy_build *b, const struct policy_rule *rule, struct call_set *alive)
{
	const struct policy_test *tests = b->tests.n ? policy_pool_get(&b->tests, 0) : NULL;
	const uint32_t *list = policy_pool_get(&b->lists, rule->tests);
	uint32_t n = policy_pool_len(&b->lists, rule->tests) / sizeof(*list);
	struct call_set certain;

	if (rule->kind != KIND_PLAIN)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (tests[list[i]].group == GROUP_ALL)
			return false;
	certain = *set_of(b, rule);
	for (uint32_t i = 0; i < n; i++)
		set_and_not(&certain, &b->groups[tests[list[i]].group]);
	if (set_empty(&certain))
		return false;
	set_and_not(alive, &certain);
	return true;
}

/* In list order: a call that an unconditional rule has decided is out of reach for the rest. */
static int cut_shadowed(struct policy_build *b)
{
	struct call_set alive = b->groups[GROUP_ALL];
	struct cut last = { 0 };
	uint32_t version = 0;

	for (size_t i = 0; i < b->n_rules; i++) {
		int error = cut_set(b, &b->rules[i], &alive, version, &last);

		if (error)
			return error;
		version += take_certain(b, &b->rules[i], &alive);
	}
	return 0;
}

/* Against list order: a `never` is needed only where an `always` comes after it, or where a rule by inode can
 * win late: it may take over the key of what matched before, and only beats what stands behind it. */
static int cut_pointless(struct policy_build *b)
{
	struct call_set needed = { 0 };
	struct cut last = { 0 };
	uint32_t version = 0, seen = POOL_NONE;

	for (size_t i = 0; i < b->n_rules; i++) {
		const struct policy_rule *rule = &b->rules[i];

		if (rule->action && (rule->kind == KIND_PATH || rule->kind == KIND_INODE) &&
		    rule->set != seen) {
			set_or(&needed, set_of(b, rule));
			seen = rule->set;
		}
	}
	seen = POOL_NONE;
	for (size_t i = b->n_rules; i-- > 0;) {
		struct policy_rule *rule = &b->rules[i];
		int error;

		if (!rule->action) {
			error = cut_set(b, rule, &needed, version, &last);
			if (error)
				return error;
		} else if (rule->set != seen) {
			seen = rule->set;
			set_or(&needed, set_of(b, rule));
			version++;
		}
	}
	return 0;
}

int policy_reach(struct policy_build *b)
{
	size_t kept = 0;
	int error = cut_shadowed(b);

	if (!error)
		error = cut_pointless(b);
	if (error)
		return error;
	for (size_t i = 0; i < b->n_rules; i++)
		if (!set_empty(set_of(b, &b->rules[i])))
			b->rules[kept++] = b->rules[i];
	b->n_rules = kept;
	return 0;
}

/* Move the calls of the class that are in the set into a class of their own, unless all of them are. */
static void split(const struct call_set *set, uint32_t class[LAF_CALLS], uint32_t size[LAF_CALLS],
		  uint32_t moved_to[LAF_CALLS], uint32_t *n)
{
	uint32_t inside[LAF_CALLS] = { 0 };
	uint32_t before = *n;

	for (unsigned call = 0; call < LAF_CALLS; call++)
		if (set_has(set, call))
			inside[class[call]]++;
	for (uint32_t i = 0; i < before; i++) {
		moved_to[i] = i;
		if (!inside[i] || inside[i] == size[i])
			continue;
		moved_to[i] = *n;
		size[(*n)++] = inside[i];
		size[i] -= inside[i];
	}
	for (unsigned call = 0; call < LAF_CALLS; call++)
		if (set_has(set, call))
			class[call] = moved_to[class[call]];
}

uint32_t policy_classes(const struct policy_build *b, const uint32_t *sets, size_t n_sets,
			uint32_t ret_class[LAF_CALLS])
{
	static const enum call_group groups[] = { GROUP_OPEN, GROUP_SOCKETCALL, GROUP_NAMES };
	uint32_t size[LAF_CALLS] = { LAF_CALLS }, moved_to[LAF_CALLS], n = 1;

	memset(ret_class, 0, LAF_CALLS * sizeof(*ret_class));
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		split(&b->groups[groups[i]], ret_class, size, moved_to, &n);
	for (size_t i = 0; i < n_sets; i++)
		split(policy_pool_get(&b->sets, sets[i]), ret_class, size, moved_to, &n);
	return n;
}
