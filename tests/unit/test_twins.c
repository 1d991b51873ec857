// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls that two versions recorded: each that both have is found once, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/daemon/twins.h"

#define MS 1000000ull
#define APART LAF_TWINS_APART_NS

static struct laf_wire_event call(uint32_t tid, uint64_t exit_ns, uint64_t a0)
{
	return (struct laf_wire_event){ .tid = tid, .pid = 7, .nr = 2, .exit_ns = exit_ns, .args = { a0 } };
}

static void add(struct laf_twins *twins, uint32_t tid, uint64_t exit_ns, uint64_t a0)
{
	const struct laf_wire_event event = call(tid, exit_ns, a0);

	assert_int_equal(laf_twins_add(twins, &event), 0);
}

static bool take(struct laf_twins *twins, uint32_t tid, uint64_t exit_ns, uint64_t a0)
{
	const struct laf_wire_event event = call(tid, exit_ns, a0);

	return laf_twins_take(twins, &event);
}

static void one_twin_each(void **state)
{
	struct laf_twins twins = { 0 };

	assert_false(take(&twins, 1, 50 * MS, 3));
	add(&twins, 1, 50 * MS, 3);
	assert_false(take(&twins, 2, 50 * MS, 3));
	assert_false(take(&twins, 1, 50 * MS, 4));
	assert_true(take(&twins, 1, 50 * MS - 1, 3));
	assert_false(take(&twins, 1, 50 * MS, 3));
	laf_twins_clear(&twins);
}

static void only_near_ones(void **state)
{
	struct laf_twins twins = { 0 };

	add(&twins, 1, 100 * MS, 3);
	assert_false(take(&twins, 1, 100 * MS - APART - 1, 3));
	assert_true(take(&twins, 1, 100 * MS - APART + 1, 3));
	add(&twins, 1, 200 * MS, 3);
	assert_false(take(&twins, 1, 200 * MS + APART + 1, 3));
	laf_twins_clear(&twins);
}

/* Two threads make the same call over and over. The one set has calls of before the other was there, that one calls of after. */
static void overlap(unsigned slow_ns)
{
	struct laf_twins twins = { 0 };
	unsigned i, fresh = 0;

	for (i = 0; i < 3000; i++) {
		add(&twins, 1, 100 * MS + i * 20000, 3);
		add(&twins, 2, 100 * MS + i * 20000 + 10, 3);
	}
	for (i = 1000; i < 5000; i++) {
		fresh += !take(&twins, 1, 100 * MS + i * 20000 + slow_ns, 3);
		fresh += !take(&twins, 2, 100 * MS + i * 20000 + 10 + slow_ns, 3);
		assert_int_equal(fresh, i < 3000 ? 0 : 2 * (i - 2999));
	}
	laf_twins_clear(&twins);
}

static void same_calls(void **state)
{
	overlap(0);
	overlap(5000);
}

static void many_threads(void **state)
{
	struct laf_twins twins = { 0 };
	uint32_t tid;

	for (tid = 1; tid <= 3000; tid++)
		add(&twins, tid * 1024, 100 * MS + tid, tid % 3);
	for (tid = 1; tid <= 3000; tid++) {
		assert_false(take(&twins, tid * 1024 + 1, 100 * MS + tid, tid % 3));
		assert_true(take(&twins, tid * 1024, 100 * MS + tid, tid % 3));
	}
	laf_twins_clear(&twins);
}

static void forgets(void **state)
{
	struct laf_twins twins = { 0 };

	add(&twins, 1, 100 * MS, 3);
	twins.until_ns = 100 * MS;
	assert_true(take(&twins, 1, 100 * MS + 1, 3));
	assert_false(take(&twins, 1, 100 * MS + APART + 1, 3));
	assert_int_equal(twins.n, 0);
	assert_null(twins.list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_twin_each),
		cmocka_unit_test(only_near_ones),
		cmocka_unit_test(same_calls),
		cmocka_unit_test(many_threads),
		cmocka_unit_test(forgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
