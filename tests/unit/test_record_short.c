// SPDX-License-Identifier: GPL-2.0-or-later
/* The readable line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <laf/record.h>

#include "event_builder.h"

#define NORMAL(...) ((struct laf_wire_name){ .nametype = LAF_NAME_NORMAL, __VA_ARGS__ })
#define PARENT ((struct laf_wire_name){ .nametype = LAF_NAME_PARENT, .flags = LAF_NAME_FOLDER })

static struct event_builder b;

/* The line of what was built, without "22:13:20.123 root make[4711] " before it. */
static const char *line_of(void)
{
	static const char head[] = "22:13:20.123 root make[4711] ";
	static char line[65536];
	struct laf_formatter *f;
	const char *text;
	size_t len;
	unsigned records;

	assert_int_equal(laf_formatter_new(LAF_FORMAT_SHORT, NULL, &f), 0);
	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(laf_format_event(f, &b.event, &text, &len, &records), 0);
	assert_int_equal(records, 1);
	assert_true(len < sizeof(line));
	memcpy(line, text, len);
	line[len] = 0;
	laf_formatter_free(f);
	assert_memory_equal(line, head, sizeof(head) - 1);
	assert_int_equal(line[len - 1], '\n');
	line[len - 1] = 0;
	return line + sizeof(head) - 1;
}

static void start_name(const char *text)
{
	builder_start(&b);
	builder_name(&b, NORMAL(), text, strlen(text));
	builder_path(&b, LAF_SECTION_CWD, 0, "/usr/src");
}

static void paths_are_absolute(void **state)
{
	static const struct {
		const char *text, *path;
	} cases[] = {
		{ "/etc/passwd", "/etc/passwd" }, { "a/b", "/usr/src/a/b" }, { "./a", "/usr/src/a" },
		{ ".", "/usr/src" }, { "", "/usr/src" }, { "../x", "/usr/src/../x" },
		{ "././b/", "/usr/src/b/" },
	};
	char want[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		start_name(cases[i].text);
		snprintf(want, sizeof(want), "openat %s = 3", cases[i].path);
		assert_string_equal(line_of(), want);
	}
	builder_start(&b);
	builder_name(&b, NORMAL(), "a", 1);
	builder_path(&b, LAF_SECTION_BASE, 0, "/base");
	builder_path(&b, LAF_SECTION_CWD, 0, "/usr/src");
	assert_string_equal(line_of(), "openat /base/a = 3");
	builder_start(&b);
	builder_name(&b, NORMAL(), "a", 1);
	builder_path(&b, LAF_SECTION_CWD, 0, "/");
	assert_string_equal(line_of(), "openat /a = 3");
	builder_start(&b);
	builder_name(&b, NORMAL(), "a", 1);
	assert_string_equal(line_of(), "openat a = 3");
	builder_start(&b);
	builder_name(&b, NORMAL(.flags = LAF_NAME_COMPONENTS), "\1b\1a", 4);
	assert_string_equal(line_of(), "openat /a/b = 3");
}

static void parents_are_not_shown_beside_what_is_in_them(void **state)
{
	builder_start(&b);
	b.wire.nr = 82;
	b.wire.exit = 0;
	for (int i = 0; i < 2; i++)
		builder_name(&b, PARENT, i ? "/new" : "/old", 4);
	builder_name(&b, (struct laf_wire_name){ .nametype = LAF_NAME_DELETE }, "/old", 4);
	builder_name(&b, (struct laf_wire_name){ .nametype = LAF_NAME_DELETE }, "/new", 4);
	builder_name(&b, (struct laf_wire_name){ .nametype = LAF_NAME_CREATE }, "/new", 4);
	assert_string_equal(line_of(), "rename /old /new = 0");
	builder_start(&b);
	builder_name(&b, PARENT, "/a/b", 4);
	assert_string_equal(line_of(), "openat /a/b = 3");
	builder_start(&b);
	builder_name(&b, (struct laf_wire_name){ .flags = LAF_NAME_NULL }, "", 0);
	assert_string_equal(line_of(), "openat = 3");
}

static void addresses(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *text;
	} cases[] = {
		{ "\2\0\0\65\1\2\3\4\0\0\0\0\0\0\0", 16, "1.2.3.4:53" },
		{ "\12\0\1\273\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0", 28, "[::1]:443" },
		{ "\1\0/run/x.sock\0", 14, "/run/x.sock" },
		{ "\1\0/run/x y", 10, "'/run/x y'" },
		{ "\1\0\0name\0x", 9, "@$'name\\x00x'" },
		{ "\1\0", 2, "unnamed" },
		{ "\20\0\0\0\143\0\0\0\0\0\0\0", 12, "netlink:99" },
		{ "\21\0abc", 5, "packet" },
		{ "\310\0abc", 5, "family-200" },
		{ "\2\0\0\65", 4, "inet" },
		{ "\2", 1, "inet" },
	};
	char want[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		builder_start(&b);
		b.wire.nr = 42;
		b.wire.exit = -111;
		builder_section(&b, LAF_SECTION_SADDR, 0, cases[i].bytes, cases[i].len);
		snprintf(want, sizeof(want), "connect %s = -111 ECONNREFUSED (Connection refused)",
			 cases[i].text);
		assert_string_equal(line_of(), want);
	}
}

static void start_exec(uint32_t argc, const void *list, size_t bytes)
{
	builder_start(&b);
	b.wire.nr = 59;
	b.wire.exit = 0;
	builder_name(&b, NORMAL(), "/bin/x", 6);
	builder_execve(&b, argc, list, bytes);
}

static void command_lines(void **state)
{
	char list[700], want[700];

	start_exec(4, "cc\0-DX=\"a b\"\0it's\0", 18);
	assert_string_equal(line_of(), "execve cc '-DX=\"a b\"' $'it\\'s' = 0");
	start_exec(2, "x\0", 3);
	assert_string_equal(line_of(), "execve x '' = 0");
	start_exec(2, "~\0#\0a~#\0a\\b\0a\\\n\0", 16);
	assert_string_equal(line_of(), "execve '~' '#' a~# 'a\\b' $'a\\\\\\n' = 0");
	memset(list, 'a', sizeof(list));
	start_exec(1, list, sizeof(list));
	snprintf(want, sizeof(want), "execve %.200s... = 0", list);
	assert_string_equal(line_of(), want);
	memset(list, 0, sizeof(list));
	start_exec(700, list, sizeof(list));
	assert_true(strlen(line_of()) < 650);
	memset(list, 1, sizeof(list));
	start_exec(1, list, sizeof(list));
	assert_true(strlen(line_of()) < 850);
}

static void results(void **state)
{
	start_name("/x");
	b.wire.exit = -13;
	assert_string_equal(line_of(), "openat /x = -13 EACCES (Permission denied)");
	b.wire.exit = -516;
	assert_string_equal(line_of(), "openat /x = -516");
	b.wire.exit = -4096;
	assert_string_equal(line_of(), "openat /x = -4096");
	builder_start(&b);
	b.wire.nr = 9;
	b.wire.exit = 0x7f0000001000;
	assert_string_equal(line_of(), "mmap = 0x7f0000001000");
	b.wire.nr = 231;
	b.wire.flags = LAF_EV_NO_RETURN;
	assert_string_equal(line_of(), "exit_group");
	b.wire.nr = 99999;
	assert_string_equal(line_of(), "unknown-syscall(99999)");
}

static void keys(void **state)
{
	static const char want[] = "node=web1 22:13:20.123 root make[4711] openat = 3  key=one,'two three'\n";
	struct laf_formatter *f;
	const char *text;
	size_t len;
	unsigned records;

	builder_start(&b);
	assert_int_equal(builder_decode(&b), 0);
	b.event.key = "one\1two three";
	b.event.key_len = 13;
	assert_int_equal(laf_formatter_new(LAF_FORMAT_SHORT, "web1", &f), 0);
	assert_int_equal(laf_format_event(f, &b.event, &text, &len, &records), 0);
	assert_int_equal(len, sizeof(want) - 1);
	assert_memory_equal(text, want, len);
	laf_formatter_free(f);
}

static void who_logged_in_comes_before_who_it_is(void **state)
{
	static const struct {
		uint32_t auid, uid;
		const char *who;
	} cases[] = {
		{ ~0u, 0, " root " }, { 33, 0, " www-data " }, { ~0u, 54321, " 54321 " },
	};
	struct laf_formatter *f;
	const char *text;
	size_t len;
	unsigned records;

	assert_int_equal(laf_formatter_new(LAF_FORMAT_SHORT, NULL, &f), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		builder_start(&b);
		b.wire.auid = cases[i].auid;
		b.wire.uid = cases[i].uid;
		assert_int_equal(builder_decode(&b), 0);
		assert_int_equal(laf_format_event(f, &b.event, &text, &len, &records), 0);
		assert_memory_equal(text + 12, cases[i].who, strlen(cases[i].who));
	}
	laf_formatter_free(f);
}

/* Every byte, everywhere a program can put one. */
static void nothing_raw_reaches_the_terminal(void **state)
{
	for (int c = 1; c < 256; c++) {
		char text[] = { 'a', c, 'b', 0 }, address[] = { 1, 0, 'a', c, 'b' };

		for (int where = 0; where < 4; where++) {
			builder_start(&b);
			if (where == 0)
				builder_name(&b, NORMAL(), text, 3);
			if (where == 1)
				builder_section(&b, LAF_SECTION_SADDR, 0, address, sizeof(address));
			if (where == 2)
				builder_execve(&b, 1, text, 4);
			if (where == 3 && c != '/')
				builder_path(&b, LAF_SECTION_CWD, 0, text);
			if (where == 3)
				builder_name(&b, NORMAL(), "x", 1);
			for (const char *at = line_of(); *at; at++)
				assert_in_range((unsigned char)*at, 0x20, 0x7e);
		}
	}
}

static void comm_is_escaped(void **state)
{
	struct laf_formatter *f;
	const char *text;
	size_t len;
	unsigned records;

	builder_start(&b);
	memcpy(b.wire.comm, "\x1b[31m\0", 7);
	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(laf_formatter_new(LAF_FORMAT_SHORT, NULL, &f), 0);
	assert_int_equal(laf_format_event(f, &b.event, &text, &len, &records), 0);
	assert_memory_equal(text + 12, " root $'\\x1b[31m'[4711] ", 24);
	laf_formatter_free(f);
}

static void time_is_local(void **state)
{
	static const struct {
		const char *zone;
		uint64_t time_ms;
		const char *text;
	} cases[] = {
		{ "UTC", 1700000000123, "22:13:20.123 " },     { "IST-5:30", 1700000000123, "03:43:20.123 " },
		{ "EST5", 1700000000999, "17:13:20.999 " },    { "EST5", 0, "19:00:00.000 " },
		{ "CET-1CEST,M3.5.0,M10.5.0/3", 1711846799000, "01:59:59.000 " },
		{ "CET-1CEST,M3.5.0,M10.5.0/3", 1711846800000, "03:00:00.000 " },
		{ "UTC", UINT64_MAX, NULL },
	};
	struct laf_formatter *f = NULL;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *text;
		size_t len;
		unsigned records;

		setenv("TZ", cases[i].zone, 1);
		tzset();
		if (!i || strcmp(cases[i].zone, cases[i - 1].zone)) {
			laf_formatter_free(f);
			assert_int_equal(laf_formatter_new(LAF_FORMAT_SHORT, NULL, &f), 0);
		}
		builder_start(&b);
		assert_int_equal(builder_decode(&b), 0);
		b.event.time_ms = cases[i].time_ms;
		assert_int_equal(laf_format_event(f, &b.event, &text, &len, &records), 0);
		if (cases[i].text)
			assert_memory_equal(text, cases[i].text, 13);
	}
	laf_formatter_free(f);
	setenv("TZ", "UTC", 1);
	tzset();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_absolute),
		cmocka_unit_test(parents_are_not_shown_beside_what_is_in_them),
		cmocka_unit_test(addresses),
		cmocka_unit_test(command_lines),
		cmocka_unit_test(results),
		cmocka_unit_test(keys),
		cmocka_unit_test(who_logged_in_comes_before_who_it_is),
		cmocka_unit_test(nothing_raw_reaches_the_terminal),
		cmocka_unit_test(comm_is_escaped),
		cmocka_unit_test(time_is_local),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
