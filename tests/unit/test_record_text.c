// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that come as text: what ENRICHED adds is what libauparse makes of them, as auditd adds it. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <auparse.h>
#include <libaudit.h>

#include <laf/record.h>

#define LINE_BYTES 32768

static const struct record {
	unsigned type;
	const char *body;
} records[] = {
	{ AUDIT_USER, "pid=77 uid=0 auid=4294967295 ses=4294967295 msg='text=hello exe=\"/usr/sbin/auditctl\" hostname=? addr=? "
		      "terminal=pts/0 res=success'" },
	{ AUDIT_USER_START, "pid=7 uid=0 auid=1 ses=3 msg='op=PAM:session_open grantors=pam_unix acct=\"root\" "
			    "exe=\"/usr/bin/sudo\" hostname=? addr=? terminal=/dev/pts/0 res=success'" },
	{ AUDIT_USER_AUTH, "pid=7 uid=65534 auid=2 ses=3 subj=unconfined msg='op=PAM:authentication grantors=? acct=28756E6B6E6F776E29 "
			   "exe=\"/usr/sbin/sshd\" hostname=10.0.0.9 addr=10.0.0.9 terminal=ssh res=failed'" },
	{ AUDIT_ADD_USER, "pid=9 uid=0 auid=0 ses=1 msg='op=add-user id=13 exe=\"/usr/sbin/useradd\" hostname=? addr=? terminal=? "
			  "res=success'" },
	{ AUDIT_ADD_GROUP, "pid=9 uid=0 auid=0 ses=1 msg='op=add-group id=13 res=success'" },
	{ AUDIT_USER_MGMT, "pid=9 uid=0 auid=0 ses=1 msg='op=change new_gid=6 id=99999 grp=\"x\" res=success'" },
	{ AUDIT_LOGIN, "pid=5 uid=0 old-auid=4294967295 auid=33 tty=(none) old-ses=4294967295 ses=4 res=1" },
	{ AUDIT_SYSCALL, "arch=c000003e syscall=59 success=yes exit=0 a0=1 a1=2 a2=3 a3=4 items=2 ppid=1 pid=2 auid=4294967295 uid=1 "
			 "gid=2 euid=3 suid=4 fsuid=5 egid=6 sgid=7 fsgid=99999 tty=(none) ses=1 comm=\"sh\" exe=\"/bin/sh\" key=(null)" },
	{ AUDIT_SYSCALL, "arch=40000003 syscall=102 success=yes exit=0 a0=3 a1=2 a2=3 a3=4 items=2 ppid=1 pid=2 auid=0 uid=0 gid=0" },
	{ AUDIT_SYSCALL, "arch=40000003 syscall=117 success=yes exit=0 a0=ffffffff a1=2 a2=3 a3=4 auid=0" },
	{ AUDIT_SYSCALL, "arch=c000003e syscall=9999 per=400000 a0=3 auid=0 key=\"arch=b\"" },
	{ AUDIT_PATH, "item=0 name=\"/etc/passwd\" inode=1 dev=08:01 mode=0100644 ouid=0 ogid=42 rdev=00:00 nametype=NORMAL cap_fp=0 "
		      "cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0" },
	{ AUDIT_PATH, "item=0 name=\"ouid=7\" ouid=99999 ogid=99999" },
	{ AUDIT_SOCKADDR, "saddr=020000357F0000010000000000000000" },
	{ AUDIT_SOCKADDR, "saddr=01002F72756E2F782E736F636B00" },
	{ AUDIT_SOCKADDR, "saddr=0A000035000000000000000000000000000000000000000100000000" },
	{ AUDIT_SOCKADDR, "saddr=100000000000000000000000" },
	{ AUDIT_SECCOMP, "auid=0 uid=0 gid=0 ses=1 subj=x pid=4 comm=\"c\" exe=\"/c\" sig=31 arch=c000003e syscall=63 compat=0 ip=0x7f "
			 "code=0x0" },
	{ AUDIT_ANOM_ABEND, "auid=4294967295 uid=0 gid=0 ses=4294967295 pid=4 comm=\"c\" exe=\"/c\" sig=11 res=1" },
	{ AUDIT_OBJ_PID, "opid=3 oauid=-1 ouid=1 oses=-1 ocomm=\"x\"" },
	{ AUDIT_IPC, "ouid=1 ogid=2 mode=0600" },
	{ AUDIT_CONFIG_CHANGE, "op=set audit_enabled=1 old=0 auid=4294967295 ses=4294967295 res=1" },
	{ AUDIT_NETFILTER_PKT, "mark=0x1 saddr=10.0.0.1 daddr=10.0.0.2 proto=17" },
	{ AUDIT_AVC, "avc:  denied  { read write } for  pid=4 comm=\"c\" saddr=10.0.0.1 scontext=a tcontext=b tclass=file permissive=0" },
	{ AUDIT_AVC, "apparmor=\"DENIED\" operation=\"open\" profile=\"p\" name=\"/x\" pid=3 comm=\"c\" requested_mask=\"r\" fsuid=0 ouid=1" },
	{ AUDIT_EXECVE, "argc=2 a0=\"auid=1\" a1=\"uid=0\"" },
	{ AUDIT_PROCTITLE, "proctitle=\"uid=0\"" },
	{ AUDIT_CWD, "cwd=\"/\"" },
	{ AUDIT_BPF, "prog-id=7 op=LOAD" },
	{ AUDIT_EVENT_LISTENER, "pid=1 uid=0 auid=4294967295 tty=(none) ses=4294967295 comm=\"x\" exe=\"/x\" nl-mcgrp=1 op=connect res=1" },
	{ AUDIT_TRUSTED_APP, "pid=1 uid=0 msg='uid=0'" },
	{ AUDIT_USER_CMD, "pid=1 uid=0 auid=1 ses=1 msg='cwd=\"/root\" cmd=6C73202D6C terminal=pts/0 res=success'" },
	/* what anyone may send who may send at all */
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='uid='" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='uid=7,'" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='(uid=7): gid=8) ouid=9, a=b=c gid=3'" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='UID=3 Gid=4 uid=5'" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='=5 uid=5'" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='uid=abc gid=\"7\" ouid=0x10 auid=-2 suid=12abc'" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='  two  spaces   uid=0 '" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='saddr=02 saddr=FFFF00 saddr=0200003'" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg='old \x1d UID=\"root\" uid=0'" },
	{ AUDIT_USER, "pid=1 uid=0 auid=1 ses=1 msg=abc uid=0 msg='uid=0' msg=uid=5" },
	{ 1425, "subj_apparmor=unconfined uid=0" },
};

/* The line of auditd: the record, and what libauparse says of its fields. */
static void auditd_line(char *line, const struct record *record)
{
	const char *name = audit_msg_type_to_name(record->type);
	char type[32], *at;
	auparse_state_t *au;

	snprintf(type, sizeof(type), "UNKNOWN[%u]", record->type);
	at = line + sprintf(line, "type=%s msg=audit(1700000000.123:45): %s", name ? name : type, record->body);
	if (at[-1] == ' ')
		*--at = 0;
	strcpy(at, "\n");
	au = auparse_init(AUSOURCE_BUFFER, line);
	assert_non_null(au);
	auparse_set_escape_mode(au, AUPARSE_ESC_RAW);
	for (int r = auparse_first_record(au), n = 0; r > 0; r = auparse_next_field(au)) {
		int kind = auparse_get_field_type(au);
		bool id = kind == AUPARSE_TYPE_UID || kind == AUPARSE_TYPE_GID;
		char field[64] = "", *value;

		if (!id && kind != AUPARSE_TYPE_ARCH && kind != AUPARSE_TYPE_SYSCALL && kind != AUPARSE_TYPE_SOCKADDR)
			continue;
		for (unsigned i = 0; auparse_get_field_name(au)[i]; i++)
			field[i] = toupper(auparse_get_field_name(au)[i]);
		value = (char *)auparse_interpret_field(au);
		at += sprintf(at, "%c", n++ ? ' ' : '\x1d');
		if (id) {
			char *quoted = audit_encode_nv_string(field, value, strlen(value));

			at += sprintf(at, "%s", quoted);
			free(quoted);
		} else {
			at += sprintf(at, "%s=%s", field, value);
		}
	}
	auparse_destroy(au);
	strcpy(at, "\n");
}

static void format(struct laf_formatter *f, unsigned type, const char *body, char *line)
{
	char text[LINE_BYTES];
	const char *ours;
	size_t bytes;
	int n = snprintf(text, sizeof(text), "audit(1700000000.123:45): %s", body);

	assert_int_equal(laf_format_text(f, type, 1700000000123, text, n, &ours, &bytes), 0);
	assert_true(bytes < LINE_BYTES);
	memcpy(line, ours, bytes);
	line[bytes] = 0;
}

static void as_auditd(void **state)
{
	char theirs[LINE_BYTES], ours[LINE_BYTES];
	struct laf_formatter *f;

	assert_int_equal(laf_formatter_new(LAF_FORMAT_ENRICHED, NULL, &f), 0);
	for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
		auditd_line(theirs, &records[i]);
		format(f, records[i].type, records[i].body, ours);
		assert_string_equal(ours, theirs);
	}
	laf_formatter_free(f);
}

static const char *const words[] = {
	"uid=0", "auid=4294967295", "gid=6", "euid=99999", "suid=3", "fsuid=5", "egid=4", "sgid=2", "fsgid=1", "ouid=8",
	"ogid=9", "id=10", "old-auid=13", "oauid=-1", "iuid=33", "igid=34", "inode_uid=38", "inode_gid=39", "obj_uid=41",
	"obj_gid=60", "sauid=65534", "new_gid=100", "saddr=020000357F0000010000000000000000", "saddr=0100", "saddr=zz", "saddr=0200zzzz7F00000100000000zzzzzzzz",
	"msg='uid=1", "msg=uid=2", "res=success'", "comm=\"uid=3\"", "avc:", "granted", "key=\"k\"", "key=(null)",
	"uidx=1", "xuid=1", "=", "(uid=4)", "gid=5:", "gid=5),", "\"gid=5\"", "uid=18446744073709551615", "exe=\"/x\"", "",
};

/* Words in any order, in records of any type that has exceptions. (Without the call: libauparse goes by its place.) */
static void as_auditd_at_random(void **state)
{
	static const unsigned types[] = {
		AUDIT_USER, AUDIT_EXECVE, AUDIT_AVC, AUDIT_NETFILTER_PKT, AUDIT_ADD_GROUP, AUDIT_USER_AVC, AUDIT_PATH, 2999,
	};
	char theirs[LINE_BYTES], ours[LINE_BYTES], body[2048];
	struct laf_formatter *f;

	srandom(1);
	assert_int_equal(laf_formatter_new(LAF_FORMAT_ENRICHED, NULL, &f), 0);
	for (unsigned i = 0; i < 3000; i++) {
		struct record record = { types[random() % 8], body };
		int n = sprintf(body, "pid=1");

		for (unsigned w = random() % 20; w; w--)
			n += sprintf(body + n, " %s", words[random() % (sizeof(words) / sizeof(*words))]);
		auditd_line(theirs, &record);
		format(f, record.type, body, ours);
		assert_string_equal(ours, theirs);
	}
	laf_formatter_free(f);
}

/* Of SECCOMP records without subj= libauparse does not find the call. */
static void seccomp_without_label(void **state)
{
	char line[LINE_BYTES];
	struct laf_formatter *f;

	assert_int_equal(laf_formatter_new(LAF_FORMAT_ENRICHED, NULL, &f), 0);
	format(f, AUDIT_SECCOMP, "auid=0 pid=4 sig=31 arch=40000003 syscall=5 compat=1", line);
	assert_non_null(strstr(line, "\x1d" "AUID=\"root\" ARCH=i386 SYSCALL=open\n"));
	laf_formatter_free(f);
}

static void raw(void **state)
{
	char line[LINE_BYTES], *body = calloc(1, LINE_BYTES);
	struct laf_formatter *f;

	assert_int_equal(laf_formatter_new(LAF_FORMAT_RAW, "here", &f), 0);
	format(f, AUDIT_USER, "uid=0\nmsg='a\n\nb' \n", line);
	assert_string_equal(line, "node=here type=USER msg=audit(1700000000.123:45): uid=0 msg='a  b' \n");
	format(f, AUDIT_USER, "", line);
	assert_string_equal(line, "node=here type=USER msg=audit(1700000000.123:45):\n");
	memset(body, 'x', LINE_BYTES - 100);
	format(f, AUDIT_USER, body, line);
	assert_int_equal(strlen(line), strlen("node=here \n") + MAX_AUDIT_MESSAGE_LENGTH - 33);
	laf_formatter_free(f);
	free(body);
}

/* As many fields as a message can have: the line keeps its limit. */
static void many_fields(void **state)
{
	char line[LINE_BYTES], *body = calloc(1, LINE_BYTES);
	struct laf_formatter *f;

	for (size_t i = 0; i < 8000; i += 5)
		memcpy(body + i, "id=1 ", 5);
	assert_int_equal(laf_formatter_new(LAF_FORMAT_ENRICHED, NULL, &f), 0);
	format(f, AUDIT_USER, body, line);
	assert_in_range(strlen(line), MAX_AUDIT_MESSAGE_LENGTH, MAX_AUDIT_MESSAGE_LENGTH);
	laf_formatter_free(f);
	free(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_auditd),
		cmocka_unit_test(as_auditd_at_random),
		cmocka_unit_test(seccomp_without_label),
		cmocka_unit_test(raw),
		cmocka_unit_test(many_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
