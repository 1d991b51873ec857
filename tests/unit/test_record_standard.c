// SPDX-License-Identifier: GPL-2.0-or-later
/* What no captured log shows: details that are missing, and input that must not break a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <laf/record.h>

#include "event_builder.h"

static struct event_builder b;

/* The lines of what was built. */
static const char *lines_of(enum laf_format format)
{
	static char lines[65536];
	struct laf_formatter *f;
	const char *text;
	size_t len;
	unsigned records;

	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(laf_formatter_new(format, NULL, &f), 0);
	assert_int_equal(laf_format_event(f, &b.event, &text, &len, &records), 0);
	snprintf(lines, sizeof(lines), "%.*s", (int)len, text);
	laf_formatter_free(f);
	return lines;
}

static void assert_has(const char *part)
{
	const char *lines = lines_of(LAF_FORMAT_RAW);

	if (!strstr(lines, part))
		fail_msg("no \"%s\" in\n%s", part, lines);
}

static void assert_lacks(const char *part)
{
	assert_null(strstr(lines_of(LAF_FORMAT_RAW), part));
}

static void success_is_what_the_kernel_calls_success(void **state)
{
	static const struct {
		int64_t exit;
		const char *text;
	} cases[] = {
		{ 0, " success=yes exit=0 a0" }, { -1, " success=no exit=-1 a0" },
		{ -4095, " success=no exit=-4095 a0" },
		{ -4096, " success=yes exit=-4096 a0" }, { 4294967295, " success=yes exit=4294967295 a0" },
		{ INT64_MIN, " success=yes exit=-9223372036854775808 a0" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		builder_start(&b);
		b.wire.exit = cases[i].exit;
		assert_has(cases[i].text);
	}
	b.wire.flags = LAF_EV_NO_RETURN;
	assert_has(" syscall=257 a0=");
}

static void missing_details(void **state)
{
	builder_start(&b);
	assert_has(" tty=(none) ses=4294967295 comm=\"make\" exe=(null) key=(null)\n");
	assert_has("proctitle=\"(null)\"\n");
	assert_lacks("type=CWD");
	assert_lacks("type=SOCKADDR");
	assert_lacks("type=EXECVE");
	builder_path(&b, LAF_SECTION_CWD, 0, "/usr/src");
	assert_lacks("type=CWD");
	builder_section(&b, LAF_SECTION_SADDR, 0, "", 0);
	assert_lacks("type=SOCKADDR");
	builder_name(&b, (struct laf_wire_name){ .flags = LAF_NAME_NULL }, "", 0);
	assert_has("cwd=\"/usr/src\"\n");
	assert_has("item=0 name=(null) nametype=UNKNOWN cap_fp=0 ");
}

static void folders_without_a_working_directory(void **state)
{
	struct laf_wire_name parent = { .nametype = LAF_NAME_PARENT, .flags = LAF_NAME_FOLDER };

	builder_start(&b);
	builder_name(&b, parent, "a", 1);
	assert_has("item=0 name=(null) nametype=PARENT ");
	assert_lacks("type=CWD");
	builder_path(&b, LAF_SECTION_CWD, LAF_PATH_TRUNCATED, "/a/b");
	assert_has("item=0 name=\"<too_long>\" nametype=PARENT ");
	assert_has("cwd=\"<too_long>\"\n");
}

static void folder_of_a_name(void **state)
{
	static const struct {
		const char *text, *folder;
	} cases[] = {
		{ "/", "\"/\"" }, { "///", "\"/\"" }, { "/a", "\"/\"" }, { "/a/", "\"/\"" },
		{ "a/b", "\"a/\"" },
		{ "a//b", "\"a//\"" }, { "a/b//", "\"a/\"" }, { "//a//b///", "\"//a//\"" }, { "a", "\"/cwd\"" },
		{ "a//", "\"/cwd\"" }, { "", "\"/cwd\"" }, { "a b/c", "6120622F" },
	};
	struct laf_wire_name parent = { .nametype = LAF_NAME_PARENT, .flags = LAF_NAME_FOLDER };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char want[64];

		builder_start(&b);
		builder_path(&b, LAF_SECTION_CWD, 0, "/cwd");
		builder_name(&b, parent, cases[i].text, strlen(cases[i].text));
		snprintf(want, sizeof(want), "item=0 name=%s nametype=PARENT ", cases[i].folder);
		assert_has(want);
	}
}

static void names_known_by_their_file(void **state)
{
	builder_start(&b);
	builder_name(&b, (struct laf_wire_name){ .nametype = 1, .flags = LAF_NAME_COMPONENTS }, "\3c d\1a", 6);
	assert_has("item=0 name=2F612F632064 nametype=NORMAL ");
	builder_start(&b);
	builder_name(&b, (struct laf_wire_name){ .nametype = 200 }, "x", 1);
	assert_has("item=0 name=\"x\" nametype=UNKNOWN ");
}

static void nothing_breaks_a_line(void **state)
{
	builder_start(&b);
	builder_section(&b, LAF_SECTION_TTY, 0, "pts\n0", 5);
	assert_has(" tty=(none) ");
	memset(b.wire.comm, '\n', sizeof(b.wire.comm));
	assert_has(" comm=0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A exe=");
	memset(b.wire.comm, 'c', sizeof(b.wire.comm));
	assert_has(" comm=\"cccccccccccccccc\" exe=");
	builder_start(&b);
	builder_section(&b, LAF_SECTION_SADDR, 0, "\1\0/x\ntype=", 10);
	assert_non_null(strstr(lines_of(LAF_FORMAT_ENRICHED),
			       "saddr=01002F780A747970653D\x1dSADDR={ saddr_fam=local path=/x type= }\n"));
}

static void numbers_no_call_has(void **state)
{
	builder_start(&b);
	b.wire.nr = ~0u;
	b.wire.arch = 0x12;
	b.wire.personality = ~0u;
	b.wire.pid = b.wire.ppid = ~0u;
	assert_has("arch=12 syscall=-1 per=ffffffff success=yes ");
	assert_has(" ppid=-1 pid=-1 ");
	assert_non_null(strstr(lines_of(LAF_FORMAT_ENRICHED),
			       "\x1d" "ARCH=unknown-elf-type(12) SYSCALL=unknown-syscall(-1) AUID=\"unset\" "));
}

static void title_is_trimmed_as_the_kernel_trims(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *text;
	} cases[] = {
		{ "a\0b\0\0", 5, "proctitle=610062\n" }, { "a\0", 2, "proctitle=\"a\"\n" },
		{ "\0", 1, "proctitle=\"(null)\"\n" }, { "\n\t\x7f\x80\x9f", 5, "proctitle=\"(null)\"\n" },
		{ "a\xa0", 2, "proctitle=61A0\n" }, { "a\xff\1", 3, "proctitle=61FF\n" },
		{ "a ", 2, "proctitle=6120\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		builder_start(&b);
		builder_section(&b, LAF_SECTION_PROCTITLE, 0, cases[i].bytes, cases[i].len);
		assert_has(cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(success_is_what_the_kernel_calls_success),
		cmocka_unit_test(missing_details),
		cmocka_unit_test(folders_without_a_working_directory),
		cmocka_unit_test(folder_of_a_name),
		cmocka_unit_test(names_known_by_their_file),
		cmocka_unit_test(nothing_breaks_a_line),
		cmocka_unit_test(numbers_no_call_has),
		cmocka_unit_test(title_is_trimmed_as_the_kernel_trims),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
