// SPDX-License-Identifier: GPL-2.0-or-later
/* A program that is run is a grandchild, so that it is init's to wait for. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

/* In the child: all signals as a program finds them, standard input from `in`, then the program. */
static void become(int in, char *const argv[])
{
	static char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(in, STDIN_FILENO) >= 0)
		execve(argv[0], argv, environment);
	_exit(127);
}

static int start(int in, char *const argv[])
{
	pid_t child = fork(), grandchild;
	int status;

	if (child < 0)
		return -errno;
	if (!child) {
		grandchild = fork();
		if (!grandchild)
			become(in, argv);
		_exit(grandchild < 0);
	}
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return status ? -EAGAIN : 0;
}

int laf_command_start(char *const argv[], int in, pid_t *ret_pid)
{
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (!child)
		become(in, argv);
	*ret_pid = child;
	return 0;
}

int laf_command_run(const char *program, const char *argument)
{
	char *argv[] = { (char *)program, (char *)argument, NULL };
	int null, r;

	if (access(program, X_OK))
		return -errno;
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null < 0)
		return -errno;
	r = start(null, argv);
	close(null);
	return r;
}

int laf_command_mail(const char *program, const char *account, const char *subject, const char *text)
{
	char sender[300], mail[1024];
	char *argv[] = { (char *)program, "-t", sender, NULL };
	int ends[2], n, r;

	if (access(program, X_OK))
		return -errno;
	snprintf(sender, sizeof(sender), "-f%s", account);
	n = snprintf(mail, sizeof(mail), "To: %s\nFrom: root\nSubject: %s\n\n%s\n.\n", account, subject, text);
	if (n >= (int)sizeof(mail))
		return -EMSGSIZE;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	r = start(ends[0], argv);
	/* a pipe has room for it, whether it is read or not */
	if (!r && write(ends[1], mail, n) != n)
		r = -EIO;
	close(ends[0]);
	close(ends[1]);
	return r;
}
