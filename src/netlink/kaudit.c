// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests over netlink. (libaudit's own functions print, and don't say which error it was.) */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <linux/netlink.h>

#include "../clock.h"
#include "kaudit.h"

#define ANSWER_MAX 16384 /* bytes of a message: a rule has 8,192 of text at most */

int laf_kaudit_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_AUDIT);

	return fd < 0 ? -errno : fd;
}

static int send_message(int fd, uint16_t type, uint16_t flags, uint32_t seq, const void *data, uint32_t bytes)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct nlmsghdr head = {
		.nlmsg_len = NLMSG_LENGTH(bytes), .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | flags, .nlmsg_seq = seq,
	};
	struct iovec parts[] = { { &head, sizeof(head) }, { (void *)data, bytes } };
	struct msghdr message = {
		.msg_name = &kernel, .msg_namelen = sizeof(kernel), .msg_iov = parts, .msg_iovlen = bytes ? 2 : 1,
	};

	return sendmsg(fd, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int laf_kaudit_receive(int fd, void *message, unsigned size)
{
	struct sockaddr_nl from;
	socklen_t from_len = sizeof(from);
	ssize_t n = recvfrom(fd, message, size, MSG_DONTWAIT, (struct sockaddr *)&from, &from_len);

	if (n < 0)
		return -errno;
	return from_len == sizeof(from) && !from.nl_pid ? n : 0;
}

/* Wait for the next message. Returns its bytes (0: none of the kernel's) or a negative errno. */
static int wait_message(int fd, void *message, unsigned size, uint64_t until_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t left = until_ms - clock_ms(CLOCK_MONOTONIC);
	int n;

	if (left <= 0 || !poll(&p, 1, left))
		return -ETIMEDOUT;
	n = laf_kaudit_receive(fd, message, size);
	return n == -EAGAIN || n == -EINTR ? 0 : n;
}

struct answer {
	uint16_t type; /* of the messages that are the answer; 0 = the acknowledgement is all */
	bool many;     /* they end with NLMSG_DONE */
	void (*take)(void *arg, const void *data, uint32_t bytes);
	void *arg;
};

/* One message of our request. Returns whether the answer is whole. */
static bool take(const struct nlmsghdr *head, uint32_t bytes, const struct answer *answer, int *ret)
{
	const struct nlmsgerr *error = NLMSG_DATA(head);

	if (head->nlmsg_type == NLMSG_ERROR && bytes >= sizeof(error->error)) {
		*ret = error->error;
		return error->error || !answer->type;
	}
	if (head->nlmsg_type == NLMSG_DONE)
		return answer->many;
	if (answer->type != head->nlmsg_type)
		return false;
	answer->take(answer->arg, NLMSG_DATA(head), bytes);
	return !answer->many;
}

static int ask(int fd, uint16_t type, const void *data, uint32_t bytes, const struct answer *answer)
{
	union {
		struct nlmsghdr head;
		char bytes[ANSWER_MAX];
	} message;
	uint64_t until_ms = clock_ms(CLOCK_MONOTONIC) + LAF_KAUDIT_WAIT_MS;
	uint32_t seq = clock_ns(CLOCK_MONOTONIC); /* another than that of an answer that came too late */
	int r = send_message(fd, type, NLM_F_ACK, seq, data, bytes), n;

	while (!r) {
		n = wait_message(fd, &message, sizeof(message), until_ms);
		if (n < 0)
			return n;
		if (n >= NLMSG_HDRLEN && message.head.nlmsg_seq == seq &&
		    take(&message.head, n - NLMSG_HDRLEN, answer, &r))
			return r;
	}
	return r;
}

static const struct answer acknowledged;

static void take_status(void *arg, const void *data, uint32_t bytes)
{
	memset(arg, 0, sizeof(struct audit_status));
	memcpy(arg, data, bytes < sizeof(struct audit_status) ? bytes : sizeof(struct audit_status));
}

int laf_kaudit_get(int fd, struct audit_status *ret)
{
	struct answer answer = { .type = AUDIT_GET, .take = take_status, .arg = ret };

	return ask(fd, AUDIT_GET, NULL, 0, &answer);
}

int laf_kaudit_request_status(int fd)
{
	return send_message(fd, AUDIT_GET, 0, 0, NULL, 0);
}

int laf_kaudit_set(int fd, uint32_t mask, const struct audit_status *status)
{
	struct audit_status s = *status;

	s.mask = mask;
	return ask(fd, AUDIT_SET, &s, sizeof(s), &acknowledged);
}

static void take_features(void *arg, const void *data, uint32_t bytes)
{
	memset(arg, 0, sizeof(struct audit_features));
	memcpy(arg, data, bytes < sizeof(struct audit_features) ? bytes : sizeof(struct audit_features));
}

int laf_kaudit_get_features(int fd, struct audit_features *ret)
{
	struct answer answer = { .type = AUDIT_GET_FEATURE, .take = take_features, .arg = ret };

	return ask(fd, AUDIT_GET_FEATURE, NULL, 0, &answer);
}

int laf_kaudit_set_features(int fd, const struct audit_features *features)
{
	return ask(fd, AUDIT_SET_FEATURE, features, sizeof(*features), &acknowledged);
}

int laf_kaudit_add_rule(int fd, const struct audit_rule_data *rule)
{
	return ask(fd, AUDIT_ADD_RULE, rule, laf_kaudit_rule_bytes(rule), &acknowledged);
}

int laf_kaudit_delete_rule(int fd, const struct audit_rule_data *rule)
{
	return ask(fd, AUDIT_DEL_RULE, rule, laf_kaudit_rule_bytes(rule), &acknowledged);
}

struct rule_taker {
	laf_kaudit_rule_fn fn;
	void *arg;
};

static void take_rule(void *arg, const void *data, uint32_t bytes)
{
	const struct rule_taker *taker = arg;
	const struct audit_rule_data *rule = data;

	if (bytes >= sizeof(*rule) && bytes - sizeof(*rule) >= rule->buflen)
		taker->fn(taker->arg, rule);
}

int laf_kaudit_list_rules(int fd, laf_kaudit_rule_fn fn, void *arg)
{
	struct rule_taker taker = { fn, arg };
	struct answer answer = { .type = AUDIT_LIST_RULES, .many = true, .take = take_rule, .arg = &taker };

	return ask(fd, AUDIT_LIST_RULES, NULL, 0, &answer);
}
