/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An audited call as user space sees it: pointers into the ring message, nothing copied. */
#ifndef LAF_EVENT_H
#define LAF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../src/bpf/wire.h"

#define LAF_EVENT_NAMES_MAX 16
#define LAF_EVENT_SPECIALS_MAX 2

/* A path as the kernel side sent it: components from the leaf to the root. */
struct laf_path {
	const uint8_t *components; /* NULL = not there */
	uint32_t bytes;
	uint16_t flags; /* LAF_PATH_… */
};

/* One collected name; the text is not NUL-terminated and can hold any byte but NUL. */
struct laf_name {
	const struct laf_wire_name *wire;
	const char *text; /* wire->text_len bytes */
	struct laf_path base; /* the folder a relative text starts from, where it is not the cwd */
};

/* What an event tells of its task, or a former event told. */
struct laf_event_task {
	struct laf_path cwd, exe;
	const char *tty;       uint32_t tty_len;       /* NULL = none */
	const char *proctitle; uint32_t proctitle_len; /* NULL = none */
};

/* Valid as long as the buffers it points into. */
struct laf_event {
	const struct laf_wire_event *wire;
	uint64_t time_ms;  /* wall clock at the call's start, milliseconds since 1970 */
	uint32_t serial;   /* unique within a log */
	uint32_t ring;     /* the ring that it came from, */
	uint64_t ring_end; /* and where its message ends there */
	const char *key;   /* the rule's key, several joined by \001; NULL = none */
	uint32_t key_len;
	const char *task_key; uint32_t task_key_len;   /* of the task rule that has all of this task recorded; NULL = none */
	const struct laf_wire_who *who; /* NULL = not told */
	uint64_t excluded[2]; /* records that exclude rules leave out: bit TYPE - LAF_EXCLUDED_FIRST */
	const struct laf_wire_fcaps *fcaps; /* of one of the names; NULL = not told */
	unsigned n_specials;
	const struct laf_wire_special *specials[LAF_EVENT_SPECIALS_MAX]; /* the call's own records, in order */
	unsigned n_names;
	struct laf_name names[LAF_EVENT_NAMES_MAX];
	struct laf_path cwd, exe, opened;
	const char *tty;       uint32_t tty_len;       /* NULL = none */
	const char *label;     uint32_t label_len;     /* the task's security label; NULL = none */
	const uint8_t *saddr;  uint32_t saddr_len;     /* NULL = none */
	const char *proctitle; uint32_t proctitle_len; /* NULL = none */
	const char *argv;      size_t argv_len;        /* successful exec: the arguments, each ended by NUL; NULL = no exec */
	uint32_t argc;
	const uint64_t *conds; uint32_t n_conds;       /* candidates only: words of the condition set */
};

/* The records of an event have types from here on. */
#define LAF_EXCLUDED_FIRST 1300u
static inline bool laf_event_excludes(const struct laf_event *event, unsigned type)
{
	unsigned bit = type - LAF_EXCLUDED_FIRST;

	return bit < 128 && event->excluded[bit / 64] >> (bit % 64) & 1;
}

/* What belongs to an event, but did not come with it. */
struct laf_event_apart {
	const char *argv; /* the argument list that came in LAF_WIRE_ARGS messages, or NULL */
	size_t argv_len;
	const struct laf_event_task *task; /* what the event that this one refers to told, or NULL */
};

/* Point *ret_event into a ring message of `bytes` bytes, and into what is `apart` (NULL = nothing). Fields that
 * the kernel side does not know (time_ms, serial, key, excluded) are zeroed. Returns 0, or -EBADMSG for a message that does not hold together. */
int laf_event_decode(const void *message, size_t bytes, const struct laf_event_apart *apart, struct laf_event *ret_event);

/* The same for the part on the task alone, its sections. */
int laf_event_decode_task(const void *sections, size_t bytes, struct laf_event_task *ret_task);

/* Does the event refer to another that told of its task? */
static inline bool laf_event_refers(const struct laf_wire_event *wire)
{
	return wire->told && wire->told != wire->seq;
}

/* Join components into "/a/b". Writes at most `size` bytes (no NUL) and returns the length
 * the whole path has. */
size_t laf_path_join(const struct laf_path *path, char *buf, size_t size);

#endif
