// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines to what plugins read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_format.h"

#define EOE_MAX 400 /* with a node of 255 bytes */

/* The end of an event, by what its first line begins with: "[node=X ]type=T msg=audit(…):". Returns its length, 0 if there is none. */
static size_t make_eoe(const char *text, size_t bytes, char eoe[EOE_MAX])
{
	const char *type = memmem(text, bytes, "type=", 5);
	const char *stamp = memmem(text, bytes, " msg=audit(", 11);
	const char *end = stamp ? memchr(stamp, ')', bytes - (stamp - text)) : NULL;
	int n;

	if (!type || !end || type > stamp)
		return 0;
	n = snprintf(eoe, EOE_MAX, "%.*stype=EOE%.*s): \n", (int)(type - text), text, (int)(end - stamp), stamp);
	return n < EOE_MAX ? n : 0;
}

static struct laf_plugin_item *new_item(size_t room, unsigned records)
{
	struct laf_plugin_item *item = malloc(sizeof(*item) + room);

	if (item)
		*item = (struct laf_plugin_item){ .records = records ? records : 1 };
	return item;
}

struct laf_plugin_item *laf_plugin_string(const char *text, size_t bytes, unsigned records)
{
	char eoe[EOE_MAX];
	size_t end = records ? make_eoe(text, bytes, eoe) : 0;
	struct laf_plugin_item *item = new_item(bytes + end, records);

	if (!item)
		return NULL;
	memcpy(item->text, text, bytes);
	memcpy(item->text + bytes, eoe, end);
	item->bytes = bytes + end;
	return item;
}

static uint32_t type_number(const char *line, size_t bytes)
{
	const char *type = memmem(line, bytes, "type=", 5);
	char name[64];
	int n;

	if (!type)
		return 0;
	type += 5;
	n = strcspn(type, " \n");
	snprintf(name, sizeof(name), "%.*s", n, type);
	n = audit_name_to_msg_type(name);
	return n > 0 ? n : 0;
}

static void add_line(struct laf_plugin_item *item, const char *line, size_t bytes, bool enriched)
{
	const char *stamp = memmem(line, bytes, " msg=", 5);
	bool whole = enriched || line[0] == 'n' || !stamp;
	struct laf_plugin_header header = {
		.version = whole, .header_bytes = sizeof(header), .type = type_number(line, bytes),
	};

	if (!whole) {
		bytes -= stamp + 5 - line;
		line = stamp + 5;
	}
	if (bytes > MAX_AUDIT_MESSAGE_LENGTH - 1)
		bytes = MAX_AUDIT_MESSAGE_LENGTH - 1;
	header.bytes = bytes;
	memcpy(item->text + item->bytes, &header, sizeof(header));
	memcpy(item->text + item->bytes + sizeof(header), line, bytes);
	item->bytes += sizeof(header) + bytes;
}

struct laf_plugin_item *laf_plugin_binary(const char *text, size_t bytes, unsigned records, bool enriched)
{
	struct laf_plugin_item *item = new_item(bytes + EOE_MAX + (records + 2) * sizeof(struct laf_plugin_header), records);
	const char *end = text + bytes, *newline;
	char eoe[EOE_MAX];
	size_t n;

	if (!item)
		return NULL;
	for (; text < end && (newline = memchr(text, '\n', end - text)); text = newline + 1)
		add_line(item, text, newline - text, enriched);
	n = records ? make_eoe(end - bytes, bytes, eoe) : 0;
	if (n)
		add_line(item, eoe, n - 1, enriched);
	return item;
}
