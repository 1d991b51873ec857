/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formats share: the output buffer, the beginning of each line, and what is kept between events. */
#ifndef LAF_RECORD_FORMATTER_H
#define LAF_RECORD_FORMATTER_H

#include <laf/record.h>

#include "calls.h"
#include "ids.h"
#include "put.h"
#include "task.h"

/* The enriched part of a line follows this byte. */
#define ENRICHED_SEPARATOR '\x1d'

#define STAMP_MAX 64 /* "msg=audit(SEC.MMM:SERIAL): " */

struct laf_formatter {
	enum laf_format format;
	char *node; /* "node=X ", or "" */
	size_t node_len;

	char *text; /* the lines of this event */
	size_t size, used;
	unsigned records;

	char stamp[STAMP_MAX];
	size_t stamp_len;
	struct id_names ids;
	struct task_cache tasks;
	struct {
		int64_t minute; /* since 1970: the one that the offset was asked for */
		long offset_s;
	} zone;
};

/* Nothing is in the output buffer any more. */
void laf_formatter_start(struct laf_formatter *f);

/* Make sure of `bytes` more bytes: returns where they start, or NULL with *err set. */
char *laf_text_grow(struct laf_formatter *f, size_t bytes, int *err);

static inline char *text_reserve(struct laf_formatter *f, size_t bytes, int *err)
{
	if (__builtin_expect(f->size - f->used >= bytes, 1))
		return f->text + f->used;
	return laf_text_grow(f, bytes, err);
}

static inline void text_commit(struct laf_formatter *f, const char *end)
{
	f->used = end - f->text;
}

/* Begin a line "[node=X ]type=T msg=audit(…): " with room for `bytes` bytes of body and its end.
 * `type` is "type=T ". Returns where the body starts, or NULL with *err set. */
char *laf_record_begin(struct laf_formatter *f, const char *type, size_t type_len, size_t bytes, int *err);

#define record_begin(f, type, bytes, err) \
	laf_record_begin(f, "type=" type " ", sizeof("type=" type " ") - 1, bytes, err)

static inline void record_end(struct laf_formatter *f, char *at)
{
	*at++ = '\n';
	text_commit(f, at);
	f->records++;
}

/* The formats, each 0 or a negative errno. */
int laf_format_standard(struct laf_formatter *f, const struct laf_event *e);
int laf_format_short(struct laf_formatter *f, const struct laf_event *e);

/* The records. */
int laf_record_syscall(struct laf_formatter *f, const struct laf_event *e);
int laf_record_execve(struct laf_formatter *f, const struct laf_event *e);
int laf_record_special(struct laf_formatter *f, const struct laf_wire_special *special);
int laf_record_sockaddr(struct laf_formatter *f, const struct laf_event *e);
int laf_record_cwd(struct laf_formatter *f, const struct laf_event *e);
int laf_record_name(struct laf_formatter *f, const struct laf_event *e, unsigned item);
int laf_record_proctitle(struct laf_formatter *f, const struct laf_event *e);

#define ID_FIELD_MAX (16 + ID_TEXT_MAX)
#define CALL_NAMES_MAX (32 + 2 * CALL_NAME_MAX)

/* " LABEL=name" of an id. */
#define put_id_field(at, f, label, kind, id, now_ms) \
	laf_put_id_name(put_literal(at, label), &(f)->ids, kind, id, now_ms)

/* Text of a path, as an untrusted string; `at` has room for laf_put_path_max(). */
size_t laf_put_path_max(const struct laf_path *path);
char *laf_put_path(char *at, const struct laf_path *path);

#endif
