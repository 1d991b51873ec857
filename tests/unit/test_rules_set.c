// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of rules and the files that they are read from. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <laf/rules.h>

static char path[] = "/tmp/laf-test-rules.XXXXXX";

static int make_path(void **state)
{
	int fd = mkstemp(path);

	if (fd >= 0)
		close(fd);
	return fd < 0;
}

static int remove_path(void **state)
{
	return unlink(path);
}

static void write_bytes(const char *text, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static int read_text(struct laf_rules *rules, const char *text, struct laf_error *err)
{
	if (geteuid())
		skip(); /* the file must be root's */
	write_bytes(text, strlen(text));
	return laf_rules_read_file(rules, path, NULL, NULL, err);
}

/* All rules, as they are listed, joined by "; ". */
static const char *listing(const struct laf_rules *rules)
{
	static char text[4096];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < rules->n; i++) {
		len += snprintf(text + len, sizeof(text) - len, "%s", i ? "; " : "");
		len += laf_rule_string(&rules->list[i], text + len, sizeof(text) - len);
	}
	return text;
}

static void prepended_rules_come_first(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;

	assert_int_equal(read_text(&rules,
				   "-a always,exit -S 1\n-A always,exit -S 2\n-a always,user\n-A never,task\n"
				   "-a always,exit -S 3\n",
				   &err),
			 0);
	assert_string_equal(listing(&rules),
			    "-a never,task; -a always,exit -S open; -a always,exit -S write; -a always,user; "
			    "-a always,exit -S close");
	assert_int_equal(rules.list[0].data->flags, AUDIT_FILTER_TASK);
	assert_int_equal(rules.list[0].line, 4);
	assert_string_equal(rules.list[0].file, path);
	laf_rules_clear(&rules);
	assert_int_equal(rules.n, 0);
	assert_null(rules.list);
}

static void an_equal_rule_exists_already(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };

	assert_int_equal(read_text(&rules, "-w /etc -k a\n-w /etc -k b\n\n-w /etc/ -p rwxa -k a\n", &err),
			 -EEXIST);
	assert_int_equal(err.line, 4);
	assert_int_equal(err.column, 1);
	assert_string_equal(err.file, path);
	assert_string_equal(err.text, "Error sending add rule data request (Rule exists)");
	assert_string_equal(err.hint, "as line 1");
	assert_int_equal(rules.n, 0);
	/* All that differs: list, action, order of fields, calls, operator. */
	assert_int_equal(
		read_text(
			&rules,
			"-a always,exit -S 1 -F uid=0 -F gid=0\n-a never,exit -S 1 -F uid=0 -F gid=0\n"
			"-a always,exit -S 1 -F gid=0 -F uid=0\n-a always,exit -S 2 -F uid=0 -F gid=0\n"
			"-a always,exit -S 1 -F uid!=0 -F gid=0\n-a always,exit -S 1 -F uid=0 -F gid=0 -k x\n"
			"-a always,exit -S 1 -F auid=0 -F loginuid=1\n-a always,user -F uid=0 -F gid=0\n",
			&err),
		0);
	assert_int_equal(rules.n, 8);
	laf_rules_clear(&rules);
}

/* So it is in the kernel: the flag that -A sends is part of the comparison. */
static void a_prepended_rule_is_never_equal(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;

	assert_int_equal(read_text(&rules, "-A always,exit -S 1\n-A always,exit -S 1\n", &err), 0);
	assert_int_equal(rules.n, 2);
	assert_int_equal(read_text(&rules, "-a always,exit -S 1\n", &err), -EEXIST);
	laf_rules_clear(&rules);
}

static void rules_are_deleted_by_rule_or_key(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;

	assert_int_equal(
		read_text(&rules,
			  "-w /etc/a -k one\n-w /etc/b -k two\n-a always,exit -S 1\n-W /etc/a -k one\n"
			  "-d always,exit -S 1\n",
			  &err),
		0);
	assert_string_equal(listing(&rules), "-w /etc/b -p rwxa -k two");
	assert_int_equal(read_text(&rules, "-d always,exit -S 1\n", &err), -ENOENT);
	assert_string_equal(err.text, "Error sending delete rule data request (No such file or directory)");
	assert_int_equal(read_text(&rules, "-w /etc/c -k zone -k x\n-w /etc/d\n-D -k on\n-w /etc/e\n", &err),
			 0);
	assert_string_equal(listing(&rules),
			    "-w /etc/b -p rwxa -k two; -w /etc/d -p rwxa; -w /etc/e -p rwxa");
	assert_int_equal(read_text(&rules, "-w /etc/f\n-D\n-w /etc/g\n", &err), 0);
	assert_string_equal(listing(&rules), "-w /etc/g -p rwxa");
	laf_rules_clear(&rules);
}

static void a_bad_line_leaves_the_set_as_it_was(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };

	assert_int_equal(read_text(&rules, "-w /etc/a\n", &err), 0);
	assert_int_equal(read_text(&rules, "# a comment\n\n-D\n-w /etc/b\n  -w  bad\n-w /etc/c\n", &err),
			 -EINVAL);
	assert_int_equal(err.line, 5);
	assert_int_equal(err.column, 7);
	assert_string_equal(err.text, "The path must start with '/'");
	assert_string_equal(listing(&rules), "-w /etc/a -p rwxa");
	assert_int_equal(read_text(&rules, "-w /laf-absent/x\n", &err), -ENOENT);
	assert_int_equal(err.line, 1);
	laf_rules_clear(&rules);
}

static void errors_can_be_ignored(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;

	assert_int_equal(read_text(&rules, "-i\n-w bad\n-w /etc/a\n", &err), 0);
	assert_int_equal(read_text(&rules, "-c\n-w bad\n-w /etc/b\n", &err), 1);
	assert_int_equal(read_text(&rules, "-c\n-w /etc/c\n", &err), 0);
	assert_int_equal(read_text(&rules, "-w bad\n-i\n", &err), -EINVAL);
	assert_int_equal(rules.n, 3);
	/* A rule before -i on one line is forgotten, as by auditctl. */
	assert_int_equal(read_text(&rules, "-a always,exit -S 1 -i\n", &err), 0);
	assert_int_equal(rules.n, 3);
	laf_rules_clear(&rules);
}

struct heard {
	unsigned lines, settings, bad;
	unsigned columns, last_line;
	int answer;
};

static int hear(void *arg, const char *file, unsigned line, const char *text, bool control,
		const struct laf_error *err)
{
	struct heard *heard = arg;

	assert_string_equal(file, path);
	assert_true(line > heard->last_line);
	assert_non_null(text);
	heard->last_line = line;
	heard->lines++;
	heard->settings += control;
	if (err) {
		heard->bad++;
		heard->columns += err->column;
		assert_int_equal(err->line, line);
		assert_string_equal(err->file, path);
	}
	return heard->answer;
}

static void every_line_is_heard(void **state)
{
	static const char text[] = "# no line\n-w bad1\n\n-b 8192\n-e 3\n-w /etc/a\n-w /etc bad\n-D x\n";
	struct laf_rules rules = { 0 };
	struct heard heard = { 0 };
	struct laf_error err = { 0 };

	if (geteuid())
		skip();
	write_bytes(text, strlen(text));
	assert_int_equal(laf_rules_read_file(&rules, path, hear, &heard, &err), -EINVAL);
	assert_int_equal(heard.lines, 6);
	assert_int_equal(heard.settings, 3);
	assert_int_equal(heard.bad, 4);
	assert_int_equal(heard.columns, 4 + 4 + 9 + 1);
	assert_int_equal(err.line, 2);
	assert_int_equal(rules.n, 0);
	heard = (struct heard){ .answer = -ECANCELED };
	assert_int_equal(laf_rules_read_file(&rules, path, hear, &heard, &err), -ECANCELED);
	assert_int_equal(heard.lines, 1);
}

/* line, its text where it is bad */
static const struct { const char *line, *text; } settings[] = {
	{ "-b 8192", NULL }, { "-f 1", NULL }, { "-e 1", NULL }, { "-r 100 -b 0x10", NULL },
	{ "--backlog_wait_time 60000", NULL },
	{ "-c", NULL }, { "-i", NULL }, { "-t", NULL }, { "-s", NULL }, { "-s -i", NULL }, { "-l", NULL },
	{ "-l -k x", NULL },
	{ "-D -k x", NULL }, { "-m text", NULL }, { "--reset-lost", NULL }, { "--loginuid-immutable", NULL },
	{ "-v", NULL },
	{ "-q /etc,/tmp", NULL }, { "--signal HUP", NULL }, { "-a exit,possible", NULL }, { "--", NULL },
	{ "-e 3", "Enable must be 0, 1, or 2 was 3" }, { "-f x", "Failure must be 0, 1, or 2 was x" },
	{ "-b x", "Backlog must be a numeric value was x" },
	{ "-r -1", "Rate must be a numeric value was -1" },
	{ "-b 99999999999999999999", "Error converting backlog" },
	{ "--backlog_wait_time 200000", "Error sending backlog limit request (Invalid argument)" },
	{ "--backlog_wait_time x", "Backlog_wait_time must be a numeric value was x" },
	{ "-i x", "parameter passed without an option given" },
	{ "-D x", "Wrong number of options for Delete all request" },
	{ "-D -z x", "Only the -k option is allowed" }, { "-l x", "Only -k or -i options are allowed" },
	{ "-s x", "Only -i option is allowed" }, { "-R /etc/x", "Error - nested rule files not supported" },
	{ "-m a b", "The -m option must be only the only option and takes 1 parameter" },
	{ "-m \303\244", "Illegal character in audit event" },
	{ "-q /etc", "Error parsing equivalent parts" },
	{ "-q /laf-absent,/tmp", "Error sending make_equivalent command (No such file or directory)" },
	{ "--signal KILL", "KILL is an unsupported signal" }, { "-x", "Option -x is invalid" },
	{ "\t-b 5", "parameter passed without an option given" },
	{ "\r", "parameter passed without an option given" },
};

static void settings_are_checked_but_change_nothing(void **state)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		struct laf_rules rules = { 0 };
		struct laf_error err = { 0 };
		int r = read_text(&rules, settings[i].line, &err);

		if (!settings[i].text != !r || (r && strcmp(err.text, settings[i].text)))
			fail_msg("%s: %d %s", settings[i].line, r, err.text);
		assert_int_equal(rules.n, 0);
	}
}

static void nothing_changes_behind_a_lock(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;

	assert_int_equal(read_text(&rules, "-w /etc/a\n-e 2\n", &err), 0);
	assert_int_equal(read_text(&rules, "-e 2\n-w /etc/b\n", &err), -EPERM);
	assert_string_equal(err.text, "Error sending add rule data request (Operation not permitted)");
	assert_int_equal(read_text(&rules, "-e 2\n-b 5\n", &err), -EPERM);
	assert_int_equal(read_text(&rules, "-e 2\n-D\n", &err), -EPERM);
	assert_int_equal(read_text(&rules, "-e 2\n-s\n", &err), 0);
	assert_int_equal(rules.n, 1);
	laf_rules_clear(&rules);
}

static void odd_files_are_read_or_refused(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };
	char *line = malloc(7000);

	assert_int_equal(read_text(&rules, "", &err), 0);
	assert_int_equal(read_text(&rules, "-w /etc/a", &err), 0); /* no newline */
	write_bytes("-w /etc/b\0 bad\n-w /etc/c\n", 25);
	assert_int_equal(laf_rules_read_file(&rules, path, NULL, NULL, &err), 0);
	assert_string_equal(listing(&rules), "-w /etc/a -p rwxa; -w /etc/b -p rwxa; -w /etc/c -p rwxa");
	memset(line, ' ', 7000);
	memcpy(line + 6143 - 9, "-w /etc/d", 10);
	assert_int_equal(read_text(&rules, line, &err), 0);
	memset(line, ' ', 7000);
	memcpy(line + 6144 - 9, "-w /etc/e", 10);
	assert_int_equal(read_text(&rules, line, &err), -EINVAL);
	assert_string_equal(err.text, "the line is longer than 6143 bytes");
	free(line);
	assert_int_equal(laf_rules_read_file(&rules, "/tmp", NULL, NULL, &err), -EPERM); /* world writable */
	assert_int_equal(laf_rules_read_file(&rules, "/etc", NULL, NULL, &err), -EINVAL);
	assert_string_equal(err.text, "Error - /etc is not a regular file");
	err.line = 0;
	assert_int_equal(laf_rules_read_file(&rules, "/laf-absent", NULL, NULL, &err), -ENOENT);
	assert_int_equal(err.line, 0);
	assert_int_equal(rules.n, 4);
	laf_rules_clear(&rules);
}

static void only_roots_own_files_are_read(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;

	assert_int_equal(read_text(&rules, "-w /etc/a\n", &err), 0);
	assert_int_equal(chmod(path, 0602), 0);
	assert_int_equal(laf_rules_read_file(&rules, path, NULL, NULL, &err), -EPERM);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(chown(path, 1, 0), 0);
	assert_int_equal(laf_rules_read_file(&rules, path, NULL, NULL, &err), -EPERM);
	assert_int_equal(chown(path, 0, 0), 0);
	laf_rules_clear(&rules);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void a_set_has_a_limit_and_fills_fast(void **state)
{
	size_t size = 1 << 20, len = 0;
	char *text = malloc(size);
	struct laf_rules rules = { 0 };
	struct laf_error err;
	double start;

	for (int i = 0; i < LAF_RULES_MAX; i++)
		len += snprintf(text + len, size - len,
				"-a always,exit -F arch=b64 -S openat -F auid=%d -F uid=root -F key=k%d\n", i,
				i);
	start = seconds();
	assert_int_equal(read_text(&rules, text, &err), 0);
	assert_true(seconds() - start <
		    5); /* a tenth of a second really; sanitizers and slow machines take longer */
	assert_int_equal(rules.n, LAF_RULES_MAX);
	assert_int_equal(read_text(&rules, "-a always,exit -S 1\n", &err), -E2BIG);
	assert_string_equal(err.text, "a rule set holds at most 4096 rules beside watches");
	assert_int_equal(read_text(&rules, "-w /etc/a\n", &err), 0);
	assert_int_equal(rules.n, LAF_RULES_MAX + 1);
	laf_rules_clear(&rules);
	free(text);
}

static void strings_and_keys_are_found(void **state)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;
	const char *text;
	size_t len;

	assert_int_equal(
		read_text(&rules,
			  "-a always,exit -F subj_user=u -F exe=/bin/sh -F path=/etc/passwd -k one -k two\n"
			  "-a always,exit -S 1 -F uid=0\n",
			  &err),
		0);
	text = laf_rule_key(&rules.list[0], &len);
	assert_int_equal(len, 7);
	assert_memory_equal(text, "one\001two", 7);
	text = laf_rule_field_string(&rules.list[0], AUDIT_WATCH, &len);
	assert_int_equal(len, 11);
	assert_memory_equal(text, "/etc/passwd", 11);
	text = laf_rule_field_string(&rules.list[0], AUDIT_EXE, &len);
	assert_memory_equal(text, "/bin/sh", 7);
	assert_null(laf_rule_field_string(&rules.list[0], AUDIT_DIR, &len));
	assert_null(laf_rule_key(&rules.list[1], &len));
	assert_int_equal(len, 0);
	assert_null(laf_rule_field_string(&rules.list[1], AUDIT_UID, &len));
	laf_rules_clear(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prepended_rules_come_first),
		cmocka_unit_test(an_equal_rule_exists_already),
		cmocka_unit_test(a_prepended_rule_is_never_equal),
		cmocka_unit_test(rules_are_deleted_by_rule_or_key),
		cmocka_unit_test(a_bad_line_leaves_the_set_as_it_was),
		cmocka_unit_test(errors_can_be_ignored),
		cmocka_unit_test(every_line_is_heard),
		cmocka_unit_test(settings_are_checked_but_change_nothing),
		cmocka_unit_test(nothing_changes_behind_a_lock),
		cmocka_unit_test(odd_files_are_read_or_refused),
		cmocka_unit_test(only_roots_own_files_are_read),
		cmocka_unit_test(a_set_has_a_limit_and_fills_fast),
		cmocka_unit_test(strings_and_keys_are_found),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
