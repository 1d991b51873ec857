/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ring messages for tests: begun with sensible fields, sections put behind, decoded at the end. */
#ifndef LAF_EVENT_BUILDER_H
#define LAF_EVENT_BUILDER_H

#include <laf/event.h>

#define BUILDER_BYTES (256u << 10)

struct event_builder {
	union {
		struct laf_wire_event wire;
		uint64_t words[BUILDER_BYTES / 8];
		uint8_t bytes[BUILDER_BYTES];
	};
	size_t used; /* without the part on the task; wire.bytes is the whole, once decoded */
	uint8_t task[BUILDER_BYTES]; /* the part on the task, put at the end by builder_decode() */
	size_t task_used;
	const char *argv; /* a list that came apart, for builder_decode() */
	size_t argv_len;
	struct laf_event event;
};

/* A successful openat of x86-64 by root, pid 4711, comm "make", without any section. */
void builder_start(struct event_builder *b);

/* A section with this payload, in the event's own part or in that on the task; the whole is padded to 8 bytes. */
void builder_section(struct event_builder *b, unsigned kind, unsigned flags,
		     const void *payload, size_t bytes);

/* The same, always in its own part. */
void builder_own_section(struct event_builder *b, unsigned kind, unsigned flags, const void *payload, size_t bytes);

/* A section of components: "/usr/bin/make" becomes make, bin, usr. */
void builder_path(struct event_builder *b, unsigned kind, unsigned flags, const char *path);

/* Components of a path into `to`, which has room for as many bytes as the path; returns how many. */
size_t builder_components(const char *path, uint8_t *to);

/* A name; of `fields` all but text_len is taken. */
void builder_name(struct event_builder *b, struct laf_wire_name fields, const void *text, size_t len);

void builder_execve(struct event_builder *b, uint32_t argc, const void *list, size_t bytes);

/* Decode what was built into b->event; returns what laf_event_decode() does. Time and serial are set. */
int builder_decode(struct event_builder *b);

#endif
