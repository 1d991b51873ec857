// SPDX-License-Identifier: GPL-2.0-or-later
/* Ring bytes to struct laf_event. Nothing in the message is trusted. */
#include <errno.h>
#include <string.h>

#include <laf/event.h>

_Static_assert(offsetof(struct laf_event, cwd) == offsetof(struct laf_event, names) +
	       LAF_EVENT_NAMES_MAX * sizeof(struct laf_name), "nothing between the names and the folder");

struct section {
	unsigned kind;
	unsigned flags;
	uint32_t bytes;
	const uint8_t *payload;
};

/* Components are whole, and none is empty. */
static bool components_valid(const uint8_t *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += at[i] + 1u)
		if (!at[i] || at[i] >= bytes - i)
			return false;
	return true;
}

static int decode_path(const struct section *s, struct laf_path *path)
{
	if (!components_valid(s->payload, s->bytes))
		return -EBADMSG;
	if (s->flags & LAF_SECTION_FAULT)
		return 0;
	path->components = s->payload;
	path->bytes = s->bytes;
	path->flags = s->flags & (LAF_PATH_DELETED | LAF_PATH_TRUNCATED | LAF_PATH_PSEUDO);
	return 0;
}

static const void *payload(const struct section *s, uint32_t *ret_len)
{
	if (s->flags & LAF_SECTION_FAULT)
		return NULL;
	*ret_len = s->bytes;
	return s->payload;
}

static int decode_name(const struct section *s, struct laf_event *e)
{
	const struct laf_wire_name *wire = (const void *)s->payload;
	struct laf_name *name = &e->names[e->n_names];

	if (e->n_names == LAF_EVENT_NAMES_MAX || s->bytes < sizeof(*wire) ||
	    wire->text_len > s->bytes - sizeof(*wire))
		return -EBADMSG;
	*name = (struct laf_name){ .wire = wire, .text = (const char *)(wire + 1) };
	if (wire->flags & LAF_NAME_COMPONENTS) {
		if (!components_valid((const uint8_t *)name->text, wire->text_len))
			return -EBADMSG;
	} else if (memchr(name->text, 0, wire->text_len)) {
		return -EBADMSG;
	}
	e->n_names++;
	return 0;
}

/* A list that came apart stands in for the one in the message. */
static int decode_execve(const struct section *s, const struct laf_event_apart *apart, struct laf_event *e)
{
	uint32_t argc;

	if (s->flags & LAF_SECTION_FAULT)
		return 0;
	if (s->bytes < 2 * sizeof(uint32_t))
		return -EBADMSG;
	memcpy(&argc, s->payload, sizeof(argc));
	e->argc = argc;
	e->argv = (const char *)s->payload + 8;
	e->argv_len = s->bytes - 8;
	if (e->wire->flags & LAF_EV_ARGS_APART && apart->argv) {
		e->argv = apart->argv;
		e->argv_len = apart->argv_len;
	}
	return 0;
}

static int decode_special(const struct section *s, struct laf_event *e)
{
	const struct laf_wire_special *special = (const void *)s->payload;

	if (s->bytes != sizeof(*special) || special->n > LAF_SPECIAL_VALUES || e->n_specials == LAF_EVENT_SPECIALS_MAX)
		return -EBADMSG;
	e->specials[e->n_specials++] = special;
	return 0;
}

static int decode_conds(const struct section *s, struct laf_event *e)
{
	if (s->bytes % sizeof(uint64_t))
		return -EBADMSG;
	e->conds = (const void *)s->payload;
	e->n_conds = s->bytes / sizeof(uint64_t);
	return 0;
}

static int decode_who(const struct section *s, struct laf_event *e)
{
	if (s->bytes != sizeof(*e->who))
		return -EBADMSG;
	e->who = (const void *)s->payload;
	return 0;
}

static int decode_fcaps(const struct section *s, struct laf_event *e)
{
	if (s->bytes != sizeof(*e->fcaps))
		return -EBADMSG;
	e->fcaps = (const void *)s->payload;
	return 0;
}

/* Of each kind there can be one section; specials and names are many, and each name can have its folder. */
static bool seen_before(const struct section *s, uint32_t *seen)
{
	uint32_t bit = s->kind < 32 ? 1u << s->kind : 0;
	bool before = *seen & bit;

	*seen |= bit;
	if (s->kind == LAF_SECTION_SPECIAL)
		*seen &= ~(1u << LAF_SECTION_SPECIAL);
	if (s->kind == LAF_SECTION_NAME)
		*seen &= ~(1u << LAF_SECTION_NAME | 1u << LAF_SECTION_BASE);
	return before;
}

static int decode_task_section(const struct section *s, struct laf_event_task *task)
{
	switch (s->kind) {
	case LAF_SECTION_CWD:
		return decode_path(s, &task->cwd);
	case LAF_SECTION_EXE:
		return decode_path(s, &task->exe);
	case LAF_SECTION_TTY:
		task->tty = payload(s, &task->tty_len);
		return 0;
	case LAF_SECTION_PROCTITLE:
		task->proctitle = payload(s, &task->proctitle_len);
		if (task->proctitle && s->flags & LAF_PROCTITLE_CUT)
			task->proctitle_len = strnlen(task->proctitle, task->proctitle_len);
		return 0;
	}
	return -EBADMSG;
}

static int decode_section(const struct section *s, const struct laf_event_apart *apart, struct laf_event *e)
{
	switch (s->kind) {
	case LAF_SECTION_NAME:
		return decode_name(s, e);
	case LAF_SECTION_CWD:
		return decode_path(s, &e->cwd);
	case LAF_SECTION_BASE:
		return e->n_names ? decode_path(s, &e->names[e->n_names - 1].base) : -EBADMSG;
	case LAF_SECTION_LABEL:
		e->label = payload(s, &e->label_len);
		return 0;
	case LAF_SECTION_SADDR:
		e->saddr = payload(s, &e->saddr_len);
		return 0;
	case LAF_SECTION_EXECVE:
		return decode_execve(s, apart, e);
	case LAF_SECTION_CONDS:
		return decode_conds(s, e);
	case LAF_SECTION_SPECIAL:
		return decode_special(s, e);
	case LAF_SECTION_OPENED:
		return decode_path(s, &e->opened);
	case LAF_SECTION_WHO:
		return decode_who(s, e);
	case LAF_SECTION_FCAPS:
		return decode_fcaps(s, e);
	case LAF_SECTION_KEY:
		e->task_key = payload(s, &e->task_key_len);
		return 0;
	}
	return -EBADMSG;
}

/* Move *at past one section. */
static int next_section(const uint8_t *at, const uint8_t *end, struct section *s, const uint8_t **ret_next)
{
	const struct laf_wire_section *head = (const void *)at;
	size_t left = end - at, padded;

	if (left < sizeof(*head) || head->bytes > left - sizeof(*head))
		return -EBADMSG;
	padded = ((size_t)head->bytes + 7) & ~(size_t)7;
	*s = (struct section){ head->kind, head->flags, head->bytes, at + sizeof(*head) };
	*ret_next = padded > left - sizeof(*head) ? end : s->payload + padded;
	return 0;
}

/* An event is some 600 bytes, and most of them are names that it does not have: those are left alone. */
static void start(struct laf_event *e, const struct laf_wire_event *wire)
{
	memset(e, 0, offsetof(struct laf_event, names));
	memset(&e->cwd, 0, sizeof(*e) - offsetof(struct laf_event, cwd));
	e->wire = wire;
}

static void copy(struct laf_event *to, const struct laf_event *from)
{
	memcpy(to, from, offsetof(struct laf_event, names));
	memcpy(to->names, from->names, from->n_names * sizeof(*from->names));
	memcpy(&to->cwd, &from->cwd, sizeof(*from) - offsetof(struct laf_event, cwd));
}

int laf_event_decode_task(const void *sections, size_t bytes, struct laf_event_task *ret_task)
{
	const uint8_t *at = sections, *end = at + bytes;
	struct laf_event_task task = { 0 };
	uint32_t seen = 0;
	struct section s;
	int err;

	while (at < end) {
		err = next_section(at, end, &s, &at);
		if (!err)
			err = seen_before(&s, &seen) ? -EBADMSG : decode_task_section(&s, &task);
		if (err)
			return err;
	}
	*ret_task = task;
	return 0;
}

/* Of a call that leaves its folder the event has the one before, too. */
static void put_task(struct laf_event *e, const struct laf_event_task *task)
{
	if (!e->cwd.components)
		e->cwd = task->cwd;
	e->exe = task->exe;
	e->tty = task->tty;
	e->tty_len = task->tty_len;
	e->proctitle = task->proctitle;
	e->proctitle_len = task->proctitle_len;
}

static int decode_task(const struct laf_wire_event *wire, const struct laf_event_apart *apart, struct laf_event *e)
{
	struct laf_event_task task;
	int err;

	if (laf_event_refers(wire)) {
		if (!apart->task || wire->task_at != wire->bytes)
			return -EBADMSG;
		put_task(e, apart->task);
		return 0;
	}
	err = laf_event_decode_task((const uint8_t *)wire + wire->task_at, wire->bytes - wire->task_at, &task);
	if (!err)
		put_task(e, &task);
	return err;
}

int laf_event_decode(const void *message, size_t bytes, const struct laf_event_apart *apart, struct laf_event *ret_event)
{
	static const struct laf_event_apart nothing;
	const struct laf_wire_event *wire = message;
	const uint8_t *at = (const uint8_t *)(wire + 1), *end;
	struct laf_event e;
	uint32_t seen = 0;
	struct section s;
	int err;

	if (bytes < sizeof(*wire) || (uintptr_t)message % sizeof(uint64_t))
		return -EBADMSG;
	if (wire->type != LAF_WIRE_EVENT || wire->bytes < sizeof(*wire) || wire->bytes > bytes)
		return -EBADMSG;
	if (wire->task_at < sizeof(*wire) || wire->task_at > wire->bytes || wire->task_at % sizeof(uint64_t))
		return -EBADMSG;
	end = (const uint8_t *)message + wire->task_at;
	apart = apart ? apart : &nothing;
	start(&e, wire);
	while (at < end) {
		err = next_section(at, end, &s, &at);
		if (!err)
			err = seen_before(&s, &seen) ? -EBADMSG : decode_section(&s, apart, &e);
		if (err)
			return err;
	}
	err = decode_task(wire, apart, &e);
	if (err)
		return err;
	copy(ret_event, &e);
	return 0;
}
