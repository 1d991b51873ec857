// SPDX-License-Identifier: GPL-2.0-or-later
/* The index of watched paths by their text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy_texts.h"

#define PATH_LEN_MAX 8192

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
	char plain[PATH_LEN_MAX + 2];
	struct text_chain *chain;
	size_t known = t->texts.n;
	uint32_t id;

	if (len > PATH_LEN_MAX) /* no call can name it */
		return 0;
	plain[0] = '/';
	memcpy(plain + 1, text, len);
	if (policy_pool_add(&t->texts, plain, policy_text_plain(plain, len + 1), &id) ||
	    policy_grow(&t->chains, &t->chains_room, t->texts.n, sizeof(*t->chains)) ||
	    policy_grow(&t->links, &t->links_room, t->n_links + 1, sizeof(*t->links)))
		return -ENOMEM;
	chain = &t->chains[id];
	if (id == known)
		chain->first = chain->last = TEXT_NONE;
	if (chain->last != TEXT_NONE && t->links[chain->last].rule == rule)
		return 0; /* its text as written and without links are one */
	if (chain->last == TEXT_NONE)
		chain->first = t->n_links;
	else
		t->links[chain->last].next = t->n_links;
	chain->last = t->n_links;
	t->links[t->n_links++] = (struct text_rule){ rule, TEXT_NONE };
	return 0;
}

/* A dir= that ends in a link, without a slash behind it, does not stand for where the link leads. */
static bool is_link(const struct policy_build *b, const struct policy_rule *rule)
{
	uint32_t len = policy_pool_len(&b->name_texts, rule->name);
	char path[PATH_LEN_MAX + 1];
	struct stat st;

	if (rule->kind != KIND_DIR || len > PATH_LEN_MAX)
		return false;
	memcpy(path, policy_pool_get(&b->name_texts, rule->name), len);
	path[len] = 0;
	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

static int link_rules(const struct policy_build *b, struct laf_policy_texts *t)
{
	for (uint32_t i = 0; i < b->n_rules; i++) {
		struct policy_rule *rule = &b->rules[i];
		const char *real;
		int error;

		if (rule->kind != KIND_PATH && rule->kind != KIND_DIR)
			continue;
		rule->exact = is_link(b, rule);
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
	free(texts->chains);
	free(texts->links);
	free(texts->rules);
	free(texts->actions);
	free(texts);
}
