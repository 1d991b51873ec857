// SPDX-License-Identifier: GPL-2.0-or-later
/* One message of the kernel's audit. */
#include <errno.h>
#include <string.h>

#include <libaudit.h>
#include <linux/netlink.h>

#include "netlink.h"

/* The types that auditd writes: not the answers to requests, and not the end of an event. */
static bool is_record(unsigned type)
{
	if (type == AUDIT_USER || type == AUDIT_LOGIN)
		return true;
	if (type == AUDIT_EOE || type == AUDIT_REPLACE)
		return false;
	return (type >= AUDIT_FIRST_USER_MSG && type <= AUDIT_LAST_USER_MSG) ||
	       (type >= AUDIT_FIRST_EVENT && type <= AUDIT_LAST_USER_MSG2);
}

static bool read_number(const char **at, const char *end, char then, uint64_t *ret)
{
	const char *begin = *at;
	uint64_t n = 0;

	for (; *at < end && **at >= '0' && **at <= '9' && *at - begin < 18; (*at)++)
		n = n * 10 + (**at - '0');
	*ret = n;
	return *at > begin && *at < end && *(*at)++ == then;
}

/* "audit(SEC.MMM:SERIAL): " */
static bool read_stamp(const char *text, size_t len, struct laf_netlink_record *ret)
{
	static const char begin[] = "audit(";
	const char *at = text + sizeof(begin) - 1, *end = text + len;
	uint64_t seconds, ms, serial;

	if (len < sizeof(begin) || memcmp(text, begin, sizeof(begin) - 1) || !read_number(&at, end, '.', &seconds) ||
	    !read_number(&at, end, ':', &ms) || !read_number(&at, end, ')', &serial))
		return false;
	ret->time_ms = seconds * 1000 + ms;
	ret->serial = serial;
	return true;
}

int laf_netlink_parse(const void *message, size_t bytes, struct laf_netlink_record *ret, const char **ret_text)
{
	struct nlmsghdr head;
	const char *text = (const char *)message + NLMSG_HDRLEN;
	size_t len;

	if (bytes < NLMSG_HDRLEN)
		return -EBADMSG;
	memcpy(&head, message, sizeof(head));
	ret->type = head.nlmsg_type;
	if (!is_record(ret->type))
		return 1;
	/* nlmsg_len is of no use: in messages to the seat the kernel leaves the header out of it */
	len = strnlen(text, bytes - NLMSG_HDRLEN);
	if (len > UINT16_MAX || !read_stamp(text, len, ret))
		return -EBADMSG;
	ret->len = len;
	*ret_text = text;
	return 0;
}
