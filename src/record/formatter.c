// SPDX-License-Identifier: GPL-2.0-or-later
/* The formatter: made, used, freed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formatter.h"

#define TEXT_START (64u << 10) /* bytes of the output buffer at first */
#define TEXT_KEPT (1u << 20)   /* larger ones are given back after the event that needed them */

static int set_node(struct laf_formatter *f, const char *node)
{
	size_t len = node ? strlen(node) : 0;

	f->node = malloc(len + sizeof("node= "));
	if (!f->node)
		return -ENOMEM;
	if (node) {
		char *at = put_literal(f->node, "node=");

		at = put_bytes(at, node, len);
		*at++ = ' ';
		f->node_len = at - f->node;
	}
	return 0;
}

int laf_formatter_new(enum laf_format format, const char *node, struct laf_formatter **ret)
{
	struct laf_formatter *f = calloc(1, sizeof(*f));
	int err = f ? 0 : -ENOMEM;

	if (!err) {
		f->format = format;
		f->zone.minute = -1;
		f->ids.good_until_ms = UINT64_MAX;
		err = set_node(f, node);
	}
	if (!err)
		err = laf_ids_init(&f->ids, format);
	if (!err)
		err = laf_tasks_init(&f->tasks);
	if (err)
		laf_formatter_free(f);
	else
		*ret = f;
	return err;
}

void laf_formatter_free(struct laf_formatter *f)
{
	if (!f)
		return;
	laf_ids_free(&f->ids);
	laf_tasks_free(&f->tasks);
	free(f->node);
	free(f->text);
	free(f);
}

void laf_formatter_flush(struct laf_formatter *f)
{
	laf_ids_flush(&f->ids);
	laf_tasks_flush(&f->tasks);
}

char *laf_text_grow(struct laf_formatter *f, size_t bytes, int *err)
{
	size_t wanted = f->used + bytes, size = f->size ? f->size : TEXT_START;
	char *text;

	if (bytes > LAF_EVENT_TEXT_MAX || wanted > LAF_EVENT_TEXT_MAX) {
		*err = -EMSGSIZE;
		return NULL;
	}
	while (size < wanted)
		size *= 2;
	text = realloc(f->text, size);
	if (!text) {
		*err = -ENOMEM;
		return NULL;
	}
	f->text = text;
	f->size = size;
	return text + f->used;
}

char *laf_record_begin(struct laf_formatter *f, const char *type, size_t type_len, size_t bytes, int *err)
{
	char *at = text_reserve(f, f->node_len + type_len + f->stamp_len + bytes + 1, err);

	if (!at)
		return NULL;
	at = put_bytes(at, f->node, f->node_len);
	at = put_bytes(at, type, type_len);
	return put_bytes(at, f->stamp, f->stamp_len);
}

static void stamp(struct laf_formatter *f, const struct laf_event *e)
{
	char *at = put_literal(f->stamp, "msg=audit(");

	at = put_u64(at, e->time_ms / 1000);
	*at++ = '.';
	at = put_3_digits(at, e->time_ms % 1000);
	*at++ = ':';
	at = put_u32(at, e->serial);
	at = put_literal(at, "): ");
	f->stamp_len = at - f->stamp;
}

void laf_formatter_start(struct laf_formatter *f)
{
	f->used = 0;
	f->records = 0;
	if (f->size > TEXT_KEPT) {
		free(f->text);
		f->text = NULL;
		f->size = 0;
	}
}

int laf_format_event(struct laf_formatter *f, const struct laf_event *event,
		     const char **ret_text, size_t *ret_bytes, unsigned *ret_records)
{
	int err;

	laf_formatter_start(f);
	if (f->format == LAF_FORMAT_SHORT) {
		err = laf_format_short(f, event);
	} else {
		stamp(f, event);
		err = laf_format_standard(f, event);
	}
	if (err)
		return err;
	*ret_text = f->text;
	*ret_bytes = f->used;
	*ret_records = f->records;
	return 0;
}
