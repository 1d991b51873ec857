// SPDX-License-Identifier: GPL-2.0-or-later
/* The policy compiler: its stages in order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_build.h"

int policy_key_copy(struct policy_build *b, uint32_t index)
{
	const struct audit_rule_data *data = b->source->list[index].data;
	struct laf_policy_key *key = &b->policy->keys[index];
	uint32_t at = 0;

	for (uint32_t i = 0; i < data->field_count; i++) {
		uint32_t field = data->fields[i], len = data->values[i];

		if (!policy_is_string(field))
			continue;
		if (field == AUDIT_FILTERKEY) {
			key->text = strndup(data->buf + at, len);
			key->len = len;
			return key->text ? 0 : -ENOMEM;
		}
		at += len;
	}
	return 0;
}

int policy_refuse(struct policy_build *b, uint32_t index)
{
	return laf_error_set(b->err, -EINVAL, "policy: rule %u: a field that its list does not take", index + 1);
}

static int read_rules(struct policy_build *b)
{
	const struct laf_rules *rules = b->source;
	int error = policy_mounts_read(b);

	b->policy->n_rules = rules->n;
	b->policy->keys = calloc(rules->n + 1, sizeof(*b->policy->keys));
	if (!b->policy->keys)
		return -ENOMEM;
	for (uint32_t i = 0; !error && i < rules->n; i++) {
		if (rules->list[i].data->field_count > AUDIT_MAX_FIELDS) /* whatever its list */
			return policy_refuse(b, i);
		if (policy_list_of(rules->list[i].data) != AUDIT_FILTER_EXIT)
			continue;
		error = policy_rule_read(b, i);
		if (!error)
			error = policy_key_copy(b, i);
		if (error == -EINVAL)
			return policy_refuse(b, i);
	}
	return error;
}

static int list_folders(struct policy_build *b)
{
	struct laf_policy *p = b->policy;

	p->folders = calloc(b->folder_texts.n + 1, sizeof(*p->folders));
	if (!p->folders)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->folder_texts.n; i++) {
		p->folders[i] =
			strndup(policy_pool_get(&b->folder_texts, i), policy_pool_len(&b->folder_texts, i));
		if (!p->folders[i])
			return -ENOMEM;
		p->n_folders++;
	}
	return 0;
}

static void build_clear(struct policy_build *b)
{
	policy_code_clear(b);
	policy_names_clear(b);
	policy_pool_clear(&b->sets);
	policy_pool_clear(&b->tests);
	policy_pool_clear(&b->lists);
	policy_pool_clear(&b->programs);
	policy_pool_clear(&b->cond_lists);
	free(b->rules);
	free(b->program_at);
	free(b);
}

static int compile(struct policy_build *b)
{
	int error;

	policy_groups_fill(b);
	error = policy_code_start(b);
	if (!error)
		error = read_rules(b);
	if (!error)
		error = policy_reach(b);
	if (!error)
		error = policy_heads(b);
	if (!error)
		error = policy_inodes(b);
	if (!error)
		error = policy_tasks(b);
	if (!error)
		error = policy_filesystems(b);
	if (!error)
		error = policy_filters_new(b);
	if (!error)
		error = list_folders(b);
	if (!error)
		error = policy_texts_new(b);
	if (!error)
		error = policy_former_new(b);
	return error;
}

int laf_policy_compile(const struct laf_rules *rules, struct laf_policy **ret, struct laf_error *err)
{
	return laf_policy_compile_again(rules, NULL, ret, err);
}

int laf_policy_compile_again(const struct laf_rules *rules, const struct laf_policy_recall *recall,
			     struct laf_policy **ret, struct laf_error *err)
{
	struct policy_build *b = calloc(1, sizeof(*b));
	struct laf_policy *p = calloc(1, sizeof(*p));
	int error = -ENOMEM;

	if (b && p) {
		b->source = rules;
		b->recall = recall;
		b->policy = p;
		b->err = err;
		error = compile(b);
	}
	if (b)
		build_clear(b);
	if (error == -ENOMEM)
		laf_error_set(err, error, "policy: not enough memory for %zu rules", rules->n);
	if (error)
		laf_policy_free(p);
	else
		*ret = p;
	return error;
}

void laf_policy_free(struct laf_policy *policy)
{
	if (!policy)
		return;
	for (uint32_t i = 0; policy->keys && i < policy->n_rules; i++)
		free(policy->keys[i].text);
	for (uint32_t i = 0; i < policy->n_folders; i++)
		free(policy->folders[i]);
	policy_texts_free(policy->texts);
	policy_former_free(policy->former);
	policy_filters_free(policy->filters);
	free(policy->code);
	free(policy->inodes);
	free(policy->watches);
	free(policy->keys);
	free(policy->folders);
	free(policy);
}
