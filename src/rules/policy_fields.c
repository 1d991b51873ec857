// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of a rule as tests: one row or one function a field. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy_rule.h"

/* Costs: tests on the call's own numbers, on the task, its credentials, on lists, files, names. */
enum { COST_CALL, COST_TASK, COST_CRED, COST_FAR, COST_GROUPS, COST_EXE, COST_NAMES, COST_OWNERS };

/* Fields that are one test each, compared as they are. */
static const struct field_row {
	uint16_t field;
	uint8_t what;
	uint8_t cost;
	bool always_there; /* there is always a value to compare */
} fields[] = {
	{ AUDIT_ARG0, LAF_T_ARG0, COST_CALL, true },
	{ AUDIT_ARG1, LAF_T_ARG1, COST_CALL, true },
	{ AUDIT_ARG2, LAF_T_ARG2, COST_CALL, true },
	{ AUDIT_ARG3, LAF_T_ARG3, COST_CALL, true },
	{ AUDIT_EXIT, LAF_T_EXIT, COST_CALL, true }, /* of calls that return: policy_rule_calls() */
	{ AUDIT_SUCCESS, LAF_T_SUCCESS, COST_CALL, false },
	{ AUDIT_SADDR_FAM, LAF_T_SADDR_FAM, COST_CALL, false },
	{ AUDIT_PID, LAF_T_PID, COST_TASK, true },
	{ AUDIT_PERS, LAF_T_PERS, COST_TASK, true },
	{ AUDIT_LOGINUID, LAF_T_AUID, COST_TASK, true },
	{ AUDIT_LOGINUID_SET, LAF_T_AUID_SET, COST_TASK, false },
	{ AUDIT_SESSIONID, LAF_T_SES, COST_TASK, true },
	{ AUDIT_UID, LAF_T_UID, COST_CRED, true },
	{ AUDIT_EUID, LAF_T_EUID, COST_CRED, true },
	{ AUDIT_SUID, LAF_T_SUID, COST_CRED, true },
	{ AUDIT_FSUID, LAF_T_FSUID, COST_CRED, true },
	{ AUDIT_SGID, LAF_T_SGID, COST_CRED, true },
	{ AUDIT_FSGID, LAF_T_FSGID, COST_CRED, true },
	{ AUDIT_PPID, LAF_T_PPID, COST_FAR, true },
	{ AUDIT_GID, LAF_T_GID, COST_GROUPS, true },
	{ AUDIT_EGID, LAF_T_EGID, COST_GROUPS, true },
	{ AUDIT_DEVMAJOR, LAF_T_DEVMAJOR, COST_NAMES, false },
	{ AUDIT_DEVMINOR, LAF_T_DEVMINOR, COST_NAMES, false },
	{ AUDIT_INODE, LAF_T_INODE, COST_NAMES, false },
	{ AUDIT_OBJ_UID, LAF_T_OBJ_UID, COST_NAMES, false },
	{ AUDIT_OBJ_GID, LAF_T_OBJ_GID, COST_NAMES, false },
};

/* What -C compares, by AUDIT_COMPARE_…. */
static const uint8_t compares[][2] = {
	[AUDIT_COMPARE_UID_TO_OBJ_UID] = { LAF_T_UID, LAF_T_OBJ_UID },
	[AUDIT_COMPARE_GID_TO_OBJ_GID] = { LAF_T_GID, LAF_T_OBJ_GID },
	[AUDIT_COMPARE_EUID_TO_OBJ_UID] = { LAF_T_EUID, LAF_T_OBJ_UID },
	[AUDIT_COMPARE_EGID_TO_OBJ_GID] = { LAF_T_EGID, LAF_T_OBJ_GID },
	[AUDIT_COMPARE_AUID_TO_OBJ_UID] = { LAF_T_AUID, LAF_T_OBJ_UID },
	[AUDIT_COMPARE_SUID_TO_OBJ_UID] = { LAF_T_SUID, LAF_T_OBJ_UID },
	[AUDIT_COMPARE_SGID_TO_OBJ_GID] = { LAF_T_SGID, LAF_T_OBJ_GID },
	[AUDIT_COMPARE_FSUID_TO_OBJ_UID] = { LAF_T_FSUID, LAF_T_OBJ_UID },
	[AUDIT_COMPARE_FSGID_TO_OBJ_GID] = { LAF_T_FSGID, LAF_T_OBJ_GID },
	[AUDIT_COMPARE_UID_TO_AUID] = { LAF_T_UID, LAF_T_AUID },
	[AUDIT_COMPARE_UID_TO_EUID] = { LAF_T_UID, LAF_T_EUID },
	[AUDIT_COMPARE_UID_TO_FSUID] = { LAF_T_UID, LAF_T_FSUID },
	[AUDIT_COMPARE_UID_TO_SUID] = { LAF_T_UID, LAF_T_SUID },
	[AUDIT_COMPARE_AUID_TO_FSUID] = { LAF_T_AUID, LAF_T_FSUID },
	[AUDIT_COMPARE_AUID_TO_SUID] = { LAF_T_AUID, LAF_T_SUID },
	[AUDIT_COMPARE_AUID_TO_EUID] = { LAF_T_AUID, LAF_T_EUID },
	[AUDIT_COMPARE_EUID_TO_SUID] = { LAF_T_EUID, LAF_T_SUID },
	[AUDIT_COMPARE_EUID_TO_FSUID] = { LAF_T_EUID, LAF_T_FSUID },
	[AUDIT_COMPARE_SUID_TO_FSUID] = { LAF_T_SUID, LAF_T_FSUID },
	[AUDIT_COMPARE_GID_TO_EGID] = { LAF_T_GID, LAF_T_EGID },
	[AUDIT_COMPARE_GID_TO_FSGID] = { LAF_T_GID, LAF_T_FSGID },
	[AUDIT_COMPARE_GID_TO_SGID] = { LAF_T_GID, LAF_T_SGID },
	[AUDIT_COMPARE_EGID_TO_FSGID] = { LAF_T_EGID, LAF_T_FSGID },
	[AUDIT_COMPARE_EGID_TO_SGID] = { LAF_T_EGID, LAF_T_SGID },
	[AUDIT_COMPARE_SGID_TO_FSGID] = { LAF_T_SGID, LAF_T_FSGID },
};

static int put_test(struct reading *r, const struct policy_test *test)
{
	uint32_t id;
	int error = policy_pool_add(&r->b->tests, test, sizeof(*test), &id);

	if (error)
		return error;
	if (r->n_tests == TESTS_MAX)
		return -EINVAL;
	for (uint32_t i = 0; i < r->n_tests; i++)
		if (r->tests[i] == id)
			return 0;
	r->tests[r->n_tests++] = id;
	return 0;
}

static struct policy_test make_test(uint8_t what, uint8_t op, uint32_t val, uint16_t cost)
{
	return (struct policy_test){
		.insn = { .what = what, .op = op, .val = val }, .cost = cost, .group = GROUP_ALL,
	};
}

int policy_put_test(struct reading *r, uint8_t what, uint8_t op, uint32_t val)
{
	struct policy_test test = make_test(what, op, val, COST_CALL);

	return put_test(r, &test);
}

/* What every value answers: 1 yes, 0 no, -1 it depends. */
static int foregone(uint32_t op, uint32_t val)
{
	switch (op) {
	case LAF_GE: return val == 0 ? 1 : -1;
	case LAF_LE: return val == UINT32_MAX ? 1 : -1;
	case LAF_LT: return val == 0 ? 0 : -1;
	case LAF_GT: return val == UINT32_MAX ? 0 : -1;
	case LAF_MASK: return val == 0 ? 0 : -1;
	case LAF_TEST: return val == 0 ? 1 : -1;
	}
	return -1;
}

int policy_read_number(struct reading *r, uint32_t field, uint32_t op, uint32_t val)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const struct field_row *row = &fields[i];
		struct policy_test test;
		int answer = row->always_there ? foregone(op, val) : -1;

		if (row->field != field)
			continue;
		if (answer == 0)
			r->never = true;
		if (answer >= 0)
			return 0;
		if (row->cost == COST_NAMES)
			r->rule.looks = true;
		test = make_test(row->what, op, val, row->cost);
		return put_test(r, &test);
	}
	return -EINVAL;
}

int policy_read_perm(struct reading *r, uint32_t op, uint32_t val)
{
	struct policy_test opened = make_test(LAF_T_OPENED, op, val, COST_TASK);
	struct policy_test bind = make_test(LAF_T_BIND, op, 2, COST_CALL); /* SYS_BIND */
	uint32_t modes = val & (AUDIT_PERM_READ | AUDIT_PERM_WRITE);

	opened.group = GROUP_OPEN;
	if (modes == AUDIT_PERM_READ || modes == AUDIT_PERM_WRITE) { /* else policy_rule_calls() knows */
		int error = put_test(r, &opened);

		if (error)
			return error;
	}
	if (!(val & AUDIT_PERM_WRITE))
		return 0;
	bind.group = GROUP_SOCKETCALL;
	return put_test(r, &bind);
}

int policy_read_compare(struct reading *r, uint32_t op, uint32_t val)
{
	struct policy_test test;

	if (val == 0 || val >= sizeof(compares) / sizeof(*compares))
		return -EINVAL;
	test = make_test(LAF_T_COMPARE, op, compares[val][0], COST_CRED);
	test.insn.aux = compares[val][1];
	if (val <= AUDIT_COMPARE_FSGID_TO_OBJ_GID) {
		test.cost = COST_OWNERS;
		r->rule.looks = true;
	}
	return put_test(r, &test);
}

int policy_read_filetype(struct reading *r, uint32_t op, uint32_t val)
{
	struct policy_test test = make_test(LAF_T_FILETYPE, op, val, COST_NAMES);

	test.group = GROUP_NAMES;
	r->rule.looks = true;
	return put_test(r, &test);
}

/* The folder is noted even where the file is not there: it may come. */
static int read_exe(struct reading *r, uint32_t op, const char *text, uint32_t len)
{
	struct policy_test test = make_test(LAF_T_EXE, op, 0, COST_EXE);
	uint32_t folder, folder_len = len;
	struct policy_id id;
	char path[4097];
	int error;

	while (folder_len > 1 && text[folder_len - 1] != '/')
		folder_len--;
	error = policy_folder_add(r->b, text, folder_len, &folder);
	if (error)
		return error;
	if (len < sizeof(path)) {
		memcpy(path, text, len);
		path[len] = 0;
		if (policy_file_id(r->b, path, &id)) {
			test.ino = id.ino;
			test.dev = id.dev;
			return put_test(r, &test);
		}
	}
	if (op == LAF_EQ)
		r->never = true;
	return 0;
}

/* subj_role=: AppArmor takes it for the name of a profile, one that is in force for the task. Names of other namespaces, and several
 * at once, are not understood here. */
static int read_role(struct reading *r, uint32_t op, const char *text, uint32_t len)
{
	struct policy_test test = make_test(LAF_T_ROLE, op, 0, COST_EXE);
	int error;

	if ((op != LAF_EQ && op != LAF_NE) || !len || len + 1 >= LAF_ROLE_MAX || *text == ':' || *text == '&' ||
	    memmem(text, len, "//&", 3)) {
		r->never = true;
		return 0;
	}
	error = policy_text_put(r->b, text, len, &test.insn.val);
	return error ? error : put_test(r, &test);
}

int policy_read_string(struct reading *r, uint32_t field, uint32_t op, const char *text, uint32_t len)
{
	switch (field) {
	case AUDIT_FILTERKEY:
		r->rule.has_key = true;
		return 0;
	case AUDIT_EXE:
		return read_exe(r, op, text, len);
	case AUDIT_WATCH: case AUDIT_DIR:
		if (op != LAF_EQ)
			return -EINVAL;
		r->rule.kind = field == AUDIT_DIR ? KIND_DIR : KIND_PATH;
		return policy_name_add(r->b, text, len, &r->rule.name);
	case AUDIT_SUBJ_ROLE:
		return read_role(r, op, text, len);
	}
	r->never = true; /* of a label that no security module here has */
	return 0;
}
