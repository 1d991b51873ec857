// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of inodes and of watched names: which file, number, folder or name runs which rules. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_build.h"

/* One inode that brings one rule into play. */
struct place {
	struct laf_inode_key key;
	uint32_t sort; /* enum place_sort */
	uint32_t rule; /* in b->rules */
	uint32_t generation;
	bool dated;
	const char *name; /* SORT_NAME: of this name in the folder, not NUL-terminated */
	uint32_t name_len;
	struct policy_id file; /* SORT_NAME: that has the name, if any has */
	bool has_file;
};

enum place_sort { SORT_WATCH, SORT_TREE, SORT_HOLDS, SORT_NAME };

struct work {
	struct policy_build *b;
	struct place *places;
	size_t n_places, places_room;
	struct call_set reach[2]; /* the calls that can run programs of SORT_WATCH and SORT_TREE */
	uint32_t *set_tests;      /* by number of a set: its LAF_T_CALL in `tests`, POOL_NONE = none yet */
	struct policy_item *items;
	uint32_t *lists;
	size_t items_room, lists_room, inodes_room, watches_room;
};

static int put_place(struct work *w, const struct policy_id *id, enum place_sort sort, uint32_t rule)
{
	int error = policy_grow(&w->places, &w->places_room, w->n_places + 1, sizeof(*w->places));

	if (!error)
		w->places[w->n_places++] = (struct place){
			.key = { .ino = id->ino, .dev = id->dev }, .sort = sort, .rule = rule,
			.generation = id->generation, .dated = id->dated,
		};
	return error;
}

/* The last part of a watched name in its folder; none for what can't be one. */
static int put_name(struct work *w, const struct policy_spot *spot, uint32_t rule)
{
	const char *text = policy_pool_get(&w->b->name_texts, w->b->rules[rule].name);
	uint32_t len = policy_pool_len(&w->b->name_texts, w->b->rules[rule].name), last = len;
	int error;

	while (last && text[last - 1] != '/')
		last--;
	if (last == len || len - last > LAF_WATCH_NAME_MAX)
		return 0;
	error = put_place(w, &spot->folder, SORT_NAME, rule);
	if (!error) {
		w->places[w->n_places - 1].name = text + last;
		w->places[w->n_places - 1].name_len = len - last;
		w->places[w->n_places - 1].file = spot->file;
		w->places[w->n_places - 1].has_file = spot->has_file;
	}
	return error;
}

/* The roots of what is mounted below a folder count as the folder does. */
static int put_mounts(struct work *w, const char *real, uint32_t rule)
{
	struct policy_build *b = w->b;
	size_t len = strcmp(real, "/") ? strlen(real) : 0;
	int error = 0;

	for (size_t i = 0; !error && i < b->n_mounts; i++) {
		const char *point = b->mounts[i].point;
		struct policy_id id;

		if (!strncmp(point, real, len) && point[len] == '/' && point[len + 1] &&
		    policy_file_id(b, point, &id))
			error = put_place(w, &id, SORT_TREE, rule);
	}
	return error;
}

static int put_watch(struct work *w, const struct policy_spot *spot, uint32_t rule)
{
	int error = 0;

	if (spot->has_folder)
		error = put_place(w, &spot->folder, SORT_HOLDS, 0);
	if (!error && spot->has_folder)
		error = put_name(w, spot, rule);
	if (!error && spot->has_file)
		error = put_place(w, &spot->file, SORT_WATCH, rule);
	return error;
}

static int put_rule(struct work *w, uint32_t at)
{
	const struct policy_rule *rule = &w->b->rules[at];
	const struct policy_name *name;
	struct policy_spot now;
	int error = 0;

	if (rule->kind == KIND_INODE)
		return put_place(w, &(struct policy_id){ .ino = rule->inode, .dev = LAF_DEV_ANY }, SORT_WATCH, at);
	if (rule->kind == KIND_PLAIN)
		return 0;
	name = &w->b->names[rule->name];
	now = policy_spot_of(w->b, name);
	if (rule->kind == KIND_PATH) {
		error = put_watch(w, &now, at);
		return error || !name->was.has_folder ? error : put_watch(w, &name->was, at);
	}
	if (now.has_file)
		error = put_place(w, &now.file, SORT_TREE, at);
	if (!error && now.has_file && name->real)
		error = put_mounts(w, name->real, at);
	if (!error && name->was.has_file)
		error = put_place(w, &name->was.file, SORT_TREE, at);
	return error;
}

static int by_name(const struct place *a, const struct place *b)
{
	if (a->name_len != b->name_len)
		return a->name_len < b->name_len ? -1 : 1;
	return a->name_len ? memcmp(a->name, b->name, a->name_len) : 0;
}

static int by_key(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int names;

	if (a->key.dev != b->key.dev)
		return a->key.dev < b->key.dev ? -1 : 1;
	if (a->key.ino != b->key.ino)
		return a->key.ino < b->key.ino ? -1 : 1;
	if (a->sort != b->sort)
		return a->sort < b->sort ? -1 : 1;
	names = by_name(a, b);
	if (names)
		return names;
	return a->rule < b->rule ? -1 : a->rule > b->rule;
}

static bool same(const struct place *a, const struct place *b)
{
	return a->key.ino == b->key.ino && a->key.dev == b->key.dev && a->sort == b->sort &&
	       a->rule == b->rule;
}

/* By inode, then by sort, then in list order, each once. */
static void sort_places(struct work *w)
{
	size_t kept = 0;

	if (w->n_places)
		qsort(w->places, w->n_places, sizeof(*w->places), by_key);
	for (size_t i = 0; i < w->n_places; i++)
		if (!kept || !same(&w->places[kept - 1], &w->places[i]))
			w->places[kept++] = w->places[i];
	w->n_places = kept;
}

/* Which calls run programs by inode at all. */
static void find_reach(struct work *w)
{
	struct policy_build *b = w->b;
	uint32_t last[2] = { POOL_NONE, POOL_NONE };

	for (size_t i = 0; i < w->n_places; i++) {
		uint32_t sort = w->places[i].sort, set = b->rules[w->places[i].rule].set;

		if (sort == SORT_NAME) /* its file will be watched when it comes */
			sort = SORT_WATCH;
		if (sort == SORT_HOLDS || last[sort] == set)
			continue;
		last[sort] = set;
		set_or(&w->reach[sort], policy_pool_get(&b->sets, set));
	}
	for (unsigned call = 0; call < LAF_CALLS; call++) {
		struct laf_policy_call *head = (struct laf_policy_call *)&b->policy->code[call];

		head->flags |= set_has(&w->reach[SORT_WATCH], call) ? LAF_CALL_WATCHES : 0;
		head->flags |= set_has(&w->reach[SORT_TREE], call) ? LAF_CALL_DIRS : 0;
	}
}

/* The test for the calls of a set; equal sets share their bits. */
static int call_test(struct work *w, uint32_t set, uint32_t *ret_test)
{
	struct policy_build *b = w->b;
	struct policy_test test = { .insn = { .what = LAF_T_CALL } };
	int error = 0;

	if (w->set_tests[set] == POOL_NONE) {
		error = policy_set_code(b, policy_pool_get(&b->sets, set), &test.insn.val);
		if (!error)
			error = policy_pool_add(&b->tests, &test, sizeof(test), &w->set_tests[set]);
	}
	*ret_test = w->set_tests[set];
	return error;
}

static bool covers(const struct call_set *set, const struct call_set *reach)
{
	return !memcmp(set, reach, sizeof(*set));
}

/* Does the test matter for any call of the set? */
static bool matters(const struct policy_build *b, const struct policy_test *test, const struct call_set *set)
{
	struct call_set both = *set;

	set_and(&both, &b->groups[test->group]);
	return !set_empty(&both);
}

static int add_item(struct work *w, uint32_t sort, const struct policy_rule *rule, uint32_t *n_items,
		    uint32_t *n_lists)
{
	struct policy_build *b = w->b;
	uint32_t n = policy_pool_len(&b->lists, rule->tests) / sizeof(uint32_t), call;
	struct policy_item item = { .end = policy_match(rule) };
	const struct call_set *set = policy_pool_get(&b->sets, rule->set);
	const uint32_t *tests;

	if (policy_grow(&w->items, &w->items_room, *n_items + 1, sizeof(*w->items)) ||
	    policy_grow(&w->lists, &w->lists_room, *n_lists + n + 1, sizeof(*w->lists)))
		return -ENOMEM;
	if (!covers(set, &w->reach[sort])) {
		int error = call_test(w, rule->set, &call);

		if (error)
			return error;
		w->lists[*n_lists + item.n_tests++] = call;
	}
	tests = policy_pool_get(&b->lists, rule->tests);
	for (uint32_t i = 0; i < n; i++)
		if (matters(b, policy_pool_get(&b->tests, tests[i]), set))
			w->lists[*n_lists + item.n_tests++] = tests[i];
	*n_lists += item.n_tests;
	w->items[(*n_items)++] = item;
	return 0;
}

/* The program of the places from `from` to before `to`: one inode or name, one sort. */
static int write_program(struct work *w, size_t from, size_t to, uint32_t *ret_at)
{
	uint32_t n_items = 0, n_lists = 0, sort = w->places[from].sort == SORT_TREE ? SORT_TREE : SORT_WATCH;

	for (size_t i = from; i < to; i++) {
		int error = add_item(w, sort, &w->b->rules[w->places[i].rule], &n_items, &n_lists);

		if (error)
			return error;
	}
	for (uint32_t i = 0, tests = 0; i < n_items; i++) {
		w->items[i].tests = w->lists + tests; /* add_item() made room for one more than it needs */
		tests += w->items[i].n_tests;
	}
	return policy_program(w->b, w->items, n_items, ret_at);
}

/* The watched names of one folder: the places from `from` to before `to`. */
static int write_watches(struct work *w, size_t from, size_t to)
{
	struct laf_policy *p = w->b->policy;
	int error = 0;

	for (size_t at = from, end; !error && at < to; at = end) {
		const struct place *place = &w->places[at];
		struct laf_policy_watch *watch;

		for (end = at + 1; end < to && !by_name(place, &w->places[end]);)
			end++;
		error = policy_grow(&p->watches, &w->watches_room, p->n_watches + 1, sizeof(*p->watches));
		if (error)
			break;
		watch = &p->watches[p->n_watches++];
		*watch = (struct laf_policy_watch){
			.key = { .ino = place->key.ino, .dev = place->key.dev, .len = place->name_len },
			.watch = { .dated = place->dated, .known = place->has_file, .ino = place->file.ino,
				   .dev = place->file.dev, .generation = place->file.generation },
		};
		memcpy(watch->key.name, place->name, place->name_len);
		error = write_program(w, at, end, &watch->watch.program);
	}
	return error;
}

/* The entry of the inode whose places start at `from`; returns where the next one's start, or a negative
 * errno. */
static int write_inode(struct work *w, size_t from, size_t *ret_next)
{
	struct laf_policy *p = w->b->policy;
	struct laf_policy_inode inode = {
		.key = w->places[from].key,
		.rules = { .dated = w->places[from].dated, .generation = w->places[from].generation },
	};
	size_t at = from;
	int error = policy_grow(&p->inodes, &w->inodes_room, p->n_inodes + 1, sizeof(*p->inodes));

	while (!error && at < w->n_places && w->places[at].key.ino == inode.key.ino &&
	       w->places[at].key.dev == inode.key.dev) {
		enum place_sort sort = w->places[at].sort;
		size_t end = at;

		while (end < w->n_places && w->places[end].key.ino == inode.key.ino &&
		       w->places[end].key.dev == inode.key.dev && w->places[end].sort == sort)
			end++;
		if (sort == SORT_HOLDS)
			inode.rules.holds = 1;
		else if (sort == SORT_NAME)
			error = write_watches(w, at, end);
		else
			error = write_program(w, at, end,
					      sort == SORT_TREE ? &inode.rules.tree : &inode.rules.watch);
		at = end;
	}
	if (!error)
		p->inodes[p->n_inodes++] = inode;
	*ret_next = at;
	return error;
}

static int write_inodes(struct work *w)
{
	struct policy_build *b = w->b;
	size_t at = 0;
	int error = 0;

	for (uint32_t i = 0; i < b->n_rules && !error; i++)
		error = put_rule(w, i);
	if (error)
		return error;
	sort_places(w);
	find_reach(w);
	while (!error && at < w->n_places)
		error = write_inode(w, at, &at);
	return error;
}

int policy_inodes(struct policy_build *b)
{
	struct work w = { .b = b, .set_tests = malloc((b->sets.n + 1) * sizeof(uint32_t)) };
	int error = -ENOMEM;

	if (w.set_tests) {
		memset(w.set_tests, 0xff, (b->sets.n + 1) * sizeof(uint32_t));
		error = write_inodes(&w);
	}
	free(w.places);
	free(w.items);
	free(w.lists);
	free(w.set_tests);
	return error;
}
