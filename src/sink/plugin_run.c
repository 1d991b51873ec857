// SPDX-License-Identifier: GPL-2.0-or-later
/* One plugin: started, fed, started again, ended. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "command.h"
#include "plugin_format.h"
#include "plugin_run.h"

#define SOCKET_BYTES (1 << 20) /* what waits in the kernel for a plugin */

void laf_plugin_say(struct laf_plugins *plugins, const struct laf_plugin *p, int priority, const char *format, ...)
{
	char text[PATH_MAX + 512];
	va_list args;
	int n;

	n = snprintf(text, sizeof(text), "plugin %s: ", p->config.name);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	plugins->say(plugins->say_arg, priority, text);
}

static void drop_first(struct laf_plugin *p)
{
	struct laf_plugin_item *item = p->queue[p->first];

	p->records -= item->records;
	p->first = (p->first + 1) % p->room;
	p->n--;
	p->offset = p->framed = 0;
	if (!--item->users)
		free(item);
}

void laf_plugin_empty(struct laf_plugin *p)
{
	while (p->n)
		drop_first(p);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* "a b" to argv, in place. */
static void split_args(char *text, char **argv)
{
	unsigned n = 1;
	char *word, *rest = text;

	while (n < LAF_PLUGIN_ARGS + 1 && (word = strsep(&rest, " \t")))
		if (*word)
			argv[n++] = word;
	argv[n] = NULL;
}

static int start_program(struct laf_plugin *p)
{
	char args[sizeof(p->config.args)];
	char *argv[LAF_PLUGIN_ARGS + 2] = { p->config.path };
	int ends[2], bytes = SOCKET_BYTES, r;
	struct stat st;

	if (stat(p->config.path, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid || st.st_mode & (S_IWGRP | S_IWOTH) || !(st.st_mode & S_IXUSR))
		return -EPERM;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	snprintf(args, sizeof(args), "%s", p->config.args);
	split_args(args, argv);
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	r = laf_command_start(argv, ends[0], &p->pid);
	close(ends[0]);
	if (r) {
		close(ends[1]);
		return r;
	}
	p->fd = ends[1];
	p->inode = st.st_ino;
	return 0;
}

/* The arguments in any order: a number in octal is the mode, what begins with / the path. */
static int listen_at(struct laf_plugin *p)
{
	char args[sizeof(p->config.args)], *argv[LAF_PLUGIN_ARGS + 2];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	mode_t mode = 0600;
	unsigned i;
	int fd, r;

	snprintf(args, sizeof(args), "%s", p->config.args);
	split_args(args, argv);
	for (i = 1; argv[i]; i++) {
		if (argv[i][0] == '/' && strlen(argv[i]) < sizeof(address.sun_path))
			strcpy(address.sun_path, argv[i]);
		else if (argv[i][0] >= '0' && argv[i][0] <= '7')
			mode = strtoul(argv[i], NULL, 8) & 0777;
	}
	if (!address.sun_path[0])
		return -EINVAL;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	unlink(address.sun_path);
	/* our umask keeps it closed until its mode is set */
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || chmod(address.sun_path, mode) || listen(fd, 5)) {
		r = -errno;
		close(fd);
		return r;
	}
	strcpy(p->socket_path, address.sun_path);
	p->listen_fd = fd;
	return 0;
}

void laf_plugin_start(struct laf_plugins *plugins, struct laf_plugin *p)
{
	int r = p->kind == LAF_PLUGIN_SOCKET ? listen_at(p) : start_program(p);

	if (!r)
		return;
	p->given_up = true;
	laf_plugin_say(plugins, p, LOG_ERR, "starting %s: %s", p->config.path, r == -EPERM ?
	    "it must be a program of root's that nobody else can write" : strerror(-r));
}

/* One that was told to end is waited for between other things. */
static void leave(struct laf_plugins *plugins, struct laf_plugin *p, int number)
{
	kill(p->pid, number);
	if (waitpid(p->pid, NULL, WNOHANG) == 0 && plugins->n_leaving < LAF_PLUGINS_MAX)
		plugins->leaving[plugins->n_leaving++] = p->pid;
	p->pid = 0;
}

void laf_plugins_reap(struct laf_plugins *plugins)
{
	unsigned i, left = 0;

	for (i = 0; i < plugins->n_leaving; i++)
		if (waitpid(plugins->leaving[i], NULL, WNOHANG) == 0)
			plugins->leaving[left++] = plugins->leaving[i];
	plugins->n_leaving = left;
}

void laf_plugins_signal(struct laf_plugins *plugins, int number)
{
	unsigned i;

	for (i = 0; i < plugins->n_leaving; i++)
		kill(plugins->leaving[i], number);
}

void laf_plugin_end(struct laf_plugins *plugins, struct laf_plugin *p, int number)
{
	close_fd(&p->fd);
	close_fd(&p->listen_fd);
	if (p->socket_path[0])
		unlink(p->socket_path);
	if (p->pid)
		leave(plugins, p, number);
	laf_plugin_empty(p);
	free(p->frame);
	free(p->queue);
	free(p);
}

/* It has ended, or its reader has gone. A line of which it got only a part goes whole to its successor. */
static void has_ended(struct laf_plugins *plugins, struct laf_plugin *p)
{
	close_fd(&p->fd);
	p->offset = p->framed = 0;
	if (p->kind == LAF_PLUGIN_SOCKET)
		return;
	laf_plugin_say(plugins, p, LOG_ERR, "%s has ended unexpectedly", p->config.path);
	if (p->pid)
		leave(plugins, p, SIGTERM); /* it has only closed its input */
	if (++p->restarts <= plugins->max_restarts) {
		laf_plugin_start(plugins, p);
		return;
	}
	p->given_up = true;
	laf_plugin_empty(p);
	laf_plugin_say(plugins, p, LOG_ERR, "it is not started again: max_restarts is %u", plugins->max_restarts);
}

/* What is to be written next. Returns its length. */
static size_t next_bytes(struct laf_plugin *p, const char **ret)
{
	const struct laf_plugin_item *item = p->queue[p->first];
	struct laf_plugin_header header;

	if (!p->frame) {
		*ret = item->text + p->offset;
		return item->bytes - p->offset;
	}
	if (!p->framed) {
		memcpy(&header, item->text + p->offset, sizeof(header));
		memset(p->frame, 0, LAF_PLUGIN_FRAME);
		memcpy(p->frame, item->text + p->offset, sizeof(header) + header.bytes);
	}
	*ret = p->frame + p->framed;
	return LAF_PLUGIN_FRAME - p->framed;
}

static void have_written(struct laf_plugin *p, size_t bytes)
{
	const struct laf_plugin_item *item = p->queue[p->first];

	if (!p->frame) {
		p->offset += bytes;
	} else if ((p->framed += bytes) == LAF_PLUGIN_FRAME) {
		p->offset += sizeof(struct laf_plugin_header) + ((struct laf_plugin_header *)p->frame)->bytes;
		p->framed = 0;
	}
	if (p->offset < item->bytes)
		return;
	p->written += item->records;
	drop_first(p);
}

static void write_queue(struct laf_plugins *plugins, struct laf_plugin *p)
{
	while (p->n && p->fd >= 0) {
		const char *bytes;
		size_t n = next_bytes(p, &bytes);
		ssize_t done = send(p->fd, bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && (errno == EAGAIN || errno == ENOBUFS))
			return;
		if (done < 0) {
			has_ended(plugins, p);
			return;
		}
		have_written(p, done);
	}
}

void laf_plugin_feed(struct laf_plugins *plugins, struct laf_plugin *p)
{
	if (p->kind == LAF_PLUGIN_SOCKET && p->fd < 0 && p->listen_fd >= 0)
		p->fd = accept4(p->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (p->kind == LAF_PLUGIN_SOCKET && p->fd < 0)
		laf_plugin_empty(p);
	if (p->pid && waitpid(p->pid, NULL, WNOHANG) == p->pid) {
		p->pid = 0;
		has_ended(plugins, p);
	}
	write_queue(plugins, p);
}
