// SPDX-License-Identifier: GPL-2.0-or-later
/* The server: a root-only socket, whose clients never keep it waiting. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../clock.h"
#include "control.h"
#include "wire.h"

#define READ_AT_ONCE (1u << 20) /* from one client, before the others and the events get their turn */

struct client {
	int fd; /* -1 = free */
	pid_t pid;
	uint64_t seen_ms;
	struct laf_control_head head;
	char *body;       /* of the request, while it comes in */
	size_t room;
	size_t done;      /* bytes that came in, or went out */
	bool answers;     /* the request is complete */
	struct laf_control_reply reply;
};

struct laf_control {
	int fd;
	int epoll_fd;
	struct sockaddr_un address;
	struct client clients[LAF_CONTROL_CLIENTS_MAX];
};

static int open_socket(struct laf_control *control)
{
	control->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->fd < 0)
		return -errno;
	unlink(control->address.sun_path);
	/* the mode of the descriptor becomes that of the name: there is no moment in which others could connect */
	if (fchmod(control->fd, 0600) ||
	    bind(control->fd, (struct sockaddr *)&control->address, sizeof(control->address)) ||
	    chmod(control->address.sun_path, 0600) || listen(control->fd, LAF_CONTROL_CLIENTS_MAX))
		return -errno;
	return 0;
}

static int watch(struct laf_control *control, int op, int fd, uint32_t events, void *what)
{
	struct epoll_event event = { .events = events, .data.ptr = what };

	return epoll_ctl(control->epoll_fd, op, fd, &event) ? -errno : 0;
}

int laf_control_open(const char *folder, struct laf_control **ret, struct laf_error *err)
{
	struct laf_control *control = calloc(1, sizeof(*control));
	unsigned i;
	int r;

	if (!control)
		return laf_error_set(err, -ENOMEM, "control: out of memory");
	control->fd = control->epoll_fd = -1;
	for (i = 0; i < LAF_CONTROL_CLIENTS_MAX; i++)
		control->clients[i].fd = -1;
	r = laf_control_address(folder, &control->address);
	if (!r)
		r = open_socket(control);
	if (!r) {
		control->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
		r = control->epoll_fd < 0 ? -errno : watch(control, EPOLL_CTL_ADD, control->fd, EPOLLIN, NULL);
	}
	if (r) {
		laf_control_close(control);
		return laf_error_set(err, r, "control: listening in %s: %s", folder, strerror(-r));
	}
	*ret = control;
	return 0;
}

static void drop(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	free(client->body);
	laf_control_reply_clear(&client->reply);
	*client = (struct client){ .fd = -1 };
}

void laf_control_close(struct laf_control *control)
{
	unsigned i;

	if (!control)
		return;
	for (i = 0; i < LAF_CONTROL_CLIENTS_MAX; i++)
		drop(&control->clients[i]);
	if (control->fd >= 0) {
		unlink(control->address.sun_path);
		close(control->fd);
	}
	if (control->epoll_fd >= 0)
		close(control->epoll_fd);
	free(control);
}

int laf_control_fd(const struct laf_control *control)
{
	return control->epoll_fd;
}

static struct client *free_client(struct laf_control *control)
{
	unsigned i;

	for (i = 0; i < LAF_CONTROL_CLIENTS_MAX; i++)
		if (control->clients[i].fd < 0)
			return &control->clients[i];
	return NULL;
}

/* Root alone, whatever became of the socket's mode. */
static bool may_ask(int fd, pid_t *ret_pid)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) || who.uid != geteuid())
		return false;
	*ret_pid = who.pid;
	return true;
}

static void accept_client(struct laf_control *control)
{
	struct client *client;
	pid_t pid;
	int fd;

	while ((fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		client = free_client(control);
		if (!client || !may_ask(fd, &pid) || watch(control, EPOLL_CTL_ADD, fd, EPOLLIN, client)) {
			close(fd);
			continue;
		}
		client->fd = fd;
		client->pid = pid;
		client->seen_ms = clock_ms(CLOCK_MONOTONIC);
	}
}

/* As much as was sent, and not what is only promised. */
static int make_room(struct client *client)
{
	size_t want = client->room ? client->room * 2 : 65536;
	char *larger;

	if (client->done < client->room)
		return 0;
	if (want > client->head.bytes)
		want = client->head.bytes;
	larger = realloc(client->body, want + 1);
	if (!larger)
		return -ENOMEM;
	client->body = larger;
	client->room = want;
	return 0;
}

/* Returns 1 when all of it is there, 0 when nothing more can be read now, or a negative errno. */
static int receive(struct client *client, void *data, size_t at, size_t bytes)
{
	ssize_t n = recv(client->fd, (char *)data + at, bytes - at, 0);

	if (!n)
		return -EPIPE;
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	client->done += n;
	client->seen_ms = clock_ms(CLOCK_MONOTONIC);
	return at + n == bytes;
}

static bool good_head(const struct laf_control_head *head)
{
	return head->magic == LAF_CONTROL_MAGIC && head->bytes <= LAF_CONTROL_REQUEST_MAX && !head->more;
}

/* `done` counts the head, then starts again for the body. */
static int receive_request(struct client *client)
{
	size_t taken = 0;
	int r = 1;

	if (!client->body) {
		r = receive(client, &client->head, client->done, sizeof(client->head));
		if (r <= 0)
			return r;
		client->done = 0;
		if (!good_head(&client->head))
			return -EBADMSG;
		if (make_room(client))
			return -ENOMEM;
	}
	while (client->done < client->head.bytes && taken < READ_AT_ONCE) {
		size_t before = client->done;

		r = make_room(client);
		if (!r)
			r = receive(client, client->body, client->done, client->room);
		if (r < 0 || client->done == before)
			return r;
		taken += client->done - before;
	}
	if (client->done < client->head.bytes)
		return 0;
	client->body[client->done] = 0;
	return 1;
}

static void answer(struct laf_control *control, struct client *client, laf_control_fn fn, void *arg)
{
	struct laf_control_request request = {
		.what = client->head.what, .bytes = client->head.bytes, .body = client->body,
	};
	struct laf_control_reply *reply = &client->reply;

	fn(arg, client->pid, &request, reply);
	if (!reply->out)
		reply->out_bytes = 0;
	if (!reply->err)
		reply->err_bytes = 0;
	free(client->body);
	client->body = NULL;
	client->head = (struct laf_control_head){
		LAF_CONTROL_MAGIC, reply->status, reply->out_bytes, reply->err_bytes,
	};
	client->done = 0;
	client->answers = true;
	client->seen_ms = clock_ms(CLOCK_MONOTONIC);
	watch(control, EPOLL_CTL_MOD, client->fd, EPOLLOUT, client);
}

/* Head and both texts are one row of bytes. Returns 1 when all is sent, 0 when no more can be sent now, or a negative errno. */
static int send_reply(struct client *client)
{
	const struct { const void *data; size_t bytes; } parts[] = {
		{ &client->head, sizeof(client->head) },
		{ client->reply.out, client->reply.out_bytes },
		{ client->reply.err, client->reply.err_bytes },
	};
	size_t begin = 0, i;

	for (i = 0; i < 3; begin += parts[i++].bytes)
		while (client->done < begin + parts[i].bytes) {
			size_t at = client->done - begin;
			ssize_t n = send(client->fd, (const char *)parts[i].data + at, parts[i].bytes - at, MSG_NOSIGNAL);

			if (n < 0)
				return errno == EAGAIN || errno == EINTR ? 0 : -errno;
			client->done += n;
			client->seen_ms = clock_ms(CLOCK_MONOTONIC);
		}
	return 1;
}

static void serve_client(struct laf_control *control, struct client *client, laf_control_fn fn, void *arg)
{
	int r = 0;

	if (!client->answers) {
		r = receive_request(client);
		if (r > 0)
			answer(control, client, fn, arg);
	}
	if (client->answers)
		r = send_reply(client);
	if (r < 0 || (client->answers && r > 0))
		drop(client);
}

static void drop_idle(struct laf_control *control)
{
	uint64_t now = clock_ms(CLOCK_MONOTONIC);
	unsigned i;

	for (i = 0; i < LAF_CONTROL_CLIENTS_MAX; i++)
		if (control->clients[i].fd >= 0 && now - control->clients[i].seen_ms > LAF_CONTROL_IDLE_MS)
			drop(&control->clients[i]);
}

void laf_control_serve(struct laf_control *control, laf_control_fn fn, void *arg)
{
	struct epoll_event events[LAF_CONTROL_CLIENTS_MAX + 1];
	int i, n = epoll_wait(control->epoll_fd, events, LAF_CONTROL_CLIENTS_MAX + 1, 0);

	for (i = 0; i < n; i++) {
		if (events[i].data.ptr)
			serve_client(control, events[i].data.ptr, fn, arg);
		else
			accept_client(control);
	}
	drop_idle(control);
}
