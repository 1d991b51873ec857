// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader of the rings, over memory that looks like the kernel's: merging, and what events tell of their tasks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/bpf.h>

#include <cmocka.h>

#include "../../src/engine/ring.h"
#include "event_builder.h"

#define RINGS 2
#define RING_BYTES 65536u

static struct {
	int fds[RINGS];
	uint8_t *at[RINGS]; /* the consumer's page, the producer's, the data */
	struct laf_rings rings;
	char heard[4096];
} t;

static int start(void **state)
{
	long page = sysconf(_SC_PAGESIZE);

	for (int i = 0; i < RINGS; i++) {
		t.fds[i] = memfd_create("ring", MFD_CLOEXEC);
		assert_int_equal(ftruncate(t.fds[i], 2 * page + 2 * RING_BYTES), 0);
		t.at[i] = mmap(NULL, 2 * page + 2 * RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, t.fds[i], 0);
		assert_true(t.at[i] != MAP_FAILED);
	}
	assert_int_equal(laf_rings_open(&t.rings, t.fds, RINGS, RING_BYTES), 0);
	t.heard[0] = 0;
	return 0;
}

static int stop(void **state)
{
	laf_rings_close(&t.rings);
	for (int i = 0; i < RINGS; i++) {
		munmap(t.at[i], 2 * sysconf(_SC_PAGESIZE) + 2 * RING_BYTES);
		close(t.fds[i]);
	}
	return 0;
}

static void put(int ring, const void *message, uint32_t bytes)
{
	long page = sysconf(_SC_PAGESIZE);
	uint64_t *producer = (uint64_t *)(t.at[ring] + page);
	uint8_t *to = t.at[ring] + 2 * page + *producer;

	memcpy(to, &bytes, sizeof(bytes));
	memcpy(to + BPF_RINGBUF_HDR_SZ, message, bytes);
	*producer += (BPF_RINGBUF_HDR_SZ + bytes + 7) & ~7u;
}

/* An event of the task in `slot`; it tells what program that runs, or refers to the event `told`. */
static void event(int ring, uint64_t seq, uint64_t at_ns, uint64_t told, uint32_t slot, const char *exe)
{
	static struct event_builder b;

	builder_start(&b);
	if (exe)
		builder_path(&b, LAF_SECTION_EXE, 0, exe);
	b.wire.seq = seq;
	b.wire.exit_ns = at_ns;
	b.wire.told = told;
	b.wire.slot = slot;
	builder_decode(&b);
	put(ring, b.bytes, b.wire.bytes);
}

static int hear(void *arg, struct laf_event *e)
{
	char path[256];
	size_t len = laf_path_join(&e->exe, path, sizeof(path));

	snprintf(t.heard + strlen(t.heard), sizeof(t.heard) - strlen(t.heard), "%llu%.*s ", (unsigned long long)e->wire->seq,
		 (int)len, path);
	return 0;
}

static void assert_heard(const char *what, uint64_t untold)
{
	assert_int_equal(laf_rings_read(&t.rings, UINT64_MAX, hear, NULL), 0);
	assert_string_equal(t.heard, what);
	assert_int_equal(t.rings.untold, untold);
	assert_int_equal(t.rings.malformed, 0);
}

static void told_once(void **state)
{
	event(0, 1, 10, 1, 5, "/a");
	event(0, 2, 20, 1, 5, NULL);
	event(0, 3, 30, 3, 6, "/b");
	event(0, 4, 40, 1, 5, NULL);
	event(0, 5, 50, 3, 6, NULL);
	assert_heard("1/a 2/a 3/b 4/a 5/b ", 0);
	event(0, 6, 60, 1, 5, NULL); /* a later round */
	event(0, 7, 70, 7, 5, "/c");
	event(0, 8, 80, 7, 5, NULL);
	assert_heard("1/a 2/a 3/b 4/a 5/b 6/a 7/c 8/c ", 0);
}

/* Each ring has its own table: the same numbers mean other events there. */
static void rings_are_apart(void **state)
{
	event(0, 1, 10, 1, 5, "/a");
	event(1, 1, 15, 1, 5, "/b");
	event(0, 2, 20, 1, 5, NULL);
	event(1, 2, 18, 1, 5, NULL);
	assert_heard("1/a 1/b 2/b 2/a ", 0);
}

/* Nothing is ever shown with what another event told. */
static void what_is_not_there_is_counted(void **state)
{
	event(0, 2, 10, 1, 5, NULL);   /* never told */
	event(0, 3, 20, 3, 5, "/a");
	event(0, 4, 30, 4, 5, "/b");   /* takes its place */
	event(0, 5, 40, 3, 5, NULL);
	event(0, 6, 50, 4, 6, NULL);   /* another slot */
	event(0, 7, 60, 4, 5 + LAF_TOLD_SLOTS, NULL); /* out of range, not out of the table */
	event(0, 8, 70, 0, 5, "/c");   /* not to be kept */
	event(0, 9, 80, 8, 5, NULL);
	event(0, 10, 90, 4, 5, NULL);
	assert_heard("3/a 4/b 7/b 8/c 10/b ", 4);
}

/* What is too long for the table, or broken, leaves nothing there. */
static void what_can_not_be_kept(void **state)
{
	char exe[LAF_TOLD_BYTES + 1];

	memset(exe, 'x', sizeof(exe) - 1);
	for (size_t i = 0; i < sizeof(exe); i += 200)
		exe[i] = '/';
	exe[sizeof(exe) - 1] = 0;
	event(0, 1, 10, 1, 5, "/a");
	event(0, 2, 20, 2, 5, exe);
	t.rings.untold = 0;
	event(0, 3, 30, 2, 5, NULL);
	event(0, 4, 40, 1, 5, NULL);
	assert_int_equal(laf_rings_read(&t.rings, UINT64_MAX, hear, NULL), 0);
	assert_int_equal(t.rings.untold, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(told_once, start, stop),
		cmocka_unit_test_setup_teardown(rings_are_apart, start, stop),
		cmocka_unit_test_setup_teardown(what_is_not_there_is_counted, start, stop),
		cmocka_unit_test_setup_teardown(what_can_not_be_kept, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
