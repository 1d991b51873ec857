// SPDX-License-Identifier: GPL-2.0-or-later
/* The policy compiler: what is out of reach, what is shared, what stands in the tables, where the limits are.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "policy_model.h"

static char root[] = "/dev/shm/laf-policy-XXXXXX";
static struct laf_rules rules;
static struct laf_policy *policy;

static const char *in_root(const char *name)
{
	static char paths[8][128];
	static unsigned turn;
	char *path = paths[turn++ % 8];

	snprintf(path, sizeof(paths[0]), "%s%s", root, name);
	return path;
}

static int setup(void **state)
{
	return mkdtemp(root) && !mkdir(in_root("/dir"), 0755) &&
			       !close(open(in_root("/dir/file"), O_CREAT | O_WRONLY, 0644)) &&
			       !symlink("file", in_root("/dir/link")) && !symlink("dir", in_root("/way"))
		       ? 0
		       : -1;
}

static int teardown(void **state)
{
	return remove(in_root("/way")) || remove(in_root("/dir/link")) || remove(in_root("/dir/file")) ||
	       remove(in_root("/dir")) || remove(root);
}

static int start(void **state)
{
	memset(&rules, 0, sizeof(rules));
	policy = NULL;
	return 0;
}

static int finish(void **state)
{
	laf_policy_free(policy);
	rules_free(&rules);
	return 0;
}

/* Add a rule on one call (-1: all) with up to one field. */
static struct audit_rule_data **put(int action, int nr, uint32_t field, uint32_t op, uint32_t val)
{
	struct audit_rule_data *data = rule_new(action);

	rule_call(data, nr);
	if (field)
		rule_field(data, field, op, val);
	rules_put(&rules, data);
	return &rules.list[rules.n - 1].data;
}

static void put_text(int action, int nr, uint32_t field, const char *text)
{
	rule_text(put(action, nr, 0, 0, 0), field, AUDIT_EQUAL, text);
}

static void compile(void)
{
	struct laf_error err = { .text = "" };

	laf_policy_free(policy);
	policy = NULL;
	if (laf_policy_compile(&rules, &policy, &err))
		fail_msg("compile: %s", err.text);
}

static unsigned flags_of(unsigned abi, unsigned nr)
{
	return laf_policy_call(policy, abi, nr)->flags;
}

static unsigned n_audited(void)
{
	unsigned n = 0;

	for (unsigned call = 0; call < LAF_CALLS; call++)
		n += flags_of(call / LAF_ABI_CALLS, call % LAF_ABI_CALLS) & LAF_CALL_AUDITED;
	return n;
}

static bool audited(unsigned nr)
{
	return flags_of(0, nr) & LAF_CALL_AUDITED;
}

static const struct laf_insn *first_of(unsigned nr)
{
	return &policy->code[laf_policy_call(policy, 0, nr)->code];
}

/* ---- reach ---- */

static void test_no_rules(void **state)
{
	compile();
	assert_int_equal(n_audited(), 0);
	assert_int_equal(policy->n_code, LAF_CODE);
	assert_int_equal(policy->n_inodes, 0);
}

static void test_never_alone(void **state)
{
	put(AUDIT_NEVER, -1, 0, 0, 0);
	put(AUDIT_NEVER, SYS_uname, AUDIT_UID, AUDIT_EQUAL, 0);
	compile();
	assert_int_equal(n_audited(), 0);
	assert_int_equal(policy->n_code, LAF_CODE);
}

static void test_shadowed_by_never(void **state)
{
	put(AUDIT_NEVER, SYS_uname, 0, 0, 0);
	put(AUDIT_ALWAYS, -1, 0, 0, 0);
	compile();
	assert_int_equal(n_audited(), 2 * (LAF_ABI_CALLS - 16) - 2); /* by number: both ABIs */
	assert_false(audited(SYS_uname));
	assert_true(audited(SYS_getpid));
}

static void test_shadowed_by_always(void **state)
{
	put(AUDIT_ALWAYS, SYS_uname, 0, 0, 0);
	put(AUDIT_ALWAYS, SYS_uname, AUDIT_UID, AUDIT_EQUAL, 0);
	put(AUDIT_NEVER, SYS_uname, 0, 0, 0);
	compile();
	assert_int_equal(n_audited(), 2);
	assert_int_equal(policy->n_code, LAF_CODE + 2); /* MATCH, STOP */
}

/* A rule that always holds by its value is as good as none. */
static void test_shadowed_by_value(void **state)
{
	put(AUDIT_NEVER, SYS_uname, AUDIT_EXIT, AUDIT_GREATER_THAN_OR_EQUAL, 0);
	put(AUDIT_NEVER, SYS_exit, AUDIT_EXIT, AUDIT_GREATER_THAN_OR_EQUAL, 0);
	put(AUDIT_ALWAYS, SYS_uname, 0, 0, 0);
	put(AUDIT_ALWAYS, SYS_exit, 0, 0, 0);
	put(AUDIT_ALWAYS, SYS_getppid, AUDIT_UID, AUDIT_LESS_THAN, 0);
	compile();
	assert_false(audited(SYS_uname));
	assert_true(audited(SYS_exit)); /* it has no return value to compare */
	assert_false(audited(SYS_getppid));
}

static void test_never_that_tests(void **state)
{
	put(AUDIT_NEVER, SYS_uname, AUDIT_UID, AUDIT_EQUAL, 0);
	put(AUDIT_ALWAYS, SYS_uname, 0, 0, 0);
	put(AUDIT_NEVER, SYS_uname, AUDIT_UID, AUDIT_EQUAL, 1);
	compile();
	assert_true(audited(SYS_uname));
	assert_int_equal(policy->n_code, LAF_CODE + 4); /* test, MATCH, MATCH, STOP */
}

static void test_trailing_never(void **state)
{
	put(AUDIT_ALWAYS, SYS_uname, AUDIT_UID, AUDIT_EQUAL, 0);
	put(AUDIT_NEVER, SYS_uname, 0, 0, 0);
	compile();
	assert_int_equal(policy->n_code, LAF_CODE + 3); /* test, MATCH, STOP */
}

static void test_names_only(void **state)
{
	put_text(AUDIT_ALWAYS, -1, AUDIT_WATCH, in_root("/dir/file"));
	compile();
	assert_true(audited(SYS_open));
	assert_true(audited(SYS_fchmod));
	assert_false(audited(SYS_read));
	assert_false(audited(SYS_ftruncate));
	assert_int_equal(flags_of(0, SYS_open), LAF_CALL_AUDITED | LAF_CALL_WATCHES);
	assert_int_not_equal(laf_policy_call(policy, 0, SYS_open)->conds, 0);
	assert_int_equal(laf_policy_call(policy, 0, SYS_open)->code, 0);
}

static void test_perm_calls(void **state)
{
	put_text(AUDIT_ALWAYS, -1, AUDIT_WATCH, in_root("/dir/file"));
	rule_field(rules.list[0].data, AUDIT_PERM, AUDIT_EQUAL, AUDIT_PERM_EXEC);
	compile();
	assert_true(audited(SYS_execve));
	assert_true(audited(SYS_execveat));
	assert_false(audited(SYS_open));
	assert_int_equal(n_audited(), 4);
	rules.list[0].data->values[rules.list[0].data->field_count - 1] = AUDIT_PERM_ATTR | AUDIT_PERM_WRITE;
	compile();
	assert_true(audited(SYS_open));
	assert_true(audited(SYS_chmod));
	assert_false(audited(SYS_execve));
	assert_false(audited(SYS_getxattr));
}

static void test_calls_that_cannot(void **state)
{
	put(AUDIT_ALWAYS, -1, AUDIT_SADDR_FAM, AUDIT_EQUAL, 2);
	put(AUDIT_ALWAYS, SYS_exit, AUDIT_SUCCESS, AUDIT_EQUAL, 1);
	put(AUDIT_ALWAYS, SYS_getpid, AUDIT_FILETYPE, AUDIT_EQUAL, S_IFREG);
	put(AUDIT_ALWAYS, SYS_getppid, AUDIT_FILETYPE, AUDIT_NOT_EQUAL, S_IFREG);
	put_text(AUDIT_ALWAYS, SYS_uname, AUDIT_SUBJ_TYPE, "shadow_t");
	put(AUDIT_ALWAYS, SYS_gettid, AUDIT_FIELD_COMPARE, AUDIT_EQUAL, AUDIT_COMPARE_UID_TO_OBJ_UID);
	put(AUDIT_ALWAYS, SYS_gettid, AUDIT_INODE, AUDIT_NOT_EQUAL, 1);
	compile();
	assert_true(audited(SYS_connect));
	assert_false(audited(SYS_read));
	assert_false(audited(SYS_exit));
	assert_false(audited(SYS_getpid));
	assert_int_equal(flags_of(0, SYS_getppid), LAF_CALL_AUDITED);
	assert_int_equal(first_of(SYS_getppid)->what, LAF_MATCH); /* no name, no test */
	assert_false(audited(SYS_uname));
	assert_false(audited(SYS_gettid));
}

static void test_arch(void **state)
{
	put(AUDIT_ALWAYS, SYS_open, AUDIT_ARCH, AUDIT_EQUAL, AUDIT_ARCH_X86_64);
	put(AUDIT_ALWAYS, SYS_close, AUDIT_ARCH, AUDIT_NOT_EQUAL, AUDIT_ARCH_X86_64);
	put(AUDIT_ALWAYS, SYS_lseek, AUDIT_ARCH, AUDIT_EQUAL, AUDIT_ARCH_AARCH64);
	compile();
	assert_int_equal(n_audited(), 2);
	assert_true(audited(SYS_open));
	assert_true(flags_of(1, SYS_close) & LAF_CALL_AUDITED);
}

/* Rules that differ in an operator alone name different calls. */
static void test_arch_in_turn(void **state)
{
	put(AUDIT_ALWAYS, SYS_open, AUDIT_ARCH, AUDIT_EQUAL, AUDIT_ARCH_X86_64);
	put(AUDIT_ALWAYS, SYS_open, AUDIT_ARCH, AUDIT_NOT_EQUAL, AUDIT_ARCH_X86_64);
	compile();
	assert_int_equal(first_of(SYS_open)->aux, 0);
	assert_int_equal(policy->code[laf_policy_call(policy, 1, SYS_open)->code].aux, 1);
}

/* The last bits of a mask stand for classes, as the kernel takes them. */
static void test_class_bits(void **state)
{
	put(AUDIT_ALWAYS, 2047 - AUDIT_CLASS_CHATTR, 0, 0, 0);
	put(AUDIT_ALWAYS, 2047 - AUDIT_CLASS_SIGNAL_32, AUDIT_ARCH, AUDIT_EQUAL, AUDIT_ARCH_I386);
	compile();
	assert_true(audited(SYS_chmod));
	assert_true(audited(452));
	assert_true(flags_of(1, SYS_chmod) & LAF_CALL_AUDITED); /* by number alone */
	assert_true(flags_of(1, 37) & LAF_CALL_AUDITED);        /* kill of i386 */
	assert_false(audited(SYS_kill));
	assert_false(audited(2047 - AUDIT_CLASS_CHATTR));
}

static void test_other_lists(void **state)
{
	put(AUDIT_ALWAYS, SYS_uname, 0, 0, 0);
	rules.list[0].data->flags = AUDIT_FILTER_URING_EXIT;
	put(AUDIT_ALWAYS, SYS_getpid, 0, 0, 0);
	compile();
	assert_int_equal(n_audited(), 2);
	assert_int_equal(policy->n_rules, 2);
	assert_int_equal(policy->code[laf_policy_call(policy, 0, SYS_getpid)->code].aux, 1);
}

static void test_inodes_flag(void **state)
{
	put(AUDIT_ALWAYS, SYS_open, AUDIT_OBJ_UID, AUDIT_EQUAL, 0);
	put(AUDIT_ALWAYS, SYS_close, AUDIT_UID, AUDIT_EQUAL, 0);
	compile();
	assert_int_equal(flags_of(0, SYS_open), LAF_CALL_AUDITED | LAF_CALL_INODES);
	assert_int_equal(flags_of(0, SYS_close), LAF_CALL_AUDITED);
}

/* ---- what is shared ---- */

static void test_equal_programs(void **state)
{
	put(AUDIT_ALWAYS, -1, AUDIT_UID, AUDIT_EQUAL, 0);
	put(AUDIT_ALWAYS, -1, AUDIT_LOGINUID, AUDIT_GREATER_THAN_OR_EQUAL, 1000);
	compile();
	assert_int_equal(n_audited(), 2 * (LAF_ABI_CALLS - 16));
	assert_int_equal(policy->n_code, LAF_CODE + 5);
	assert_int_equal(laf_policy_call(policy, 0, 1)->code, laf_policy_call(policy, 1, 300)->code);
}

/* perm= asks for the access mode only where a file is opened. */
static void test_perm_tests(void **state)
{
	put(AUDIT_ALWAYS, -1, AUDIT_PERM, AUDIT_EQUAL, AUDIT_PERM_WRITE | AUDIT_PERM_ATTR);
	compile();
	assert_int_equal(first_of(SYS_chmod)->what, LAF_MATCH);
	assert_int_equal(first_of(SYS_openat)->what, LAF_T_OPENED);
	rules.list[0].data->values[0] |= AUDIT_PERM_READ;
	compile();
	assert_int_equal(first_of(SYS_openat)->what, LAF_MATCH); /* each mode reads or writes */
}

/* Rules that ask the same are jumped over together, and what is known to hold is not asked again. */
static void test_jumps(void **state)
{
	struct run_event event = { .nr = SYS_open, .returns = true, .uid = 99, .family = -1 };
	struct run_result result;

	for (unsigned i = 0; i < 100; i++) {
		put(AUDIT_ALWAYS, SYS_open, AUDIT_UID, AUDIT_EQUAL, i);
		rule_field(rules.list[i].data, AUDIT_ARG0, AUDIT_EQUAL, 5);
	}
	compile();
	result = run_policy(policy, &event);
	assert_false(result.recorded);
	assert_int_equal(result.steps, 2); /* a0, and the end */
	event.args[0] = 5;
	result = run_policy(policy, &event);
	assert_true(result.recorded);
	assert_int_equal(result.rule, 99);
	assert_int_equal(result.steps, 1 + 100 + 1);
}

/* A condition serves from the lowest of its rules on, in whatever order their sets were met. */
static void test_condition_position(void **state)
{
	const struct laf_insn *insn;

	put(AUDIT_ALWAYS, SYS_open, AUDIT_OBJ_UID, AUDIT_EQUAL, 7);
	put_text(AUDIT_ALWAYS, -1, AUDIT_WATCH, in_root("/dir/file"));
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/none"));
	compile();
	insn = &policy->code[laf_policy_call(policy, 0, SYS_open)->conds];
	assert_int_equal(insn[0].what, LAF_COND);
	assert_int_equal(insn[0].aux, 1);
	assert_int_equal(insn[1].what, LAF_STOP);
}

static void test_conditions_by_call(void **state)
{
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/file"));
	compile();
	assert_int_not_equal(laf_policy_call(policy, 0, SYS_open)->conds, 0);
	assert_int_equal(laf_policy_call(policy, 0, SYS_openat)->conds, 0);
	assert_int_equal(policy->n_code,
			 LAF_CODE + 2 + 2); /* a condition and a match, with an end each: no set */
}

static void test_shared_sets(void **state)
{
	for (unsigned i = 0; i < 200; i++) {
		put_text(AUDIT_ALWAYS, -1, AUDIT_WATCH, in_root("/dir/file"));
		rule_field(rules.list[i].data, AUDIT_PERM, AUDIT_EQUAL,
			   i & 1 ? AUDIT_PERM_WRITE : AUDIT_PERM_READ);
	}
	compile();
	/* two sets of calls of 32 entries each, 200 rules of three or four entries, and the conditions */
	assert_in_range(policy->n_code, LAF_CODE + 64, LAF_CODE + 64 + 200 * 4 + 100);
}

/* ---- tables ---- */

static const struct laf_inode_rules *rules_at(const char *path)
{
	struct run_inode inode;

	return model_file(path, strlen(path), &inode) ? run_rules(policy, inode.ino, inode.dev) : NULL;
}

static void test_watch_table(void **state)
{
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/file"));
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/none"));
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_DIR, in_root("/dir/"));
	compile();
	assert_int_equal(policy->n_inodes, 2);
	assert_int_not_equal(rules_at(in_root("/dir/file"))->watch, 0);
	assert_int_equal(rules_at(in_root("/dir/file"))->tree, 0);
	assert_int_equal(rules_at(in_root("/dir/file"))->holds, 0);
	assert_int_not_equal(rules_at(in_root("/dir"))->tree, 0);
	assert_int_equal(rules_at(in_root("/dir"))->holds, 1);
	assert_int_equal(flags_of(0, SYS_open), LAF_CALL_AUDITED | LAF_CALL_WATCHES | LAF_CALL_DIRS);
	assert_int_equal(policy->n_folders, 2);
	assert_string_equal(policy->folders[0], in_root("/dir"));
	assert_string_equal(policy->folders[1], root);
}

/* The last link is not followed, those before are. */
static void test_links(void **state)
{
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/link"));
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/way/file"));
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_DIR, in_root("/way"));
	compile();
	assert_int_not_equal(rules_at(in_root("/dir/link"))->watch, 0);
	assert_int_not_equal(rules_at(in_root("/dir/file"))->watch, 0);
	assert_int_not_equal(rules_at(in_root("/way"))->tree, 0);
	assert_int_equal(rules_at(in_root("/dir"))->tree, 0);
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_DIR, in_root("/way/"));
	compile();
	assert_int_not_equal(rules_at(in_root("/dir"))->tree, 0);
}

static void test_unreachable_watch(void **state)
{
	put(AUDIT_ALWAYS, SYS_open, 0, 0, 0);
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/file"));
	compile();
	assert_int_equal(policy->n_inodes, 0);
	assert_int_equal(laf_policy_call(policy, 0, SYS_open)->conds, 0);
}

static void test_mounts(void **state)
{
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_DIR, "/");
	compile();
	assert_int_not_equal(rules_at("/")->tree, 0);
	assert_non_null(rules_at("/proc")); /* mounted below it */
	assert_int_equal(rules_at("/proc")->tree, rules_at("/")->tree);
}

static void test_exe(void **state)
{
	struct run_event event = { .nr = SYS_uname, .returns = true, .family = -1 };
	struct run_inode exe = { 0 };

	put_text(AUDIT_ALWAYS, SYS_uname, AUDIT_EXE, in_root("/dir/file"));
	put_text(AUDIT_ALWAYS, SYS_getpid, AUDIT_EXE, in_root("/dir/none"));
	rule_text(put(AUDIT_ALWAYS, SYS_getppid, 0, 0, 0), AUDIT_EXE, AUDIT_NOT_EQUAL, in_root("/dir/none"));
	compile();
	assert_true(audited(SYS_uname));
	assert_false(audited(SYS_getpid));
	assert_true(audited(SYS_getppid));
	assert_int_equal(policy->n_folders, 1);
	assert_false(run_policy(policy, &event).recorded);
	model_file(in_root("/dir/file"), strlen(in_root("/dir/file")), &exe);
	event.exe_ino = exe.ino;
	event.exe_dev = exe.dev;
	assert_true(run_policy(policy, &event).recorded);
}

static void test_keys(void **state)
{
	put_text(AUDIT_ALWAYS, SYS_uname, AUDIT_FILTERKEY, "one\001two");
	put(AUDIT_ALWAYS, SYS_getpid, 0, 0, 0);
	compile();
	assert_int_equal(policy->keys[0].len, 7);
	assert_memory_equal(policy->keys[0].text, "one\001two", 7);
	assert_null(policy->keys[1].text);
	assert_int_equal(policy->code[laf_policy_call(policy, 0, SYS_uname)->code].flags, LAF_INSN_KEY);
	assert_int_equal(policy->code[laf_policy_call(policy, 0, SYS_getpid)->code].flags, 0);
}

/* ---- limits ---- */

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void compile_in(double limit)
{
	double before = seconds(), took;

	compile();
	took = seconds() - before;
	print_message("           %zu rules: %.1f ms, %u entries, %u inodes\n", rules.n, took * 1e3,
		      policy->n_code, policy->n_inodes);
#ifndef __SANITIZE_ADDRESS__
	if (took > limit)
		fail_msg("%.0f ms, more than %.0f", took * 1e3, limit * 1e3);
#endif
}

static void test_many_rules(void **state)
{
	for (unsigned i = 0; i < LAF_RULES_MAX; i++) {
		put(AUDIT_ALWAYS, i % 450, AUDIT_ARCH, AUDIT_EQUAL,
		    i & 1 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_I386);
		rule_call(rules.list[i].data, (i * 7) % 450);
		rule_field(rules.list[i].data, AUDIT_EXIT, AUDIT_EQUAL, -(i % 100));
		rule_field(rules.list[i].data, AUDIT_LOGINUID, AUDIT_GREATER_THAN_OR_EQUAL, 1000);
		rule_field(rules.list[i].data, AUDIT_LOGINUID, AUDIT_NOT_EQUAL, UINT32_MAX);
		rule_text(&rules.list[i].data, AUDIT_FILTERKEY, AUDIT_EQUAL, "key");
	}
	compile_in(0.2);
}

static void test_many_rules_on_all(void **state)
{
	for (unsigned i = 0; i < LAF_RULES_MAX; i++) {
		put(AUDIT_ALWAYS, -1, AUDIT_UID, AUDIT_EQUAL, i);
		rule_field(rules.list[i].data, AUDIT_EXIT, AUDIT_NOT_EQUAL, i);
	}
	compile_in(0.2);
	assert_in_range(policy->n_code, LAF_CODE, LAF_CODE + 2 * (3 * LAF_RULES_MAX + 1));
}

#define WATCHES 65536

static void test_many_watches(void **state)
{
	char path[128];

	for (unsigned i = 0; i < WATCHES; i++) {
		snprintf(path, sizeof(path), "%s/dir/%04x/%02x", root, i >> 8, i & 0xff);
		if (!(i & 0xff)) {
			snprintf(path, sizeof(path), "%s/dir/%04x", root, i >> 8);
			mkdir(path, 0755);
			snprintf(path, sizeof(path), "%s/dir/%04x/%02x", root, i >> 8, i & 0xff);
		}
		close(open(path, O_CREAT | O_WRONLY, 0644));
		put_text(AUDIT_ALWAYS, -1, AUDIT_WATCH, path);
		rule_field(rules.list[i].data, AUDIT_PERM, AUDIT_EQUAL, AUDIT_PERM_WRITE | AUDIT_PERM_ATTR);
		rule_text(&rules.list[i].data, AUDIT_FILTERKEY, AUDIT_EQUAL, "watch");
	}
	compile_in(2);
	assert_int_equal(policy->n_inodes, WATCHES + 256);
	for (unsigned i = 0; i < WATCHES; i++) {
		snprintf(path, sizeof(path), "%s/dir/%04x/%02x", root, i >> 8, i & 0xff);
		unlink(path);
		if ((i & 0xff) == 0xff) {
			*strrchr(path, '/') = 0;
			rmdir(path);
		}
	}
}

static void too_big(const char *text)
{
	struct laf_error err = { .text = "" };

	assert_int_equal(laf_policy_compile(&rules, &policy, &err), -E2BIG);
	assert_non_null(strstr(err.text, text));
	assert_null(policy);
}

static void test_too_many_conditions(void **state)
{
	for (unsigned i = 0; i < LAF_CONDS_MAX; i++) {
		put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/file"));
		rule_field(rules.list[i].data, AUDIT_UID, AUDIT_EQUAL, i);
	}
	compile();
	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, in_root("/dir/file"));
	laf_policy_free(policy);
	policy = NULL;
	too_big("conditions");
}

static void test_too_long_a_program(void **state)
{
	for (unsigned i = 0; i < LAF_RULES_MAX; i++) {
		put(AUDIT_ALWAYS, SYS_open, AUDIT_UID, AUDIT_NOT_EQUAL, i);
		for (unsigned k = 0; k < 16; k++)
			rule_field(rules.list[i].data, AUDIT_GID, AUDIT_NOT_EQUAL, i * 16 + k);
	}
	too_big("in a row");
}

static void test_bad_field(void **state)
{
	struct laf_error err = { .text = "" };

	put(AUDIT_ALWAYS, SYS_open, AUDIT_MSGTYPE, AUDIT_EQUAL, 1100);
	assert_int_equal(laf_policy_compile(&rules, &policy, &err), -EINVAL);
	assert_non_null(strstr(err.text, "rule 1"));
}

static void test_bad_length(void **state)
{
	struct laf_error err = { .text = "" };

	put_text(AUDIT_ALWAYS, SYS_open, AUDIT_FILTERKEY, "key");
	rules.list[0].data->values[0]++;
	assert_int_equal(laf_policy_compile(&rules, &policy, &err), -EINVAL);
	assert_null(policy);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_no_rules),
		TEST(test_never_alone),
		TEST(test_shadowed_by_never),
		TEST(test_shadowed_by_always),
		TEST(test_shadowed_by_value),
		TEST(test_never_that_tests),
		TEST(test_trailing_never),
		TEST(test_names_only),
		TEST(test_perm_calls),
		TEST(test_calls_that_cannot),
		TEST(test_arch),
		TEST(test_arch_in_turn),
		TEST(test_class_bits),
		TEST(test_other_lists),
		TEST(test_inodes_flag),
		TEST(test_equal_programs),
		TEST(test_perm_tests),
		TEST(test_jumps),
		TEST(test_condition_position),
		TEST(test_conditions_by_call),
		TEST(test_shared_sets),
		TEST(test_watch_table),
		TEST(test_links),
		TEST(test_unreachable_watch),
		TEST(test_mounts),
		TEST(test_exe),
		TEST(test_keys),
		TEST(test_many_rules),
		TEST(test_many_rules_on_all),
		TEST(test_many_watches),
		TEST(test_too_many_conditions),
		TEST(test_too_long_a_program),
		TEST(test_bad_field),
		TEST(test_bad_length),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
