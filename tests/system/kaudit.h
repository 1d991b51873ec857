/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's audit taken over for a test: locked, turned on, read; and left as it was, whatever happens. */
#ifndef KAUDIT_H
#define KAUDIT_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libaudit.h>
#include <linux/netlink.h>

#define SKIP 77
#define LOCK_FILE "/run/lock/laf-kaudit.lock"
#define ROOM (64 << 20) /* bytes of socket buffer */

static inline void die(int code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(code);
}

/* Take the machine-wide lock; it goes with the process (and its guardian). */
static inline void lock_audit(void)
{
	const char *path = getenv("LAF_KAUDIT_LOCK") ?: LOCK_FILE;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		die(1, "lock: open %s: %m", path);
	if (flock(fd, LOCK_EX))
		die(1, "lock: %s: %m", path);
}

/* Wait for the answer of type `want`, at most 2 s; 0 or -errno. */
static inline int get_answer(int fd, int want, struct audit_reply *reply)
{
	for (;;) {
		struct pollfd p = { fd, POLLIN, 0 };

		if (poll(&p, 1, 2000) <= 0)
			return -ETIMEDOUT;
		if (audit_get_reply(fd, reply, GET_REPLY_NONBLOCKING, 0) <= 0)
			continue;
		if (reply->type == want || reply->type == NLMSG_DONE)
			return 0;
		if (reply->type == NLMSG_ERROR && reply->error->error)
			return reply->error->error;
	}
}

static inline int get_status(struct audit_status *ret)
{
	struct audit_reply reply;
	int rc, fd = audit_open();

	if (fd < 0)
		return -errno;
	rc = audit_request_status(fd) < 0 ? -errno : get_answer(fd, AUDIT_GET, &reply);
	if (!rc)
		memcpy(ret, reply.status, sizeof(*ret));
	close(fd);
	return rc;
}

/* Number of rules loaded, or -errno. With `drop`, each is deleted. */
static inline int walk_rules(bool drop)
{
	struct audit_reply reply;
	int n = 0, fd = audit_open(), fd2 = audit_open();

	if (fd < 0 || fd2 < 0 || audit_request_rules_list_data(fd) < 0)
		return -EIO;
	while (!get_answer(fd, AUDIT_LIST_RULES, &reply) && reply.type == AUDIT_LIST_RULES) {
		n++;
		if (drop)
			audit_delete_rule_data(fd2, reply.ruledata, reply.ruledata->flags, reply.ruledata->action);
	}
	close(fd);
	close(fd2);
	return n;
}

static inline int set_status(const struct audit_status *s)
{
	int fd = audit_open();
	int rc;

	if (fd < 0)
		return -errno;
	rc = audit_set_backlog_limit(fd, s->backlog_limit);
	if (rc > 0)
		rc = audit_set_failure(fd, s->failure);
	if (rc > 0)
		rc = audit_set_enabled(fd, s->enabled);
	close(fd);
	return rc > 0 ? 0 : rc;
}

static inline void restore(const struct audit_status *old)
{
	int fd = audit_open();

	walk_rules(true);
	/* A send to a reader that is gone is what makes the kernel notice. */
	audit_log_user_message(fd, AUDIT_USER, "laf-oracle-restore", NULL, NULL, NULL, 1);
	set_status(old);
	close(fd);
}

/* A process that outlives us by any death and then puts everything back. Returns the pipe whose closing wakes it;
 * a byte written there sends it home. No child of ours, so that we can wait for all of those. */
static inline int start_guardian(const struct audit_status *old)
{
	int pipefd[2];
	ssize_t n;
	char c;
	pid_t pid;

	if (pipe2(pipefd, O_CLOEXEC))
		die(1, "guardian: pipe: %m");
	pid = fork();
	if (pid < 0)
		die(1, "guardian: fork: %m");
	if (pid) {
		close(pipefd[0]);
		waitpid(pid, NULL, 0);
		return pipefd[1];
	}
	if (fork())
		_exit(0);
	setsid();
	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_IGN);
	close(pipefd[1]);
	while ((n = read(pipefd[0], &c, 1)) < 0 && errno == EINTR)
		;
	if (!n)
		restore(old);
	_exit(0);
}

static inline void turn_on(struct audit_status *old)
{
	struct audit_status s = { .enabled = 1, .failure = AUDIT_FAIL_SILENT, .backlog_limit = 0 /* none */ };
	int rc = get_status(old);

	if (rc)
		die(SKIP, "the kernel's audit does not answer: %s", strerror(-rc));
	if (old->enabled == 2)
		die(SKIP, "the kernel's audit is locked until the next boot");
	if (old->pid && !kill(old->pid, 0)) /* of one that died without a word the number stays */
		die(SKIP, "the kernel's audit has a daemon already (pid %u)", old->pid);
	rc = walk_rules(false);
	if (rc)
		die(SKIP, "the kernel's audit has rules already (%d)", rc);
	rc = set_status(&s);
	if (rc)
		die(SKIP, "the kernel's audit can't be turned on: %s", strerror(-rc));
}

static inline int open_unicast(void)
{
	int room = ROOM, fd = audit_open();

	if (fd < 0)
		die(1, "netlink: %m");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (audit_set_pid(fd, getpid(), WAIT_YES) < 0)
		die(1, "the audit daemon's place can't be taken: %m");
	return fd;
}

#endif
