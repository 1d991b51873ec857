// SPDX-License-Identifier: GPL-2.0-or-later
/* The pool of byte strings: equal ones once, others never taken for each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/rules/policy_pool.h"

static void test_equal(void **state)
{
	struct policy_pool pool = { 0 };
	uint32_t a, b, c, empty;

	assert_int_equal(policy_pool_add(&pool, "one", 3, &a), 0);
	assert_int_equal(policy_pool_add(&pool, "two", 3, &b), 0);
	assert_int_equal(policy_pool_add(&pool, "one", 3, &c), 0);
	assert_int_equal(policy_pool_add(&pool, "", 0, &empty), 0);
	assert_int_equal(a, 0);
	assert_int_equal(b, 1);
	assert_int_equal(c, 0);
	assert_int_equal(empty, 2);
	assert_int_equal(policy_pool_len(&pool, b), 3);
	assert_memory_equal(policy_pool_get(&pool, b), "two", 3);
	assert_int_equal(policy_pool_find(&pool, "on", 2, policy_hash("on", 2)), POOL_NONE);
	policy_pool_clear(&pool);
	assert_int_equal(policy_pool_find(&pool, "one", 3, policy_hash("one", 3)), POOL_NONE);
}

/* So many that some must have the same hash (32 bits). */
#define MANY 400000u

static void test_many(void **state)
{
	struct policy_pool pool = { 0 };
	uint64_t n, wrong = 0;
	uint32_t id;

	for (n = 0; n < MANY; n++) {
		uint64_t text = n * 0x9e3779b97f4a7c15u;

		assert_int_equal(policy_pool_add(&pool, &text, sizeof(text), &id), 0);
		wrong += id != n;
	}
	for (n = 0; n < MANY; n++) {
		uint64_t text = n * 0x9e3779b97f4a7c15u;

		wrong += policy_pool_find(&pool, &text, sizeof(text), policy_hash(&text, sizeof(text))) != n;
	}
	assert_int_equal(wrong, 0);
	assert_int_equal(pool.n, MANY);
	policy_pool_clear(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
