/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that the kernel's audit makes by itself: USER_*, LOGIN, AVC, SECCOMP, … as they come over netlink. */
#ifndef LAF_NETLINK_H
#define LAF_NETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/error.h>

#include "found.h"
#include "load.h"

enum laf_netlink_mode {
	LAF_NETLINK_NO,
	LAF_NETLINK_AUTO,      /* the seat if nobody has it and there are no rules; else multicast; none if neither can be had */
	LAF_NETLINK_SEAT,      /* the one place of the audit daemon */
	LAF_NETLINK_MULTICAST, /* listen beside whoever has the seat */
	LAF_NETLINK_DAEMON,    /* the seat, for rules of ours in the kernel */
};

struct laf_netlink_record {
	uint64_t at_ns;   /* CLOCK_MONOTONIC: not before it was made; exact to a tick */
	uint64_t time_ms; /* that it bears */
	uint32_t serial;
	uint16_t type;    /* AUDIT_… */
	uint16_t len;
	char text[];      /* "audit(SEC.MMM:SERIAL): …", not NUL-terminated */
};

struct laf_netlink {
	enum laf_netlink_mode mode; /* what was got: NO, SEAT or MULTICAST */
	int fd, control_fd;
	const char *folder;   /* where is written down what was found */
	struct laf_found found; /* where it was changed, the rules in the kernel are ours, too */
	struct laf_rules loaded;
	bool loads_all;
	char *queue;
	size_t used, taken;   /* bytes in it; of these, handed out */
	uint32_t drops;       /* the kernel's counter, as it was seen last */
	uint64_t asked_ms;    /* when it was asked for it */
	uint64_t lost;        /* records that the kernel had to drop, and messages that make no sense */
};

#define LAF_NETLINK_CLOSED { .fd = -1, .control_fd = -1 }

/* Put what a dead daemon has left of the kernel's audit in order, then take the records as `mode` says. Where the kernel's audit is off and
 * has no rules, the seat enables it, with those of `rules` that filter records (see load.h). `folder` (/run/laf; it stays
 * the caller's) remembers over a death how it was. Returns 0 or a negative errno with err filled: -EEXIST (another daemon has the seat, or
 * for LAF_NETLINK_DAEMON: there are rules that are not ours), -EPERM, -EPROTONOSUPPORT, … LAF_NETLINK_AUTO does not fail: err->text
 * then says why there are no records. */
int laf_netlink_open(struct laf_netlink *netlink, enum laf_netlink_mode mode, const char *folder,
		     const struct laf_rules *rules, struct laf_error *err);

/* Other rules: for LAF_NETLINK_DAEMON all of them, else those that filter records. Returns 0 or a negative errno with err filled. */
int laf_netlink_set_rules(struct laf_netlink *netlink, const struct laf_rules *rules, struct laf_error *err);

/* For LAF_NETLINK_DAEMON: the kernel's failure, rate_limit and backlog_limit. Returns 0 or a negative errno. */
int laf_netlink_limit(struct laf_netlink *netlink, const struct audit_status *limits);

/* Leave the kernel's audit as it was found. What it had queued can be read until laf_netlink_close(). */
void laf_netlink_leave(struct laf_netlink *netlink);
void laf_netlink_close(struct laf_netlink *netlink);

/* Take what has come. Never waits. */
void laf_netlink_read(struct laf_netlink *netlink);

/* The next record of those with at_ns up to `until_ns`, or NULL; valid until laf_netlink_read(). */
const struct laf_netlink_record *laf_netlink_next(struct laf_netlink *netlink, uint64_t until_ns);

/* What one message holds. Returns 0 for a record of the log, with type, time_ms, serial, len and *ret_text filled; 1 for a message that is
 * none; -EBADMSG for one that makes no sense. */
int laf_netlink_parse(const void *message, size_t bytes, struct laf_netlink_record *ret, const char **ret_text);

#endif
