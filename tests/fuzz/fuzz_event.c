// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a ring message, through decode and every format, or as several, through the reader of rings. The first byte
 * chooses which, and what stands around it.
 * Build with clang, -fsanitize=fuzzer,address,undefined, the sources of event and record, and libaudit. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/bpf.h>

#include <laf/record.h>

#include "../../src/engine/ring.h"

#define FORMATS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What holds for any event: whole lines, as many as were counted, no byte that is not printable. */
static void check(enum laf_format format, const char *text, size_t bytes, unsigned records)
{
	unsigned lines = 0;

	if (!bytes || text[bytes - 1] != '\n')
		abort();
	for (size_t i = 0; i < bytes; i++) {
		unsigned char c = text[i];

		lines += c == '\n';
		if (format != LAF_FORMAT_ENRICHED && c != '\n' && (c < 0x20 || c > 0x7e))
			abort();
	}
	if (lines != records)
		abort();
}

static void format_all(const struct laf_event *e)
{
	static struct laf_formatter *formatters[FORMATS];

	for (int i = 0; i < FORMATS; i++) {
		const char *text;
		size_t bytes;
		unsigned records;

		if (!formatters[i] && laf_formatter_new(i, i == 1 ? "node" : NULL, &formatters[i]))
			abort();
		if (!laf_format_event(formatters[i], e, &text, &bytes, &records))
			check(i, text, bytes, records);
		if (e->serial % 512 == 0)
			laf_formatter_flush(formatters[i]);
	}
}

static int hear(void *arg, struct laf_event *e)
{
	e->time_ms = 1700000000123;
	format_all(e);
	return 0;
}

#define RING_BYTES 65536u

/* Messages, each behind two bytes of length, in a ring: the consumer's page, the producer's, the data. */
static void read_ring(const uint8_t *data, size_t size)
{
	static uint8_t *memory;
	static int fd;
	struct laf_rings rings;
	long page = sysconf(_SC_PAGESIZE);
	uint64_t producer = 0;
	size_t at = 0;

	if (!memory) {
		fd = memfd_create("ring", MFD_CLOEXEC);
		if (ftruncate(fd, 2 * page + 2 * RING_BYTES))
			abort();
		memory = mmap(NULL, 2 * page + 2 * RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	memset(memory, 0, 2 * page);
	while (at + 2 < size) {
		uint32_t bytes = data[at] | data[at + 1] << 8;

		at += 2;
		if (bytes > size - at)
			bytes = size - at;
		if (producer + BPF_RINGBUF_HDR_SZ + bytes > RING_BYTES)
			break;
		memcpy(memory + 2 * page + producer, &bytes, sizeof(bytes));
		memcpy(memory + 2 * page + producer + BPF_RINGBUF_HDR_SZ, data + at, bytes);
		producer += (BPF_RINGBUF_HDR_SZ + bytes + 7) & ~7ull;
		at += bytes;
	}
	memcpy(memory + page, &producer, sizeof(producer));
	if (laf_rings_open(&rings, &fd, 1, RING_BYTES))
		abort();
	laf_rings_read(&rings, UINT64_MAX, hear, NULL);
	laf_rings_close(&rings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t serial;
	struct laf_event_apart apart = { 0 };
	struct laf_event_task task;
	struct laf_event e;
	char *message, *argv;

	if (size < 1)
		return 0;
	if (data[0] & 8) {
		read_ring(data + 1, size - 1);
		return 0;
	}
	message = malloc(size - 1);
	argv = malloc(size - 1);
	memcpy(message, data + 1, size - 1);
	memcpy(argv, data + 1, size - 1);
	if (data[0] & 1) {
		apart.argv = argv;
		apart.argv_len = size - 1;
	}
	if (data[0] & 4 && !laf_event_decode_task(argv, size - 1, &task))
		apart.task = &task;
	if (!laf_event_decode(message, size - 1, &apart, &e)) {
		e.serial = serial++;
		e.time_ms = serial * 1000003ull;
		if (data[0] & 2) {
			e.key = argv;
			e.key_len = size - 1 > 256 ? 256 : size - 1;
		}
		format_all(&e);
	}
	free(message);
	free(argv);
	return 0;
}
