// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields as ours and libaudit 3.0.9's own reader understand them: the same bits, or refused by both. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <laf/error.h>

#include "../../src/rules/parse.h"

/* State of libaudit that auditctl resets before each rule. */
extern int _audit_permadded, _audit_archadded, _audit_syscalladded, _audit_exeadded, _audit_filterfsadded;
extern unsigned int _audit_elf;

static const char *const fields[] = {
	"pid", "ppid", "uid", "auid", "obj_uid", "gid", "obj_gid", "pers", "arch", "msgtype", "subj_user",
	"obj_lev_high", "sessionid",
	"fstype", "devmajor", "inode", "exit", "success", "path", "perm", "dir", "filetype", "field_compare",
	"exe", "saddr_fam", "a0",
	"key", "nofield", "",
};
static const char *const ops[] = { "=", "!=", "<", ">", "<=", ">=", "&", "&=", "" };
static const char *const values[] = {
	"0", "1", "45", "46", "1300", "2147483648", "4294967295", "4294967296", "9223372036854775808",
	"99999999999999999999",
	"-1", "-13", "-x", "-", "--1", "+1", "0x10", "010", "08", "5x", "unset", "root", "nosuchname", "b64",
	"b32", "x86_64", "ppc64",
	"c000003e", "zz", "SYSCALL", "EACCES", "-EPERM", "r", "wa", "RWXA", "rwxar", "file", "fifo",
	"tracefs", "debugfs", "/etc",
	"a=b", "a!=b", "a>b", "",
};
static const int lists[] = { AUDIT_FILTER_EXIT, AUDIT_FILTER_TASK, AUDIT_FILTER_USER, AUDIT_FILTER_EXCLUDE,
			     AUDIT_FILTER_FS };

static struct audit_rule_data *read_theirs(const char *text, int list, bool has_call)
{
	struct audit_rule_data *rule = audit_rule_create_data();
	char *copy = strdup(text);

	_audit_permadded = _audit_archadded = _audit_exeadded = _audit_filterfsadded = 0;
	_audit_elf = 0;
	_audit_syscalladded = has_call;
	if (audit_rule_fieldpair_data(&rule, copy, list)) {
		audit_rule_free_data(rule);
		rule = NULL;
	}
	free(copy);
	return rule;
}

static struct audit_rule_data *read_ours(const char *text, int list, bool has_call)
{
	struct laf_error err;
	struct laf_command command = { .rule = calloc(1, sizeof(struct audit_rule_data)) };
	struct laf_parse p = {
		.command = &command, .err = &err, .add = list, .del = LAF_LIST_UNSET, .has_call = has_call
	};

	if (laf_field_add(&p, text, 1))
		laf_command_free(&command);
	return command.rule;
}

static void compare(const char *text, int list, bool has_call)
{
	struct audit_rule_data *theirs = read_theirs(text, list, has_call),
			       *ours = read_ours(text, list, has_call);

	if (!theirs != !ours)
		fail_msg("%s in list %d: libaudit %s it", text, list, theirs ? "takes" : "refuses");
	if (ours && memcmp(ours, theirs, sizeof(*ours) + ours->buflen))
		fail_msg("%s in list %d: %u against libaudit's %u", text, list, ours->values[0],
			 theirs->values[0]);
	free(ours);
	free(theirs);
}

/* Later ones let the kernel say what the exclude list takes. */
static bool is_later_libaudit(void)
{
	struct audit_rule_data *rule = read_theirs("ppid=1", AUDIT_FILTER_EXCLUDE, false);

	free(rule);
	return rule;
}

static void every_field_means_what_libaudit_says(void **state)
{
	char text[128];

	set_aumessage_mode(MSG_QUIET, DBG_NO);
	if (!audit_get_features())
		skip(); /* libaudit then refuses exe=, sessionid= and fstype=: no root, or a kernel without
			   audit */
	if (is_later_libaudit())
		skip();
	for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++)
		for (size_t o = 0; o < sizeof(ops) / sizeof(ops[0]); o++)
			for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
				snprintf(text, sizeof(text), "%s%s%s", fields[f], ops[o], values[v]);
				for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
					compare(text, lists[l], false);
					compare(text, lists[l], true);
				}
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_means_what_libaudit_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
