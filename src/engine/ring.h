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

/* Descriptors of `n` rings, all -1 as yet; NULL: out of memory. free closes those that are not -1; NULL is fine. */
int *laf_ring_fds_new(unsigned n);
void laf_ring_fds_free(int *fds, unsigned n);

/* `fds`: the ring maps, one a processor; they stay the caller's. `ring_bytes`: the size of each.
 * Returns 0 or a negative errno. */
int laf_rings_open(struct laf_rings *rings, const int *fds, unsigned n, uint32_t ring_bytes);
void laf_rings_close(struct laf_rings *rings);

/* Let laf_rings_wait() wait for them, too. Returns 0 or a negative errno. */
int laf_rings_watch(struct laf_rings *rings, const int *fds);
int laf_rings_wait(struct laf_rings *rings, int timeout_ms);

/* The size of each ring, and how many bytes wait in the fullest. */
void laf_rings_fill(const struct laf_rings *rings, uint64_t *ret_bytes, uint64_t *ret_unread);

/* Hand out, in order, every event that ended before `until_ns` (CLOCK_MONOTONIC). Returns 0 or what fn returned. The room that they
 * take in the rings is kept until laf_rings_release(). */
int laf_rings_read(struct laf_rings *rings, uint64_t until_ns,
		   int (*fn)(void *arg, struct laf_event *event), void *arg);

/* Give back the room of each ring up to this end of an event; NULL: of everything that was handed out. */
void laf_rings_release(struct laf_rings *rings, const uint64_t *ends);

/* Before the first event is read: keep in files of `folder` what the next daemon needs to read on; with `go_on`, begin with what the
 * one before us kept there, and, where `ends` is not NULL, behind these ends. Returns 0 or a negative errno. */
int laf_rings_keep(struct laf_rings *rings, const char *folder, bool go_on, const uint64_t *ends);

#endif
