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
	b->task_used = 0;
	b->argv = NULL;
	b->argv_len = 0;
}

static void put_section(uint8_t *to, size_t *used, size_t room, const struct laf_wire_section *head, const void *payload)
{
	size_t padded = (sizeof(*head) + head->bytes + 7) & ~(size_t)7;

	if (*used + padded > room)
		abort();
	memset(to + *used, 0, padded);
	memcpy(to + *used, head, sizeof(*head));
	if (head->bytes)
		memcpy(to + *used + sizeof(*head), payload, head->bytes);
	*used += padded;
}

void builder_own_section(struct event_builder *b, unsigned kind, unsigned flags, const void *payload, size_t bytes)
{
	struct laf_wire_section head = { .kind = kind, .flags = flags, .bytes = bytes };

	put_section(b->bytes, &b->used, BUILDER_BYTES, &head, payload);
}

void builder_section(struct event_builder *b, unsigned kind, unsigned flags, const void *payload, size_t bytes)
{
	struct laf_wire_section head = { .kind = kind, .flags = flags, .bytes = bytes };

	if (kind == LAF_SECTION_EXE || kind == LAF_SECTION_CWD || kind == LAF_SECTION_TTY || kind == LAF_SECTION_PROCTITLE)
		put_section(b->task, &b->task_used, sizeof(b->task), &head, payload);
	else
		builder_own_section(b, kind, flags, payload, bytes);
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
	const struct laf_event_apart apart = { .argv = b->argv, .argv_len = b->argv_len };
	int err;

	if (b->used + b->task_used > BUILDER_BYTES)
		abort();
	b->wire.task_at = b->used;
	memcpy(b->bytes + b->used, b->task, b->task_used);
	b->wire.bytes = b->used + b->task_used;
	err = laf_event_decode(b->bytes, b->wire.bytes, &apart, &b->event);
	if (!err) {
		b->event.time_ms = 1700000000123;
		b->event.serial = 4242;
	}
	return err;
}
