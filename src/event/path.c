// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths: from components, leaf first, to text. */
#include <string.h>

#include <laf/event.h>

#define DELETED " (deleted)"
#define TOO_LONG "<too_long>"

/* Copy what of `text`, which stands at `at` of the whole, lies within the first `size` bytes. */
static void put_clipped(char *buf, size_t size, size_t at, const void *text, size_t len)
{
	if (at >= size)
		return;
	memcpy(buf + at, text, len < size - at ? len : size - at);
}

/* Each component's length byte stands for its slash: the text is as long as the components are. */
static void put_components(const struct laf_path *path, char *buf, size_t size)
{
	size_t end = path->bytes, i = 0;

	while (i < path->bytes) {
		size_t len = path->components[i];

		if (len > path->bytes - i - 1)
			return;
		end -= len + 1;
		put_clipped(buf, size, end, "/", 1);
		put_clipped(buf, size, end + 1, path->components + i + 1, len);
		i += len + 1;
	}
}

size_t laf_path_join(const struct laf_path *path, char *buf, size_t size)
{
	size_t len = path->bytes;

	if (!path->components)
		return 0;
	if (path->flags & LAF_PATH_TRUNCATED) {
		put_clipped(buf, size, 0, TOO_LONG, sizeof(TOO_LONG) - 1);
		return sizeof(TOO_LONG) - 1;
	}
	if (len) {
		put_components(path, buf, size);
	} else {
		put_clipped(buf, size, 0, "/", 1);
		len = 1;
	}
	if (path->flags & (LAF_PATH_DELETED | LAF_PATH_PSEUDO)) {
		put_clipped(buf, size, len, DELETED, sizeof(DELETED) - 1);
		len += sizeof(DELETED) - 1;
	}
	return len;
}
