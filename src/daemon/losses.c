// SPDX-License-Identifier: GPL-2.0-or-later
/* A short list, looked through for each entry. */
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../record/calls.h"
#include "losses.h"

static void name_rule(const struct laf_policy *policy, uint32_t rule, char *buf, size_t size)
{
	const struct laf_policy_key *key = policy && rule < policy->n_rules ? &policy->keys[rule] : NULL;

	if (key && key->text)
		snprintf(buf, size, "%.*s", (int)key->len, key->text);
	else if (key)
		snprintf(buf, size, "rule %u", rule + 1);
	else
		snprintf(buf, size, "-");
	for (char *s = buf; *s; s++) /* several keys of one rule */
		if (*s == 1)
			*s = ',';
}

static struct laf_loss_of *find(struct laf_losses *losses, uint32_t call, const char *rule)
{
	size_t i;

	for (i = 0; i < losses->n; i++)
		if (losses->list[i].call == call && !strcmp(losses->list[i].rule, rule))
			return &losses->list[i];
	return NULL;
}

static struct laf_loss_of *append(struct laf_losses *losses, uint32_t call, const char *rule)
{
	struct laf_loss_of *list;

	if (losses->n == LAF_LOSSES_MAX)
		return &losses->list[losses->n - 1];
	list = realloc(losses->list, (losses->n + 1) * sizeof(*list));
	if (!list)
		return NULL;
	losses->list = list;
	list += losses->n++;
	memset(list, 0, sizeof(*list));
	list->call = losses->n == LAF_LOSSES_MAX ? UINT32_MAX : call;
	snprintf(list->rule, sizeof(list->rule), "%s", losses->n == LAF_LOSSES_MAX ? "others" : rule);
	return list;
}

static void add(struct laf_losses *losses, uint32_t call, const char *rule, uint64_t n)
{
	struct laf_loss_of *loss = find(losses, call, rule);

	if (!loss)
		loss = append(losses, call, rule);
	if (loss)
		loss->n += n;
}

void laf_losses_add(struct laf_losses *losses, const struct laf_policy *policy, uint32_t rule, uint32_t call, uint64_t n)
{
	char name[sizeof(losses->list->rule)];

	name_rule(policy, rule, name, sizeof(name));
	add(losses, call, name, n);
}

void laf_losses_merge(struct laf_losses *losses, const struct laf_losses *from)
{
	size_t i;

	for (i = 0; i < from->n; i++)
		add(losses, from->list[i].call, from->list[i].rule, from->list[i].n);
}

static int compare(const void *a, const void *b)
{
	const struct laf_loss_of *left = a, *right = b;

	return (left->n < right->n) - (left->n > right->n);
}

void laf_losses_sort(struct laf_losses *losses)
{
	if (losses->n)
		qsort(losses->list, losses->n, sizeof(*losses->list), compare);
}

int laf_loss_of_text(const struct laf_loss_of *loss, char *buf, size_t size)
{
	bool narrow = loss->call >= LAF_ABI_CALLS;
	uint32_t nr = loss->call % LAF_ABI_CALLS;
	const char *name = laf_call_name(narrow ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64, nr);

	if (loss->call == UINT32_MAX)
		return snprintf(buf, size, "others");
	if (!name)
		return snprintf(buf, size, "%s %u %s", narrow ? "b32" : "b64", nr, loss->rule);
	return snprintf(buf, size, "%s %s %s", narrow ? "b32" : "b64", name, loss->rule);
}

void laf_losses_clear(struct laf_losses *losses)
{
	free(losses->list);
	*losses = (struct laf_losses){ 0 };
}
