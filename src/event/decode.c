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
static int decode_execve(const struct section *s, const char *argv, size_t argv_len, struct laf_event *e)
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
	if (e->wire->flags & LAF_EV_ARGS_APART && argv) {
		e->argv = argv;
		e->argv_len = argv_len;
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

static int decode_section(const struct section *s, const char *argv, size_t argv_len, struct laf_event *e)
{
	switch (s->kind) {
	case LAF_SECTION_NAME:
		return decode_name(s, e);
	case LAF_SECTION_CWD:
		return decode_path(s, &e->cwd);
	case LAF_SECTION_EXE:
		return decode_path(s, &e->exe);
	case LAF_SECTION_BASE:
		return e->n_names ? decode_path(s, &e->names[e->n_names - 1].base) : -EBADMSG;
	case LAF_SECTION_TTY:
		e->tty = payload(s, &e->tty_len);
		return 0;
	case LAF_SECTION_SADDR:
		e->saddr = payload(s, &e->saddr_len);
		return 0;
	case LAF_SECTION_PROCTITLE:
		e->proctitle = payload(s, &e->proctitle_len);
		if (e->proctitle && s->flags & LAF_PROCTITLE_CUT)
			e->proctitle_len = strnlen(e->proctitle, e->proctitle_len);
		return 0;
	case LAF_SECTION_EXECVE:
		return decode_execve(s, argv, argv_len, e);
	case LAF_SECTION_CONDS:
		return decode_conds(s, e);
	case LAF_SECTION_SPECIAL:
		return decode_special(s, e);
	case LAF_SECTION_OPENED:
		return decode_path(s, &e->opened);
	case LAF_SECTION_WHO:
		return decode_who(s, e);
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

int laf_event_decode(const void *message, size_t bytes, const char *argv, size_t argv_len,
		     struct laf_event *ret_event)
{
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
	end = (const uint8_t *)message + wire->bytes;
	start(&e, wire);
	while (at < end) {
		err = next_section(at, end, &s, &at);
		if (!err)
			err = seen_before(&s, &seen) ? -EBADMSG : decode_section(&s, argv, argv_len, &e);
		if (err)
			return err;
	}
	copy(ret_event, &e);
	return 0;
}
