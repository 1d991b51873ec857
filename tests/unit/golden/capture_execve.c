// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes execve.txt: runs a program with each argument list and writes what the kernel's audit records of it.
 * As root, with nothing else at the kernel's audit:
 *   cc -Itests/unit -o /tmp/capture tests/unit/golden/capture_execve.c tests/unit/argument_lists.c -laudit
 *   /tmp/capture > tests/unit/golden/execve.txt */
#include <err.h>
#include <libaudit.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argument_lists.h"
#include "golden.h"

#define PROGRAM "/bin/true"
#define RECORDS_BYTES_MAX (8u << 20)

static int audit = -1;

static void turn_off(void)
{
	audit_set_enabled(audit, 0);
	audit_set_pid(audit, 0, WAIT_NO);
	system("auditctl -D >/dev/null");
}

static void turn_on(void)
{
	struct audit_rule_data *rule = calloc(1, sizeof(*rule));
	char parent[32];

	audit = audit_open();
	if (audit < 0)
		err(1, "audit_open");
	atexit(turn_off);
	snprintf(parent, sizeof(parent), "ppid=%d", getpid());
	audit_rule_syscallbyname_data(rule, "execve");
	if (audit_rule_fieldpair_data(&rule, parent, AUDIT_FILTER_EXIT) < 0 ||
	    audit_add_rule_data(audit, rule, AUDIT_FILTER_EXIT, AUDIT_ALWAYS) < 0)
		errx(1, "rule");
	audit_set_backlog_limit(audit, 0);
	if (audit_set_enabled(audit, 1) < 0 || audit_set_pid(audit, getpid(), WAIT_YES) < 0)
		errx(1, "enable");
}

static void run(const struct argument_list *l)
{
	char **argv = calloc(l->argc + 1, sizeof(*argv)), *at = l->text;
	pid_t child = fork();

	if (!child) {
		for (unsigned i = 0; i < l->argc; i++, at += strlen(at) + 1)
			argv[i] = at;
		if (l->none)
			argv[0] = NULL;
		execv(PROGRAM, argv);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	free(argv);
}

/* All EXECVE bodies up to the end of the event. */
static unsigned collect(char *text, size_t *len)
{
	struct audit_reply reply;
	unsigned records = 0;

	*len = 0;
	for (;;) {
		const char *body;

		if (audit_get_reply(audit, &reply, GET_REPLY_BLOCKING, 0) <= 0)
			continue;
		if (reply.type == AUDIT_EOE && records)
			return records;
		if (reply.type != AUDIT_EXECVE)
			continue;
		body = strstr(reply.message, "): ") + 3;
		*len += sprintf(text + *len, "%.*s\n", (int)(reply.message + reply.len - body), body);
		if (*len > RECORDS_BYTES_MAX - 10000)
			errx(1, "too many records");
		records++;
	}
}

int main(void)
{
	char *text = malloc(RECORDS_BYTES_MAX);
	struct argument_list l;
	size_t len;

	turn_on();
	for (unsigned n = 0; !argument_list_make(n, &l); n++) {
		unsigned records;

		run(&l);
		records = collect(text, &len);
		golden_write(stdout, l.name, records, text, len);
		free(l.text);
	}
	return 0;
}
