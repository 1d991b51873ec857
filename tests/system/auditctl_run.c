// SPDX-License-Identifier: GPL-2.0-or-later
/* auditctl_run FILE COMMAND…: runs a command and writes all that it says to FILE: exit status, standard output, standard error, and what it
 * tells the system log. Listens at /dev/log: to be run where that is nobody else's. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int listen_to_log(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "/dev/log" };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	unlink(address.sun_path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)))
		die("/dev/log");
	return fd;
}

/* "<11>Nov 30 12:00:00 auditctl: text" */
static void write_text(char *message, FILE *to)
{
	char *text = strstr(message, ": ");

	fprintf(to, "%s\n", text ? text + 2 : message);
}

static void drain(int fd, FILE *to)
{
	char message[65536];
	ssize_t n;

	while ((n = recv(fd, message, sizeof(message) - 1, 0)) >= 0) {
		message[n] = '\0';
		write_text(message, to);
	}
}

static pid_t start(char **argv, FILE *out, FILE *err)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	close(STDIN_FILENO);
	if (open("/dev/null", O_RDONLY) != STDIN_FILENO || dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0)
		die("redirecting");
	execvp(argv[0], argv);
	die(argv[0]);
	return 0;
}

static void write_section(const char *name, FILE *from, FILE *to)
{
	char buf[65536];
	size_t n;

	fprintf(to, "-- %s\n", name);
	rewind(from);
	while ((n = fread(buf, 1, sizeof(buf), from)) > 0)
		fwrite(buf, 1, n, to);
}

int main(int argc, char **argv)
{
	FILE *out = tmpfile(), *err = tmpfile(), *log = tmpfile(), *to = argc > 2 ? fopen(argv[1], "we") : NULL;
	int fd = listen_to_log(), status, pidfd;
	pid_t pid;

	if (!out || !err || !log || !to)
		die("a file");
	pid = start(argv + 2, out, err);
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	for (;;) {
		struct pollfd fds[] = { { .fd = fd, .events = POLLIN }, { .fd = pidfd, .events = POLLIN } };

		poll(fds, 2, -1);
		drain(fd, log);
		if (fds[1].revents)
			break;
	}
	drain(fd, log);
	waitpid(pid, &status, 0);
	fprintf(to, "exit status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	write_section("standard output", out, to);
	write_section("standard error", err, to);
	write_section("system log", log, to);
	return fclose(to) ? 1 : 0;
}
