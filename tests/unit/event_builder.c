// SPDX-License-Identifier: GPL-2.0-or-later
/* Ring messages for tests. */
#include <stdlib.h>
#include <string.h>

#include <linux/audit.h>

#include "event_builder.h"

void builder_start(struct event_builder *b)
{
	memset(&b->wire, 0, sizeof(b->wire));
	b->wire = (struct laf_wire_event){
		.type = LAF_WIRE_EVENT, .seq = 1, .exit_ns = 2000, .entry_ns = 1000, .exit = 3,
		.args = { 0xffffff9c, 0x7ffe1000, 0x80000, 0 }, .arch = AUDIT_ARCH_X86_64, .nr = 257,
		.rule = LAF_RULE_NONE, .key_rule = LAF_RULE_NONE, .pid = 4711, .ppid = 4710,
		.auid = 4294967295u, .ses = 4294967295u, .comm = "make",
	};
	b->used = sizeof(b->wire);
	b->argv = NULL;
	b->argv_len = 0;
}

void builder_section(struct event_builder *b, unsigned kind, unsigned flags,
		     const void *payload, size_t bytes)
{
	struct laf_wire_section head = { .kind = kind, .flags = flags, .bytes = bytes };
	size_t padded = (sizeof(head) + bytes + 7) & ~(size_t)7;

	if (b->used + padded > BUILDER_BYTES)
		abort();
	memset(b->bytes + b->used, 0, padded);
	memcpy(b->bytes + b->used, &head, sizeof(head));
	if (bytes)
		memcpy(b->bytes + b->used + sizeof(head), payload, bytes);
	b->used += padded;
}

size_t builder_components(const char *path, uint8_t *to)
{
	const char *end = path + strlen(path);
	size_t used = 0;

	while (end > path) {
		const char *start = end;

		while (start > path && start[-1] != '/')
			start--;
		if (end > start) {
			to[used++] = end - start;
			memcpy(to + used, start, end - start);
			used += end - start;
		}
		end = start > path ? start - 1 : path;
	}
	return used;
}

void builder_path(struct event_builder *b, unsigned kind, unsigned flags, const char *path)
{
	uint8_t *components = malloc(strlen(path) + 1);

	builder_section(b, kind, flags, components, builder_components(path, components));
	free(components);
}

void builder_name(struct event_builder *b, struct laf_wire_name fields, const void *text, size_t len)
{
	uint8_t *payload = malloc(sizeof(fields) + len);

	fields.text_len = len;
	memcpy(payload, &fields, sizeof(fields));
	if (len)
		memcpy(payload + sizeof(fields), text, len);
	builder_section(b, LAF_SECTION_NAME, 0, payload, sizeof(fields) + len);
	free(payload);
}

void builder_execve(struct event_builder *b, uint32_t argc, const void *list, size_t bytes)
{
	uint8_t *payload = malloc(8 + bytes);

	memset(payload, 0, 8);
	memcpy(payload, &argc, sizeof(argc));
	memcpy(payload + 8, list, bytes);
	builder_section(b, LAF_SECTION_EXECVE, 0, payload, 8 + bytes);
	free(payload);
}

int builder_decode(struct event_builder *b)
{
	int err;

	b->wire.bytes = b->used;
	err = laf_event_decode(b->bytes, b->used, b->argv, b->argv_len, &b->event);
	if (!err) {
		b->event.time_ms = 1700000000123;
		b->event.serial = 4242;
	}
	return err;
}
