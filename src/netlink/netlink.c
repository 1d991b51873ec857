// SPDX-License-Identifier: GPL-2.0-or-later
/* Taking the kernel's records: by the seat or beside it, into a queue. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/netlink.h>
#include <linux/sock_diag.h>

#include "../clock.h"
#include "kaudit.h"
#include "netlink.h"

#define ROOM_BYTES (16 << 20)    /* of the socket, which holds what comes while we write */
#define QUEUE_BYTES (2u << 20)   /* taken from it at once */
#define MESSAGE_MAX 16384u       /* the kernel's longest records are below 10,000 bytes */
#define STATUS_EVERY_MS 1000     /* the kernel is asked what it lost */
#define LEAVE_TRIES 100          /* times 10 ms: how long its queue may take to run empty */

#define RECORD_HEAD offsetof(struct laf_netlink_record, text)
#define RECORD_BYTES(len) ((RECORD_HEAD + (len) + 7) & ~(size_t)7)

static int open_socket(uint32_t groups)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = groups };
	int room = ROOM_BYTES, fd = laf_kaudit_open(), on = 1, r;

	if (fd < 0)
		return fd;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	/* what finds no room is counted; with ENOBUFS the kernel would drop all until the socket is empty */
	setsockopt(fd, SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, sizeof(on));
	if (!bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	r = -errno;
	close(fd);
	return r;
}

static int set_pid(int fd, pid_t pid)
{
	struct audit_status status = { .pid = pid };

	return laf_kaudit_set(fd, AUDIT_STATUS_PID, &status);
}

/* The kernel refuses it while a living daemon has it, in the same step. */
static int take_seat(struct laf_netlink *netlink, uint32_t drops)
{
	int r, fd = open_socket(0);

	if (fd < 0)
		return fd;
	r = set_pid(fd, getpid());
	if (r) {
		close(fd);
		return r;
	}
	netlink->fd = fd;
	netlink->mode = LAF_NETLINK_SEAT;
	netlink->drops = drops;
	return 0;
}

static int listen_beside(struct laf_netlink *netlink, struct laf_error *err)
{
	netlink->fd = open_socket(1u << (AUDIT_NLGRP_READLOG - 1));
	if (netlink->fd < 0)
		return laf_error_set(err, netlink->fd, "kernel audit: listening to its records: %s",
				     strerror(-netlink->fd));
	netlink->mode = LAF_NETLINK_MULTICAST;
	return 0;
}

static void count_rule(void *arg, const struct audit_rule_data *rule)
{
	++*(unsigned *)arg;
}

/* What is there: status and number of rules, after what a dead daemon left is put in order. */
static int look(struct laf_netlink *netlink, struct audit_status *ret_status, unsigned *ret_rules,
		struct laf_error *err)
{
	int r;

	*ret_rules = 0;
	netlink->control_fd = laf_kaudit_open();
	if (netlink->control_fd < 0)
		return laf_error_set(err, netlink->control_fd, "kernel audit: the kernel has none: %s",
				     strerror(-netlink->control_fd));
	laf_found_restore_left(netlink->control_fd, netlink->folder);
	r = laf_kaudit_get(netlink->control_fd, ret_status);
	if (!r)
		r = laf_kaudit_list_rules(netlink->control_fd, count_rule, ret_rules);
	if (r)
		return laf_error_set(err, r, "kernel audit: asking for its state: %s", strerror(-r));
	return 0;
}

int laf_netlink_set_rules(struct laf_netlink *netlink, const struct laf_rules *rules, struct laf_error *err)
{
	if (!netlink->found.changed)
		return 0;
	return laf_load_rules(netlink->control_fd, &netlink->loaded, rules, netlink->loads_all, err);
}

int laf_netlink_limit(struct laf_netlink *netlink, const struct audit_status *limits)
{
	if (!netlink->loads_all || !netlink->found.changed)
		return 0;
	return laf_found_limit(netlink->control_fd, netlink->folder, &netlink->found, limits);
}

/* The rules first: a task that is made while it is enabled without them would be audited to its end. */
static int enable(struct laf_netlink *netlink, const struct laf_rules *rules, struct laf_error *err)
{
	int r = laf_load_rules(netlink->control_fd, &netlink->loaded, rules, netlink->loads_all, err);

	if (!r)
		r = laf_found_enable(netlink->control_fd, netlink->folder, &netlink->found, err);
	if (r)
		laf_unload_rules(netlink->control_fd, &netlink->loaded);
	return r;
}

/* Somebody's rules may be switched off for a reason: where there are any, all is left as it is. */
static int take(struct laf_netlink *netlink, enum laf_netlink_mode mode, const struct laf_rules *ours,
		struct laf_error *err)
{
	struct audit_status status;
	unsigned rules;
	int r = look(netlink, &status, &rules, err);

	if (r)
		return r;
	netlink->loads_all = mode == LAF_NETLINK_DAEMON;
	if (netlink->loads_all && rules)
		return laf_error_set(err, -EEXIST, "kernel audit: it has %u rules that are not laf's; 'auditctl -D' "
				     "takes them out", rules);
	if (mode == LAF_NETLINK_MULTICAST || (mode == LAF_NETLINK_AUTO && rules))
		return listen_beside(netlink, err);
	r = take_seat(netlink, status.lost);
	if (r == -EEXIST && mode == LAF_NETLINK_AUTO)
		return listen_beside(netlink, err);
	if (r)
		return laf_error_set(err, r, "kernel audit: taking its daemon's seat: %s",
				     r == -EEXIST ? "another daemon has it" : strerror(-r));
	if (rules || (status.enabled && !netlink->loads_all))
		return 0;
	return enable(netlink, ours, err);
}

int laf_netlink_open(struct laf_netlink *netlink, enum laf_netlink_mode mode, const char *folder,
		     const struct laf_rules *rules, struct laf_error *err)
{
	int r;

	*netlink = (struct laf_netlink)LAF_NETLINK_CLOSED;
	netlink->folder = folder;
	if (mode == LAF_NETLINK_NO)
		return 0;
	netlink->queue = malloc(QUEUE_BYTES);
	if (!netlink->queue)
		return laf_error_set(err, -ENOMEM, "kernel audit: out of memory");
	r = take(netlink, mode, rules, err);
	if (!r)
		return 0;
	laf_netlink_leave(netlink);
	laf_netlink_close(netlink);
	return mode == LAF_NETLINK_AUTO ? 0 : r;
}

/* A counter that is smaller than it was has been set to zero. */
static void count_drops(struct laf_netlink *netlink, uint32_t drops)
{
	netlink->lost += drops - (drops < netlink->drops ? 0 : netlink->drops);
	netlink->drops = drops;
}

/* Off already: what is left of its queue is on its way to us. */
static void wait_until_empty(struct laf_netlink *netlink)
{
	struct audit_status now;

	for (unsigned i = 0; i < LEAVE_TRIES && !laf_kaudit_get(netlink->control_fd, &now); i++) {
		count_drops(netlink, now.lost);
		if (!now.backlog)
			break;
		poll(NULL, 0, 10);
	}
}

void laf_netlink_leave(struct laf_netlink *netlink)
{
	bool changed = netlink->found.changed;

	laf_found_restore(netlink->control_fd, netlink->folder, &netlink->found);
	laf_unload_rules(netlink->control_fd, &netlink->loaded);
	if (netlink->mode != LAF_NETLINK_SEAT)
		return;
	if (changed)
		wait_until_empty(netlink);
	set_pid(netlink->control_fd, 0);
	netlink->mode = LAF_NETLINK_NO;
}

void laf_netlink_close(struct laf_netlink *netlink)
{
	if (netlink->fd >= 0)
		close(netlink->fd);
	if (netlink->control_fd >= 0)
		close(netlink->control_fd);
	free(netlink->queue);
	*netlink = (struct laf_netlink)LAF_NETLINK_CLOSED;
}

static void take_status(struct laf_netlink *netlink, const void *data, size_t bytes)
{
	struct audit_status now = { 0 };

	memcpy(&now, data, bytes < sizeof(now) ? bytes : sizeof(now));
	count_drops(netlink, now.lost);
}

/* To the seat the kernel tries again, and counts what it gives up; a listener has a counter of its own. */
static void look_for_loss(struct laf_netlink *netlink)
{
	uint32_t memory[SK_MEMINFO_VARS];
	socklen_t bytes = sizeof(memory);
	uint64_t now_ms = clock_ms(CLOCK_MONOTONIC);

	if (netlink->mode == LAF_NETLINK_MULTICAST) {
		if (!getsockopt(netlink->fd, SOL_SOCKET, SO_MEMINFO, memory, &bytes))
			count_drops(netlink, memory[SK_MEMINFO_DROPS]);
	} else if (now_ms - netlink->asked_ms >= STATUS_EVERY_MS && !laf_kaudit_request_status(netlink->fd)) {
		netlink->asked_ms = now_ms;
	}
}

/* The stamp is of the last tick, and a record can't be made after it came. */
static uint64_t made_at(uint64_t time_ms, uint64_t came_ns)
{
	struct timespec tick;
	int64_t wall_offset = clock_ns(CLOCK_REALTIME) - came_ns;
	uint64_t latest;

	clock_getres(CLOCK_REALTIME_COARSE, &tick);
	latest = time_ms * 1000000 - wall_offset + tick.tv_nsec;
	return latest < came_ns ? latest : came_ns;
}

static void take_message(struct laf_netlink *netlink, const void *message, size_t bytes)
{
	struct laf_netlink_record *record = (void *)(netlink->queue + netlink->used);
	const char *text;
	int r = laf_netlink_parse(message, bytes, record, &text);

	if (r < 0)
		netlink->lost++;
	if (r == 1 && record->type == AUDIT_GET)
		take_status(netlink, (const char *)message + NLMSG_HDRLEN, bytes - NLMSG_HDRLEN);
	if (r)
		return;
	record->at_ns = made_at(record->time_ms, clock_ns(CLOCK_MONOTONIC));
	memcpy(record->text, text, record->len);
	netlink->used += RECORD_BYTES(record->len);
}

void laf_netlink_read(struct laf_netlink *netlink)
{
	char message[MESSAGE_MAX] __attribute__((aligned(8)));
	int n = 0;

	if (netlink->fd < 0)
		return;
	netlink->used -= netlink->taken;
	memmove(netlink->queue, netlink->queue + netlink->taken, netlink->used);
	netlink->taken = 0;
	while (netlink->used + RECORD_BYTES(MESSAGE_MAX) <= QUEUE_BYTES && n != -EAGAIN) {
		n = laf_kaudit_receive(netlink->fd, message, sizeof(message));
		if (n > 0)
			take_message(netlink, message, n);
		else if (n < 0 && n != -EAGAIN && n != -EINTR)
			break;
	}
	look_for_loss(netlink);
}

const struct laf_netlink_record *laf_netlink_next(struct laf_netlink *netlink, uint64_t until_ns)
{
	struct laf_netlink_record *record = (void *)(netlink->queue + netlink->taken);

	if (netlink->taken == netlink->used || record->at_ns > until_ns)
		return NULL;
	netlink->taken += RECORD_BYTES(record->len);
	return record;
}
