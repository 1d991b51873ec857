// SPDX-License-Identifier: GPL-2.0-or-later
/* The lists exclude and user: rules on single records and messages, as audit_filter() of the kernel goes through them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_rule.h"

#define TYPES_WORDS 2

struct filter {
	uint32_t first, n; /* in `tests` */
	bool drops;
	uint64_t types[TYPES_WORDS]; /* records of events that its msgtype fields are about, as laf_event.excluded */
};

struct laf_policy_filters {
	struct policy_test *tests;
	size_t n_tests, tests_room;
	struct filter_list {
		struct filter *list;
		size_t n, room;
	} exclude, user;
};

static bool test_holds(const struct policy_test *test, uint32_t msgtype, const struct laf_policy_creds *creds)
{
	uint32_t op = test->insn.op, val = test->insn.val;

	switch (test->insn.what) {
	case LAF_T_MSGTYPE: return policy_compare(msgtype, op, val);
	case LAF_T_THREAD: return policy_compare(creds->pid, op, val);
	case LAF_T_UID: return policy_compare(creds->uid, op, val);
	case LAF_T_GID_ALONE: return policy_compare(creds->gid, op, val);
	case LAF_T_AUID: return policy_compare(creds->auid, op, val);
	case LAF_T_AUID_SET: return policy_compare(creds->auid != UINT32_MAX, op, val);
	case LAF_T_EXE: return (creds->exe_ino == test->ino && creds->exe_dev == test->dev) == (op == LAF_EQ);
	}
	return false;
}

static bool filter_holds(const struct laf_policy_filters *f, const struct filter *filter, uint32_t msgtype,
			 const struct laf_policy_creds *creds)
{
	for (uint32_t i = 0; i < filter->n; i++)
		if (!test_holds(&f->tests[filter->first + i], msgtype, creds))
			return false;
	return true;
}

static bool list_drops(const struct laf_policy_filters *f, const struct filter_list *list, uint32_t msgtype,
		       const struct laf_policy_creds *creds)
{
	for (size_t i = 0; i < list->n; i++)
		if (filter_holds(f, &list->list[i], msgtype, creds))
			return list->list[i].drops;
	return false;
}

bool laf_policy_user(const struct laf_policy *policy, uint32_t msgtype, const struct laf_policy_creds *creds)
{
	return !policy->filters || !list_drops(policy->filters, &policy->filters->user, msgtype, creds);
}

bool laf_policy_excludes(const struct laf_policy *policy, uint32_t msgtype, const struct laf_policy_creds *creds)
{
	return policy->filters && list_drops(policy->filters, &policy->filters->exclude, msgtype, creds);
}

/* Do the tests that are not about the type hold? */
static bool filter_about(const struct laf_policy_filters *f, const struct filter *filter,
			 const struct laf_policy_creds *creds)
{
	for (uint32_t i = 0; i < filter->n; i++) {
		const struct policy_test *test = &f->tests[filter->first + i];

		if (test->insn.what != LAF_T_MSGTYPE && !test_holds(test, 0, creds))
			return false;
	}
	return true;
}

static struct laf_policy_creds creds_of(const struct laf_event *event)
{
	const struct laf_wire_event *wire = event->wire;
	struct laf_policy_creds creds = { .pid = wire->pid, .uid = wire->uid, .gid = wire->gid, .auid = wire->auid };

	if (event->who) {
		creds.pid = event->who->tid;
		creds.exe_ino = event->who->exe_ino;
		creds.exe_dev = event->who->exe_dev;
	}
	return creds;
}

/* All types of records at once. An event without its SYSCALL record has no other either (audit_log_exit()). */
bool policy_filters_decide(const struct laf_policy *policy, struct laf_event *event)
{
	const struct laf_policy_filters *f = policy->filters;
	uint64_t open[TYPES_WORDS] = { UINT64_MAX, UINT64_MAX };
	struct laf_policy_creds creds;

	if (!f || !f->exclude.n)
		return true;
	creds = creds_of(event);
	for (size_t i = 0; i < f->exclude.n; i++) {
		const struct filter *filter = &f->exclude.list[i];

		if (!filter_about(f, filter, &creds))
			continue;
		for (unsigned word = 0; word < TYPES_WORDS; word++) {
			if (filter->drops)
				event->excluded[word] |= filter->types[word] & open[word];
			open[word] &= ~filter->types[word];
		}
	}
	return !laf_event_excludes(event, AUDIT_SYSCALL);
}

/* A field that the kernel does not ask here ends its walk: what comes so far is written. */
static int read_field(struct reading *r, uint32_t field, uint32_t op, uint32_t val, const char *text)
{
	if (r->ends)
		return 0;
	switch (field) {
	case AUDIT_MSGTYPE: return policy_put_test(r, LAF_T_MSGTYPE, op, val);
	case AUDIT_PID: return policy_put_test(r, LAF_T_THREAD, op, val);
	case AUDIT_UID: return policy_put_test(r, LAF_T_UID, op, val);
	case AUDIT_GID: return policy_put_test(r, LAF_T_GID_ALONE, op, val);
	case AUDIT_LOGINUID: return policy_put_test(r, LAF_T_AUID, op, val);
	case AUDIT_LOGINUID_SET: return policy_put_test(r, LAF_T_AUID_SET, op, val);
	case AUDIT_EXE:
		return policy_read_string(r, field, op, text, val);
	case AUDIT_SUBJ_USER: case AUDIT_SUBJ_ROLE: case AUDIT_SUBJ_TYPE: case AUDIT_SUBJ_SEN: case AUDIT_SUBJ_CLR:
		r->never = true;
		return 0;
	}
	r->ends = true;
	return 0;
}

static void fill_types(const struct laf_policy_filters *f, struct filter *filter)
{
	for (unsigned bit = 0; bit < 64 * TYPES_WORDS; bit++) {
		bool holds = true;

		for (uint32_t i = 0; i < filter->n; i++) {
			const struct policy_test *test = &f->tests[filter->first + i];

			holds &= test->insn.what != LAF_T_MSGTYPE || test_holds(test, LAF_EXCLUDED_FIRST + bit, NULL);
		}
		if (holds)
			filter->types[bit / 64] |= UINT64_C(1) << (bit % 64);
	}
}

static int add_filter(struct policy_build *b, struct filter_list *list, const struct reading *r, bool drops)
{
	struct laf_policy_filters *f = b->policy->filters;
	struct filter filter = { .first = f->n_tests, .n = r->n_tests, .drops = drops };

	if (policy_grow(&list->list, &list->room, list->n + 1, sizeof(*list->list)) ||
	    policy_grow(&f->tests, &f->tests_room, f->n_tests + r->n_tests + 1, sizeof(*f->tests)))
		return -ENOMEM;
	for (uint32_t i = 0; i < r->n_tests; i++)
		memcpy(&f->tests[f->n_tests++], policy_pool_get(&b->tests, r->tests[i]), sizeof(*f->tests));
	fill_types(f, &filter);
	list->list[list->n++] = filter;
	return 0;
}

/* Does the rule ask for what an event tells only when it is asked to? */
static bool asks_who(const struct policy_build *b, const struct reading *r)
{
	for (uint32_t i = 0; i < r->n_tests; i++) {
		const struct policy_test *test = policy_pool_get(&b->tests, r->tests[i]);

		if (test->insn.what == LAF_T_THREAD || test->insn.what == LAF_T_EXE)
			return true;
	}
	return false;
}

/* The kernel goes by the result of the last field: a rule without one does not hold. */
static int read_rule(struct policy_build *b, uint32_t index, struct filter_list *list, bool excludes)
{
	const struct audit_rule_data *data = b->source->list[index].data;
	struct reading r = { .b = b, .data = data };
	int error = policy_read_fields(&r, read_field);

	if (error == -EINVAL)
		return policy_refuse(b, index);
	if (error || r.never || !data->field_count)
		return error;
	if (excludes && asks_who(b, &r))
		policy_lists(b)->flags |= LAF_LISTS_WHO;
	return add_filter(b, list, &r, !r.ends && (excludes || data->action == AUDIT_NEVER));
}

int policy_filters_new(struct policy_build *b)
{
	struct laf_policy *p = b->policy;
	int error = 0;

	for (uint32_t i = 0; !error && i < b->source->n; i++) {
		uint32_t list = policy_list_of(b->source->list[i].data);

		if (list != AUDIT_FILTER_EXCLUDE && list != AUDIT_FILTER_USER)
			continue;
		if (!p->filters)
			p->filters = calloc(1, sizeof(*p->filters));
		if (!p->filters)
			return -ENOMEM;
		error = read_rule(b, i, list == AUDIT_FILTER_USER ? &p->filters->user : &p->filters->exclude,
				  list == AUDIT_FILTER_EXCLUDE);
	}
	return error;
}

void policy_filters_free(struct laf_policy_filters *filters)
{
	if (!filters)
		return;
	free(filters->tests);
	free(filters->exclude.list);
	free(filters->user.list);
	free(filters);
}
