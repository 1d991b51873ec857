// SPDX-License-Identifier: GPL-2.0-or-later
/* One line an event, for people:
 * 14:03:07.123 root make[4711] openat /usr/include/stdio.h = 3  key=src */
#include <time.h>

#include "formatter.h"
#include "objects.h"
#include "terminal.h"

#define LINE_MAX (256 + ID_TEXT_MAX + CALL_NAME_MAX + TERMINAL_MAX(16)) /* without objects and key */
#define MAX_ERRNO 4095

/* The zone's offset is asked for once a minute of the log. */
static char *put_time(char *at, struct laf_formatter *f, uint64_t time_ms)
{
	time_t now = time_ms / 1000;
	int64_t of_day;

	if (f->zone.minute != now / 60) {
		struct tm tm;

		f->zone.offset_s = localtime_r(&now, &tm) ? tm.tm_gmtoff : 0;
		f->zone.minute = now / 60;
	}
	of_day = (now % 86400 + f->zone.offset_s + 2 * 86400) % 86400;
	at = put_bytes(at, laf_decimal_pairs + 2 * (of_day / 3600), 2);
	*at++ = ':';
	at = put_bytes(at, laf_decimal_pairs + 2 * (of_day / 60 % 60), 2);
	*at++ = ':';
	at = put_bytes(at, laf_decimal_pairs + 2 * (of_day % 60), 2);
	*at++ = '.';
	return put_3_digits(at, time_ms % 1000);
}

static char *put_program(char *at, const struct laf_wire_event *w)
{
	at = laf_put_terminal(at, w->comm, strnlen(w->comm, sizeof(w->comm)));
	*at++ = '[';
	at = put_s32(at, w->pid);
	*at++ = ']';
	return at;
}

static bool returns_address(const char *call)
{
	static const char *const calls[] = { "mmap", "mmap2", "mremap", "brk", "shmat" };

	for (size_t i = 0; call && i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(call, calls[i]))
			return true;
	return false;
}

static char *put_failure(char *at, int error)
{
	const char *name = strerrorname_np(error), *text = strerrordesc_np(error);

	if (!name || !text)
		return at;
	*at++ = ' ';
	at = put_bytes(at, name, strlen(name));
	at = put_literal(at, " (");
	at = put_bytes(at, text, strlen(text));
	*at++ = ')';
	return at;
}

static char *put_result(char *at, const struct laf_wire_event *w)
{
	if (w->flags & LAF_EV_NO_RETURN)
		return at;
	at = put_literal(at, " = ");
	if (w->exit < 0 && w->exit >= -MAX_ERRNO)
		return put_failure(put_s64(at, w->exit), -w->exit);
	if (returns_address(laf_call_name(w->arch, w->nr)))
		return put_hex(put_literal(at, "0x"), w->exit);
	return put_s64(at, w->exit);
}

/* Several keys are joined by a byte 1. */
static char *put_keys(char *at, const char *key, size_t len)
{
	at = put_literal(at, "  key=");
	for (;;) {
		const char *end = memchr(key, 1, len);
		size_t one = end ? (size_t)(end - key) : len;

		at = laf_put_terminal(at, key, one);
		if (!end)
			return at;
		*at++ = ',';
		key += one + 1;
		len -= one + 1;
	}
}

int laf_format_short(struct laf_formatter *f, const struct laf_event *e)
{
	const struct laf_wire_event *w = e->wire;
	bool has_auid = w->auid != ID_UNSET;
	size_t bytes = f->node_len + LINE_MAX + laf_objects_max(e) + 2 * TERMINAL_MAX(e->key_len);
	int err;
	char *at = text_reserve(f, bytes, &err);

	if (!at)
		return err;
	at = put_bytes(at, f->node, f->node_len);
	at = put_time(at, f, e->time_ms);
	*at++ = ' ';
	at = laf_put_id_name(at, &f->ids, ID_USER, has_auid ? w->auid : w->uid, e->time_ms);
	*at++ = ' ';
	at = put_program(at, w);
	*at++ = ' ';
	at = laf_put_call(at, w->arch, w->nr, w->args[0]);
	at = laf_put_objects(at, e);
	at = put_result(at, w);
	if (e->key)
		at = put_keys(at, e->key, e->key_len);
	record_end(f, at);
	return 0;
}
