// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: sockets and their addresses. Nothing leaves the machine. */
#include "workload.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_storage addr; /* where the kernel writes to */
static socklen_t len;
static char byte[4] = "abc";
static struct iovec iov = { byte, sizeof(byte) };

static struct sockaddr_in in4(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static struct sockaddr_in6 in6(int port)
{
	return (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons(port),
				      .sin6_addr = IN6ADDR_LOOPBACK_INIT };
}

static struct sockaddr_un un(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	strncpy(a.sun_path, path, sizeof(a.sun_path) - 1);
	return a;
}

static socklen_t *room(socklen_t n)
{
	len = n;
	return &len;
}

/* Listen, connect, accept in both ways, ask for both names. `size`: of the address. */
static void stream(const char *tag, int family, void *a, socklen_t size)
{
	int listener = socket(family, SOCK_STREAM, 0), client = socket(family, SOCK_STREAM, 0), peer;
	int client2 = socket(family, SOCK_STREAM, 0);
	struct sockaddr_storage bound;
	socklen_t n = sizeof(bound);
	char label[16];

#define TAG(what) (snprintf(label, sizeof(label), "%s.%s", tag, what), label)
	STEP(TAG("bind"), OK, bind, listener, a, size);
	STEP(TAG("rebind"), ANY, bind, listener, a, size);
	listen(listener, 5);
	getsockname(listener, (void *)&bound, &n);
	STEP(TAG("connect"), OK, connect, client, &bound, n);
	peer = STEP(TAG("accept"), OK, accept, listener, &addr, room(sizeof(addr)));
	STEP(TAG("connect2"), OK, connect, client2, &bound, n);
	STEP(TAG("accept4"), OK, accept4, listener, &addr, room(sizeof(addr)), SOCK_CLOEXEC);
	STEP(TAG("eisconn"), EISCONN, connect, client, &bound, n);
	STEP(TAG("sockname"), OK, getsockname, client, &addr, room(sizeof(addr)));
	STEP(TAG("peername"), OK, getpeername, client, &addr, room(sizeof(addr)));
	STEP(TAG("peershort"), OK, getpeername, client, &addr, room(2));
	STEP(TAG("peerzero"), OK, getpeername, client, &addr, room(0));
	STEP(TAG("sendto"), OK, sendto, client, byte, 1, 0, NULL, 0);
	STEP(TAG("recvfrom"), OK, recvfrom, peer, byte, 1, 0, &addr, room(sizeof(addr)));
	close(listener);
	close(client);
	close(client2);
	close(peer);
	STEP(TAG("notconn"), ANY, getpeername, client, &addr, room(sizeof(addr)));
}

static void datagram(const char *tag, int family, void *a, socklen_t size)
{
	int one = socket(family, SOCK_DGRAM, 0), two = socket(family, SOCK_DGRAM, 0);
	struct sockaddr_storage bound;
	socklen_t n = sizeof(bound);
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 }, r = m;
	struct mmsghdr mm[2];
	char label[16];

	STEP(TAG("bind"), OK, bind, one, a, size);
	getsockname(one, (void *)&bound, &n);
	STEP(TAG("sendto"), OK, sendto, two, byte, 3, 0, &bound, n);
	STEP(TAG("recvfrom"), OK, recvfrom, one, byte, 3, 0, &addr, room(sizeof(addr)));
	m.msg_name = &bound;
	m.msg_namelen = n;
	r.msg_name = &addr;
	r.msg_namelen = sizeof(addr);
	STEP(TAG("sendmsg"), OK, sendmsg, two, &m, 0);
	STEP(TAG("recvmsg"), OK, recvmsg, one, &r, 0);
	mm[0] = mm[1] = (struct mmsghdr){ .msg_hdr = m };
	STEP(TAG("sendmmsg"), OK, sendmmsg, two, mm, 2, 0);
	mm[0] = mm[1] = (struct mmsghdr){ .msg_hdr = r };
	mm[1].msg_hdr.msg_name = NULL;
	STEP(TAG("recvmmsg"), OK, recvmmsg, one, mm, 2, 0, NULL);
	STEP(TAG("recvempty"), EAGAIN, recvfrom, one, byte, 3, MSG_DONTWAIT, &addr, room(sizeof(addr)));
	STEP(TAG("recvnull"), EAGAIN, recvfrom, one, byte, 3, MSG_DONTWAIT, NULL, NULL);
	STEP(TAG("connect"), OK, connect, two, &bound, n);
	STEP(TAG("sendnull"), OK, sendto, two, byte, 1, 0, NULL, 0);
	m.msg_name = NULL;
	m.msg_namelen = 0;
	STEP(TAG("sendmsgnul"), OK, sendmsg, two, &m, 0);
	STEP(TAG("recvnull2"), OK, recvfrom, one, byte, 3, 0, NULL, NULL);
	close(one);
	close(two);
}

/* As many names as a call of any workload has: each message's address is one. */
static void many_addresses(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "many" };
	int one = socket(AF_UNIX, SOCK_DGRAM, 0), two = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct mmsghdr mm[9];

	for (int i = 0; i < 9; i++)
		mm[i].msg_hdr = (struct msghdr){ .msg_iov = &iov, .msg_iovlen = 1, .msg_name = &a, .msg_namelen = sizeof(a) };
	STEP("many.bind", OK, bind, one, &a, sizeof(a));
	STEP("many.sendmmsg", OK, sendmmsg, two, mm, 9, MSG_DONTWAIT);
	close(one);
	close(two);
}

static void bad(void)
{
	struct sockaddr_in a = in4(9);
	struct sockaddr_in wrong = { .sin_family = 99 };
	char huge[256] = { AF_INET };
	int s = socket(AF_INET, SOCK_STREAM, 0), file = open("/dev/null", O_RDWR);
	struct msghdr m = { .msg_name = &a, .msg_namelen = sizeof(a), .msg_iov = &iov, .msg_iovlen = 1 };

	STEP("connect.ebadf", EBADF, connect, BAD_FD, &a, sizeof(a));
	STEP("connect.notsock", ENOTSOCK, connect, file, &a, sizeof(a));
	STEP("connect.refused", ECONNREFUSED, connect, s, &a, sizeof(a));
	STEP("connect.family", EAFNOSUPPORT, connect, s, &wrong, sizeof(wrong));
	STEP("connect.short", EINVAL, connect, s, &a, 3);
	STEP("connect.one", EINVAL, connect, s, &a, 1);
	STEP("connect.zero", EINVAL, connect, s, &a, 0);
	STEP("connect.neg", EINVAL, connect, s, &a, -1);
	STEP("connect.huge", EINVAL, connect, s, huge, sizeof(huge));
	STEP("connect.max", ANY, connect, s, huge, 128);
	STEP("connect.null", EFAULT, connect, s, NULL, sizeof(a));
	STEP("connect.fault", EFAULT, connect, s, BAD_ADDRESS, sizeof(a));
	STEP("bind.ebadf", EBADF, bind, BAD_FD, &a, sizeof(a));
	STEP("bind.notsock", ENOTSOCK, bind, file, &a, sizeof(a));
	STEP("bind.null", EFAULT, bind, s, NULL, sizeof(a));
	STEP("bind.short", EINVAL, bind, s, &a, 4);
	STEP("sendto.ebadf", EBADF, sendto, BAD_FD, byte, 1, 0, &a, sizeof(a));
	STEP("sendto.null", ANY, sendto, s, byte, 1, MSG_NOSIGNAL, NULL, sizeof(a));
	STEP("sendto.fault", EFAULT, sendto, s, byte, 1, MSG_NOSIGNAL, BAD_ADDRESS, sizeof(a));
	STEP("sendmsg.ebadf", EBADF, sendmsg, BAD_FD, &m, 0);
	STEP("sendmsg.null", EFAULT, sendmsg, s, NULL, 0);
	STEP("sendmsg.notconn", ANY, sendmsg, s, &m, MSG_NOSIGNAL);
	STEP("accept.ebadf", EBADF, accept, BAD_FD, &addr, room(sizeof(addr)));
	STEP("accept.notlis", EINVAL, accept, s, &addr, room(sizeof(addr)));
	STEP("accept4.flags", EINVAL, accept4, s, &addr, room(sizeof(addr)), 0x1);
	STEP("recvfrom.ebadf", EBADF, recvfrom, BAD_FD, byte, 1, 0, &addr, room(sizeof(addr)));
	STEP("recvmsg.ebadf", EBADF, recvmsg, BAD_FD, &m, 0);
	STEP("sockname.ebadf", EBADF, getsockname, BAD_FD, &addr, room(sizeof(addr)));
	STEP("sockname.nosock", ENOTSOCK, getsockname, file, &addr, room(sizeof(addr)));
	STEP("sockname.neglen", EINVAL, getsockname, s, &addr, room(-1));
	STEP("sockname.fault", EFAULT, getsockname, s, NULL, room(sizeof(addr)));
	STEP("peername.notcon", ENOTCONN, getpeername, s, &addr, room(sizeof(addr)));
	close(s);
	close(file);
}

static void accept_without_address(void)
{
	struct sockaddr_in a = in4(0);
	socklen_t n = sizeof(a);
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);

	if (bind(listener, (void *)&a, n) || listen(listener, 1) || getsockname(listener, (void *)&a, &n) ||
	    connect(client, (void *)&a, n))
		failures++;
	STEP("accept.null", OK, accept, listener, NULL, NULL);
	close(listener);
	close(client);
}

static void unix_sockets(void)
{
	struct sockaddr_un path = un("socket"), dgram = un("dgram"), missing = un("missing"), nodir = un("missing/x");
	struct sockaddr_un abstract = { .sun_family = AF_UNIX, .sun_path = "\0laf \"oracle\"" }, full = un("");
	int s = socket(AF_UNIX, SOCK_STREAM, 0), d = socket(AF_UNIX, SOCK_DGRAM, 0), pair[2];
	socklen_t head = offsetof(struct sockaddr_un, sun_path);

	memset(full.sun_path, 'f', sizeof(full.sun_path));
	stream("ux", AF_UNIX, &path, sizeof(path));
	stream("uxabs", AF_UNIX, &abstract, head + 13);
	stream("uxauto", AF_UNIX, &(struct sockaddr_un){ .sun_family = AF_UNIX }, head);
	datagram("uxd", AF_UNIX, &dgram, head + 6);
	STEP("ux.inuse", EADDRINUSE, bind, s, &path, sizeof(path));
	STEP("ux.refused", ECONNREFUSED, connect, s, &path, sizeof(path));
	STEP("ux.missing", ENOENT, connect, s, &missing, sizeof(missing));
	STEP("ux.bindnodir", ENOENT, bind, s, &nodir, sizeof(nodir));
	STEP("ux.sendmiss", ENOENT, sendto, d, byte, 1, 0, &missing, sizeof(missing));
	STEP("ux.full", OK, bind, s, &full, sizeof(full));
	STEP("ux.sockname", OK, getsockname, s, &addr, room(sizeof(addr)));
	STEP("ux.unbound", OK, getsockname, d, &addr, room(sizeof(addr)));
	STEP("ux.unspec", ANY, connect, d, &(struct sockaddr){ .sa_family = AF_UNSPEC }, sizeof(struct sockaddr));
	STEP("socketpair", OK, socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	STEP("socketpair.bad", ANY, socketpair, AF_INET, SOCK_STREAM, 0, &addr);
	STEP("pair.peer", OK, getpeername, pair[0], &addr, room(sizeof(addr)));
	STEP("pair.send", OK, write, pair[0], byte, 1);
	STEP("pair.recv", OK, recvfrom, pair[1], byte, 1, 0, &addr, room(sizeof(addr)));
	close(s);
	close(d);
}

static void netlink(void)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK };
	int s = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	STEP("nl.bind", OK, bind, s, &a, sizeof(a));
	STEP("nl.connect", OK, connect, s, &a, sizeof(a));
	STEP("nl.sockname", OK, getsockname, s, &addr, room(sizeof(addr)));
	STEP("nl.short", EINVAL, bind, s, &a, 4);
	STEP("nl.sendto", OK, sendto, s, &(struct nlmsghdr){ .nlmsg_len = 16 }, 16, 0, &a, sizeof(a));
	close(s);
}

static void denied(void)
{
	struct sockaddr_un path = un("socket"), mine = un("mine");
	struct sockaddr_in low = in4(22);
	int s = socket(AF_UNIX, SOCK_STREAM, 0), in = socket(AF_INET, SOCK_STREAM, 0);

	become_nobody();
	STEP("nobody.connect", EACCES, connect, s, &path, sizeof(path));
	STEP("nobody.bind", EACCES, bind, s, &mine, sizeof(mine));
	STEP("nobody.lowport", ANY, bind, in, &low, sizeof(low));
	close(s);
	close(in);
}

int main(void)
{
	struct sockaddr_in a4 = in4(0);
	struct sockaddr_in6 a6 = in6(0);

	umask(022);
	stream("tcp4", AF_INET, &a4, sizeof(a4));
	datagram("udp4", AF_INET, &a4, sizeof(a4));
	if (socket(AF_INET6, SOCK_DGRAM, 0) >= 0 && !access("/proc/net/if_inet6", F_OK)) {
		stream("tcp6", AF_INET6, &a6, sizeof(a6));
		datagram("udp6", AF_INET6, &a6, sizeof(a6));
	}
	bad();
	accept_without_address();
	unix_sockets();
	netlink();
	in_child(denied);
	many_addresses();
	return failures != 0;
}
