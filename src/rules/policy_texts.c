// SPDX-License-Identifier: GPL-2.0-or-later
/* The index of watched paths by their text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_texts.h"

size_t policy_text_plain(char *text, size_t len)
{
	size_t out = 0, at = 0;

	while (at < len) {
		size_t start, n;

		while (at < len && text[at] == '/')
			at++;
		for (start = at; at < len && text[at] != '/';)
			at++;
		n = at - start;
		if (n == 2 && text[start] == '.' && text[start + 1] == '.') {
			while (out > 0 && text[--out] != '/')
				;
		} else if (n && !(n == 1 && text[start] == '.')) {
			text[out++] = '/';
			memmove(text + out, text + start, n);
			out += n;
		}
	}
	return out;
}

/* Rules come in list order: the new one goes to the end of its text's chain. */
static int link_rule(struct laf_policy_texts *t, const char *text, size_t len, uint32_t rule)
{
	char *plain = malloc(len + 2);
	size_t known = t->texts.n;
	uint32_t id, *at;
	int error;

	if (!plain)
		return -ENOMEM;
	plain[0] = '/'; /* an empty text would be the root otherwise */
	memcpy(plain + 1, text, len);
	error = policy_pool_add(&t->texts, plain, policy_text_plain(plain, len + 1), &id);
	free(plain);
	if (error || policy_grow(&t->first, &t->first_room, t->texts.n, sizeof(*t->first)) ||
	    policy_grow(&t->links, &t->links_room, t->n_links + 1, sizeof(*t->links)))
		return -ENOMEM;
	if (id == known)
		t->first[id] = TEXT_NONE;
	for (at = &t->first[id]; *at != TEXT_NONE; at = &t->links[*at].next)
		if (t->links[*at].rule == rule)
			return 0;
	*at = t->n_links;
	t->links[t->n_links++] = (struct text_rule){ rule, TEXT_NONE };
	return 0;
}

static int link_rules(const struct policy_build *b, struct laf_policy_texts *t)
{
	for (uint32_t i = 0; i < b->n_rules; i++) {
		const struct policy_rule *rule = &b->rules[i];
		const char *real;
		int error;

		if (rule->kind != KIND_PATH && rule->kind != KIND_DIR)
			continue;
		error = link_rule(t, policy_pool_get(&b->name_texts, rule->name),
				  policy_pool_len(&b->name_texts, rule->name), i);
		real = b->names[rule->name].real;
		if (!error && real)
			error = link_rule(t, real, strlen(real), i);
		if (error)
			return error;
	}
	return 0;
}

static void take_pool(struct policy_pool *to, struct policy_pool *from)
{
	*to = *from;
	memset(from, 0, sizeof(*from));
}

int policy_texts_new(struct policy_build *b)
{
	struct laf_policy_texts *t = calloc(1, sizeof(*t));
	int error;

	if (!t)
		return -ENOMEM;
	error = link_rules(b, t);
	t->actions = calloc(b->source->n + 1, 1);
	if (error || !t->actions) {
		policy_texts_free(t);
		return -ENOMEM;
	}
	for (size_t i = 0; i < b->n_rules; i++)
		t->actions[b->rules[i].index] = b->rules[i].action;
	take_pool(&t->sets, &b->sets);
	take_pool(&t->cond_lists, &b->cond_lists);
	memcpy(t->call_conds, b->call_conds, sizeof(t->call_conds));
	t->rules = b->rules;
	t->n_rules = b->n_rules;
	b->rules = NULL;
	b->n_rules = 0;
	b->policy->texts = t;
	return 0;
}

void policy_texts_free(struct laf_policy_texts *texts)
{
	if (!texts)
		return;
	policy_pool_clear(&texts->texts);
	policy_pool_clear(&texts->sets);
	policy_pool_clear(&texts->cond_lists);
	free(texts->first);
	free(texts->links);
	free(texts->rules);
	free(texts->actions);
	free(texts);
}
