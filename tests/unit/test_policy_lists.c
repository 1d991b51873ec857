// SPDX-License-Identifier: GPL-2.0-or-later
/* The lists beside exit, compiled: tasks, file systems, records left out, messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "policy_model.h"

#define CWD 1307
#define PATH 1302
#define SYSCALL 1300
#define USER_LOGIN 1112

static struct laf_rules rules;
static struct laf_policy *policy;
static struct laf_policy_creds creds;

static int start(void **state)
{
	memset(&rules, 0, sizeof(rules));
	policy = NULL;
	creds = (struct laf_policy_creds){ .pid = 7, .uid = 1000, .gid = 100, .auid = 1000 };
	return 0;
}

static int finish(void **state)
{
	laf_policy_free(policy);
	rules_free(&rules);
	return 0;
}

static struct audit_rule_data *put(uint32_t list, int action)
{
	struct audit_rule_data *data = rule_new(action);

	rule_call(data, -1);
	data->flags = list;
	rules_put(&rules, data);
	return data;
}

static void compile(void)
{
	struct laf_error err;

	laf_policy_free(policy);
	assert_int_equal(laf_policy_compile(&rules, &policy, &err), 0);
}

static const struct laf_insn *task_code(void)
{
	const struct laf_policy_lists *lists = laf_policy_lists(policy);

	return lists->task ? &policy->code[lists->task] : NULL;
}

static bool audits(unsigned nr)
{
	return laf_policy_call(policy, 0, nr)->flags & LAF_CALL_AUDITED;
}

static void test_no_lists(void **state)
{
	put(AUDIT_FILTER_EXIT, AUDIT_ALWAYS);
	compile();
	assert_null(task_code());
	assert_int_equal(laf_policy_lists(policy)->filesystems, 0);
	assert_int_equal(laf_policy_lists(policy)->flags, 0);
	assert_null(policy->filters);
}

static void test_task_never(void **state)
{
	rule_field(put(AUDIT_FILTER_TASK, AUDIT_NEVER), AUDIT_UID, AUDIT_EQUAL, 5);
	compile();
	assert_int_equal(task_code()[0].what, LAF_T_UID);
	assert_int_equal(task_code()[1].what, LAF_MATCH);
	assert_int_equal(task_code()[1].op, 0);
	assert_false(audits(SYS_read));
}

/* All calls of a task must be seen, and its key travels with it. */
static void test_task_always(void **state)
{
	struct audit_rule_data *data = rule_new(AUDIT_ALWAYS);
	const char key[] = "seventeen letters";

	rule_text(&data, AUDIT_FILTERKEY, AUDIT_EQUAL, key);
	data->flags = AUDIT_FILTER_TASK;
	rules_put(&rules, data);
	put(AUDIT_FILTER_TASK, AUDIT_NEVER); /* out of reach */
	compile();
	assert_int_equal(task_code()[0].what, LAF_MATCH);
	assert_int_equal(task_code()[0].op, 1);
	assert_string_equal((const char *)&policy->code[task_code()[0].aux], key);
	assert_int_equal(task_code()[1].what, LAF_STOP);
	assert_true(audits(SYS_read));
}

/* A new task makes no call: what asks about one never holds. */
static void test_task_without_call(void **state)
{
	static const uint32_t fields[] = {
		AUDIT_ARG0, AUDIT_ARCH, AUDIT_PPID, AUDIT_SUCCESS, AUDIT_SADDR_FAM, AUDIT_OBJ_UID, AUDIT_PERM,
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		rule_field(put(AUDIT_FILTER_TASK, AUDIT_NEVER), fields[i], AUDIT_EQUAL, 1);
	rule_field(put(AUDIT_FILTER_TASK, AUDIT_NEVER), AUDIT_FIELD_COMPARE, AUDIT_EQUAL, AUDIT_COMPARE_UID_TO_OBJ_UID);
	compile();
	assert_null(task_code());
	rule_field(put(AUDIT_FILTER_TASK, AUDIT_NEVER), AUDIT_PERM, AUDIT_NOT_EQUAL, 1);
	compile();
	assert_int_equal(task_code()[0].what, LAF_MATCH);
}

static bool listed(uint32_t magic)
{
	for (uint32_t i = 0; i < policy->n_inodes; i++)
		if (policy->inodes[i].key.dev == LAF_DEV_FSTYPE && policy->inodes[i].key.ino == magic)
			return true;
	return false;
}

static bool leaves_out(uint32_t magic)
{
	const struct laf_policy_lists *lists = laf_policy_lists(policy);

	return lists->filesystems && listed(magic) != !!(lists->flags & LAF_LISTS_KEEP);
}

static void test_filesystems(void **state)
{
	rule_field(put(AUDIT_FILTER_FS, AUDIT_ALWAYS), AUDIT_FSTYPE, AUDIT_EQUAL, 1);
	compile();
	assert_false(leaves_out(1));
	rule_field(put(AUDIT_FILTER_FS, AUDIT_NEVER), AUDIT_FSTYPE, AUDIT_EQUAL, 1);
	rule_field(put(AUDIT_FILTER_FS, AUDIT_NEVER), AUDIT_FSTYPE, AUDIT_EQUAL, 1);
	rule_field(put(AUDIT_FILTER_FS, AUDIT_NEVER), AUDIT_FSTYPE, AUDIT_EQUAL, 2);
	compile();
	assert_true(leaves_out(1));
	assert_true(leaves_out(2));
	assert_false(leaves_out(3));
	assert_int_equal(policy->n_inodes, 2);
	rule_field(put(AUDIT_FILTER_FS, AUDIT_NEVER), AUDIT_FSTYPE, AUDIT_NOT_EQUAL, 3);
	compile();
	assert_true(leaves_out(1));
	assert_false(leaves_out(3));
	assert_true(leaves_out(4));
	rule_field(put(AUDIT_FILTER_FS, AUDIT_NEVER), AUDIT_FSTYPE, AUDIT_EQUAL, 3);
	compile();
	assert_true(leaves_out(3));
	assert_true(leaves_out(4));
}

static void test_two_exceptions(void **state)
{
	rule_field(put(AUDIT_FILTER_FS, AUDIT_NEVER), AUDIT_FSTYPE, AUDIT_NOT_EQUAL, 3);
	rule_field(put(AUDIT_FILTER_FS, AUDIT_NEVER), AUDIT_FSTYPE, AUDIT_NOT_EQUAL, 4);
	compile();
	assert_true(leaves_out(3));
	assert_true(leaves_out(4));
	assert_true(leaves_out(5));
}

static void test_exclude(void **state)
{
	struct audit_rule_data *data = put(AUDIT_FILTER_EXCLUDE, AUDIT_NEVER);

	rule_field(data, AUDIT_MSGTYPE, AUDIT_EQUAL, CWD);
	rule_field(data, AUDIT_UID, AUDIT_EQUAL, 1000);
	compile();
	assert_true(laf_policy_excludes(policy, CWD, &creds));
	assert_false(laf_policy_excludes(policy, PATH, &creds));
	creds.uid = 0;
	assert_false(laf_policy_excludes(policy, CWD, &creds));
	assert_true(laf_policy_user(policy, CWD, &creds));
}

/* A field that the kernel does not ask ends its walk, if those before it hold. */
static void test_exclude_ends(void **state)
{
	struct audit_rule_data *data = put(AUDIT_FILTER_EXCLUDE, AUDIT_ALWAYS);

	rule_field(data, AUDIT_MSGTYPE, AUDIT_EQUAL, CWD);
	rule_field(data, AUDIT_PPID, AUDIT_EQUAL, 1);
	rule_field(data, AUDIT_UID, AUDIT_EQUAL, 3);
	put(AUDIT_FILTER_EXCLUDE, AUDIT_ALWAYS); /* no field: does not hold */
	rule_field(put(AUDIT_FILTER_EXCLUDE, AUDIT_ALWAYS), AUDIT_LOGINUID_SET, AUDIT_EQUAL, 1);
	compile();
	assert_false(laf_policy_excludes(policy, CWD, &creds));
	assert_true(laf_policy_excludes(policy, PATH, &creds));
}

static void test_user(void **state)
{
	rule_field(put(AUDIT_FILTER_USER, AUDIT_ALWAYS), AUDIT_PID, AUDIT_EQUAL, 8);
	rule_field(put(AUDIT_FILTER_USER, AUDIT_NEVER), AUDIT_GID, AUDIT_EQUAL, 100);
	compile();
	assert_false(laf_policy_user(policy, USER_LOGIN, &creds));
	assert_false(laf_policy_excludes(policy, USER_LOGIN, &creds));
	creds.pid = 8;
	assert_true(laf_policy_user(policy, USER_LOGIN, &creds));
	creds = (struct laf_policy_creds){ .gid = 5 };
	assert_true(laf_policy_user(policy, USER_LOGIN, &creds));
}

static void test_user_exe(void **state)
{
	struct audit_rule_data *data = rule_new(AUDIT_NEVER);
	struct run_inode exe;

	rule_text(&data, AUDIT_EXE, AUDIT_NOT_EQUAL, "/proc/self/exe");
	data->flags = AUDIT_FILTER_USER;
	rules_put(&rules, data);
	compile();
	assert_false(laf_policy_user(policy, USER_LOGIN, &creds));
	assert_true(model_file("/proc/self/exe", 14, &exe));
	creds.exe_ino = exe.ino;
	creds.exe_dev = exe.dev;
	assert_true(laf_policy_user(policy, USER_LOGIN, &creds));
}

/* Of an event: which records are left out, and that nothing is left without SYSCALL. */
static void test_event(void **state)
{
	struct laf_wire_event wire = { .rule = 0, .key_rule = LAF_RULE_NONE, .uid = 1000, .auid = 1000 };
	struct laf_wire_who who = { .tid = 9 };
	struct laf_event event = { .wire = &wire, .who = &who };
	struct audit_rule_data *data = put(AUDIT_FILTER_EXCLUDE, AUDIT_ALWAYS);

	rule_field(data, AUDIT_MSGTYPE, AUDIT_GREATER_THAN, 1305);
	rule_field(data, AUDIT_PID, AUDIT_EQUAL, 9);
	compile();
	assert_true(laf_policy_lists(policy)->flags & LAF_LISTS_WHO);
	assert_true(laf_policy_decide(policy, &event));
	assert_true(laf_event_excludes(&event, CWD));
	assert_false(laf_event_excludes(&event, PATH));
	for (unsigned type = 1290; type < 1440; type++)
		if (laf_event_excludes(&event, type))
			assert_true(laf_policy_excludes(policy, type, &(struct laf_policy_creds){ .pid = 9 }));
	rule_field(put(AUDIT_FILTER_EXCLUDE, AUDIT_ALWAYS), AUDIT_MSGTYPE, AUDIT_LESS_THAN, 1301);
	compile();
	assert_false(laf_policy_decide(policy, &event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_lists, start, finish),
		cmocka_unit_test_setup_teardown(test_task_never, start, finish),
		cmocka_unit_test_setup_teardown(test_task_always, start, finish),
		cmocka_unit_test_setup_teardown(test_task_without_call, start, finish),
		cmocka_unit_test_setup_teardown(test_filesystems, start, finish),
		cmocka_unit_test_setup_teardown(test_two_exceptions, start, finish),
		cmocka_unit_test_setup_teardown(test_exclude, start, finish),
		cmocka_unit_test_setup_teardown(test_exclude_ends, start, finish),
		cmocka_unit_test_setup_teardown(test_user, start, finish),
		cmocka_unit_test_setup_teardown(test_user_exe, start, finish),
		cmocka_unit_test_setup_teardown(test_event, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
