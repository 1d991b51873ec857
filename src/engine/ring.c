// SPDX-License-Identifier: GPL-2.0-or-later
/* BPF ring buffers, read in place: nothing is copied but argument lists that came in pieces, and what is told of a task. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "ring.h"
#include "told.h"

#define ARGS_MAX (48u << 20) /* bytes of one argument list; the kernel allows three quarters of the stack's limit */

struct laf_ring {
	unsigned long *consumer; /* shared with the kernel: up to where we are done */
	unsigned long *producer; /* shared: up to where it has written */
	const uint8_t *data;
	uint64_t mask;
	uint64_t at;      /* where the next message begins */
	uint64_t done;    /* up to where nothing is needed any longer: no event, and no piece of one */
	uint64_t limit;   /* up to where this round reads */
	char *args;       /* the pieces of the event that comes next */
	size_t args_len, args_room;
	uint64_t args_seq;
	bool args_bad;
	const struct laf_wire_event *head; /* the next event, or NULL */
	size_t head_bytes;
	uint64_t head_end;
	struct laf_told told;
	void *map_consumer, *map_producer;
	size_t map_producer_bytes;
};

static int ring_map(struct laf_ring *ring, int fd, uint32_t bytes)
{
	long page = sysconf(_SC_PAGESIZE);

	ring->map_producer_bytes = page + 2 * (size_t)bytes;
	ring->map_consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring->map_consumer == MAP_FAILED) {
		ring->map_consumer = NULL;
		return -errno;
	}
	ring->map_producer = mmap(NULL, ring->map_producer_bytes, PROT_READ, MAP_SHARED, fd, page);
	if (ring->map_producer == MAP_FAILED) {
		ring->map_producer = NULL;
		return -errno;
	}
	ring->consumer = ring->map_consumer;
	ring->producer = ring->map_producer;
	ring->data = (const uint8_t *)ring->map_producer + page;
	ring->mask = bytes - 1;
	ring->at = ring->done = __atomic_load_n(ring->consumer, __ATOMIC_ACQUIRE);
	return laf_told_open(&ring->told);
}

int *laf_ring_fds_new(unsigned n)
{
	int *fds = malloc(n * sizeof(*fds));

	for (unsigned i = 0; fds && i < n; i++)
		fds[i] = -1;
	return fds;
}

void laf_ring_fds_free(int *fds, unsigned n)
{
	for (unsigned i = 0; fds && i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(fds);
}

int laf_rings_open(struct laf_rings *rings, const int *fds, unsigned n, uint32_t ring_bytes)
{
	unsigned i;
	int r;

	memset(rings, 0, sizeof(*rings));
	rings->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (rings->epoll_fd < 0)
		return -errno;
	rings->list = calloc(n, sizeof(*rings->list));
	if (!rings->list) {
		r = -ENOMEM;
		goto fail;
	}
	rings->n = n;
	for (i = 0; i < n; i++) {
		r = ring_map(&rings->list[i], fds[i], ring_bytes);
		if (r)
			goto fail;
	}
	return 0;
fail:
	laf_rings_close(rings);
	return r;
}

int laf_rings_watch(struct laf_rings *rings, const int *fds)
{
	/* at the producers' wake-ups, not as long as there is anything: who reads all the time slows those that write down */
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };
	unsigned i;

	for (i = 0; i < rings->n; i++)
		if (epoll_ctl(rings->epoll_fd, EPOLL_CTL_ADD, fds[i], &ev))
			return -errno;
	return 0;
}

void laf_rings_close(struct laf_rings *rings)
{
	unsigned i;

	for (i = 0; i < rings->n; i++) {
		struct laf_ring *ring = &rings->list[i];

		if (ring->map_consumer)
			munmap(ring->map_consumer, sysconf(_SC_PAGESIZE));
		if (ring->map_producer)
			munmap(ring->map_producer, ring->map_producer_bytes);
		free(ring->args);
		laf_told_close(&ring->told);
	}
	free(rings->list);
	if (rings->epoll_fd >= 0)
		close(rings->epoll_fd);
	memset(rings, 0, sizeof(*rings));
	rings->epoll_fd = -1;
}

int laf_rings_wait(struct laf_rings *rings, int timeout_ms)
{
	struct epoll_event ev;

	return epoll_wait(rings->epoll_fd, &ev, 1, timeout_ms) < 0 ? -errno : 0;
}

void laf_rings_fill(const struct laf_rings *rings, uint64_t *ret_bytes, uint64_t *ret_unread)
{
	*ret_bytes = rings->n ? rings->list[0].mask + 1 : 0;
	*ret_unread = 0;
	for (unsigned i = 0; i < rings->n; i++) {
		uint64_t unread = __atomic_load_n(rings->list[i].producer, __ATOMIC_ACQUIRE) - rings->list[i].at;

		if (unread > *ret_unread)
			*ret_unread = unread;
	}
}

static int args_append(struct laf_ring *ring, const struct laf_wire_args *piece, size_t bytes)
{
	size_t need;

	if (bytes < sizeof(*piece) || piece->bytes > LAF_WIRE_ARGS_MAX)
		return -EBADMSG;
	if (piece->at == 0) {
		ring->args_len = 0;
		ring->args_seq = piece->seq;
		ring->args_bad = false;
	}
	if (piece->seq != ring->args_seq || piece->at != ring->args_len || piece->flags) {
		ring->args_bad = true;
		return 0;
	}
	need = ring->args_len + piece->bytes;
	if (need > ARGS_MAX)
		return -EBADMSG;
	if (need > ring->args_room) {
		char *grown = realloc(ring->args, need * 2);

		if (!grown)
			return -ENOMEM;
		ring->args = grown;
		ring->args_room = need * 2;
	}
	memcpy(ring->args + ring->args_len, piece->text, piece->bytes);
	ring->args_len = need;
	return 0;
}

/* Look at the message at ring->at. Returns whether there was one to take or skip. */
static bool ring_look(struct laf_rings *rings, struct laf_ring *ring)
{
	const uint8_t *head = ring->data + (ring->at & ring->mask);
	uint32_t len = __atomic_load_n((const uint32_t *)head, __ATOMIC_ACQUIRE);
	const uint8_t *message = head + BPF_RINGBUF_HDR_SZ;
	uint64_t end;
	uint16_t type;

	if (len & BPF_RINGBUF_BUSY_BIT)
		return false;
	end = ring->at + (((len & ~BPF_RINGBUF_DISCARD_BIT) + BPF_RINGBUF_HDR_SZ + 7) & ~7ull);
	type = len >= sizeof(type) ? *(const uint16_t *)message : 0;
	if (!(len & BPF_RINGBUF_DISCARD_BIT)) {
		if (type == LAF_WIRE_EVENT && len >= sizeof(struct laf_wire_event)) {
			ring->head = (const struct laf_wire_event *)message;
			ring->head_bytes = len;
			ring->head_end = end;
			return true;
		}
		if (type != LAF_WIRE_ARGS || args_append(ring, (const void *)message, len))
			rings->malformed++;
	}
	if (ring->done == ring->at && (len & BPF_RINGBUF_DISCARD_BIT || type != LAF_WIRE_ARGS))
		ring->done = end;
	ring->at = end;
	return true;
}

/* Make ring->head the next event, if there is one in this round. */
static void ring_advance(struct laf_rings *rings, struct laf_ring *ring)
{
	ring->head = NULL;
	while (!ring->head && ring->at < ring->limit && ring_look(rings, ring))
		;
}

static struct laf_ring *oldest(struct laf_rings *rings)
{
	struct laf_ring *best = NULL;
	unsigned i;

	for (i = 0; i < rings->n; i++) {
		struct laf_ring *ring = &rings->list[i];

		if (ring->head && (!best || ring->head->exit_ns < best->head->exit_ns))
			best = ring;
	}
	return best;
}

/* Find what belongs to the next event. Returns whether all of it is there. */
static bool find_apart(struct laf_ring *ring, struct laf_event_apart *ret)
{
	const struct laf_wire_event *e = ring->head;

	*ret = (struct laf_event_apart){ 0 };
	if (e->flags & LAF_EV_ARGS_APART && ring->args_seq == e->seq && !ring->args_bad) {
		ret->argv = ring->args;
		ret->argv_len = ring->args_len;
	}
	if (laf_event_refers(e)) {
		ret->task = laf_told_find(&ring->told, e);
		return ret->task;
	}
	if (e->told)
		laf_told_keep(&ring->told, e, ring->head_bytes);
	return true;
}

static int deliver(struct laf_rings *rings, struct laf_ring *ring,
		   int (*fn)(void *arg, struct laf_event *event), void *arg)
{
	struct laf_event_apart apart;
	struct laf_event event;
	int r = 0;

	if (!find_apart(ring, &apart)) {
		rings->untold++;
	} else if (laf_event_decode(ring->head, ring->head_bytes, &apart, &event)) {
		rings->malformed++;
	} else {
		rings->delivered++;
		event.ring = ring - rings->list;
		event.ring_end = ring->head_end;
		r = fn(arg, &event);
	}
	ring->at = ring->done = ring->head_end;
	return r;
}

int laf_rings_read(struct laf_rings *rings, uint64_t until_ns,
		   int (*fn)(void *arg, struct laf_event *event), void *arg)
{
	struct laf_ring *ring;
	unsigned i;
	int r = 0;

	laf_rings_wait(rings, 0); /* what woke us so far is heeded now */
	for (i = 0; i < rings->n; i++) {
		ring = &rings->list[i];
		ring->limit = __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE);
		ring_advance(rings, ring);
	}
	while (!r && (ring = oldest(rings)) && ring->head->exit_ns <= until_ns) {
		r = deliver(rings, ring, fn, arg);
		ring_advance(rings, ring);
	}
	return r;
}

/* The room of what was told is given back, but it must be there when the next daemon reads on. */
static void save_told(struct laf_ring *ring, uint64_t end)
{
	uint64_t at = *ring->consumer;

	while (at < end) {
		const uint8_t *head = ring->data + (at & ring->mask);
		uint32_t len = *(const uint32_t *)head;
		const struct laf_wire_event *e = (const void *)(head + BPF_RINGBUF_HDR_SZ);

		if (!(len & BPF_RINGBUF_DISCARD_BIT) && len >= sizeof(*e) && e->type == LAF_WIRE_EVENT && e->told &&
		    !laf_event_refers(e))
			laf_told_save(&ring->told, e, len);
		at += ((len & ~BPF_RINGBUF_DISCARD_BIT) + BPF_RINGBUF_HDR_SZ + 7) & ~7ull;
	}
}

static void give_back(struct laf_ring *ring, uint64_t end)
{
	if (end <= *ring->consumer)
		return;
	if (ring->told.saved)
		save_told(ring, end);
	__atomic_store_n(ring->consumer, end, __ATOMIC_RELEASE);
}

int laf_rings_keep(struct laf_rings *rings, const char *folder, bool go_on, const uint64_t *ends)
{
	char path[PATH_MAX];
	unsigned i;
	int r = 0;

	for (i = 0; !r && i < rings->n; i++) {
		struct laf_ring *ring = &rings->list[i];

		snprintf(path, sizeof(path), "%s/told-%u", folder, i);
		r = laf_told_open_file(&ring->told, path, go_on);
		if (r || !go_on)
			continue;
		if (ends)
			give_back(ring, ends[i]);
		laf_told_load(&ring->told);
		ring->at = ring->done = *ring->consumer;
	}
	return r;
}

void laf_rings_release(struct laf_rings *rings, const uint64_t *ends)
{
	unsigned i;

	for (i = 0; i < rings->n; i++) {
		struct laf_ring *ring = &rings->list[i];

		give_back(ring, ends ? ends[i] : ring->done);
	}
}
