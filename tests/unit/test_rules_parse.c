// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands: what a rule becomes, and what is said to a bad one, where. Texts are auditctl 3.0.9's. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <libaudit.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <laf/rules.h>

#define SENDING "Error sending add rule data request "

static int add_line(struct laf_rules *rules, const char *text, struct laf_error *err)
{
	char *line = strdup(text), *argv[256], *save = NULL;
	int argc = 0, r;

	for (char *s = strtok_r(line, " ", &save); s; s = strtok_r(NULL, " ", &save))
		argv[argc++] = s;
	r = laf_rules_add_words(rules, argc, argv, err);
	free(line);
	return r;
}

static const struct {
	const char *line;
	int code;
	unsigned column;
	const char *text;
	const char *hint;
} faults[] = {
	/* lists, actions, options */
	{ "-a always,exits", -EINVAL, 4, "Append rule - bad keyword always,exits", "did you mean exit?" },
	{ "-a always,entry", -EINVAL, 4, "Append rule - bad keyword always,entry",
	  "the entry list is gone from the kernel: use exit" },
	{ "-A exit", -EINVAL, 4, "Add rule - bad keyword exit", "" },
	{ "-a always,exit,exit", -EINVAL, 4, "Append rule - bad keyword always,exit,exit", NULL },
	{ "-a always,possible", -EINVAL, 4, "Append rule - bad keyword always,possible", NULL },
	{ "-a possible,exit", -EINVAL, 4, "Append rule - bad keyword possible,exit", NULL },
	{ "-a always,exit -a always,exit", -EINVAL, 16,
	  "Multiple rule insert/delete operations are not allowed", "" },
	{ "-a always,exit x", -EINVAL, 16, "parameter passed without an option given", "" },
	{ "x", -EINVAL, 1, "parameter passed without an option given", "" },
	{ "-a always,exit -Z", -EINVAL, 16, "Option -Z is invalid", "" },
	{ "-a always,exit -S", -EINVAL, 16, "Option -S is invalid", "" },
	{ "-S open", -EINVAL, 1, "Error - no list specified", "" },
	{ "-F uid=0", -EINVAL, 1, "List must be given before field", "" },
	{ "-b 5", -EINVAL, 1, "a rule begins with -a, -A or -w", "" },
	{ "-D", -EINVAL, 1, "a rule begins with -a, -A or -w", "" },
	{ "-S open -a always,task", -EINVAL, 12, "Syscall auditing requested for task list", "" },
	{ "-S open -A always,task", -EINVAL, 12, "Error: syscall auditing requested for task list", "" },

	/* calls */
	{ "-a always,exit -F arch=b64 -S opnat", -EINVAL, 31, "Syscall name unknown: opnat",
	  "did you mean openat?" },
	{ "-a always,exit -F arch=b64 -S read,opnat,write", -EINVAL, 36, "Syscall name unknown: opnat",
	  "did you mean openat?" },
	{ "-a always,exit -F arch=b64 -S stime", -EINVAL, 31, "Syscall name unknown: stime",
	  "there is such a call in arch=b32 only" },
	{ "-a always,exit -S 2048", -EINVAL, 19, "Syscall name unknown: 2048", NULL },
	{ "-a always,exit -S -1", -EINVAL, 19, "Syscall name unknown: -1", NULL },
	{ "-a always,task -S open", -EINVAL, 16, "Error: syscall auditing being added to task list", "" },
	{ "-A always,user -S open", -EINVAL, 16, "Error: syscall auditing being added to user list", "" },
	{ "-a never,filesystem -S open", -EINVAL, 21,
	  "Error: syscall auditing being added to filesystem list", "" },
	{ "-a always,exclude -S open", -EINVAL, 19, "Error: syscall auditing cannot be put on exclude list",
	  "" },
	{ "-a always,io_uring -S opnat", -EINVAL, 23, "io_uring op unknown: opnat", "" },

	/* fields */
	{ "-a always,exit -F aiud=0", -EINVAL, 19, "-F unknown field: aiud", "did you mean auid?" },
	{ "-a always,exit -F uid", -EINVAL, 19, "-F missing operation for uid", "" },
	{ "-a always,exit -F uid=", -EINVAL, 19, "-F missing value after operation for uid", "" },
	{ "-a always,exit -F =1", -EINVAL, 19, "-F missing field name before operator for ", "" },
	{ "-a always,exit -F uid=nosuchuser", -EINVAL, 19, "Unknown user: nosuchuser", "" },
	{ "-a always,exit -F gid=nosuchgroup", -EINVAL, 19, "Unknown group: nosuchgroup", "" },
	{ "-a always,exit -F gid=-1", -EINVAL, 19, "Unknown group: -1", "" },
	{ "-a always,exit -S open -F arch=b64", -EINVAL, 27, "arch must be before -S", "" },
	{ "-a always,exit -F arch>b64", -EINVAL, 19, "arch only takes = or != operators", "" },
	{ "-a always,exit -F arch=b65", -EINVAL, 19, "arch elf mapping not found",
	  "b64 and b32 are this machine's" },
	{ "-a always,exit -F exit=ENOSUCH", -EINVAL, 19, "-F unknown errno - exit", "" },
	{ "-a always,exit -F success=yes", -EINVAL, 19, "-F value should be number for success", "" },
	{ "-a always,exit -F a0=x", -EINVAL, 19, "-F value should be number for a0", "" },
	{ "-a always,exit -F perm=q", -EINVAL, 19, "Permission can only contain  'rwxa'", "" },
	{ "-a always,exit -F perm!=r", -EINVAL, 19, "perm only takes = operator", "" },
	{ "-a always,exit -F perm=rwxar", -EINVAL, 19, "String value too long", "" },
	{ "-a always,exit -F filetype=pipe", -EINVAL, 19, "-F unknown file type -  filetype", "" },
	{ "-a always,exit -F saddr_fam=46", -EINVAL, 19, "value is too large for field: saddr_fam", "" },
	{ "-a always,exit -F fstype=5", -EINVAL, 19, "fstype field is not valid for the filter", "" },
	{ "-a always,filesystem -F fstype=nosuchfs", -EINVAL, 25,
	  "file system type is unknown for field: fstype", "" },
	{ "-a always,exit -F msgtype=PATH", -EINVAL, 19,
	  "msgtype field can only be used with exclude or user filter list", "" },
	{ "-a always,exclude -F msgtype=NOTYPE", -EINVAL, 22, "-F unknown message type - msgtype", "" },
	{ "-a always,exclude -F ppid=1", -EINVAL, 22,
	  "Only msgtype, *uid, *gid, pid, and subj* fields can be used with exclude filter", "" },
	{ "-a always,user -F path=/etc/passwd", -EINVAL, 19, "path can only be used with exit filter list",
	  "" },
	{ "-a always,task -F sessionid=1", -EINVAL, 19,
	  "sessionid must be used with exclude, user, or exit filter", "" },
	{ "-a always,io_uring -F exit=1", -EINVAL, 23, "exit can only be used with exit filter list", "" },

	/* comparisons */
	{ "-a always,exit -C uid>euid", -EINVAL, 19, "uid>euid only takes = or != operators", "" },
	{ "-a always,exit -C uidd=euid", -EINVAL, 19, "-C unknown field: uidd", "did you mean uid?" },
	{ "-a always,exit -C uid=euidd", -EINVAL, 19, "-C unknown right hand value for comparison with: uid",
	  "did you mean euid?" },
	{ "-a always,exit -C uid=gid", -EINVAL, 19, "-C incompatible comparison uid",
	  "two different user ids or two different group ids can be compared" },
	{ "-a always,user -C uid=euid", -EINVAL, 19, "uid can only be used with exit filter list", "" },

	/* watches */
	{ "-w etc", -EINVAL, 4, "The path must start with '/'", "" },
	{ "-a always,exit -w /etc", -EINVAL, 16, "watch option can't be given with a syscall", "" },
	{ "-w /etc -w /etc", -EINVAL, 9, "watch option can't be given with a syscall", "" },
	{ "-w /etc -p q", -EINVAL, 12, "Permission q isn't supported", "" },
	{ "-w /etc -p rwxar", -EINVAL, 12, "permission rwxar is too long", "" },
	{ "-p w -w /etc", -EINVAL, 1, "permission option needs a watch given prior to it", "" },
	{ "-a always,exit -p w", -EINVAL, 16, "Permissions should be preceeded by other fields", "" },
	{ "-w /etc -F arch=b64", -EINVAL, 12, "arch must be before -S", "" },

	/* keys */
	{ "-a always,exit -k x -S open", -EINVAL, 16, "key option needs a watch or syscall given prior to it",
	  "" },
	{ "-k x -w /etc", -EINVAL, 1, "key option needs a watch or syscall given prior to it", "" },
	{ "-a always,exit -F key=x", -EINVAL, 19,
	  "Key field needs a watch, syscall or exe path given prior to it", "" },
	{ "-w /etc -k a!=b", -EINVAL, 12, "-F unknown field: key=a", NULL },

	/* what only the kernel says */
	{ "-a always,exit -F uid=-1", -EINVAL, 19, SENDING "(Invalid argument)", "only auid can be unset" },
	{ "-a always,exit -F auid>=unset", -EINVAL, 19, SENDING "(Invalid argument)",
	  "an unset auid takes = and != only" },
	{ "-a always,exit -F pid&1", -EINVAL, 19, SENDING "(Invalid argument)",
	  "pid can't be tested with & and &=" },
	{ "-a always,exit -F subj_user>x", -EINVAL, 19, SENDING "(Invalid argument)",
	  "subj_user takes = and != only" },
	{ "-a always,exit -F path!=/etc/passwd", -EINVAL, 19, SENDING "(Invalid argument)",
	  "path takes = only" },
	{ "-a always,exit -F path=etc/passwd", -EINVAL, 19, SENDING "(Invalid argument)",
	  "the path must start with /" },
	{ "-a always,exit -F path=/etc/passwd/", -EINVAL, 19, SENDING "(Invalid argument)",
	  "the path must not end with /" },
	{ "-a always,exit -F path=/etc/passwd -F dir=/etc", -EINVAL, 39, SENDING "(Invalid argument)",
	  "a rule takes one of path, dir and inode" },
	{ "-a always,exit -F inode=5 -F dir=/etc", -EINVAL, 30, SENDING "(Invalid argument)",
	  "a rule takes one of path, dir and inode" },
	{ "-a always,exit -F exe=/bin/sh -F exe=/bin/ls", -EINVAL, 34, SENDING "(Invalid argument)",
	  "a rule takes one exe" },
	{ "-a always,filesystem -F uid=0", -EINVAL, 25, SENDING "(Invalid argument)",
	  "the filesystem list takes fstype and a key only" },
	{ "-a always,exit -S open -F key!=x -k y", -EINVAL, 37, SENDING "(Invalid argument)",
	  "one field with keys is all a rule takes" },
	{ "-w /laf-absent/x", -ENOENT, 4, SENDING "(No such file or directory)",
	  "there is no folder /laf-absent" },
	{ "-a always,exit -S open -F dir=/laf-absent", -ENOENT, 27, SENDING "(No such file or directory)",
	  "there is no folder /laf-absent" },
	{ "-a always,exit -F exe=/laf-absent/x", -ENOENT, 19, SENDING "(No such file or directory)",
	  "there is no folder /laf-absent" },
	{ "-w /proc/laf-absent", -ENOENT, 4, SENDING "(No such file or directory)", "" },
	{ "-w /etc/passwd/x", -ENOTDIR, 4, SENDING "(Not a directory)", "at /etc/passwd" },
	{ "-a always,exit -F path=/etc/.", -EINVAL, 19, SENDING "(Invalid argument)", "" },
};

static void bad_rules_are_refused_with_place_and_words(void **state)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct laf_rules rules = { 0 };
		struct laf_error err = { .hint = "left over" };
		int r = add_line(&rules, faults[i].line, &err);

		if (r != faults[i].code || err.column != faults[i].column || strcmp(err.text, faults[i].text))
			fail_msg("%s: %d, column %u, %s", faults[i].line, r, err.column, err.text);
		if (faults[i].hint && strcmp(err.hint, faults[i].hint))
			fail_msg("%s: hint: %s", faults[i].line, err.hint);
		assert_int_equal(rules.n, 0);
		assert_int_equal(add_line(&rules, faults[i].line, NULL), faults[i].code);
		laf_rules_clear(&rules);
	}
}

static const char *const good[] = {
	"-a exit,always -S open",
	"-a always,exit -F path=/etc/laf-absent -k a -k b",
	"-a always,exit -F key=x -S open",
	"-a always,exit -F inode!=5 -S open",
	"-a always,exit -F inode!=5 -F uid=root -F gid=root",
	"-a always,exit -F exe=/bin/laf-absent -k x",
	"-a always,exit -F auid=unset -F auid!=-1 -F sessionid=unset",
	"-a always,exit -F dir=/etc/passwd",
	"-a always,exit -F pers&8 -F devminor&=1 -F a3&0x10",
	"-a always,exit -F field_compare=200",
	"-a always,exclude -F exe=/bin/sh",
	"-w /etc/laf-absent/ -p rwxa -k x",
	"-w // -k x",
	"-w /etc -a exit,never",
	"-S open -a always,user",
	"-a exit,possible -Z",
};

static void good_rules_are_taken(void **state)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct laf_rules rules = { 0 };
		struct laf_error err = { 0 };

		if (add_line(&rules, good[i], &err))
			fail_msg("%s: %s", good[i], err.text);
		assert_int_equal(rules.n, strstr(good[i], "possible") ? 0 : 1);
		laf_rules_clear(&rules);
	}
}

/* The kernel doesn't follow the last name of a rule's path. */
static void a_link_stands_for_itself(void **state)
{
	char dir[] = "/tmp/laf-test-link.XXXXXX", loop[64], rule[128];
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };

	assert_non_null(mkdtemp(dir));
	snprintf(loop, sizeof(loop), "%s/loop", dir);
	assert_int_equal(symlink("loop", loop), 0);
	snprintf(rule, sizeof(rule), "-a always,exit -S open -F dir=%s", loop);
	assert_int_equal(add_line(&rules, rule, &err), 0);
	snprintf(rule, sizeof(rule), "-w %s", loop);
	assert_int_equal(add_line(&rules, rule, &err), 0);
	snprintf(rule, sizeof(rule), "-w %s/x", loop);
	assert_int_equal(add_line(&rules, rule, &err), -ELOOP);
	assert_int_equal(unlink(loop), 0);
	assert_int_equal(rmdir(dir), 0);
	laf_rules_clear(&rules);
}

/* `path` with a middle of `n` letters. */
static char *long_path(const char *start, size_t n)
{
	char *path = calloc(1, strlen(start) + n + 1);

	strcpy(path, start);
	memset(path + strlen(start), 'a', n);
	return path;
}

static void expect_two_words(const char *first, const char *second, int code, const char *text)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };
	char *argv[] = { (char *)"-a", (char *)"always,exit", (char *)first, (char *)second };
	bool watch = !strcmp(first, "-w");

	assert_int_equal(laf_rules_add_words(&rules, watch ? 2 : 4, argv + (watch ? 2 : 0), &err), code);
	assert_string_equal(err.text, text);
	laf_rules_clear(&rules);
}

static void long_texts_have_limits(void **state)
{
	char *path = long_path("/etc/", NAME_MAX), *too_long = long_path("/etc/", NAME_MAX + 1);
	char *field = long_path("path=/", PATH_MAX), *subject = long_path("subj_user=", PATH_MAX + 1);

	expect_two_words("-w", path, 0, "");
	expect_two_words("-w", too_long, -EINVAL, "The base name of the path is too big");
	expect_two_words("-F", field, -EINVAL, "String value too long");
	field[strlen(field) - 1] = '\0';
	expect_two_words("-F", field, -ENAMETOOLONG, SENDING "(File name too long)");
	expect_two_words("-w", field + strlen("path="), -EINVAL, "The path passed for the watch is too big");
	expect_two_words("-F", subject, -EINVAL, "String value too long");
	subject[strlen(subject) - 1] = '\0';
	expect_two_words("-F", subject, 0, "");
	free(path);
	free(too_long);
	free(field);
	free(subject);
}

static void the_texts_of_a_rule_fit_a_message(void **state)
{
	char *subject = long_path("subj_user=", 3900);
	char *argv[] = { (char *)"-a", (char *)"always,exit", (char *)"-F",   subject,      (char *)"-F",
			 subject,      (char *)"-S",          (char *)"open", (char *)"-k", (char *)"x" };
	struct laf_rules rules = { 0 };
	struct laf_error err;

	assert_int_equal(laf_rules_add_words(&rules, 10, argv, &err), 0); /* 7,801 of 7,914 bytes */
	argv[9] = long_path("", 120);
	assert_int_equal(laf_rules_add_words(&rules, 10, argv, &err), -EINVAL);
	assert_int_equal(err.column, 1);
	free(argv[9]);
	free(subject);
	laf_rules_clear(&rules);
}

static void keys_have_a_limit(void **state)
{
	char *key = long_path("", AUDIT_MAX_KEY_LEN + 1);
	char *argv[] = { (char *)"-w", (char *)"/etc", (char *)"-k", key, (char *)"-k", (char *)"x" };
	struct laf_rules rules = { 0 };
	struct laf_error err;
	size_t len;

	assert_int_equal(laf_rules_add_words(&rules, 4, argv, &err), -EINVAL);
	assert_string_equal(err.text, "key option exceeds size limit");
	assert_int_equal(err.column, 12);
	key[AUDIT_MAX_KEY_LEN - 2] = '\0';
	assert_int_equal(laf_rules_add_words(&rules, 6, argv, &err), 0);
	assert_non_null(laf_rule_key(&rules.list[0], &len));
	assert_int_equal(len, AUDIT_MAX_KEY_LEN);
	key[AUDIT_MAX_KEY_LEN - 2] = 'a';
	key[AUDIT_MAX_KEY_LEN - 1] = '\0';
	assert_int_equal(laf_rules_add_words(&rules, 6, argv, &err), -EINVAL);
	assert_string_equal(err.text, "key option exceeds size limit");
	laf_rules_clear(&rules);
	free(key);
}

static void a_rule_has_63_fields_at_most(void **state)
{
	char line[2048] = "-a always,exit -S open";
	struct laf_rules rules = { 0 };
	struct laf_error err;

	for (int i = 0; i < 62; i++)
		strcat(line, " -F a0!=5");
	assert_int_equal(add_line(&rules, line, &err), 0);
	strcat(line, " -k x");
	assert_int_equal(add_line(&rules, line, &err), 0);
	assert_int_equal(rules.list[1].data->field_count, 63);
	strcpy(strstr(line, " -k"), " -F a1=1 -k x");
	assert_int_equal(add_line(&rules, line, &err), -EINVAL);
	assert_string_equal(err.text, "Too many fields in rule: key=x");
	strcpy(strstr(line, " -k"), " -F a2=1");
	assert_int_equal(add_line(&rules, line, &err), -EINVAL);
	assert_string_equal(err.text, "Too many fields in rule: a2=1");
	laf_rules_clear(&rules);
}

/* What the kernel gets, bit by bit. */
static void a_rule_is_what_the_kernel_takes(void **state)
{
	struct laf_rules rules = { 0 };
	const struct audit_rule_data *d;

	assert_int_equal(add_line(&rules,
				  "-A never,exit -F arch=b32 -S exit,1023 -F auid>=1000 -F exe=/bin/sh -C "
				  "uid=euid -k kk",
				  NULL),
			 0);
	d = rules.list[0].data;
	assert_int_equal(d->flags, AUDIT_FILTER_EXIT);
	assert_int_equal(d->action, AUDIT_NEVER);
	assert_int_equal(d->field_count, 5);
	assert_int_equal(d->fields[0], AUDIT_ARCH);
	assert_int_equal(d->fieldflags[0], AUDIT_EQUAL);
	assert_int_equal(d->values[0], AUDIT_ARCH_I386);
	assert_int_equal(d->fields[1], AUDIT_LOGINUID);
	assert_int_equal(d->fieldflags[1], AUDIT_GREATER_THAN_OR_EQUAL);
	assert_int_equal(d->values[1], 1000);
	assert_int_equal(d->fields[2], AUDIT_EXE);
	assert_int_equal(d->values[2], 7);
	assert_int_equal(d->fields[3], AUDIT_FIELD_COMPARE);
	assert_int_equal(d->values[3], AUDIT_COMPARE_UID_TO_EUID);
	assert_int_equal(d->fields[4], AUDIT_FILTERKEY);
	assert_int_equal(d->values[4], 2);
	assert_int_equal(d->buflen, 9);
	assert_memory_equal(d->buf, "/bin/shkk", 9);
	assert_int_equal(d->mask[0], 2);
	assert_int_equal(d->mask[31], 0x80000000);
	for (int i = 1; i < AUDIT_BITMASK_SIZE; i++)
		if (i != 31)
			assert_int_equal(d->mask[i], 0);
	laf_rules_clear(&rules);
}

static void a_watch_is_a_rule(void **state)
{
	struct laf_rules rules = { 0 };
	const struct audit_rule_data *d;

	assert_int_equal(add_line(&rules, "-w /etc// -p x -k k", NULL), 0);
	d = rules.list[0].data;
	assert_int_equal(d->flags, AUDIT_FILTER_EXIT);
	assert_int_equal(d->action, AUDIT_ALWAYS);
	assert_int_equal(d->fields[0], AUDIT_DIR);
	assert_int_equal(d->fields[1], AUDIT_PERM);
	assert_int_equal(d->values[1], AUDIT_PERM_EXEC);
	assert_memory_equal(d->buf, "/etck", 5);
	assert_int_equal(d->mask[0], ~0u);
	assert_int_equal(d->mask[63],
			 0xffff); /* the rest stands for classes of calls; the kernel takes it off */
	assert_int_equal(add_line(&rules, "-w /etc/passwd/", NULL), 0);
	assert_int_equal(rules.list[1].data->fields[0], AUDIT_WATCH);
	assert_int_equal(rules.list[1].data->values[1], 15);
	laf_rules_clear(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_rules_are_refused_with_place_and_words),
		cmocka_unit_test(good_rules_are_taken),
		cmocka_unit_test(a_link_stands_for_itself),
		cmocka_unit_test(long_texts_have_limits),
		cmocka_unit_test(the_texts_of_a_rule_fit_a_message),
		cmocka_unit_test(keys_have_a_limit),
		cmocka_unit_test(a_rule_has_63_fields_at_most),
		cmocka_unit_test(a_rule_is_what_the_kernel_takes),
		cmocka_unit_test(a_watch_is_a_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
