// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the kernel write records of its own, with what user space sends it among them.
 *
 *   netlink_send each         one of each kind that a test can cause
 *   netlink_send flood COUNT  so many USER records, numbered, as fast as they go */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libaudit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>

static int fd;

/* libaudit refuses some texts that the kernel takes. */
static void send_text(int type, const char *text)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct {
		struct nlmsghdr head;
		char text[9000];
	} m = { .head = { .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST } };

	snprintf(m.text, sizeof(m.text), "%s", text);
	m.head.nlmsg_len = NLMSG_LENGTH(strlen(m.text) + 1);
	if (sendto(fd, &m, m.head.nlmsg_len, 0, (void *)&kernel, sizeof(kernel)) < 0) {
		perror("netlink_send");
		exit(1);
	}
}

static void send_accounts(void)
{
	audit_log_acct_message(fd, AUDIT_ADD_USER, "/usr/sbin/useradd", "add-user", NULL, 13, NULL, NULL, NULL, 1);
	audit_log_acct_message(fd, AUDIT_ADD_GROUP, "/usr/sbin/groupadd", "add-group", "two words", 13, NULL, NULL, NULL, 0);
	audit_log_acct_message(fd, AUDIT_USER_AUTH, NULL, "PAM:authentication", "nobody", -1, "host", "10.0.0.9", "ssh", 1);
	audit_log_user_command(fd, AUDIT_USER_CMD, "ls -l \"a b\"", "pts/0", 1);
	audit_log_user_avc_message(fd, AUDIT_USER_AVC, "avc:  denied  { send_msg } for  scontext=a tcontext=b uid=1", NULL, NULL, NULL, 0);
}

static void send_odd_texts(void)
{
	char many[8300] = "", full[8540];

	for (unsigned i = 0; i < 1600; i++)
		strcat(many, "id=1 ");
	memset(full, 'x', sizeof(full) - 1);
	full[sizeof(full) - 1] = 0;
	send_text(AUDIT_USER, "x");
	send_text(AUDIT_USER, "line one\nline two\n\n");
	send_text(AUDIT_USER, "\ntype=SYSCALL msg=audit(1.2:3): forged\n");
	send_text(AUDIT_USER, "space at the end ");
	send_text(AUDIT_USER, "tab\there, bell \a, escape \033[31m, high \xff\xfe, 0x1d \x1d UID=\"root\"");
	send_text(AUDIT_USER, "uid=99999 gid=5, (auid=1) ouid='6' saddr=020000357F0000010000000000000000 saddr=zz id=abc");
	send_text(AUDIT_USER, full);
	send_text(AUDIT_USER, many);
	send_text(2999, "the last type");
	send_text(1150, "a type without a name: uid=0");
}

/* run FN: in a child */
static void in_child(void (*run)(void))
{
	pid_t pid = fork();

	if (!pid) {
		struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
		run();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void break_seccomp(void)
{
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	syscall(SYS_getppid);
}

static void crash(void)
{
	raise(SIGSEGV);
}

static void log_in(void)
{
	int f = open("/proc/self/loginuid", O_WRONLY);

	if (f < 0 || write(f, "13", 2) != 2)
		fprintf(stderr, "netlink_send: loginuid: %s\n", strerror(errno));
	send_text(AUDIT_USER, "of a session");
}

static void flood(unsigned count)
{
	char text[32];

	for (unsigned i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "flood=%u", i);
		send_text(AUDIT_USER, text);
	}
}

int main(int argc, char **argv)
{
	fd = audit_open();
	if (fd < 0 || argc < 2) {
		fputs("netlink_send: no audit, or no word what to send\n", stderr);
		return 1;
	}
	if (argc == 3 && !strcmp(argv[1], "flood")) {
		flood(atoi(argv[2]));
		return 0;
	}
	audit_log_user_message(fd, AUDIT_USER, "begin", NULL, NULL, NULL, 1);
	send_accounts();
	send_odd_texts();
	in_child(break_seccomp);
	in_child(crash);
	in_child(log_in);
	audit_log_user_message(fd, AUDIT_USER, "end-of-each", NULL, NULL, NULL, 1);
	return 0;
}
