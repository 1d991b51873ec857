// SPDX-License-Identifier: GPL-2.0-or-later
/* A rule read whole: its calls, its tests, its place. */
#include <errno.h>
#include <string.h>

#include "policy_rule.h"

bool policy_is_string(uint32_t field)
{
	return (field >= AUDIT_SUBJ_USER && field <= AUDIT_SUBJ_CLR) ||
	       (field >= AUDIT_OBJ_USER && field <= AUDIT_OBJ_LEV_HIGH) ||
	       field == AUDIT_WATCH || field == AUDIT_DIR || field == AUDIT_EXE || field == AUDIT_FILTERKEY;
}

static int read_field(struct reading *r, uint32_t field, uint32_t op, uint32_t val, const char *text)
{
	if (text)
		return policy_read_string(r, field, op, text, val);
	switch (field) {
	case AUDIT_ARCH: /* policy_rule_calls() */
		return 0;
	case AUDIT_PERM:
		return policy_read_perm(r, op, val);
	case AUDIT_FILETYPE:
		return policy_read_filetype(r, op, val);
	case AUDIT_FIELD_COMPARE:
		return policy_read_compare(r, op, val);
	case AUDIT_INODE:
		if (op == LAF_EQ) { /* inode!= is an ordinary field: not in the kernel's hash of inodes */
			r->rule.kind = KIND_INODE;
			r->rule.inode = val;
			return 0;
		}
		break;
	}
	return policy_read_number(r, field, op, val);
}

int policy_read_fields(struct reading *r, policy_field_fn fn)
{
	const struct audit_rule_data *data = r->data;
	uint32_t buf_at = 0;
	int error = 0;

	for (uint32_t i = 0; !error && i < data->field_count; i++) {
		uint32_t field = data->fields[i], val = data->values[i];
		int op = policy_op(data->fieldflags[i]);
		const char *text = NULL;

		if (op < 0)
			return -EINVAL;
		if (policy_is_string(field)) {
			if (val > data->buflen - buf_at)
				return -EINVAL;
			text = data->buf + buf_at;
			buf_at += val;
		}
		error = fn(r, field, op, val, text);
	}
	return error;
}

void policy_sort_tests(struct reading *r)
{
	const struct policy_test *tests = r->n_tests ? policy_pool_get(&r->b->tests, 0) : NULL;

	for (uint32_t i = 1; i < r->n_tests; i++) {
		uint32_t id = r->tests[i], j = i;

		for (; j > 0; j--) {
			uint32_t before = r->tests[j - 1];

			if (tests[before].cost < tests[id].cost ||
			    (tests[before].cost == tests[id].cost && before < id))
				break;
			r->tests[j] = before;
		}
		r->tests[j] = id;
	}
}

/* Do two rules ask the same but for their strings? Then they name the same calls. */
static bool same_calls(const struct audit_rule_data *a, const struct audit_rule_data *b)
{
	if (a->field_count != b->field_count || memcmp(a->mask, b->mask, sizeof(a->mask)))
		return false;
	for (uint32_t i = 0; i < a->field_count; i++)
		if (a->fields[i] != b->fields[i] || a->fieldflags[i] != b->fieldflags[i] ||
		    (a->values[i] != b->values[i] && !policy_is_string(a->fields[i])))
			return false;
	return true;
}

/* Most rules name the calls of the rule before. */
static int put_set(struct reading *r, bool *ret_none)
{
	struct policy_build *b = r->b;
	struct call_set set;
	int error = 0;

	*ret_none = false;
	if (!b->last_data || !same_calls(b->last_data, r->data)) {
		policy_rule_calls(b, r->data, &set);
		*ret_none = set_empty(&set);
		if (*ret_none)
			return 0;
		error = policy_pool_add(&b->sets, &set, sizeof(set), &b->last_set);
		b->last_data = r->data;
	}
	r->rule.set = b->last_set;
	return error;
}

static int finish(struct reading *r)
{
	struct policy_build *b = r->b;
	bool none;
	int error = r->never ? 0 : put_set(r, &none);

	if (error || r->never || none)
		return error;
	policy_sort_tests(r);
	error = policy_pool_add(&b->lists, r->tests, r->n_tests * sizeof(*r->tests), &r->rule.tests);
	if (!error)
		error = policy_grow(&b->rules, &b->rules_room, b->n_rules + 1, sizeof(*b->rules));
	if (!error)
		b->rules[b->n_rules++] = r->rule;
	return error;
}

int policy_rule_read(struct policy_build *b, uint32_t index)
{
	const struct audit_rule_data *data = b->source->list[index].data;
	struct reading r = { .b = b, .data = data };
	int error;

	r.rule.index = index;
	r.rule.action = data->action == AUDIT_ALWAYS;
	error = policy_read_fields(&r, read_field);
	return error ? error : finish(&r);
}
