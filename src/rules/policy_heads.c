// SPDX-License-Identifier: GPL-2.0-or-later
/* What each call runs: its head, the program of its rules, the conditions of its watches. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_build.h"

/* Rules with the same tests on the same calls share a condition. */
struct cond {
	uint32_t tests, set, position;
};

struct work {
	struct policy_build *b;
	struct policy_item *items; /* of one program */
	uint32_t *lists;           /* room for their tests */
	size_t items_room, lists_room;
	uint32_t *sets;            /* different sets of the rules at hand */
	size_t n_sets, sets_room;
	struct cond *conds;        /* what the conditions of all calls come from */
	size_t n_conds, conds_room;
};

static bool is_plain(const struct policy_rule *rule)
{
	return rule->kind == KIND_PLAIN;
}

static bool has_text(const struct policy_rule *rule)
{
	return rule->kind == KIND_PATH || rule->kind == KIND_DIR;
}

/* The sets of rules of one sort, each once. */
static int list_sets(struct work *w, bool (*wanted)(const struct policy_rule *))
{
	uint8_t *seen = calloc(w->b->sets.n + 1, 1);
	int error = seen ? 0 : -ENOMEM;

	w->n_sets = 0;
	for (size_t i = 0; !error && i < w->b->n_rules; i++) {
		const struct policy_rule *rule = &w->b->rules[i];

		if (!wanted(rule) || seen[rule->set])
			continue;
		seen[rule->set] = 1;
		error = policy_grow(&w->sets, &w->sets_room, w->n_sets + 1, sizeof(*w->sets));
		if (!error)
			w->sets[w->n_sets++] = rule->set;
	}
	free(seen);
	return error;
}

static bool in_set(const struct policy_build *b, uint32_t set, unsigned call)
{
	return set_has(policy_pool_get(&b->sets, set), call);
}

/* Append an item with those tests of the list that this call needs. Its `tests` are an offset until all are
 * there. */
static int add_item(struct work *w, unsigned call, uint32_t list, struct laf_insn end, uint32_t *n_items,
		    uint32_t *n_lists)
{
	const struct policy_build *b = w->b;
	const uint32_t *tests = policy_pool_get(&b->lists, list);
	uint32_t n = policy_pool_len(&b->lists, list) / sizeof(*tests);
	struct policy_item item = { .end = end };

	if (policy_grow(&w->items, &w->items_room, *n_items + 1, sizeof(*w->items)) ||
	    policy_grow(&w->lists, &w->lists_room, *n_lists + n, sizeof(*w->lists)))
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct policy_test *test = policy_pool_get(&b->tests, tests[i]);

		if (set_has(&b->groups[test->group], call))
			w->lists[*n_lists + item.n_tests++] = tests[i];
	}
	*n_lists += item.n_tests;
	w->items[(*n_items)++] = item;
	return 0;
}

static int write_program(struct work *w, uint32_t n_items, uint32_t *ret_at)
{
	uint32_t at = 0;

	if (!n_items)
		return 0;
	for (uint32_t i = 0; i < n_items; i++) {
		w->items[i].tests = w->items[i].n_tests ? w->lists + at : NULL;
		at += w->items[i].n_tests;
	}
	return policy_program(w->b, w->items, n_items, ret_at);
}

/* The program of the rules that look at no watched name. */
static int head_code(struct work *w, unsigned call, uint32_t *ret_at)
{
	uint32_t n_items = 0, n_lists = 0;

	*ret_at = 0;
	for (size_t i = 0; i < w->b->n_rules; i++) {
		const struct policy_rule *rule = &w->b->rules[i];
		int error;

		if (!is_plain(rule) || !in_set(w->b, rule->set, call))
			continue;
		error = add_item(w, call, rule->tests, policy_match(rule), &n_items, &n_lists);
		if (error)
			return error;
	}
	return write_program(w, n_items, ret_at);
}

static int by_tests(const void *left, const void *right)
{
	const struct cond *a = left, *b = right;

	if (a->tests != b->tests)
		return a->tests < b->tests ? -1 : 1;
	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	return a->position < b->position ? -1 : a->position > b->position;
}

static int list_conds(struct work *w)
{
	const struct policy_build *b = w->b;
	size_t kept = 0;

	for (size_t i = 0; i < b->n_rules; i++) {
		const struct policy_rule *rule = &b->rules[i];

		if (!has_text(rule))
			continue;
		if (policy_grow(&w->conds, &w->conds_room, w->n_conds + 1, sizeof(*w->conds)))
			return -ENOMEM;
		w->conds[w->n_conds++] = (struct cond){ rule->tests, rule->set, rule->index };
	}
	if (w->n_conds)
		qsort(w->conds, w->n_conds, sizeof(*w->conds), by_tests);
	for (size_t i = 0; i < w->n_conds; i++)
		if (!kept || w->conds[kept - 1].tests != w->conds[i].tests ||
		    w->conds[kept - 1].set != w->conds[i].set)
			w->conds[kept++] = w->conds[i];
	w->n_conds = kept;
	return 0;
}

/* The conditions of one call. *ret_list says which bit is which list of tests. */
static int head_conds(struct work *w, unsigned call, uint32_t *ret_at, uint32_t *ret_list)
{
	uint32_t lists[LAF_CONDS_MAX], n_items = 0, n_lists = 0;
	int error;

	for (size_t i = 0; i < w->n_conds; i++) {
		const struct cond *cond = &w->conds[i];
		struct laf_insn end = { .what = LAF_COND, .val = n_items, .aux = cond->position };

		if (!in_set(w->b, cond->set, call))
			continue;
		if (n_items && lists[n_items - 1] == cond->tests) {
			if (cond->position < w->items[n_items - 1].end.aux)
				w->items[n_items - 1].end.aux = cond->position;
			continue;
		}
		if (n_items == LAF_CONDS_MAX)
			return laf_error_set(w->b->err, -E2BIG,
					     "policy: the rules with path= and dir= put more than %u "
					     "different conditions on one call",
					     LAF_CONDS_MAX);
		lists[n_items] = cond->tests;
		error = add_item(w, call, cond->tests, end, &n_items, &n_lists);
		if (error)
			return error;
	}
	if (!n_items)
		return 0;
	error = policy_pool_add(&w->b->cond_lists, lists, n_items * sizeof(*lists), ret_list);
	return error ? error : write_program(w, n_items, ret_at);
}

static struct laf_policy_call *head_of(const struct policy_build *b, unsigned call)
{
	return (struct laf_policy_call *)&b->policy->code[call];
}

static int heads_code(struct work *w)
{
	uint32_t class[LAF_CALLS], at[LAF_CALLS];
	bool done[LAF_CALLS] = { false };
	int error = list_sets(w, is_plain);

	if (error || !w->n_sets)
		return error;
	policy_classes(w->b, w->sets, w->n_sets, class);
	for (unsigned call = 0; call < LAF_CALLS; call++) {
		uint32_t c = class[call];

		if (!done[c]) {
			error = head_code(w, call, &at[c]);
			if (error)
				return error;
			done[c] = true;
		}
		head_of(w->b, call)->code = at[c];
	}
	return 0;
}

static int heads_conds(struct work *w)
{
	uint32_t class[LAF_CALLS], at[LAF_CALLS] = { 0 }, list[LAF_CALLS];
	bool done[LAF_CALLS] = { false };
	int error = list_sets(w, has_text);

	if (!error)
		error = list_conds(w);
	if (error || !w->n_conds)
		return error;
	policy_classes(w->b, w->sets, w->n_sets, class);
	for (unsigned call = 0; call < LAF_CALLS; call++) {
		uint32_t c = class[call];

		if (!done[c]) {
			list[c] = POOL_NONE;
			error = head_conds(w, call, &at[c], &list[c]);
			if (error)
				return error;
			done[c] = true;
		}
		head_of(w->b, call)->conds = at[c];
		w->b->call_conds[call] = list[c];
	}
	return 0;
}

static void heads_flags(const struct policy_build *b)
{
	struct call_set audited = { 0 }, looks = { 0 };

	for (size_t i = 0; i < b->n_rules; i++) {
		const struct policy_rule *rule = &b->rules[i];

		if (rule->action)
			set_or(&audited, policy_pool_get(&b->sets, rule->set));
		if (rule->looks && is_plain(rule))
			set_or(&looks, policy_pool_get(&b->sets, rule->set));
	}
	set_and(&looks, &b->groups[GROUP_NAMES]);
	for (unsigned call = 0; call < LAF_CALLS; call++) {
		if (set_has(&audited, call))
			head_of(b, call)->flags |= LAF_CALL_AUDITED;
		if (set_has(&looks, call))
			head_of(b, call)->flags |= LAF_CALL_INODES;
	}
}

int policy_heads(struct policy_build *b)
{
	struct work w = { .b = b };
	int error;

	memset(b->call_conds, 0xff, sizeof(b->call_conds));
	heads_flags(b);
	error = heads_code(&w);
	if (!error)
		error = heads_conds(&w);
	free(w.items);
	free(w.lists);
	free(w.sets);
	free(w.conds);
	return error;
}
