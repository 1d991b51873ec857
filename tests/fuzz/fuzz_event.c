// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a ring message, through decode and every format. The first byte chooses what stands around it.
 * Build with clang, -fsanitize=fuzzer,address,undefined, the sources of event and record, and libaudit. */
#include <stdlib.h>
#include <string.h>

#include <laf/record.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t serial;
	struct laf_event e;
	char *message, *argv;

	if (size < 1)
		return 0;
	message = malloc(size - 1);
	argv = malloc(size - 1);
	memcpy(message, data + 1, size - 1);
	memcpy(argv, data + 1, size - 1);
	if (!laf_event_decode(message, size - 1, data[0] & 1 ? argv : NULL, data[0] & 1 ? size - 1 : 0, &e)) {
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
