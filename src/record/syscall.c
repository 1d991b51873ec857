// SPDX-License-Identifier: GPL-2.0-or-later
/* SYSCALL: what was called, how it ended, and who did it. */
#include "formatter.h"

#define FIELDS_MAX 512 /* bytes of all names and numbers of the record, without tty, comm, exe, key */
#define MAX_ERRNO 4095 /* the kernel's: return values from -4095 to -1 are failures */
#define KEY_NONE "(null)"

static size_t key_max(const struct laf_event *e)
{
	return e->key ? PUT_UNTRUSTED_MAX(e->key_len) : sizeof(KEY_NONE);
}

static char *put_call(char *at, const struct laf_event *e)
{
	const struct laf_wire_event *w = e->wire;

	at = put_literal(at, "arch=");
	at = put_hex(at, w->arch);
	at = put_literal(at, " syscall=");
	at = put_s32(at, w->nr);
	if (w->personality) {
		at = put_literal(at, " per=");
		at = put_hex(at, w->personality);
	}
	if (!(w->flags & LAF_EV_NO_RETURN)) {
		if (w->exit < 0 && w->exit >= -MAX_ERRNO)
			at = put_literal(at, " success=no exit=");
		else
			at = put_literal(at, " success=yes exit=");
		at = put_s64(at, w->exit);
	}
	at = put_literal(at, " a0=");
	at = put_hex(at, w->args[0]);
	at = put_literal(at, " a1=");
	at = put_hex(at, w->args[1]);
	at = put_literal(at, " a2=");
	at = put_hex(at, w->args[2]);
	at = put_literal(at, " a3=");
	at = put_hex(at, w->args[3]);
	at = put_literal(at, " items=");
	return put_u32(at, e->n_names);
}

/* The kernel writes a terminal's name as it is; one that would break the line is none of the kernel's. */
static char *put_tty(char *at, const struct laf_event *e)
{
	if (!e->tty || needs_hex(e->tty, e->tty_len))
		return put_literal(at, "(none)");
	return put_bytes(at, e->tty, e->tty_len);
}

static char *put_ids(char *at, const struct laf_wire_event *w)
{
	at = put_literal(at, " ppid=");
	at = put_s32(at, w->ppid);
	at = put_literal(at, " pid=");
	at = put_s32(at, w->pid);
	at = put_literal(at, " auid=");
	at = put_u32(at, w->auid);
	at = put_literal(at, " uid=");
	at = put_u32(at, w->uid);
	at = put_literal(at, " gid=");
	at = put_u32(at, w->gid);
	at = put_literal(at, " euid=");
	at = put_u32(at, w->euid);
	at = put_literal(at, " suid=");
	at = put_u32(at, w->suid);
	at = put_literal(at, " fsuid=");
	at = put_u32(at, w->fsuid);
	at = put_literal(at, " egid=");
	at = put_u32(at, w->egid);
	at = put_literal(at, " sgid=");
	at = put_u32(at, w->sgid);
	at = put_literal(at, " fsgid=");
	return put_u32(at, w->fsgid);
}

static char *put_task(char *at, const struct laf_event *e)
{
	const struct laf_wire_event *w = e->wire;

	at = put_ids(at, w);
	at = put_literal(at, " tty=");
	at = put_tty(at, e);
	at = put_literal(at, " ses=");
	at = put_u32(at, w->ses);
	at = put_literal(at, " comm=");
	at = put_untrusted(at, w->comm, strnlen(w->comm, sizeof(w->comm)));
	at = put_literal(at, " exe=");
	return laf_put_path(at, &e->exe);
}

/* The names of the ids, in the order that put_ids() has them in. */
static char *put_id_names(char *at, struct laf_formatter *f, const struct laf_event *e)
{
	const struct laf_wire_event *w = e->wire;

	f->ids.good_until_ms = UINT64_MAX;
	at = put_id_field(at, f, " AUID=", ID_USER, w->auid, e->time_ms);
	at = put_id_field(at, f, " UID=", ID_USER, w->uid, e->time_ms);
	at = put_id_field(at, f, " GID=", ID_GROUP, w->gid, e->time_ms);
	at = put_id_field(at, f, " EUID=", ID_USER, w->euid, e->time_ms);
	at = put_id_field(at, f, " SUID=", ID_USER, w->suid, e->time_ms);
	at = put_id_field(at, f, " FSUID=", ID_USER, w->fsuid, e->time_ms);
	at = put_id_field(at, f, " EGID=", ID_GROUP, w->egid, e->time_ms);
	at = put_id_field(at, f, " SGID=", ID_GROUP, w->sgid, e->time_ms);
	return put_id_field(at, f, " FSGID=", ID_GROUP, w->fsgid, e->time_ms);
}

/* As it is, but that it can't begin another record (auditd makes blanks of newlines), nor what ENRICHED adds, nor do anything to a terminal. */
static char *put_label(char *at, const struct laf_event *e)
{
	at = put_literal(at, " subj=");
	for (uint32_t i = 0; i < e->label_len; i++) {
		unsigned char c = e->label[i];

		*at++ = c == '\n' ? ' ' : c >= 0x20 && c <= 0x7e ? c : '?';
	}
	return at;
}

static char *put_key(char *at, const struct laf_event *e)
{
	at = put_literal(at, " key=");
	return e->key ? put_untrusted(at, e->key, e->key_len) : put_literal(at, KEY_NONE);
}

static char *put_call_names(char *at, const struct laf_wire_event *w)
{
	*at++ = ENRICHED_SEPARATOR;
	at = put_literal(at, "ARCH=");
	at = laf_put_arch(at, w->arch);
	at = put_literal(at, " SYSCALL=");
	return laf_put_call(at, w->arch, w->nr, w->args[0]);
}

int laf_record_syscall(struct laf_formatter *f, const struct laf_event *e)
{
	bool enriched = f->format == LAF_FORMAT_ENRICHED, hit;
	size_t bytes = FIELDS_MAX + e->tty_len + e->label_len + laf_put_path_max(&e->exe) + key_max(e);
	struct task_text *slot = laf_task_slot(&f->tasks, e, &hit);
	char *at, *task, *task_end, *names;
	int err;

	at = record_begin(f, "SYSCALL", bytes + (enriched ? CALL_NAMES_MAX + 9 * ID_FIELD_MAX : 0), &err);
	if (!at)
		return err;
	at = put_call(at, e);
	task = at;
	at = hit ? put_bytes(at, slot->text, slot->text_len) : put_task(at, e);
	task_end = at;
	if (e->label)
		at = put_label(at, e);
	at = put_key(at, e);
	if (enriched)
		at = put_call_names(at, e->wire);
	names = at;
	if (enriched && hit)
		at = put_bytes(at, slot->text + slot->text_len, slot->enriched_len);
	else if (enriched)
		at = put_id_names(at, f, e);
	if (!hit)
		laf_task_keep(slot, e, f->ids.good_until_ms, task, task_end - task, names, at - names);
	record_end(f, at);
	return 0;
}
