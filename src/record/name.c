// SPDX-License-Identifier: GPL-2.0-or-later
/* CWD and PATH: the names that the call was given or met. */
#include "formatter.h"

#define FIELDS_MAX 384    /* bytes of all that a PATH record has beside its name */
#define PATH_SUFFIX_MAX 16 /* " (deleted)" or "<too_long>" */

static const struct {
	const char *text;
	size_t len;
} nametypes[] = {
#define NAMETYPE(n, t) [n] = { " nametype=" t, sizeof(" nametype=" t) - 1 }
	NAMETYPE(LAF_NAME_UNKNOWN, "UNKNOWN"),
	NAMETYPE(LAF_NAME_NORMAL, "NORMAL"),
	NAMETYPE(LAF_NAME_PARENT, "PARENT"),
	NAMETYPE(LAF_NAME_DELETE, "DELETE"),
	NAMETYPE(LAF_NAME_CREATE, "CREATE"),
};

size_t laf_put_path_max(const struct laf_path *path)
{
	return PUT_UNTRUSTED_MAX(path->bytes + PATH_SUFFIX_MAX);
}

/* Joined where it will stand when quoted; if it may not be quoted, it is spread from its end. */
char *laf_put_path(char *at, const struct laf_path *path)
{
	size_t len;

	if (!path->components)
		return put_literal(at, "(null)");
	len = laf_path_join(path, at + 1, path->bytes + PATH_SUFFIX_MAX);
	if (!needs_hex(at + 1, len)) {
		at[0] = at[len + 1] = '"';
		return at + len + 2;
	}
	for (size_t i = len; i-- > 0;)
		memcpy(at + 2 * i, laf_hex_pairs + 2 * (uint8_t)at[i + 1], 2);
	return at + 2 * len;
}

/* The length of the part that names the folder, by the kernel's parent_len(). */
static size_t folder_len(const char *text, size_t len)
{
	while (len > 1 && text[len - 1] == '/')
		len--;
	while (len > 0 && text[len - 1] != '/')
		len--;
	return len;
}

static char *put_name(char *at, const struct laf_event *e, const struct laf_name *name)
{
	const struct laf_wire_name *w = name->wire;
	size_t len = w->text_len;

	if (w->flags & (LAF_NAME_NULL | LAF_NAME_FAULT))
		return put_literal(at, "(null)");
	if (w->flags & LAF_NAME_COMPONENTS) {
		struct laf_path path = { (const uint8_t *)name->text, len, 0 };

		return laf_put_path(at, &path);
	}
	if (w->flags & LAF_NAME_FOLDER) {
		len = folder_len(name->text, len);
		if (!len)
			return laf_put_path(at, &e->cwd);
	}
	return put_untrusted(at, name->text, len);
}

static char *put_device(char *at, uint32_t dev)
{
	at = put_hex_2(at, dev >> 20);
	*at++ = ':';
	return put_hex_2(at, dev & 0xfffff);
}

static char *put_inode(char *at, const struct laf_wire_name *w)
{
	at = put_literal(at, " inode=");
	at = put_u64(at, w->ino);
	at = put_literal(at, " dev=");
	at = put_device(at, w->dev);
	at = put_literal(at, " mode=");
	at = put_mode(at, w->mode);
	at = put_literal(at, " ouid=");
	at = put_u32(at, w->uid);
	at = put_literal(at, " ogid=");
	at = put_u32(at, w->gid);
	at = put_literal(at, " rdev=");
	return put_device(at, w->rdev);
}

static char *put_owner_names(char *at, struct laf_formatter *f, const struct laf_wire_name *w,
			     uint64_t now_ms)
{
	*at++ = ENRICHED_SEPARATOR;
	at = put_id_field(at, f, "OUID=", ID_USER, w->uid, now_ms);
	return put_id_field(at, f, " OGID=", ID_GROUP, w->gid, now_ms);
}

static char *put_fcaps(char *at, const struct laf_event *e, const struct laf_wire_name *w)
{
	const struct laf_wire_fcaps *caps = e->fcaps;

	if (w->flags & LAF_NAME_NO_CAPS && w->flags & LAF_NAME_INODE)
		return put_literal(at, " cap_fe=? cap_fver=? cap_fp=? cap_fi=?");
	if (!caps || !(w->flags & LAF_NAME_INODE) || caps->ino != w->ino || caps->dev != w->dev)
		return put_literal(at, " cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0");
	at = put_capabilities(put_literal(at, " cap_fp="), caps->permitted);
	at = put_capabilities(put_literal(at, " cap_fi="), caps->inheritable);
	at = put_u32(put_literal(at, " cap_fe="), caps->effective);
	at = put_hex(put_literal(at, " cap_fver="), caps->ver);
	return put_s32(put_literal(at, " cap_frootid="), caps->rootid);
}

/* Hidden names have no number. */
static unsigned number_of(const struct laf_event *e, unsigned item)
{
	unsigned number = 0;

	for (unsigned i = 0; i < item; i++)
		number += !(e->names[i].wire->flags & LAF_NAME_HIDDEN);
	return number;
}

int laf_record_name(struct laf_formatter *f, const struct laf_event *e, unsigned item)
{
	const struct laf_name *name = &e->names[item];
	const struct laf_wire_name *w = name->wire;
	unsigned type = w->nametype <= LAF_NAME_CREATE ? w->nametype : LAF_NAME_UNKNOWN;
	size_t bytes = FIELDS_MAX + 2 * ID_FIELD_MAX + PUT_UNTRUSTED_MAX(w->text_len + PATH_SUFFIX_MAX);
	char *at;
	int err;

	if (w->flags & LAF_NAME_FOLDER)
		bytes += laf_put_path_max(&e->cwd);
	at = record_begin(f, "PATH", bytes, &err);
	if (!at)
		return err;
	at = put_literal(at, "item=");
	at = put_u32(at, number_of(e, item));
	at = put_literal(at, " name=");
	at = put_name(at, e, name);
	if (w->flags & LAF_NAME_INODE)
		at = put_inode(at, w);
	at = put_bytes(at, nametypes[type].text, nametypes[type].len);
	at = put_fcaps(at, e, w);
	if (f->format == LAF_FORMAT_ENRICHED && w->flags & LAF_NAME_INODE)
		at = put_owner_names(at, f, w, e->time_ms);
	record_end(f, at);
	return 0;
}

int laf_record_cwd(struct laf_formatter *f, const struct laf_event *e)
{
	int err;
	char *at = record_begin(f, "CWD", 8 + laf_put_path_max(&e->cwd), &err);

	if (!at)
		return err;
	at = put_literal(at, "cwd=");
	record_end(f, laf_put_path(at, &e->cwd));
	return 0;
}
