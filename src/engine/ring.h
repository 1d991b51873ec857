/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processors' rings, read in place and merged by time. */
#ifndef LAF_RING_H
#define LAF_RING_H

#include <stdbool.h>
#include <stdint.h>

#include <laf/event.h>

struct laf_ring; /* one processor's */

struct laf_rings {
	struct laf_ring *list;
	unsigned n;
	int epoll_fd;
	uint64_t delivered;
	uint64_t malformed;
	uint64_t untold; /* events that referred to one that is not there: lost */
};

/* `fds`: the ring maps, one a processor; they stay the caller's. `ring_bytes`: the size of each.
 * Returns 0 or a negative errno. */
int laf_rings_open(struct laf_rings *rings, const int *fds, unsigned n, uint32_t ring_bytes);
void laf_rings_close(struct laf_rings *rings);

/* Let laf_rings_wait() wait for them, too. Returns 0 or a negative errno. */
int laf_rings_watch(struct laf_rings *rings, const int *fds);
int laf_rings_wait(struct laf_rings *rings, int timeout_ms);

/* The size of each ring, and how many bytes wait in the fullest. */
void laf_rings_fill(const struct laf_rings *rings, uint64_t *ret_bytes, uint64_t *ret_unread);

/* Hand out, in order, every event that ended before `until_ns` (CLOCK_MONOTONIC). Returns 0 or what fn returned. */
int laf_rings_read(struct laf_rings *rings, uint64_t until_ns,
		   int (*fn)(void *arg, struct laf_event *event), void *arg);

#endif
