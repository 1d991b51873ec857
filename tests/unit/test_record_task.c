// SPDX-License-Identifier: GPL-2.0-or-later
/* What is kept between events never shows: a formatter that has seen others writes what a new one does. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <laf/record.h>

#include "event_builder.h"

static struct event_builder b;

static void start(const char *tty, const char *exe, unsigned exe_flags)
{
	builder_start(&b);
	if (tty)
		builder_section(&b, LAF_SECTION_TTY, 0, tty, strlen(tty));
	if (exe)
		builder_path(&b, LAF_SECTION_EXE, exe_flags, exe);
}

/* Format with the warm formatter and with a new one. */
static void compare(struct laf_formatter *warm, enum laf_format format)
{
	struct laf_formatter *fresh;
	const char *have, *want;
	size_t have_len, want_len;
	unsigned records;

	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(laf_formatter_new(format, NULL, &fresh), 0);
	assert_int_equal(laf_format_event(warm, &b.event, &have, &have_len, &records), 0);
	assert_int_equal(laf_format_event(fresh, &b.event, &want, &want_len, &records), 0);
	assert_int_equal(have_len, want_len);
	assert_memory_equal(have, want, want_len);
	laf_formatter_free(fresh);
}

static void each_field(enum laf_format format)
{
	static const char *const ttys[] = { NULL, "", "pts0", "pts1", "pts0/usr", "a\nb" };
	static const char *const exes[] = {
		NULL, "/", "/usr/bin/make", "/usr/bin/mak", "/usr/bin/makf", "/a b",
	};
	struct laf_formatter *warm;

	assert_int_equal(laf_formatter_new(format, NULL, &warm), 0);
	for (size_t i = offsetof(struct laf_wire_event, personality); i < offsetof(struct laf_wire_event, position); i++) {
		start("pts0", "/usr/bin/make", 0);
		compare(warm, format);
		b.bytes[i] ^= 1;
		compare(warm, format);
	}
	for (size_t i = 0; i < 36; i++) {
		for (unsigned flags = 0; flags < 8; flags++) {
			start(ttys[i % 6], exes[i / 6], flags);
			compare(warm, format);
			start("pts0", "/usr/bin/make", 0);
			compare(warm, format);
		}
	}
	start("\1a", "/", 0); /* the same bytes as the next, otherwise shared out */
	compare(warm, format);
	start(NULL, "/a", 0);
	compare(warm, format);
	laf_formatter_free(warm);
}

static void raw(void **state)
{
	each_field(LAF_FORMAT_RAW);
}

static void enriched(void **state)
{
	each_field(LAF_FORMAT_ENRICHED);
}

/* Programs and terminals longer than a slot holds. */
static void long_ones(void **state)
{
	struct laf_formatter *warm;
	char exe[3000];

	assert_int_equal(laf_formatter_new(LAF_FORMAT_ENRICHED, NULL, &warm), 0);
	for (size_t len = 300; len < sizeof(exe); len += 37) {
		memset(exe, ' ', sizeof(exe));
		for (size_t i = 0; i < len; i += 100)
			exe[i] = '/';
		exe[len] = 0;
		for (int twice = 0; twice < 2; twice++) {
			start("pts0", exe, 0);
			compare(warm, LAF_FORMAT_ENRICHED);
		}
	}
	laf_formatter_free(warm);
}

/* An argument list whose text is over the limit is refused, and the formatter goes on. */
static void too_long(void **state)
{
	size_t len = LAF_EVENT_TEXT_MAX / 2;
	char *list = malloc(len);
	struct laf_formatter *f;
	const char *text;
	size_t bytes;
	unsigned records;

	memset(list, ' ', len);
	assert_int_equal(laf_formatter_new(LAF_FORMAT_RAW, NULL, &f), 0);
	for (size_t part = 4; part >= 1; part /= 2) {
		start(NULL, NULL, 0);
		b.wire.flags = LAF_EV_ARGS_APART;
		builder_execve(&b, 1, "", 0);
		b.argv = list;
		b.argv_len = len / part;
		assert_int_equal(builder_decode(&b), 0);
		assert_int_equal(laf_format_event(f, &b.event, &text, &bytes, &records),
				 part > 1 ? 0 : -EMSGSIZE);
	}
	start(NULL, NULL, 0);
	compare(f, LAF_FORMAT_RAW);
	laf_formatter_free(f);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw),
		cmocka_unit_test(enriched),
		cmocka_unit_test(long_ones),
		cmocka_unit_test(too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
