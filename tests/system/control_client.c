// SPDX-License-Identifier: GPL-2.0-or-later
/* Clients of the daemon that nobody should be, on its control socket.
 *
 *   control_client nonsense SOCKET COUNT    bytes that are no request, or half of one
 *   control_client slow SOCKET COUNT        so many at once that say little, or ask and don't read; until the daemon lets them go */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAGIC 0x3146414cu
#define FIRST_LET_GO_MS 15000

struct head {
	uint32_t magic, what, bytes, more;
};

static int open_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		perror(path);
		exit(1);
	}
	return fd;
}

static uint32_t random_below(uint32_t n)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 20) % n;
}

static void speak(int fd, unsigned round)
{
	static char bytes[70000];
	struct head head = { MAGIC, random_below(6), random_below(100000), 0 };
	size_t n = random_below(sizeof(bytes));

	for (size_t i = 0; i < n; i++)
		bytes[i] = random_below(256);
	switch (round % 5) {
	case 0: /* no head at all */
		break;
	case 1: /* more than there may be */
		head.bytes = UINT32_MAX - random_below(1000);
		break;
	case 2: /* of another kind */
		head.what = random_below(UINT32_MAX);
		break;
	case 3: /* the head alone, or a part of it */
		n = 0;
		break;
	}
	if (round % 5)
		send(fd, &head, round % 5 == 3 ? random_below(sizeof(head)) : sizeof(head), MSG_NOSIGNAL);
	send(fd, bytes, n < head.bytes ? n : head.bytes, MSG_NOSIGNAL);
}

static int nonsense(const char *path, unsigned count)
{
	char reply[4096];

	for (unsigned i = 0; i < count; i++) {
		int fd = open_socket(path);

		speak(fd, i);
		shutdown(fd, SHUT_WR);
		while (recv(fd, reply, sizeof(reply), 0) > 0)
			;
		close(fd);
	}
	return 0;
}

/* The daemon has let it go when its end is closed. */
static int wait_end(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLRDHUP };

	return poll(&p, 1, FIRST_LET_GO_MS) == 1 ? 0 : 1;
}

static int slow(const char *path, unsigned count)
{
	const struct head list = { MAGIC, 2, 3, 0 }, half = { MAGIC, 3, 1000, 0 };
	char ready[200];
	int fds[64], room = 2304, failed = 0;

	for (unsigned i = 0; i < count && i < 64; i++) {
		fds[i] = open_socket(path);
		setsockopt(fds[i], SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
		if (i % 3 == 0) { /* asks, and does not read */
			send(fds[i], &list, sizeof(list), 0);
			send(fds[i], "-l", 3, 0);
		} else if (i % 3 == 1) { /* begins */
			send(fds[i], &half, sizeof(half), 0);
			send(fds[i], "name", 5, 0);
		} /* says nothing */
	}
	snprintf(ready, sizeof(ready), "%.*s/slow", (int)(strrchr(path, '/') - path), path);
	close(creat(ready, 0600));
	for (unsigned i = 0; i < count && i < 64; i++)
		failed |= wait_end(fds[i]);
	return failed;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	return (strcmp(argv[1], "slow") ? nonsense : slow)(argv[2], atoi(argv[3]));
}
