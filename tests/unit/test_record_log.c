// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole events against a log that the kernel's audit and auditd wrote, raw and enriched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <laf/record.h>

#include "golden_log.h"

#define GOLDEN "tests/unit/golden/enriched.log"
#define EVENT_BYTES (256u << 10)

static struct event_builder builder;

/* The lines as one text: all of each, or up to where the enriched part begins. */
static void wanted(const struct golden_event *e, enum laf_format format, const char *node, char *to)
{
	for (unsigned i = 0; i < e->n; i++) {
		const char *line = e->lines[i];
		size_t len = format == LAF_FORMAT_RAW ? strcspn(line, "\x1d\n") : strcspn(line, "\n");

		to += sprintf(to, "%s%.*s\n", node ? node : "", (int)len, line);
	}
}

static void compare_log(enum laf_format format, const char *node, const char *node_text)
{
	FILE *log = fopen(GOLDEN, "r");
	struct golden_event e = { 0 };
	struct laf_formatter *f;
	char *want = malloc(EVENT_BYTES), *have = malloc(EVENT_BYTES);
	unsigned records, events = 0;
	const char *text;
	size_t len;

	assert_non_null(log);
	assert_int_equal(laf_formatter_new(format, node, &f), 0);
	for (; !golden_next(log, &e); events++) {
		golden_build(&e, &builder);
		wanted(&e, format, node_text, want);
		assert_int_equal(laf_format_event(f, &builder.event, &text, &len, &records), 0);
		assert_int_equal(records, e.n);
		assert_true(len < EVENT_BYTES);
		memcpy(have, text, len);
		have[len] = 0;
		assert_string_equal(have, want);
		if (events % 50 == 49)
			laf_formatter_flush(f);
	}
	assert_true(events > 200);
	laf_formatter_free(f);
	free(want);
	free(have);
	fclose(log);
}

static void raw_is_what_the_kernel_writes(void **state)
{
	compare_log(LAF_FORMAT_RAW, NULL, NULL);
}

static void enriched_is_what_auditd_writes(void **state)
{
	compare_log(LAF_FORMAT_ENRICHED, NULL, NULL);
}

static void node_is_before_each_line(void **state)
{
	compare_log(LAF_FORMAT_RAW, "web1", "node=web1 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_is_what_the_kernel_writes),
		cmocka_unit_test(enriched_is_what_auditd_writes),
		cmocka_unit_test(node_is_before_each_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
