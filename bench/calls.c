// SPDX-License-Identifier: GPL-2.0-or-later
/* The loops that are measured, lmbench's small ones among them: `calls NAME N` does it N times. What is done in children counts: they are waited for. */
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each returns 0, or what is wrong. */
static int do_getppid(unsigned long n)
{
	while (n--)
		syscall(SYS_getppid);
	return 0;
}

/* One byte read, one written: two calls. */
static int do_io(unsigned long n)
{
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
	char byte;

	while (n--)
		if (read(zero, &byte, 1) != 1 || write(null, &byte, 1) != 1)
			return 1;
	return 0;
}

static int do_stat(unsigned long n)
{
	struct stat st;

	while (n--)
		if (stat("/dev/null", &st))
			return 1;
	return 0;
}

/* And then a name by which the log shows that it is all there. */
static int do_opens(unsigned long n)
{
	while (n--) {
		int fd = open("/dev/null", O_RDONLY);

		if (fd < 0 || close(fd))
			return 1;
	}
	return open("/dev/null/laf-bench-end", O_RDONLY) >= 0;
}

static void handler(int signal)
{
}

static int do_install(unsigned long n)
{
	const struct sigaction action = { .sa_handler = handler };

	while (n--)
		if (sigaction(SIGUSR1, &action, NULL))
			return 1;
	return 0;
}

/* A kill and a sigreturn each. */
static int do_handle(unsigned long n)
{
	pid_t self = getpid();

	do_install(1);
	while (n--)
		if (kill(self, SIGUSR1))
			return 1;
	return 0;
}

/* NULL: the child does nothing. */
static int children(unsigned long n, char **command)
{
	int status;

	while (n--) {
		pid_t pid = fork();

		if (!pid && command)
			execv(command[0], command);
		if (!pid)
			_exit(command != NULL);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return 1;
	}
	return 0;
}

static int do_fork(unsigned long n)
{
	return children(n, NULL);
}

static int do_exec(unsigned long n)
{
	return children(n, (char *[]){ "/bin/true", NULL });
}

static int do_sh(unsigned long n)
{
	return children(n, (char *[]){ "/bin/sh", "-c", "/bin/true; exit 0", NULL });
}

static int read_all(int listener)
{
	static char buf[65536];
	int fd = accept(listener, NULL, NULL);
	ssize_t got;

	do
		got = fd < 0 ? -1 : read(fd, buf, sizeof(buf));
	while (got > 0);
	return got < 0;
}

/* A listener for one connection on the loopback; *ret_address says where. Returns it, or -1. */
static int listen_here(struct sockaddr_in *ret_address)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t size = sizeof(*ret_address);

	*ret_address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (bind(listener, (void *)ret_address, size) || listen(listener, 1) || getsockname(listener, (void *)ret_address, &size))
		return -1;
	return listener;
}

/* Writes of 64 bytes to a reader over TCP on the loopback. */
static int do_stream(unsigned long n)
{
	struct sockaddr_in address;
	int listener = listen_here(&address), fd, status;
	const char bytes[64] = { 0 };
	pid_t reader;

	if (listener < 0)
		return 1;
	reader = fork();
	if (!reader)
		_exit(read_all(listener));
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (reader < 0 || connect(fd, (void *)&address, sizeof(address)))
		return 1;
	while (n--)
		if (write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
			return 1;
	close(fd);
	return waitpid(reader, &status, 0) != reader || status;
}

/* The same to itself, so that how two processes take turns makes no difference: a write, and a read of what was written. */
static int do_tcp(unsigned long n)
{
	struct sockaddr_in address;
	int listener = listen_here(&address), fd = socket(AF_INET, SOCK_STREAM, 0), peer, on = 1;
	char bytes[64] = { 0 };

	if (listener < 0 || connect(fd, (void *)&address, sizeof(address)) || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		return 1;
	peer = accept(listener, NULL, NULL);
	while (n--)
		if (write(fd, bytes, sizeof(bytes)) != sizeof(bytes) || read(peer, bytes, sizeof(bytes)) != sizeof(bytes))
			return 1;
	return 0;
}

static const struct {
	const char *name;
	int (*run)(unsigned long n);
} loops[] = {
	{ "getppid", do_getppid },
	{ "io", do_io },
	{ "stat", do_stat },
	{ "opens", do_opens },
	{ "install", do_install },
	{ "handle", do_handle },
	{ "fork", do_fork },
	{ "exec", do_exec },
	{ "sh", do_sh },
	{ "stream", do_stream },
	{ "tcp", do_tcp },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 3 && i < sizeof(loops) / sizeof(*loops); i++)
		if (!strcmp(loops[i].name, argv[1]))
			return loops[i].run(strtoul(argv[2], NULL, 10));
	return 2;
}
