// SPDX-License-Identifier: GPL-2.0-or-later
/* EXECVE: the arguments of a program, cut into records where the kernel cuts them.
 *
 * The kernel (audit_log_execve_info) reads the arguments through a buffer of RECORD_ARGS bytes, and where it
 * cuts follows from how full that buffer and the record are. Here the buffer is a window of the argument
 * list, moved as the kernel would fill it. */
#include <errno.h>

#include "formatter.h"

#define RECORD_ARGS 7500     /* bytes of argument text in a record, and of the kernel's buffer */
#define HEAD_MAX 96          /* bytes that the kernel sets aside for " aN_len=L aN[I]=" */
#define ROOM_MIN (HEAD_MAX + 8) /* with less of a record left, the kernel begins the next */
#define ARG_STRLEN_MAX 131072 /* the kernel's MAX_ARG_STRLEN */

struct reader {
	const char *next, *end; /* what the kernel has not read yet */
	const char *held;       /* what it has read and not written: `held_len` bytes */
	size_t held_len;
	size_t text_left; /* bytes that the rest of `held` needs in the record */
	size_t room;      /* bytes of argument text that the record still takes */
	size_t full_len;  /* bytes of text of the whole argument, for aN_len= */
	bool more;        /* the argument goes on behind `held` */
	bool hex;
	unsigned arg, part;
};

/* Read as much of the argument as the buffer takes. One that does not fit is written in hexadecimal
 * throughout, and its length is told as twice what it has. */
static void read_more(struct reader *r)
{
	size_t space = RECORD_ARGS - r->held_len;
	size_t left = r->end - r->next;
	size_t got = strnlen(r->next, left < space ? left : space);
	bool first = !r->full_len;

	if (!r->held_len)
		r->held = r->next;
	r->more = got == space;
	if (r->more) {
		r->hex = true;
		if (first)
			r->full_len = 2 * strnlen(r->next, left < ARG_STRLEN_MAX ? left : ARG_STRLEN_MAX);
		r->next += got;
	} else {
		if (!r->hex)
			r->hex = needs_hex(r->next, got);
		if (r->full_len < RECORD_ARGS)
			r->full_len = r->hex ? 2 * got : got;
		r->next += got < left ? got + 1 : got;
	}
	r->held_len += got;
	r->text_left = r->hex ? 2 * r->held_len : r->held_len + 2;
}

static char *put_head(char *at, struct reader *r)
{
	bool whole = !r->more && !r->part && r->text_left + HEAD_MAX <= r->room;

	if (!whole && !r->part) {
		at = put_literal(at, " a");
		at = put_u32(at, r->arg);
		at = put_literal(at, "_len=");
		at = put_u64(at, r->full_len);
	}
	at = put_literal(at, " a");
	at = put_u32(at, r->arg);
	if (!whole) {
		*at++ = '[';
		at = put_u32(at, r->part++);
		*at++ = ']';
	}
	*at++ = '=';
	return at;
}

/* Write what the record takes of what is held. */
static char *put_piece(char *at, struct reader *r)
{
	char *start = at;
	size_t len = r->held_len;

	at = put_head(at, r);
	r->room -= at - start;
	if (r->hex) {
		if (r->text_left > r->room)
			len = r->room / 2;
		at = put_hex_bytes(at, r->held, len);
		r->room -= 2 * len;
		r->text_left -= 2 * len;
	} else {
		if (r->text_left > r->room)
			len = r->room - 2;
		at = put_quoted(at, r->held, len);
		r->room -= len + 2;
		r->text_left -= len; /* the quotes are needed again */
	}
	r->held_len -= len;
	r->held += len;
	return at;
}

static bool argument_done(struct reader *r)
{
	if (r->held_len || r->more)
		return false;
	r->arg++;
	r->part = 0;
	r->full_len = 0;
	r->more = true;
	r->hex = false;
	return true;
}

/* A record's text is begun anew, without argc, when little room is left. */
static char *next_record(struct laf_formatter *f, char *at, struct reader *r, int *err)
{
	record_end(f, at);
	r->room = RECORD_ARGS;
	return record_begin(f, "EXECVE", HEAD_MAX + RECORD_ARGS, err);
}

int laf_record_execve(struct laf_formatter *f, const struct laf_event *e)
{
	struct reader r = { .next = e->argv, .end = e->argv + e->argv_len, .more = true };
	int err;
	char *at = record_begin(f, "EXECVE", HEAD_MAX + RECORD_ARGS, &err);

	if (!at)
		return err;
	r.room = RECORD_ARGS;
	at = put_literal(at, "argc=");
	at = put_s32(at, e->argc);
	do {
		if (r.more && !r.part && r.next == r.end)
			break; /* fewer arguments than were counted */
		if (r.more)
			read_more(&r);
		if (r.room < ROOM_MIN)
			at = next_record(f, at, &r, &err);
		if (!at)
			return err;
		at = put_piece(at, &r);
	} while (!argument_done(&r) || r.arg < e->argc);
	record_end(f, at);
	return 0;
}
