// SPDX-License-Identifier: GPL-2.0-or-later
/* What auditctl 3.0.9 prints while it reads a command: warnings, and faults in its own words. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/rules/parse.h"

static const struct {
	const char *command;
	unsigned line; /* 0: not from a file */
	const char *said; /* each line with a '|' behind it */
} cases[] = {
	{ "-a always,exit -F arch=b64 -S openat", 0, "" },
	{ "-a always,exit -S open", 0, "WARNING - 32/64 bit syscall mismatch, you should specify an arch|" },
	{ "-a always,exit -S open", 7,
	  "WARNING - 32/64 bit syscall mismatch in line 7, you should specify an arch|" },
	{ "-d always,exit -S open", 0, "" },
	{ "-a always,exit -S all", 0, "" },
	{ "-w /etc/../x*", 0, "Warning - relative path notation is not supported|"
	  "Warning - wildcard notation is not supported|" },
	{ "-w /etc -w /etc", 0, "watch option can't be given with a syscall|" },
	{ "-a always,exit -F uid=0 -W /etc", 0, "Rule is not empty||" },
	{ "-a always,exit -a always,exit", 0, "Multiple rule insert/delete operations are not allowed||" },
	{ "-A always,exit -A always,exit", 0, "Multiple rule insert/delete operations are not allowed|" },
	{ "-a exit,possible", 0, "Append rule - possible is deprecated|" },
	{ "-d exit,possible", 0, "Delete rule - possible is deprecated|" },
	{ "-w /etc -k a\001b", 0, "key a\001b has illegal character|" },
	{ "x", 0, "" },
	{ "-a always,exit x", 0, "parameter passed without an option given|" },
	{ "-a always,exit -Z", 0, "Option -Z is invalid|" },
	{ "-a always,exit -ZS", 3, "Option always,exit on line 3 is invalid|" },
	{ "-ZS", 0, "Option   is invalid|" },
	{ "-a always,exclude -F key=x -F nofield=1", 0, "-F unknown field: nofield|"
	  "Only msgtype, *uid, *gid, pid, and subj* fields can be used with exclude filter|" },
};

static void test_said(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct laf_error err = { .line = cases[i].line };
		char *line = strdup(cases[i].command), said[1024] = "";
		struct laf_command command;
		struct laf_words words;

		assert_int_equal(laf_words_split(line, &words), 0);
		laf_command_parse(&words, &command, &err);
		for (unsigned j = 0; j < command.n_said; j++) {
			strcat(said, command.said[j].text);
			strcat(said, "|");
		}
		assert_string_equal(said, cases[i].said);
		laf_command_free(&command);
		laf_words_free(&words);
		free(line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_said) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
