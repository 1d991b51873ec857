// SPDX-License-Identifier: GPL-2.0-or-later
/* Thousands of random rule sets and calls: the compiled policy decides each as the kernel's filter would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "policy_random.h"

/* ---- comparing ---- */

static void check(const struct laf_rules *rules, const struct laf_policy *policy, uint64_t at,
		  unsigned long *ret_recorded)
{
	const struct model_call *call = &PICK(model_calls);
	struct run_event event = random_event(call, true);
	struct model_result want = model_decide(rules, &event, call, false);
	struct run_result got = run_policy(policy, &event);

	if (want.recorded != got.recorded ||
	    (want.recorded && (want.rule != got.rule || want.key_rule != got.key_rule)))
		fail_msg("seed %llu: ABI %u call %u: want %d by rule %d key %d, got %d by rule %d key %d",
			 (unsigned long long)at, call->abi, call->nr, want.recorded, (int)want.rule,
			 (int)want.key_rule, got.recorded, (int)got.rule, (int)got.key_rule);
	*ret_recorded += want.recorded;
}

static struct laf_policy *random_policy(struct laf_rules *rules, bool by_text)
{
	struct laf_policy *policy = NULL;
	struct laf_error err = { .text = "" };

	for (unsigned i = 1 + rnd(rnd(8) ? 12 : 60); i > 0; i--)
		rules_put(rules, random_rule(by_text));
	if (laf_policy_compile(rules, &policy, &err))
		fail_msg("compile: %s", err.text);
	return policy;
}

#define SETS 3000
#define CALLS 60

static void test_random(void **state)
{
	unsigned long recorded = 0;

	for (uint64_t i = 0; i < SETS; i++) {
		struct laf_rules rules = { 0 };
		struct laf_policy *policy;

		seed = i;
		policy = random_policy(&rules, false);
		for (unsigned k = 0; k < CALLS; k++)
			check(&rules, policy, i, &recorded);
		laf_policy_free(policy);
		rules_free(&rules);
	}
	assert_in_range(recorded, SETS * CALLS / 10, SETS * CALLS * 9 / 10);
}

/* The kernel side saw no inode at all: only the texts decide. */
static void check_text(const struct laf_rules *rules, const struct laf_policy *policy, uint64_t at,
		       unsigned long *ret_recorded)
{
	const struct model_call *call = &PICK(model_calls);
	struct run_event event = random_event(call, false);
	struct model_result want = model_decide(rules, &event, call, true);
	struct run_result got = run_policy(policy, &event);
	struct laf_wire_name names[RUN_NAMES_MAX] = { 0 };
	struct laf_wire_event wire = {
		.flags = got.candidate ? LAF_EV_CANDIDATE : 0, .nr = call->nr, .rule = got.rule,
		.arch = call->abi ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64, .key_rule = got.key_rule,
		.position = got.position,
	};
	struct laf_event sent = { .wire = &wire, .n_names = event.n_names, .conds = got.conds,
				  .n_conds = LAF_CONDS_MAX / 64 };
	bool recorded = got.recorded;
	const char *key;

	for (unsigned i = 0; i < event.n_names; i++) {
		names[i].text_len = strlen(event.names[i].text);
		sent.names[i] = (struct laf_name){ &names[i], event.names[i].text, { 0 } };
	}
	if (got.recorded || got.candidate)
		recorded = laf_policy_decide(policy, &sent);
	key = want.key_rule == LAF_RULE_NONE ? NULL : policy->keys[want.key_rule].text;
	if (want.recorded != recorded || (recorded && key != sent.key))
		fail_msg("seed %llu: ABI %u call %u: want %d by rule %d key %d, got %d (without text: rule "
			 "%d, key %d)",
			 (unsigned long long)at, call->abi, call->nr, want.recorded, (int)want.rule,
			 (int)want.key_rule, recorded, (int)got.rule, (int)got.key_rule);
	*ret_recorded += want.recorded;
}

static void test_random_texts(void **state)
{
	unsigned long recorded = 0;

	for (uint64_t i = 0; i < SETS; i++) {
		struct laf_rules rules = { 0 };
		struct laf_policy *policy;

		seed = i;
		policy = random_policy(&rules, true);
		for (unsigned k = 0; k < CALLS; k++)
			check_text(&rules, policy, i, &recorded);
		laf_policy_free(policy);
		rules_free(&rules);
	}
	assert_in_range(recorded, SETS * CALLS / 40, SETS * CALLS * 9 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_random_texts),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
