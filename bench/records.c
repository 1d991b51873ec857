// SPDX-License-Identifier: GPL-2.0-or-later
/* How fast events become text: ring bytes through decode and format, on one core. Prints a line a case:
 * case, format, nanoseconds a record, records a second, bytes of text a second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <laf/record.h>

#include "../tests/unit/event_builder.h"

#define MESSAGES 64          /* different messages of a case */
#define RUN_NS 300000000ull  /* at least so long a run */
#define RUNS 5               /* the fastest counts: what disturbs only ever slows down */

struct load {
	const char *name;
	void (*build)(struct event_builder *b, unsigned i);
	struct {
		uint64_t *bytes;
		size_t len;
	} messages[MESSAGES];
};

static void add_task(struct event_builder *b, const char *title, size_t title_len)
{
	builder_path(b, LAF_SECTION_EXE, 0, "/usr/lib/gcc/x86_64-linux-gnu/12/cc1");
	builder_section(b, LAF_SECTION_TTY, 0, "pts0", 4);
	builder_section(b, LAF_SECTION_PROCTITLE, 0, title, title_len);
}

static void add_file(struct event_builder *b, const char *text, unsigned nametype)
{
	struct laf_wire_name name = { .ino = 10952707, .dev = 254 << 20, .uid = 0, .gid = 0, .mode = 0100644,
				      .nametype = nametype, .flags = LAF_NAME_INODE };

	builder_name(b, name, text, strlen(text));
}

/* The same task opens one header after the other. */
static void build_open(struct event_builder *b, unsigned i)
{
	static const char title[] = "/usr/lib/gcc/x86_64-linux-gnu/12/cc1\0-quiet\0-imultiarch\0"
				    "x86_64-linux-gnu\0main.c";
	char text[64];

	snprintf(text, sizeof(text), "/usr/include/x86_64-linux-gnu/bits/types%u.h", i);
	add_file(b, text, LAF_NAME_NORMAL);
	builder_path(b, LAF_SECTION_CWD, 0, "/usr/src/project/build");
	add_task(b, title, sizeof(title));
}

/* As many tasks as messages, more than the formatter remembers: nothing is reused. */
static void build_open_new_task(struct event_builder *b, unsigned i)
{
	b->wire.pid = 1000 + 64 * i;
	build_open(b, i);
}

static void build_unlink(struct event_builder *b, unsigned i)
{
	char text[64];

	b->wire.nr = 263;
	snprintf(text, sizeof(text), "objects/part %u.o", i);
	add_file(b, text, LAF_NAME_PARENT);
	add_file(b, text, LAF_NAME_DELETE);
	builder_path(b, LAF_SECTION_CWD, 0, "/usr/src/project/build");
	add_task(b, "rm\0-f\0objects", 13);
}

static void build_connect(struct event_builder *b, unsigned i)
{
	uint8_t address[16] = { 2, 0, 0, 53, 10, 0, 0, i };

	b->wire.nr = 42;
	builder_section(b, LAF_SECTION_SADDR, 0, address, sizeof(address));
	add_task(b, "curl\0https://example.org/", 25);
}

static void build_exec(struct event_builder *b, unsigned i)
{
	static const char list[] = "cc\0-O2\0-g\0-Wall\0-Iinclude\0-DNAME=\"x\"\0-c\0main.c\0-o\0main.o";

	b->wire.nr = 59;
	add_file(b, "/usr/bin/cc", LAF_NAME_NORMAL);
	add_file(b, "/lib64/ld-linux-x86-64.so.2", LAF_NAME_NORMAL);
	builder_path(b, LAF_SECTION_CWD, 0, "/usr/src/project/build");
	builder_execve(b, 10, list, sizeof(list));
	b->wire.pid = 1000 + i;
	add_task(b, list, sizeof(list));
}

static struct load loads[] = {
	{ .name = "open", .build = build_open },
	{ .name = "open, new task", .build = build_open_new_task },
	{ .name = "unlink", .build = build_unlink },
	{ .name = "connect", .build = build_connect },
	{ .name = "execve", .build = build_exec },
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void build(struct load *l)
{
	static struct event_builder b;

	for (unsigned i = 0; i < MESSAGES; i++) {
		builder_start(&b);
		b.wire.auid = 0;
		l->build(&b, i);
		if (builder_decode(&b))
			abort();
		l->messages[i].len = b.wire.bytes;
		l->messages[i].bytes = malloc(b.wire.bytes);
		memcpy(l->messages[i].bytes, b.bytes, b.wire.bytes);
	}
}

struct figures {
	uint64_t ns, records, bytes;
};

static struct figures run(struct load *l, struct laf_formatter *f)
{
	struct figures sum = { 0 };
	uint64_t start = now_ns();
	uint32_t serial = 0;

	while ((sum.ns = now_ns() - start) < RUN_NS) {
		for (unsigned i = 0; i < MESSAGES; i++) {
			struct laf_event e;
			const char *text;
			size_t bytes;
			unsigned records;

			if (laf_event_decode(l->messages[i].bytes, l->messages[i].len, NULL, &e))
				abort();
			e.serial = serial++;
			e.time_ms = 1700000000000 + serial / 100;
			e.key = "watched";
			e.key_len = 7;
			if (laf_format_event(f, &e, &text, &bytes, &records))
				abort();
			sum.records += records;
			sum.bytes += bytes;
		}
	}
	return sum;
}

static void measure(struct load *l, enum laf_format format, const char *name)
{
	struct figures best = { 0 };
	struct laf_formatter *f;
	double ns;

	if (laf_formatter_new(format, NULL, &f))
		abort();
	for (int i = 0; i < RUNS; i++) {
		struct figures now = run(l, f);

		if (!best.ns || (double)now.ns / now.records < (double)best.ns / best.records)
			best = now;
	}
	ns = (double)best.ns / best.records;
	printf("%-16s %-9s %7.1f ns/record %8.2f M records/s %7.0f MB/s\n", l->name, name, ns, 1e3 / ns,
	       best.bytes * 1e3 / best.ns);
	laf_formatter_free(f);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		build(&loads[i]);
		measure(&loads[i], LAF_FORMAT_RAW, "raw");
		measure(&loads[i], LAF_FORMAT_ENRICHED, "enriched");
		measure(&loads[i], LAF_FORMAT_SHORT, "short");
	}
	return 0;
}
