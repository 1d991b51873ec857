// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules that can never decide anything: which are found, and that none is called so wrongly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <laf/rules.h>

#include "../../src/rules/shadow.h"
#include "policy_random.h"

static void add_line(struct laf_rules *rules, const char *text)
{
	char *line = strdup(text), *argv[64], *save = NULL;
	struct laf_error err = { 0 };
	int argc = 0;

	for (char *s = strtok_r(line, " ", &save); s; s = strtok_r(NULL, " ", &save))
		argv[argc++] = s;
	if (laf_rules_add_words(rules, argc, argv, &err))
		fail_msg("%s: %s", text, err.text);
	free(line);
}

#define NONE -1
#define X64 "-a always,exit -F arch=b64 "

/* Two rules; what is found of the second. */
static const struct {
	const char *first, *second;
	int cause;
} cases[] = {
	{ X64 "-S open", X64 "-S open -F uid=0 -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open,close", X64 "-S open -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open", X64 "-S open,close -k b", NONE },
	{ "-a always,exit -S open", X64 "-S open -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open", "-a always,exit -S open", NONE },
	{ "-a never,exit -F auid=-1", "-w /etc/passwd -p wa", NONE },
	{ "-a never,exit -F auid>=1000 -F auid!=unset", X64 "-S open -F auid=1000 -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open -F auid>=1000 -k a", X64 "-S open -F auid>=500 -k b", NONE },
	{ X64 "-S open -F auid>=500 -k a", X64 "-S open -F auid>=1000 -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open -F exit>=0 -k a", X64 "-S open -k b", NONE },
	{ X64 "-S open -F exit>=0 -k a", X64 "-S open -F exit=-EACCES -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open -F a1&3 -k a", X64 "-S open -F a1=2 -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open -F a1&3 -k a", X64 "-S open -F a1>2 -k b", NONE },
	{ "-w /etc/passwd -p wa -k a", "-w /etc/passwd -p w -k b", LAF_IDLE_SHADOWED },
	{ "-w /etc/passwd -p w -k a", "-w /etc/passwd -p wa -k b", NONE },
	{ "-w /etc -p wa -k a", "-w /etc/passwd -p wa -k b", NONE },
	{ X64 "-S open -F gid=1 -k a", X64 "-S open -F gid=1 -F gid=2 -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open -F gid>=1 -k a", X64 "-S open -F gid=2 -k b", NONE },
	{ X64 "-S open -F exe=/bin/ls -k a", X64 "-S open -F exe=/bin/ls -F uid=0 -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open -C uid!=euid -k a", X64 "-S open -C euid!=uid -F uid=0 -k b", LAF_IDLE_SHADOWED },
	{ "-a always,task", X64 "-S open", NONE },
	{ "-a always,task", "-a always,task -F uid=0", NONE },
	{ "-a always,task", X64 "-S open -F uid>=1000 -F uid<500", LAF_IDLE_FIELDS },
	{ "-a always,task", X64 "-S open -F uid=1 -F uid=2", LAF_IDLE_FIELDS },
	{ "-a always,task", X64 "-S open -F uid<1 -F uid!=0", LAF_IDLE_FIELDS },
	{ "-a always,task", X64 "-S open -F uid<0", LAF_IDLE_FIELDS },
	{ "-a always,task", X64 "-S open -F a0=1 -F a0&2", LAF_IDLE_FIELDS },
	{ "-a always,task", X64 "-S open -F success=1 -F success=0", LAF_IDLE_FIELDS },
	{ "-a always,task", X64 "-S open -F success=1 -F success=5", NONE },
	{ "-a always,task", X64 "-S open -F gid=1 -F gid=2", NONE },
	{ "-a always,task", X64 "-S open -F devminor=1 -F devminor=2", NONE },
	{ X64 "-S open -F uid>1000 -k a", X64 "-S open -F uid>=1000 -k b", NONE },
	{ X64 "-S open -F uid>1000 -k a", X64 "-S open -F uid>=1001 -k b", LAF_IDLE_SHADOWED },
	{ X64 "-S open -F exe=/bin/ls -k a", X64 "-S open -F exe=/bin/cp -k b", NONE },
	{ "-a always,task", "-a always,exit -F arch=ppc64 -S open", LAF_IDLE_ARCH },
	{ "-a always,task", "-a always,exit -F arch!=b64 -F arch!=b32", LAF_IDLE_ARCH },
	{ "-a always,task", "-a always,exit -S ,", LAF_IDLE_CALLS },
};

static void test_cases(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct laf_rules rules = { 0 };
		struct laf_idle idle;
		int cause;

		add_line(&rules, cases[i].first);
		add_line(&rules, cases[i].second);
		assert_false(laf_rule_idle(&rules, 0, &idle));
		cause = laf_rule_idle(&rules, 1, &idle) ? (int)idle.cause : NONE;
		if (cause != cases[i].cause)
			fail_msg("%s / %s: %d, not %d", cases[i].first, cases[i].second, cause, cases[i].cause);
		laf_rules_clear(&rules);
	}
}

/* A rule like another one, and a little narrower, or not. */
static struct audit_rule_data *like(const struct audit_rule_data *data)
{
	struct audit_rule_data *copy = malloc(sizeof(*copy) + data->buflen);

	memcpy(copy, data, sizeof(*copy) + data->buflen);
	if (rnd(2))
		copy->mask[rnd(16)] &= rnd(UINT32_MAX);
	for (unsigned i = rnd(3); i > 0; i--)
		random_number_field(copy);
	if (copy->field_count && !model_string(copy->fields[0]) && copy->fields[0] != AUDIT_FIELD_COMPARE && !rnd(3))
		copy->values[0]++;
	return copy;
}

static void random_rules(struct laf_rules *rules)
{
	for (unsigned i = 2 + rnd(8); i > 0; i--)
		rules_put(rules, rules->n && rnd(2) ? like(rules->list[rnd(rules->n)].data) : random_rule(false));
}

static size_t key_of(const struct laf_rules *rules, uint32_t rule)
{
	return rule == LAF_RULE_NONE ? 0 : (size_t)rules->list[rule].line;
}

#define SETS 4000
#define CALLS 60

static void test_sound(void **state)
{
	unsigned long found = 0, recorded = 0;

	for (uint64_t i = 0; i < SETS; i++) {
		struct laf_rules rules = { 0 }, rest = { 0 };
		struct laf_idle idle;

		seed = i;
		random_rules(&rules);
		for (size_t k = 0; k < rules.n; k++) {
			rules.list[k].line = k + 1;
			if (laf_rule_idle(&rules, k, &idle)) {
				found++;
				continue;
			}
			rules_put(&rest, rules.list[k].data);
			rest.list[rest.n - 1].line = k + 1;
		}
		for (unsigned k = 0; k < CALLS; k++) {
			const struct model_call *call = &PICK(model_calls);
			struct run_event event = random_event(call, true);
			struct model_result all = model_decide(&rules, &event, call, false);
			struct model_result some = model_decide(&rest, &event, call, false);

			if (key_of(&rules, all.rule) != key_of(&rest, some.rule) ||
			    key_of(&rules, all.key_rule) != key_of(&rest, some.key_rule))
				fail_msg("seed %llu: call %u: rule %zu decides, which was said to do nothing",
					 (unsigned long long)i, call->nr, key_of(&rules, all.rule));
			recorded += all.recorded;
		}
		free(rest.list);
		rules_free(&rules);
	}
	print_message("%lu idle rules, %lu of %lu events recorded\n", found, recorded, (unsigned long)SETS * CALLS);
	assert_in_range(found, SETS / 4, SETS * 10);
	assert_in_range(recorded, SETS * CALLS / 20, SETS * CALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_sound),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
