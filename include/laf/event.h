/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An audited call as user space sees it: pointers into the ring message, nothing copied. */
#ifndef LAF_EVENT_H
#define LAF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../src/bpf/wire.h"

#define LAF_EVENT_NAMES_MAX 8
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

/* Valid as long as the buffers it points into. */
struct laf_event {
	const struct laf_wire_event *wire;
	uint64_t time_ms;  /* wall clock at the call's start, milliseconds since 1970 */
	uint32_t serial;   /* unique within a log */
	const char *key;   /* the rule's key, several joined by \001; NULL = none */
	uint32_t key_len;
	const char *task_key; uint32_t task_key_len;   /* of the task rule that has all of this task recorded; NULL = none */
	const struct laf_wire_who *who; /* NULL = not told */
	uint64_t excluded[2]; /* records that exclude rules leave out: bit TYPE - LAF_EXCLUDED_FIRST */
	unsigned n_specials;
	const struct laf_wire_special *specials[LAF_EVENT_SPECIALS_MAX]; /* the call's own records, in order */
	unsigned n_names;
	struct laf_name names[LAF_EVENT_NAMES_MAX];
	struct laf_path cwd, exe, opened;
	const char *tty;       uint32_t tty_len;       /* NULL = none */
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

/* Point *ret_event into a ring message of `bytes` bytes. `argv`/`argv_len` carry the argument list
 * that came in LAF_WIRE_ARGS messages, or NULL. Fields that the kernel side does not know (time_ms, serial, key,
 * excluded) are zeroed. Returns 0, or -EBADMSG for a message that does not hold together. */
int laf_event_decode(const void *message, size_t bytes, const char *argv, size_t argv_len,
		     struct laf_event *ret_event);

/* Join components into "/a/b". Writes at most `size` bytes (no NUL) and returns the length
 * the whole path has. */
size_t laf_path_join(const struct laf_path *path, char *buf, size_t size);

#endif
