// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's side of the oracle: turns the kernel's audit on with given rules, runs a command, writes every record that
 * the kernel sends to a file as auditd would (RAW), and leaves the machine as it was, whatever happens. */
#include <getopt.h>
#include <sys/prctl.h>
#include <time.h>

#include "kaudit.h"

#define END_TEXT "laf-oracle-end"

struct options {
	const char *out, *out2, *rules;
	const char *auditd; /* the folder of an auditd.conf: auditd is the reader, and its log is `out` */
	unsigned seconds;
	char **command;
};

static int open_multicast(void)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK, .nl_groups = 1 << (AUDIT_NLGRP_READLOG - 1) };
	int room = ROOM, fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);

	if (fd < 0 || bind(fd, (void *)&a, sizeof(a)))
		die(1, "netlink: multicast: %m");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	return fd;
}

/* Write one record as auditd does. Returns true for the one that says that all has come. */
static bool write_record(FILE *f, unsigned type, const char *text, int len)
{
	const char *name = audit_msg_type_to_name(type);

	if (type < AUDIT_FIRST_USER_MSG || type == AUDIT_EOE)
		if (type != AUDIT_USER && type != AUDIT_LOGIN)
			return false;
	while (len && (text[len - 1] == '\0' || text[len - 1] == '\n'))
		len--;
	if (len && text[len - 1] == ' ') /* auditd trims one */
		len--;
	if (name)
		fprintf(f, "type=%s msg=", name);
	else
		fprintf(f, "type=UNKNOWN[%u] msg=", type);
	for (int i = 0; i < len; i++)
		putc(text[i] == '\n' ? ' ' : text[i], f);
	putc('\n', f);
	return type == AUDIT_USER && memmem(text, len, END_TEXT, strlen(END_TEXT));
}

static bool drain(int fd, FILE *f)
{
	static char buf[MAX_AUDIT_MESSAGE_LENGTH + NLMSG_HDRLEN + 1];
	bool end = false;

	for (;;) {
		struct nlmsghdr *h = (void *)buf;
		ssize_t n = recv(fd, buf, sizeof(buf) - 1, MSG_DONTWAIT);

		if (n < 0 && errno == ENOBUFS)
			die(1, "netlink: records were lost");
		if (n < (ssize_t)NLMSG_HDRLEN)
			return end;
		/* The kernel's nlmsg_len of audit records leaves the header out. */
		if (h->nlmsg_type != NLMSG_ERROR && h->nlmsg_type != NLMSG_DONE)
			end |= write_record(f, h->nlmsg_type, NLMSG_DATA(h), n - NLMSG_HDRLEN);
	}
}

static int run_helper(char *const argv[])
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static pid_t start_command(char **command)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(126);
	execvp(command[0], command);
	fprintf(stderr, "oracle_kaudit: %s: %m\n", command[0]);
	_exit(127);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Is this the one child that is left? */
static bool only_child(pid_t pid)
{
	char path[64], text[256] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		die(1, "%s: %m", path);
	close(fd);
	return atoi(text) == pid && !strchr(text, ' ')[1];
}

/* Reap what has ended; true when no descendant but auditd is left. */
static bool reap(pid_t main_pid, pid_t auditd, int *status)
{
	int st;
	pid_t pid;

	while ((pid = waitpid(-1, &st, WNOHANG | __WALL)) > 0) {
		if (pid == main_pid)
			*status = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
		if (pid == auditd)
			die(1, "auditd ended");
	}
	if (!auditd)
		return pid < 0;
	return only_child(auditd);
}

static bool file_has(const char *path, const char *text)
{
	static char tail[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd >= 0) {
		off_t size = lseek(fd, 0, SEEK_END);

		n = pread(fd, tail, sizeof(tail), size > (off_t)sizeof(tail) ? size - (off_t)sizeof(tail) : 0);
		close(fd);
	}
	return n > 0 && memmem(tail, n, text, strlen(text));
}

struct reader {
	int fds[2];
	FILE *files[2];
	int n;
	const char *log; /* auditd's; it writes what we wait for */
	pid_t auditd;
};

static bool all_read(struct reader *r)
{
	static bool end[2];
	struct pollfd p[2] = { { r->fds[0], POLLIN, 0 }, { r->fds[1], POLLIN, 0 } };

	poll(p, r->n, 20);
	if (r->log)
		return file_has(r->log, END_TEXT);
	for (int i = 0; i < r->n; i++)
		end[i] |= drain(r->fds[i], r->files[i]);
	return end[0] && (end[1] || r->n < 2);
}

/* Read until the command and all its descendants have ended and their last record has come. */
static int record(const struct options *o, pid_t pid, struct reader *r)
{
	double limit = now() + o->seconds;
	bool done = false;
	int status = 128, fd = audit_open();

	while (!all_read(r)) {
		if (now() > limit) {
			kill(pid, SIGTERM);
			die(1, "time limit of %u s", o->seconds);
		}
		if (done || !reap(pid, r->auditd, &status))
			continue;
		done = true;
		audit_log_user_message(fd, AUDIT_USER, END_TEXT, NULL, NULL, NULL, 1);
	}
	close(fd);
	return status;
}

static pid_t start_auditd(const struct options *o)
{
	struct audit_status s = { 0 };
	char *command[] = { "auditd", "-n", "-s", "nochange", "-c", (char *)o->auditd, NULL };
	double limit = now() + 10;
	pid_t pid = start_command(command);

	while (get_status(&s) || s.pid != (unsigned)pid) {
		if (now() > limit || waitpid(pid, NULL, WNOHANG) == pid)
			die(1, "auditd did not start");
		poll(NULL, 0, 10);
	}
	return pid;
}

static void open_reader(const struct options *o, struct reader *r)
{
	*r = (struct reader){ .fds = { -1, -1 } };
	if (o->auditd) {
		r->log = o->out;
		r->auditd = start_auditd(o);
		return;
	}
	r->files[0] = fopen(o->out, "we");
	r->files[1] = o->out2 ? fopen(o->out2, "we") : NULL;
	if (!r->files[0] || (o->out2 && !r->files[1]))
		die(1, "%s: %m", o->out);
	r->fds[r->n++] = open_unicast();
	if (o->out2)
		r->fds[r->n++] = open_multicast();
}

static void close_reader(struct reader *r)
{
	if (r->auditd) {
		kill(r->auditd, SIGTERM);
		waitpid(r->auditd, NULL, 0);
		return;
	}
	audit_set_pid(r->fds[0], 0, WAIT_YES);
	for (int i = 0; i < r->n; i++)
		if (fclose(r->files[i]))
			die(1, "log: %m");
}

static void parse(int argc, char **argv, struct options *o)
{
	int c;

	while ((c = getopt(argc, argv, "+o:2:A:R:t:")) != -1) {
		switch (c) {
		case 'o': o->out = optarg; break;
		case '2': o->out2 = optarg; break;
		case 'A': o->auditd = optarg; break;
		case 'R': o->rules = optarg; break;
		case 't': o->seconds = atoi(optarg); break;
		default: die(2, "usage: -o FILE [-2 FILE | -A CONF] [-R RULES] [-t SECONDS] -- COMMAND…");
		}
	}
	o->command = argv + optind;
	if (!o->out || !*o->command)
		die(2, "usage: -o FILE [-2 FILE | -A CONF] [-R RULES] [-t SECONDS] -- COMMAND…");
}

int main(int argc, char **argv)
{
	struct options o = { .seconds = 60 };
	struct audit_status old, after;
	struct reader r;
	int status, guard;

	parse(argc, argv, &o);
	lock_audit();
	turn_on(&old);
	guard = start_guardian(&old);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	open_reader(&o, &r);
	if (o.rules && run_helper((char *[]){ "auditctl", "-R", (char *)o.rules, NULL }))
		die(1, "%s: the kernel did not take the rules (see syslog)", o.rules);
	status = record(&o, start_command(o.command), &r);
	if (get_status(&after) || after.lost != old.lost)
		die(1, "the kernel lost %u records", after.lost - old.lost);
	close_reader(&r);
	restore(&old);
	if (write(guard, "", 1) != 1)
		die(1, "guardian: %m");
	return status;
}
