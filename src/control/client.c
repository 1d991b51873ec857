// SPDX-License-Identifier: GPL-2.0-or-later
/* The client: connect, send one request, read one reply. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../rules/lines.h"
#include "../rules/store.h"
#include "control.h"
#include "wire.h"

#define REPLY_MAX (256u << 20)

const char *laf_run_folder(void)
{
	const char *folder = getenv("LAF_RUN");

	return folder && folder[0] == '/' ? folder : "/run/laf";
}

int laf_control_address(const char *folder, struct sockaddr_un *ret)
{
	ret->sun_family = AF_UNIX;
	return (size_t)snprintf(ret->sun_path, sizeof(ret->sun_path), "%s/control", folder) < sizeof(ret->sun_path) ?
	       0 : -ENAMETOOLONG;
}

void laf_control_reply_clear(struct laf_control_reply *reply)
{
	free(reply->out);
	free(reply->err);
	memset(reply, 0, sizeof(*reply));
}

static int fail(struct laf_error *err, int code, const char *what)
{
	return laf_error_set(err, code, "control: %s: %s", what, strerror(-code));
}

static int connect_to(const char *folder, int *ret, struct laf_error *err)
{
	struct sockaddr_un address;
	int r = laf_control_address(folder ? folder : laf_run_folder(), &address), fd;

	if (r)
		return fail(err, r, "the socket's path");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail(err, -errno, "a socket");
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		*ret = fd;
		return 0;
	}
	r = -errno;
	close(fd);
	if (r == -ENOENT || r == -ECONNREFUSED)
		return laf_error_set(err, r, "control: no daemon is running (%s: %s); 'laf daemon' starts one",
				     address.sun_path, strerror(-r));
	return laf_error_set(err, r, "control: connecting to %s: %s", address.sun_path, strerror(-r));
}

static int send_all(int fd, const void *data, size_t bytes)
{
	const char *at = data;

	while (bytes) {
		ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			at += n;
			bytes -= n;
		}
	}
	return 0;
}

static int receive_all(int fd, void *data, size_t bytes)
{
	char *at = data;

	while (bytes) {
		ssize_t n = recv(fd, at, bytes, 0);

		if (!n)
			return -EPIPE;
		if (n < 0 && errno != EINTR)
			return errno == ECONNRESET ? -EPIPE : -errno;
		if (n > 0) {
			at += n;
			bytes -= n;
		}
	}
	return 0;
}

static int receive_text(int fd, size_t bytes, char **ret)
{
	*ret = calloc(1, bytes + 1);
	return *ret ? receive_all(fd, *ret, bytes) : -ENOMEM;
}

static int receive_reply(int fd, struct laf_control_reply *ret)
{
	struct laf_control_reply reply = { 0 };
	struct laf_control_head head;
	int r = receive_all(fd, &head, sizeof(head));

	if (!r && (head.magic != LAF_CONTROL_MAGIC || head.bytes > REPLY_MAX || head.more > REPLY_MAX))
		r = -EBADMSG;
	if (!r)
		r = receive_text(fd, head.bytes, &reply.out);
	if (!r)
		r = receive_text(fd, head.more, &reply.err);
	if (r) {
		laf_control_reply_clear(&reply);
		return r;
	}
	reply.status = head.what;
	reply.out_bytes = head.bytes;
	reply.err_bytes = head.more;
	*ret = reply;
	return 0;
}

/* The body in two pieces. A daemon that refuses us closes its end, perhaps before all is sent: what it said still counts. */
static int ask(const char *folder, uint32_t what, const char *first, size_t first_bytes, const char *second,
	       size_t second_bytes, struct laf_control_reply *ret, struct laf_error *err)
{
	struct laf_control_head head = { LAF_CONTROL_MAGIC, what, first_bytes + second_bytes, 0 };
	int fd = -1, r, sent;

	if (first_bytes + second_bytes > LAF_CONTROL_REQUEST_MAX)
		return laf_error_set(err, -EMSGSIZE, "control: the request is longer than %u MiB",
				     LAF_CONTROL_REQUEST_MAX >> 20);
	r = connect_to(folder, &fd, err);
	if (r)
		return r;
	sent = send_all(fd, &head, sizeof(head));
	if (!sent)
		sent = send_all(fd, first, first_bytes);
	if (!sent)
		sent = send_all(fd, second, second_bytes);
	r = receive_reply(fd, ret);
	close(fd);
	if (r == -EPIPE)
		return laf_error_set(err, r, "control: the daemon closed the connection: it is ending, has too many clients, "
				     "or we are not root");
	return r ? fail(err, sent ? sent : r, "talking to the daemon") : 0;
}

int laf_control_status(const char *folder, struct laf_control_reply *ret, struct laf_error *err)
{
	return ask(folder, LAF_CONTROL_STATUS, NULL, 0, NULL, 0, ret, err);
}

int laf_control_top(const char *folder, struct laf_control_reply *ret, struct laf_error *err)
{
	return ask(folder, LAF_CONTROL_TOP, NULL, 0, NULL, 0, ret, err);
}

int laf_control_rules(const char *folder, struct laf_rules *ret, struct laf_error *err)
{
	struct laf_control_reply reply;
	int r = ask(folder, LAF_CONTROL_RULES, NULL, 0, NULL, 0, &reply, err);
	FILE *from;

	if (r)
		return r;
	from = fmemopen(reply.out, reply.out_bytes, "r");
	r = from ? laf_rules_restore(ret, from) : -ENOMEM;
	if (from)
		fclose(from);
	laf_control_reply_clear(&reply);
	return r ? fail(err, r, "the daemon's rules") : 0;
}

static char *join_words(int argc, char *const argv[], size_t *ret_bytes)
{
	size_t bytes = 0;
	char *body, *at;
	int i;

	for (i = 0; i < argc; i++)
		bytes += strlen(argv[i]) + 1;
	body = at = malloc(bytes + 1);
	for (i = 0; body && i < argc; i++)
		at = stpcpy(at, argv[i]) + 1;
	*ret_bytes = bytes;
	return body;
}

int laf_control_command(const char *folder, unsigned flags, int argc, char *const argv[],
			struct laf_control_reply *ret, struct laf_error *err)
{
	size_t bytes;
	char *body = join_words(argc, argv, &bytes);
	int r;

	if (!body)
		return fail(err, -ENOMEM, "the request");
	r = ask(folder, LAF_CONTROL_COMMAND | flags, body, bytes, NULL, 0, ret, err);
	free(body);
	return r;
}

static int read_text(FILE *f, char **ret, size_t *ret_bytes)
{
	size_t bytes = 0, room = 0;
	char *text = NULL, *larger;

	do {
		if (room - bytes < 65536) {
			room = room ? room * 2 : 1 << 17;
			larger = realloc(text, room);
			if (!larger || room > 2 * LAF_CONTROL_REQUEST_MAX) {
				free(larger ? larger : text);
				return larger ? -EMSGSIZE : -ENOMEM;
			}
			text = larger;
		}
		bytes += fread(text + bytes, 1, room - bytes, f);
	} while (!feof(f) && !ferror(f));
	if (ferror(f)) {
		free(text);
		return -EIO;
	}
	*ret = text;
	*ret_bytes = bytes;
	return 0;
}

int laf_control_file(const char *folder, unsigned flags, const char *file, struct laf_control_reply *ret,
		     struct laf_error *err)
{
	size_t bytes;
	char *text;
	FILE *f;
	int r = laf_lines_open(file, &f, err);

	if (r)
		return r;
	r = read_text(f, &text, &bytes);
	fclose(f);
	if (r)
		return laf_error_set(err, r, "Error reading %s (%s)", file, strerror(-r));
	r = ask(folder, LAF_CONTROL_FILE | flags, file, strlen(file) + 1, text, bytes, ret, err);
	free(text);
	return r;
}
