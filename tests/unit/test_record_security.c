// SPDX-License-Identifier: GPL-2.0-or-later
/* What of a task's and a file's privileges the records tell: labels, file capabilities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <libaudit.h>

#include <laf/record.h>

#include "event_builder.h"

static struct event_builder *b;
static struct laf_formatter *f;
static char lines[8192];

static int start(void **state)
{
	b = calloc(1, sizeof(*b));
	if (!b || laf_formatter_new(LAF_FORMAT_RAW, NULL, &f))
		return -1;
	builder_start(b);
	return 0;
}

static int finish(void **state)
{
	laf_formatter_free(f);
	free(b);
	return 0;
}

static void format(void)
{
	unsigned records;
	const char *text;
	size_t bytes;

	assert_int_equal(builder_decode(b), 0);
	assert_int_equal(laf_format_event(f, &b->event, &text, &bytes, &records), 0);
	assert_true(bytes < sizeof(lines));
	memcpy(lines, text, bytes);
	lines[bytes] = 0;
}

static void assert_line(const char *text)
{
	if (!strstr(lines, text))
		fail_msg("no \"%s\" in %s", text, lines);
}

static void label(void **state)
{
	builder_section(b, LAF_SECTION_LABEL, 0, "unconfined", 10);
	format();
	assert_line("(null) subj=unconfined key=");
	format(); /* what is kept of the task does not hold it twice */
	assert_line("(null) subj=unconfined key=");
}

static void no_label(void **state)
{
	format();
	assert_null(strstr(lines, "subj="));
}

/* A profile's name can hold anything; it must not look like a record. */
static void hostile_label(void **state)
{
	static const char text[] = "x\ntype=USER_LOGIN y";

	builder_section(b, LAF_SECTION_LABEL, 0, text, strlen(text));
	format();
	assert_line(" subj=x type=USER_LOGIN y key=");
	assert_null(strstr(lines, "\ntype=USER_LOGIN"));
}

static void fcaps(void **state)
{
	const struct laf_wire_fcaps caps = { .permitted = 0x400, .inheritable = ~0ull, .ino = 7, .dev = 8, .rootid = ~0u,
					     .ver = 3, .effective = 1 };
	const struct laf_wire_name program = { .ino = 7, .dev = 8, .nametype = LAF_NAME_NORMAL, .flags = LAF_NAME_INODE };
	struct laf_wire_name other = program, unknown = { .ino = 7, .dev = 8 };

	other.ino = 6;
	builder_section(b, LAF_SECTION_FCAPS, 0, &caps, sizeof(caps));
	builder_name(b, program, "a", 1);
	builder_name(b, other, "b", 1);
	builder_name(b, unknown, "c", 1);
	builder_path(b, LAF_SECTION_CWD, 0, "/");
	format();
	assert_line("item=0 name=\"a\" inode=7 dev=00:08 mode=0 ouid=0 ogid=0 rdev=00:00 nametype=NORMAL cap_fp=0000000000000400 "
		    "cap_fi=ffffffffffffffff cap_fe=1 cap_fver=3 cap_frootid=-1\n");
	assert_line("nametype=NORMAL cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0\n");
	assert_line("name=\"c\" nametype=UNKNOWN cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0\n");
}

static void odd_fcaps(void **state)
{
	builder_section(b, LAF_SECTION_FCAPS, 0, "short", 5);
	assert_int_not_equal(builder_decode(b), 0);
}

/* A hidden name has no number. */
static void hidden_name(void **state)
{
	builder_name(b, (struct laf_wire_name){ .nametype = LAF_NAME_PARENT, .flags = LAF_NAME_HIDDEN }, "q", 1);
	builder_name(b, (struct laf_wire_name){ .nametype = LAF_NAME_CREATE }, "q", 1);
	builder_path(b, LAF_SECTION_CWD, 0, "/");
	format();
	assert_line(" items=2 ");
	assert_line("type=PATH msg=");
	assert_line(": item=0 name=\"q\" nametype=CREATE");
	assert_null(strstr(lines, "item=1"));
}

static void bprm_fcaps(void **state)
{
	struct laf_wire_special special = { .type = AUDIT_BPRM_FCAPS, .n = 13, .value = { 2, 0x400, 0, 1, [12] = 5 } };
	char *caps, *execve;

	builder_execve(b, 1, "x", 2);
	builder_section(b, LAF_SECTION_SPECIAL, 0, &special, sizeof(special));
	format();
	assert_line(": fver=2 fp=0000000000000400 fi=0 fe=1 old_pp=0 old_pi=0 old_pe=0 old_pa=0 pp=0 pi=0 pe=0 pa=0 frootid=5\n");
	caps = strstr(lines, "type=BPRM_FCAPS");
	execve = strstr(lines, "type=EXECVE");
	assert_true(caps && execve && caps < execve);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(label), TEST(no_label), TEST(hostile_label), TEST(fcaps), TEST(odd_fcaps), TEST(hidden_name),
		TEST(bprm_fcaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
