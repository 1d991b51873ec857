// SPDX-License-Identifier: GPL-2.0-or-later
/* What a call was about: the command line of a started program, else the address, else the paths. */
#include <sys/socket.h>

#include "objects.h"
#include "put.h"
#include "saddr.h"
#include "terminal.h"

#define COMMAND_MAX 200    /* bytes of a command line that are shown, before quoting */
#define COMMAND_TEXT_MAX (4 * COMMAND_MAX + 4 * COMMAND_MAX + 64) /* quoting at its worst */
#define PATH_SUFFIX_MAX 16 /* " (deleted)" or "<too_long>" */

static const struct laf_path *folder_of(const struct laf_event *e, const struct laf_name *name)
{
	return name->base.components ? &name->base : &e->cwd;
}

/* Bytes of the absolute path, unescaped, at most. */
static size_t absolute_max(const struct laf_event *e, const struct laf_name *name)
{
	return folder_of(e, name)->bytes + PATH_SUFFIX_MAX + 1 + name->wire->text_len + PATH_SUFFIX_MAX;
}

/* Bytes that the longest absolute path needs before it is escaped; they stand behind all other room. */
static size_t raw_max(const struct laf_event *e)
{
	size_t max = 0;

	for (unsigned i = 0; i < e->n_names; i++) {
		size_t one = absolute_max(e, &e->names[i]);

		max = one > max ? one : max;
	}
	return max;
}

size_t laf_objects_max(const struct laf_event *e)
{
	size_t max = SADDR_TEXT_MAX + COMMAND_TEXT_MAX;

	for (unsigned i = 0; i < e->n_names; i++)
		max += 1 + TERMINAL_MAX(absolute_max(e, &e->names[i]));
	return max + raw_max(e);
}

/* The path as text in `raw`: returns its length. */
static size_t absolute(char *raw, const struct laf_event *e, const struct laf_name *name)
{
	const struct laf_path *folder = folder_of(e, name);
	const char *text = name->text;
	size_t text_len = name->wire->text_len, len = 0;

	if (name->wire->flags & LAF_NAME_COMPONENTS) {
		struct laf_path path = { (const uint8_t *)text, text_len, 0 };

		return laf_path_join(&path, raw, text_len + 1);
	}
	while (text_len >= 2 && text[0] == '.' && text[1] == '/') {
		text += 2;
		text_len -= 2;
	}
	if (text_len == 1 && *text == '.')
		text_len = 0;
	if (folder->components && (!text_len || *text != '/')) {
		len = laf_path_join(folder, raw, folder->bytes + PATH_SUFFIX_MAX);
		if (text_len && len > 1)
			raw[len++] = '/';
	}
	memcpy(raw + len, text, text_len);
	return len + text_len;
}

static bool same_text(const struct laf_name *a, const struct laf_name *b)
{
	return a->wire->text_len == b->wire->text_len && !memcmp(a->text, b->text, a->wire->text_len) &&
	       a->base.bytes == b->base.bytes &&
	       (!a->base.bytes || !memcmp(a->base.components, b->base.components, a->base.bytes));
}

/* A parent is shown where nothing else is known, and no name twice. */
static bool is_shown(const struct laf_event *e, unsigned item, bool parents)
{
	const struct laf_name *name = &e->names[item];

	if (name->wire->flags & (LAF_NAME_NULL | LAF_NAME_FAULT | LAF_NAME_HIDDEN))
		return false;
	if ((name->wire->nametype == LAF_NAME_PARENT) != parents)
		return false;
	for (unsigned i = 0; i < item; i++) {
		const struct laf_name *before = &e->names[i];

		if ((before->wire->nametype == LAF_NAME_PARENT) == parents && same_text(before, name))
			return false;
	}
	return true;
}

static char *put_paths(char *at, char *raw, const struct laf_event *e, bool parents)
{
	for (unsigned i = 0; i < e->n_names; i++) {
		if (!is_shown(e, i, parents))
			continue;
		*at++ = ' ';
		at = laf_put_terminal(at, raw, absolute(raw, e, &e->names[i]));
	}
	return at;
}

/* Cut, with dots, where it gets long. */
static char *put_command(char *at, const char *argv, size_t argv_len)
{
	const char *end = argv + argv_len;
	size_t left = COMMAND_MAX;

	while (argv < end) {
		size_t len = strnlen(argv, end - argv);

		*at++ = ' ';
		if (len >= left)
			return put_literal(laf_put_terminal(at, argv, left), "...");
		at = laf_put_terminal(at, argv, len);
		left -= len + 1;
		argv += argv + len < end ? len + 1 : len;
	}
	return at;
}

char *laf_put_objects(char *at, const struct laf_event *e)
{
	char *start = at, *raw = at + laf_objects_max(e) - raw_max(e);

	if (e->argv)
		return put_command(at, e->argv, e->argv_len);
	if (e->saddr_len) {
		*at++ = ' ';
		return laf_put_saddr_short(at, e->saddr, e->saddr_len);
	}
	at = put_paths(at, raw, e, false);
	return at == start ? put_paths(at, raw, e, true) : at;
}
