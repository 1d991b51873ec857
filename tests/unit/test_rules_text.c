// SPDX-License-Identifier: GPL-2.0-or-later
/* Words of a line, options of a command, nearest names, and rules as auditctl -l prints them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <libaudit.h>
#include <stdlib.h>
#include <string.h>

#include <laf/rules.h>

#include "../../src/rules/text.h"
#include "../../src/rules/text_near.h"
#include "../../src/rules/text_option.h"

static void expect_words(const char *text, unsigned n, const struct laf_word *want)
{
	char *line = strdup(text);
	struct laf_words words;

	assert_int_equal(laf_words_split(line, &words), 0);
	assert_int_equal(words.n, n);
	for (unsigned i = 0; i < n; i++) {
		assert_string_equal(words.list[i].text, want[i].text);
		assert_int_equal(words.list[i].column, want[i].column);
	}
	laf_words_free(&words);
	free(line);
}

#define EXPECT_WORDS(text, ...) \
	expect_words(text, sizeof((struct laf_word[]){ __VA_ARGS__ }) / sizeof(struct laf_word), \
		     (struct laf_word[]){ __VA_ARGS__ })

static void words_are_separated_by_spaces_only(void **state)
{
	expect_words("", 0, NULL);
	expect_words("    ", 0, NULL);
	EXPECT_WORDS("-w /etc", { "-w", 1 }, { "/etc", 4 });
	EXPECT_WORDS("  -w   /etc  ", { "-w", 3 }, { "/etc", 8 });
	EXPECT_WORDS("-w\t/etc x", { "-w\t/etc", 1 }, { "x", 9 });
}

static void words_have_escapes(void **state)
{
	EXPECT_WORDS("-w /a\\ b -k c", { "-w", 1 }, { "/a b", 4 }, { "-k", 10 }, { "c", 13 });
	EXPECT_WORDS("/a\\\\ b", { "/a\\", 1 }, { "b", 6 });
	EXPECT_WORDS("a\\b c\\", { "a\\b", 1 }, { "c\\", 5 });
	EXPECT_WORDS("\\  x", { " ", 1 }, { "x", 4 });
}

struct want_option {
	int name;
	const char *value;
	unsigned column;
};

static void expect_options(const char *text, unsigned extra, unsigned n, const struct want_option *want)
{
	char *line = strdup(text);
	struct laf_words words;
	struct laf_options options = { .words = &words };
	struct laf_option option;

	assert_int_equal(laf_words_split(line, &words), 0);
	for (unsigned i = 0; i < n; i++) {
		assert_true(laf_options_next(&options, &option));
		assert_int_equal(option.name, want[i].name);
		assert_int_equal(option.column, want[i].column);
		if (want[i].value)
			assert_string_equal(option.value, want[i].value);
		else
			assert_null(option.value);
	}
	assert_false(laf_options_next(&options, &option));
	assert_int_equal(options.extra, extra);
	laf_words_free(&words);
	free(line);
}

#define EXPECT_OPTIONS(text, extra, ...)                                                                     \
	expect_options(text, extra,                                                                          \
		       sizeof((struct want_option[]){ __VA_ARGS__ }) / sizeof(struct want_option),           \
		       (struct want_option[]){ __VA_ARGS__ })

static void options_are_those_of_getopt(void **state)
{
	EXPECT_OPTIONS("-w /etc -p wa", 0, { 'w', "/etc", 4 }, { 'p', "wa", 12 });
	EXPECT_OPTIONS("-w/etc -ci", 0, { 'w', "/etc", 3 }, { 'c', NULL, 8 }, { 'i', NULL, 8 });
	EXPECT_OPTIONS("-iw /etc", 0, { 'i', NULL, 1 }, { 'w', "/etc", 5 });
	EXPECT_OPTIONS("-w -p wa", 7, { 'w', "-p", 4 });
	EXPECT_OPTIONS("x -i y", 1, { 'i', NULL, 3 });
	EXPECT_OPTIONS("-i -- -c", 7, { 'i', NULL, 1 });
	EXPECT_OPTIONS("-w", 0, { LAF_OPTION_BAD, NULL, 1 });
	EXPECT_OPTIONS("-z", 0, { LAF_OPTION_BAD, NULL, 1 });
	EXPECT_OPTIONS("-iz", 0, { 'i', NULL, 1 }, { LAF_OPTION_BAD, NULL, 1 });
}

static void long_options_can_be_cut_short(void **state)
{
	EXPECT_OPTIONS("--backlog_wait_time 5", 0, { LAF_OPTION_BACKLOG_WAIT_TIME, "5", 21 });
	EXPECT_OPTIONS("--backlog=5", 0, { LAF_OPTION_BACKLOG_WAIT_TIME, "5", 11 });
	EXPECT_OPTIONS("--reset-lost", 0, { LAF_OPTION_RESET_LOST, NULL, 1 });
	EXPECT_OPTIONS("--reset", 0, { LAF_OPTION_BAD, NULL, 1 });
	EXPECT_OPTIONS("--reset-lost=1", 0, { LAF_OPTION_BAD, NULL, 1 });
	EXPECT_OPTIONS("--nothing", 0, { LAF_OPTION_BAD, NULL, 1 });
	EXPECT_OPTIONS("--signal", 0, { LAF_OPTION_BAD, NULL, 1 });
}

static void near_names_are_found(void **state)
{
	assert_string_equal(laf_near_field("aiud"), "auid");
	assert_string_equal(laf_near_field("sucess"), "success");
	assert_null(laf_near_field("zzzzzz"));
	assert_null(laf_near_field(""));
	assert_string_equal(laf_near_call("opnat", MACH_86_64), "openat");
	assert_string_equal(laf_near_call("exceve", MACH_86_64), "execve");
	assert_string_equal(laf_near_call("socketcal", MACH_X86), "socketcall");
	assert_null(laf_near_call("nosuchcallatallanywhere", MACH_86_64));
	assert_string_equal(laf_near_keyword("allways"), "always");
}

/* A rule's text is what was listed by auditctl 3.0.9 for it (tests/system/rules-oracle.sh runs the real one).
 */
static const struct {
	const char *rule;
	const char *text;
} listed[] = {
	{ "-a always,exit -F arch=b64 -S open -F auid!=unset -F exit=-13 -F exit=5 -F success=1",
	  "-a always,exit -F arch=b64 -S open -F auid!=-1 -F exit=-EACCES -F exit=5 -F success=1" },
	{ "-a always,exit -F a0=0x10 -F a1=-1", "-a always,exit -S all -F a0=0x10 -F a1=0xFFFFFFFF" },
	{ "-a exit,never -S 7,close -S open,450 -S 1000 -k a -k b",
	  "-a never,exit -S open,close,poll,set_mempolicy_home_node,1000 -F key=a -F key=b" },
	{ "-w /etc/passwd", "-w /etc/passwd -p rwxa" },
	{ "-w //", "-w // -p rwxa" },
	{ "-w /etc/ -p aw -k k", "-w /etc -p wa -k k" },
	{ "-a always,exit -F dir=/etc/ -F perm=wa -k k", "-w /etc/ -p wa -k k" },
	{ "-a always,exit -F dir=/etc/ -k k", "-a always,exit -S all -F dir=/etc/ -F key=k" },
	{ "-a always,exit -F key=foo -F perm=w", " -p w -k foo" },
	{ "-a always,exit -F arch=c000003e -C auid!=uid", "-a always,exit -F arch=b64 -S all -C uid!=auid" },
	{ "-a always,exit -F arch=b64 -S 2039", "-a always,exit -F arch=b64 -S kill,tkill,tgkill" },
	{ "-a always,exit -F arch=b64 -S 2047 -S 1",
	  "-a always,exit -F arch=b64 -S write,rename,mkdir,rmdir,creat,link,unlink,symlink,mknod,"
	  "mkdirat,mknodat,unlinkat,renameat,linkat,symlinkat,renameat2" },
	{ "-a always,exit -F arch=b32 -S 2046 -S 2032",
	  "-a always,exit -F arch=b32 -S creat,link,unlink,mknod,rename,mkdir,rmdir,symlink,"
	  "mkdirat,mknodat,unlinkat,renameat,linkat,symlinkat,renameat2" },
	{ "-a always,exit -S ,", "-a always,exit" },
	{ "-a never,task", "-a never,task" },
	{ "-a never,filesystem -F fstype=tracefs -k x", "-a never,filesystem -F fstype=tracefs -F key=x" },
	{ "-a always,exclude -F msgtype=1300", "-a always,exclude -F msgtype=SYSCALL" },
	{ "-a always,user -F pid=4294967290", "-a always,user -F pid=-6" },
	{ "-a always,exit -F filetype=file -F inode=4294967295",
	  "-a always,exit -S all -F filetype=32768 -F inode=4294967295" },
	{ "-a always,exit -F exe!=/bin/sh -S 1", "-a always,exit -S write -F exe=/bin/sh" },
	{ "-a always,io_uring -S openat,close -F uid=0", "-a always,io_uring -S openat,close -F uid=0" },
};

static int add_line(struct laf_rules *rules, const char *text, struct laf_error *err)
{
	char *line = strdup(text), *argv[64], *save = NULL;
	int argc = 0, r;

	for (char *s = strtok_r(line, " ", &save); s; s = strtok_r(NULL, " ", &save))
		argv[argc++] = s;
	r = laf_rules_add_words(rules, argc, argv, err);
	free(line);
	return r;
}

static void rules_are_listed_as_auditctl_does(void **state)
{
	for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
		struct laf_rules rules = { 0 };
		struct laf_error err = { 0 };
		char text[512];

		if (add_line(&rules, listed[i].rule, &err))
			fail_msg("%s: %s", listed[i].rule, err.text);
		assert_int_equal(laf_rule_string(&rules.list[0], text, sizeof(text)), strlen(listed[i].text));
		assert_string_equal(text, listed[i].text);
		laf_rules_clear(&rules);
	}
}

static void a_short_buffer_is_not_overrun(void **state)
{
	struct laf_rules rules = { 0 };
	char text[16] = "0123456789abcde";

	assert_int_equal(add_line(&rules, "-w /etc/passwd -p wa", NULL), 0);
	assert_int_equal(laf_rule_string(&rules.list[0], text, 8), strlen("-w /etc/passwd -p wa"));
	assert_string_equal(text, "-w /etc");
	assert_int_equal(text[8], '8');
	assert_int_equal(laf_rule_string(&rules.list[0], NULL, 0), strlen("-w /etc/passwd -p wa"));
	laf_rules_clear(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_separated_by_spaces_only),
		cmocka_unit_test(words_have_escapes),
		cmocka_unit_test(options_are_those_of_getopt),
		cmocka_unit_test(long_options_can_be_cut_short),
		cmocka_unit_test(near_names_are_found),
		cmocka_unit_test(rules_are_listed_as_auditctl_does),
		cmocka_unit_test(a_short_buffer_is_not_overrun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
