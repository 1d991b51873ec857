// SPDX-License-Identifier: GPL-2.0-or-later
/* The last word on an event: its key, and for candidates whether the text of a name is watched. */
#include <string.h>

#include "policy_texts.h"

#define TEXT_MAX (2 * 4096 + 2)

/* A candidate on its way. */
struct deciding {
	const struct laf_policy_texts *t;
	const struct laf_event *event;
	unsigned call;
	uint32_t position; /* of the best match so far, UINT32_MAX = none */
	uint32_t rule, key_rule;
};

static bool cond_held(const struct deciding *d, uint32_t tests)
{
	uint32_t list = d->t->call_conds[d->call], n;
	const uint32_t *conds;

	if (list == POOL_NONE)
		return false;
	conds = policy_pool_get(&d->t->cond_lists, list);
	n = policy_pool_len(&d->t->cond_lists, list) / sizeof(*conds);
	for (uint32_t low = 0, high = n; low < high;) { /* the bits are in order of their lists of tests */
		uint32_t middle = (low + high) / 2;

		if (conds[middle] == tests)
			return middle / 64 < d->event->n_conds &&
			       d->event->conds[middle / 64] >> (middle % 64) & 1;
		if (conds[middle] < tests)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* The first rule of one sort on a text that holds, if it comes before `*best`. The text is all of the path,
 * or a folder `above` it. */
static void try_text(const struct deciding *d, uint32_t text, enum policy_kind kind, bool above,
		     const struct policy_rule **best)
{
	for (uint32_t at = d->t->chains[text].first; at != TEXT_NONE; at = d->t->links[at].next) {
		const struct policy_rule *rule = &d->t->rules[d->t->links[at].rule];

		if (rule->index >= d->position || (*best && rule->index >= (*best)->index))
			return;
		if (rule->kind == kind && !(above && rule->exact) &&
		    set_has(policy_pool_get(&d->t->sets, rule->set), d->call) &&
		    cond_held(d, rule->tests)) {
			*best = rule;
			return;
		}
	}
}

/* dir= rules on the folders of the path and on itself, path= rules on itself. */
static void try_path(const struct deciding *d, const char *path, size_t len, const struct policy_rule **dir,
		     const struct policy_rule **watch)
{
	uint32_t hash = POLICY_HASH_START;

	for (size_t i = 0; i <= len; i++) {
		if (i == len || path[i] == '/') {
			uint32_t text = policy_pool_find(&d->t->texts, path, i, hash);

			if (text != POOL_NONE)
				try_text(d, text, KIND_DIR, i < len, dir);
			if (text != POOL_NONE && i == len)
				try_text(d, text, KIND_PATH, false, watch);
		}
		if (i < len)
			hash = policy_hash_byte(hash, path[i]);
	}
}

/* The path alone, without what a record adds to it; 0 = it is not known whole, or no path. */
static size_t join(const struct laf_path *path, char *buf, size_t size)
{
	struct laf_path plain = { path->components, path->bytes, 0 };
	size_t len;

	if (path->flags & (LAF_PATH_TRUNCATED | LAF_PATH_PSEUDO))
		return 0;
	len = laf_path_join(&plain, buf, size);
	return len < size ? len : size;
}

/* The plain absolute text of a name; 0 = it has none (or is the root, which comes out as a "/"). */
static size_t name_text(const struct laf_event *event, const struct laf_name *name, char buf[TEXT_MAX])
{
	const struct laf_path *start = name->base.components ? &name->base : &event->cwd;
	size_t len = 0, n = name->wire->text_len;

	if (name->wire->flags & (LAF_NAME_NULL | LAF_NAME_FAULT | LAF_NAME_UNSOUGHT))
		return 0;
	if (name->wire->flags & LAF_NAME_COMPONENTS) {
		const struct laf_path path = { (const uint8_t *)name->text, n, 0 };

		return join(&path, buf, TEXT_MAX);
	}
	if (n == 0 || name->text[0] != '/') {
		if (!start->components)
			return 0;
		len = join(start, buf, TEXT_MAX / 2);
		if (!len)
			return 0;
		buf[len++] = '/';
	}
	if (n > TEXT_MAX - len)
		n = TEXT_MAX - len;
	memcpy(buf + len, name->text, n);
	return len + n;
}

/* A PARENT stands for the folder: cut the last component. */
static size_t cut_last(const char *text, size_t len)
{
	while (len > 0 && text[len - 1] == '/')
		len--;
	while (len > 0 && text[len - 1] != '/')
		len--;
	return len;
}

/* As the kernel does: first the list with its dir= rules, then the names in turn until one is watched. */
static void decide(struct deciding *d)
{
	const struct laf_event *event = d->event;
	const struct policy_rule *dir = NULL, *watches[LAF_EVENT_NAMES_MAX + 1] = { NULL };
	char buf[TEXT_MAX];
	unsigned n = event->n_names < LAF_EVENT_NAMES_MAX ? event->n_names : LAF_EVENT_NAMES_MAX;

	for (unsigned i = 0; i <= n; i++) {
		size_t len;

		if (i < n && event->names[i].wire->flags & LAF_NAME_INODE)
			continue; /* decided by its inode */
		if (i < n)
			len = name_text(event, &event->names[i], buf);
		else
			len = event->opened.components ? join(&event->opened, buf, TEXT_MAX) : 0;
		if (!len)
			continue;
		if (i < n && event->names[i].wire->flags & LAF_NAME_FOLDER)
			len = cut_last(buf, len);
		try_path(d, buf, policy_text_plain(buf, len), &dir, &watches[i]);
	}
	if (dir) {
		d->position = d->rule = dir->index;
		d->key_rule = dir->has_key ? dir->index : LAF_RULE_NONE;
	}
	for (unsigned i = 0; i <= n; i++) {
		if (!watches[i] || watches[i]->index >= d->position)
			continue;
		d->rule = watches[i]->index;
		if (watches[i]->has_key)
			d->key_rule = watches[i]->index;
		return;
	}
}

bool laf_policy_decide(const struct laf_policy *policy, struct laf_event *event)
{
	const struct laf_wire_event *wire = event->wire;
	uint32_t key_rule = wire->key_rule;
	bool recorded = true;

	if (wire->flags & LAF_EV_CANDIDATE) {
		unsigned abi = wire->arch == AUDIT_ARCH_I386;
		struct deciding d = { .t = policy->texts, .event = event, .position = wire->position,
				      .rule = wire->rule, .key_rule = key_rule };

		if (wire->nr < LAF_ABI_CALLS) {
			d.call = LAF_CALL_INDEX(abi, wire->nr);
			decide(&d);
		}
		recorded = d.rule < policy->n_rules && policy->texts->actions[d.rule];
		key_rule = d.key_rule;
	}
	event->key = event->task_key;
	event->key_len = event->task_key_len;
	if (key_rule < policy->n_rules) {
		event->key = policy->keys[key_rule].text;
		event->key_len = policy->keys[key_rule].len;
	}
	return recorded && policy_filters_decide(policy, event);
}
