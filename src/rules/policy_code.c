// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs: tests in a row, with jumps over what an earlier test has already answered. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_build.h"

/* One test of one item: its entry, and the first item after it that does not ask the same. */
struct spot {
	uint32_t at, next;
};

/* One item: its first spot, and the entry of its end. */
struct place {
	uint32_t spot, end;
};

struct policy_scratch {
	struct spot *spots;
	struct place *places;
	struct laf_insn *out;
	uint32_t n_out;
	/* by test: the last item seen with it, counted from `base` on, and where the run of items with it
	 * ends */
	uint64_t *seen;
	uint32_t *run_end;
	uint64_t base;
	size_t spots_room, places_room, out_room, seen_room, run_room;
};

int policy_code_room(struct policy_build *b, size_t n)
{
	struct laf_policy *p = b->policy;

	if (p->n_code + n > LAF_POLICY_INSNS_MAX)
		return laf_error_set(b->err, -E2BIG, "policy: the rules need more than %u entries",
				     LAF_POLICY_INSNS_MAX);
	return policy_grow(&p->code, &b->code_room, p->n_code + n, sizeof(*p->code));
}

int policy_code_start(struct policy_build *b)
{
	int error = policy_code_room(b, LAF_CODE);

	if (error)
		return error;
	memset(b->policy->code, 0, LAF_CODE * sizeof(*b->policy->code));
	b->policy->n_code = LAF_CODE;
	return 0;
}

int policy_text_put(struct policy_build *b, const char *text, size_t len, uint32_t *ret_at)
{
	size_t n = (len + sizeof(struct laf_insn)) / sizeof(struct laf_insn);
	struct laf_policy *p = b->policy;
	int error = policy_code_room(b, n);

	if (error)
		return error;
	*ret_at = p->n_code;
	memset(p->code + p->n_code, 0, n * sizeof(*p->code));
	memcpy(p->code + p->n_code, text, len);
	p->n_code += n;
	return 0;
}

int policy_set_code(struct policy_build *b, const struct call_set *set, uint32_t *ret_at)
{
	struct laf_policy *p = b->policy;
	int error = policy_code_room(b, sizeof(*set) / sizeof(*p->code));

	if (error)
		return error;
	*ret_at = p->n_code;
	memcpy(p->code + p->n_code, set, sizeof(*set)); /* little-endian words, as the bits are numbered */
	p->n_code += sizeof(*set) / sizeof(*p->code);
	return 0;
}

struct laf_insn policy_match(const struct policy_rule *rule)
{
	return (struct laf_insn){
		.what = LAF_MATCH, .op = rule->action, .flags = rule->has_key ? LAF_INSN_KEY : 0,
		.val = rule->index, .aux = rule->index,
	};
}

static const struct policy_test *test_of(const struct policy_build *b, uint32_t test)
{
	return (const struct policy_test *)policy_pool_get(&b->tests, 0) + test;
}

static int make_room(const struct policy_build *b, struct policy_scratch *s, size_t n_items, size_t n_tests)
{
	size_t before = s->seen_room;

	if (policy_grow(&s->spots, &s->spots_room, n_tests, sizeof(*s->spots)) ||
	    policy_grow(&s->places, &s->places_room, n_items, sizeof(*s->places)) ||
	    policy_grow(&s->out, &s->out_room, 2 * n_tests + n_items + 1, sizeof(*s->out)) ||
	    policy_grow(&s->run_end, &s->run_room, b->tests.n, sizeof(*s->run_end)) ||
	    policy_grow(&s->seen, &s->seen_room, b->tests.n, sizeof(*s->seen)))
		return -ENOMEM;
	if (s->seen_room > before)
		memset(s->seen + before, 0, (s->seen_room - before) * sizeof(*s->seen));
	return 0;
}

/* Where everything will stand. */
static void place(const struct policy_build *b, struct policy_scratch *s, const struct policy_item *items,
		  uint32_t n)
{
	uint32_t spot = 0, at = 0;

	for (uint32_t i = 0; i < n; i++) {
		s->places[i].spot = spot;
		for (uint32_t k = 0; k < items[i].n_tests; k++) {
			s->spots[spot++].at = at;
			at += test_of(b, items[i].tests[k])->insn.what == LAF_T_EXE ? 2 : 1;
		}
		s->places[i].end = at++;
	}
	s->n_out = at + 1;
}

/* From the last item to the first: a test that failed fails again in every item that asks it. */
static void find_runs(struct policy_scratch *s, const struct policy_item *items, uint32_t n)
{
	s->base += n + 2; /* older marks are below it */
	for (uint32_t i = n; i-- > 0;) {
		for (uint32_t k = 0; k < items[i].n_tests; k++) {
			uint32_t test = items[i].tests[k];

			if (s->seen[test] != s->base + i + 1)
				s->run_end[test] = i + 1;
			s->seen[test] = s->base + i;
			s->spots[s->places[i].spot + k].next = s->run_end[test];
		}
	}
	s->base += n + 2;
}

static bool among(uint32_t test, const uint32_t *tests, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (tests[i] == test)
			return true;
	return false;
}

/* Where to go on when test `k` of an item failed and those before it held. */
static uint32_t fail_entry(const struct policy_scratch *s, const struct policy_item *items, uint32_t n,
			   uint32_t i, uint32_t k)
{
	uint32_t next = s->spots[s->places[i].spot + k].next, skip = 0;

	if (next == n)
		return s->n_out - 1;
	while (skip < items[next].n_tests && among(items[next].tests[skip], items[i].tests, k))
		skip++;
	return skip < items[next].n_tests ? s->spots[s->places[next].spot + skip].at : s->places[next].end;
}

static void write_item(const struct policy_build *b, struct policy_scratch *s,
		       const struct policy_item *items, uint32_t n, uint32_t i)
{
	for (uint32_t k = 0; k < items[i].n_tests; k++) {
		const struct policy_test *test = test_of(b, items[i].tests[k]);
		struct laf_insn *out = &s->out[s->spots[s->places[i].spot + k].at];

		*out = test->insn;
		out->fail = fail_entry(s, items, n, i, k);
		if (test->insn.what == LAF_T_EXE)
			memcpy(out + 1, &(struct laf_insn_inode){ .ino = test->ino, .dev = test->dev },
			       sizeof(*out));
	}
	s->out[s->places[i].end] = items[i].end;
}

/* No way through may be longer than what the kernel side follows. */
static int check_length(struct policy_build *b, const struct policy_scratch *s)
{
	uint32_t *longest;
	int error = 0;

	if (s->n_out <= LAF_POLICY_STEPS_MAX)
		return 0;
	longest = calloc(s->n_out, sizeof(*longest));
	if (!longest)
		return -ENOMEM;
	for (uint32_t i = s->n_out; i-- > 0;) {
		const struct laf_insn *insn = &s->out[i];
		uint32_t next = i + (insn->what == LAF_T_EXE ? 2 : 1);

		longest[i] = 1;
		if (insn->what >= LAF_COND && next < s->n_out)
			longest[i] += longest[next];
		if (insn->what > LAF_COND && insn->fail < s->n_out && longest[insn->fail] >= longest[i])
			longest[i] = longest[insn->fail] + 1;
	}
	if (longest[0] > LAF_POLICY_STEPS_MAX)
		error = laf_error_set(b->err, -E2BIG,
				      "policy: the rules of one call need %u tests in a row, more than %u",
				      longest[0], LAF_POLICY_STEPS_MAX);
	free(longest);
	return error;
}

/* Write the program behind the others, unless it is there. */
static int keep(struct policy_build *b, const struct policy_scratch *s, uint32_t *ret_at)
{
	struct laf_policy *p = b->policy;
	size_t known = b->programs.n;
	uint32_t id;
	int error = policy_pool_add(&b->programs, s->out, s->n_out * sizeof(*s->out), &id);

	if (!error && id == known)
		error = policy_grow(&b->program_at, &b->program_at_room, known + 1, sizeof(*b->program_at));
	if (!error && id == known)
		error = policy_code_room(b, s->n_out);
	if (error)
		return error;
	if (id == known) {
		b->program_at[id] = p->n_code;
		for (uint32_t i = 0; i < s->n_out; i++) {
			struct laf_insn *insn = &p->code[p->n_code + i];

			*insn = s->out[i];
			if (insn->what > LAF_COND)
				insn->fail += p->n_code;
			if (insn->what == LAF_T_EXE) {
				i++;
				insn[1] = s->out[i];
			}
		}
		p->n_code += s->n_out;
	}
	*ret_at = b->program_at[id];
	return 0;
}

int policy_program(struct policy_build *b, const struct policy_item *items, uint32_t n, uint32_t *ret_at)
{
	struct policy_scratch *s = b->scratch;
	size_t n_tests = 0;
	int error;

	if (!s)
		s = b->scratch = calloc(1, sizeof(*s));
	for (uint32_t i = 0; i < n; i++)
		n_tests += items[i].n_tests;
	if (!s || make_room(b, s, n, n_tests))
		return -ENOMEM;
	place(b, s, items, n);
	memset(s->out, 0, s->n_out * sizeof(*s->out));
	find_runs(s, items, n);
	for (uint32_t i = 0; i < n; i++)
		write_item(b, s, items, n, i);
	error = check_length(b, s);
	return error ? error : keep(b, s, ret_at);
}

void policy_code_clear(struct policy_build *b)
{
	struct policy_scratch *s = b->scratch;

	if (!s)
		return;
	free(s->spots);
	free(s->places);
	free(s->out);
	free(s->seen);
	free(s->run_end);
	free(s);
	b->scratch = NULL;
}
