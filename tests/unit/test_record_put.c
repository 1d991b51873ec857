// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers against printf, strings against the kernel's rule. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../src/record/put.h"

#define assert_put(call, ...) \
	do { \
		char have[64], want[64]; \
		char *end = call; \
		*end = 0; \
		snprintf(want, sizeof(want), __VA_ARGS__); \
		assert_string_equal(have, want); \
	} while (0)

static void numbers(void **state)
{
	for (unsigned shift = 0; shift < 64; shift++) {
		for (int64_t near = -3; near <= 3; near++) {
			uint64_t n = (UINT64_C(1) << shift) + near;

			assert_put(put_u64(have, n), "%" PRIu64, n);
			assert_put(put_s64(have, n), "%" PRId64, (int64_t)n);
			assert_put(put_s64(have, -n), "%" PRId64, (int64_t)-n);
			assert_put(put_u32(have, n), "%" PRIu32, (uint32_t)n);
			assert_put(put_s32(have, n), "%" PRId32, (int32_t)n);
			assert_put(put_hex(have, n), "%" PRIx64, n);
			assert_put(put_hex_2(have, n), "%02" PRIx32, (uint32_t)n);
		}
	}
	for (uint64_t n = 1; n < UINT64_MAX / 10; n *= 10) {
		assert_put(put_u64(have, n - 1), "%" PRIu64, n - 1);
		assert_put(put_u64(have, n), "%" PRIu64, n);
		assert_put(put_u32(have, n - 1), "%" PRIu32, (uint32_t)(n - 1));
		assert_put(put_u32(have, n), "%" PRIu32, (uint32_t)n);
	}
	for (uint32_t n = 0; n < 200000; n++)
		assert_put(put_u32(have, n), "%" PRIu32, n);
	for (unsigned n = 0; n < 1000; n++)
		assert_put(put_3_digits(have, n), "%03u", n);
}

static void modes(void **state)
{
	for (unsigned n = 0; n <= UINT16_MAX; n++)
		assert_put(put_mode(have, n), "%#ho", (unsigned short)n);
}

/* Each byte at each place of strings around the width that is looked at at once. */
static void untrusted_strings(void **state)
{
	for (size_t len = 0; len <= 25; len++) {
		for (size_t at = 0; at < len; at++) {
			for (int c = 0; c < 256; c++) {
				char text[32], have[64];
				int odd = c == '"' || c < 0x21 || c > 0x7e;

				memset(text, '~', sizeof(text));
				text[at] = c;
				text[len] = '"'; /* not ours */
				assert_int_equal(needs_hex(text, len), odd);
				assert_int_equal(put_untrusted(have, text, len) - have,
						 odd ? 2 * len : len + 2);
			}
		}
	}
}

static void hexadecimal(void **state)
{
	for (int c = 0; c < 256; c++)
		assert_put(put_hex_bytes(have, (uint8_t[]){ c }, 1), "%02X", c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(modes),
		cmocka_unit_test(untrusted_strings),
		cmocka_unit_test(hexadecimal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
