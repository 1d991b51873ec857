// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of users and groups: asked for once, then kept. */
#include <errno.h>
#include <grp.h>
#include <libaudit.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "ids.h"
#include "put.h"
#include "terminal.h"

#define LOOKUP_START (4u << 10) /* bytes for the database's answer; a group of many members needs more */
#define LOOKUP_MAX (4u << 20)

int laf_ids_init(struct id_names *ids, enum laf_format format)
{
	ids->format = format;
	ids->slots = calloc(ID_SLOTS, sizeof(*ids->slots));
	return ids->slots ? 0 : -ENOMEM;
}

void laf_ids_flush(struct id_names *ids)
{
	for (unsigned i = 0; i < ID_SLOTS; i++) {
		free(ids->slots[i].text);
		ids->slots[i] = (struct id_name){ 0 };
	}
}

void laf_ids_free(struct id_names *ids)
{
	if (ids->slots)
		laf_ids_flush(ids);
	free(ids->slots);
}

/* 0 with *ret_name NULL for an id that nobody has. */
static int look_up_in(enum id_kind kind, uint32_t id, char *buf, size_t size, const char **ret_name)
{
	struct passwd user, *u = NULL;
	struct group group, *g = NULL;
	int err;

	if (kind == ID_USER)
		err = getpwuid_r(id, &user, buf, size, &u);
	else
		err = getgrgid_r(id, &group, buf, size, &g);
	*ret_name = u ? u->pw_name : g ? g->gr_name : NULL;
	return err;
}

/* The name, copied into `name`, or an empty string. */
static void look_up(enum id_kind kind, uint32_t id, char name[ID_NAME_MAX + 1])
{
	char *buf = NULL;
	const char *found = NULL;
	int err = ERANGE;

	name[0] = 0;
	for (size_t size = LOOKUP_START; err == ERANGE && size <= LOOKUP_MAX; size *= 4) {
		free(buf);
		buf = malloc(size);
		if (!buf)
			return;
		err = look_up_in(kind, id, buf, size, &found);
	}
	if (!err && found) {
		strncpy(name, found, ID_NAME_MAX);
		name[ID_NAME_MAX] = 0;
	}
	free(buf);
}

/* auditd writes unknown(N), N signed, and unset for the id that means it. */
static char *put_name(char *at, enum laf_format format, const char *name, uint32_t id)
{
	if (format == LAF_FORMAT_SHORT)
		return *name ? laf_put_terminal(at, name, strlen(name)) : put_u32(at, id);
	if (*name) {
		if (audit_value_needs_encoding(name, strlen(name)))
			return put_hex_bytes(at, name, strlen(name));
		return put_quoted(at, name, strlen(name));
	}
	*at++ = '"';
	if (id == ID_UNSET) {
		at = put_literal(at, "unset");
	} else {
		at = put_literal(at, "unknown(");
		at = put_s32(at, id);
		*at++ = ')';
	}
	*at++ = '"';
	return at;
}

static void fill(struct id_name *slot, enum laf_format format, enum id_kind kind, uint32_t id,
		 uint64_t now_ms)
{
	char name[ID_NAME_MAX + 1] = "", text[ID_TEXT_MAX];
	size_t len;

	if (id != ID_UNSET)
		look_up(kind, id, name);
	len = put_name(text, format, name, id) - text;
	free(slot->text);
	*slot = (struct id_name){ .id = id, .kind = kind, .len = len, .time_ms = now_ms };
	slot->unknown = !*name && id != ID_UNSET;
	slot->text = malloc(len);
	if (slot->text)
		memcpy(slot->text, text, len);
	else
		slot->kind = 0;
}

static bool fresh(const struct id_name *slot, uint64_t now_ms)
{
	return !slot->unknown || (now_ms >= slot->time_ms && now_ms - slot->time_ms < ID_UNKNOWN_KEPT_MS);
}

char *laf_put_id_name(char *at, struct id_names *ids, enum id_kind kind, uint32_t id, uint64_t now_ms)
{
	struct id_name *slot = &ids->slots[(id * 2 + kind) % ID_SLOTS];

	if (slot->id != id || slot->kind != kind || !fresh(slot, now_ms))
		fill(slot, ids->format, kind, id, now_ms);
	if (!slot->kind)
		return put_name(at, ids->format, "", id);
	if (slot->unknown && slot->time_ms + ID_UNKNOWN_KEPT_MS < ids->good_until_ms)
		ids->good_until_ms = slot->time_ms + ID_UNKNOWN_KEPT_MS;
	return put_bytes(at, slot->text, slot->len);
}
