// SPDX-License-Identifier: GPL-2.0-or-later
/* The task list: it decides a task when it is made, whatever it calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_rule.h"

struct work {
	struct policy_build *b;
	struct policy_item *items;
	uint32_t *tests; /* of all items, one after the other */
	size_t n_items, n_tests, items_room, tests_room;
	bool records; /* some rule has all calls of a task recorded */
};

/* audit_filter_rules() without a call: what asks about one does not hold, and holds where "!=" turns that round. */
static int read_field(struct reading *r, uint32_t field, uint32_t op, uint32_t val, const char *text)
{
	switch (field) {
	case AUDIT_FILTERKEY:
		r->rule.has_key = true;
		return 0;
	case AUDIT_PID: case AUDIT_PERS: case AUDIT_LOGINUID: case AUDIT_LOGINUID_SET: case AUDIT_SESSIONID:
	case AUDIT_UID: case AUDIT_EUID: case AUDIT_SUID: case AUDIT_FSUID:
	case AUDIT_GID: case AUDIT_EGID: case AUDIT_SGID: case AUDIT_FSGID:
		return policy_read_number(r, field, op, val);
	case AUDIT_FIELD_COMPARE:
		if (val > AUDIT_COMPARE_FSGID_TO_OBJ_GID) /* those before compare with an owner */
			return policy_read_compare(r, op, val);
		break;
	case AUDIT_EXE: case AUDIT_PERM: case AUDIT_FILETYPE:
		if (op == LAF_NE)
			return 0;
		break;
	}
	r->never = true;
	return 0;
}

/* The key goes with the task, whatever becomes of the rules: its text, ended by a NUL, stands in the policy. */
static int put_key(struct policy_build *b, uint32_t index, uint32_t *ret_at)
{
	const struct laf_policy_key *key = &b->policy->keys[index];

	return key->len <= LAF_KEY_MAX ? policy_text_put(b, key->text, key->len, ret_at) : -EINVAL;
}

static int add_item(struct work *w, struct reading *r)
{
	struct policy_item item = { .n_tests = r->n_tests, .end = policy_match(&r->rule) };
	int error = 0;

	policy_sort_tests(r);
	item.end.aux = 0;
	if (r->rule.action && w->b->policy->keys[r->rule.index].text)
		error = put_key(w->b, r->rule.index, &item.end.aux);
	if (!error)
		error = policy_grow(&w->items, &w->items_room, w->n_items + 1, sizeof(*w->items));
	if (!error)
		error = policy_grow(&w->tests, &w->tests_room, w->n_tests + r->n_tests + 1, sizeof(*w->tests));
	if (error)
		return error;
	memcpy(w->tests + w->n_tests, r->tests, r->n_tests * sizeof(*r->tests));
	w->n_tests += r->n_tests;
	w->items[w->n_items++] = item;
	w->records |= r->rule.action;
	return 0;
}

/* Behind a rule that every task matches, none can match. */
static int read_rule(struct work *w, uint32_t index, bool *ret_last)
{
	const struct audit_rule_data *data = w->b->source->list[index].data;
	struct reading r = { .b = w->b, .data = data };
	int error;

	r.rule.index = index;
	r.rule.action = data->action == AUDIT_ALWAYS;
	error = policy_read_fields(&r, read_field);
	if (!error)
		error = policy_key_copy(w->b, index);
	if (error == -EINVAL)
		return policy_refuse(w->b, index);
	if (!error && !r.never)
		error = add_item(w, &r);
	*ret_last = !r.never && !r.n_tests;
	return error;
}

static int write_program(struct work *w)
{
	for (size_t i = 0, at = 0; i < w->n_items; i++) {
		w->items[i].tests = w->tests + at;
		at += w->items[i].n_tests;
	}
	return w->n_items ? policy_program(w->b, w->items, w->n_items, &policy_lists(w->b)->task) : 0;
}

/* A task of which all is recorded may call anything. */
static void audit_all(struct policy_build *b)
{
	for (unsigned call = 0; call < LAF_CALLS; call++)
		((struct laf_policy_call *)&b->policy->code[call])->flags |= LAF_CALL_AUDITED;
}

int policy_tasks(struct policy_build *b)
{
	struct work w = { .b = b };
	bool last = false;
	int error = 0;

	for (uint32_t i = 0; !error && !last && i < b->source->n; i++)
		if (policy_list_of(b->source->list[i].data) == AUDIT_FILTER_TASK)
			error = read_rule(&w, i, &last);
	if (!error)
		error = write_program(&w);
	if (!error && w.records)
		audit_all(b);
	free(w.items);
	free(w.tests);
	return error;
}
