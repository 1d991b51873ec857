// SPDX-License-Identifier: GPL-2.0-or-later
/* Nearest name by edit distance: letters added, left out, replaced, or two neighbours swapped. */
#include <libaudit.h>
#include <string.h>

#include "text_near.h"

#define NAME_LEN_MAX 40 /* the longest call name has 25 letters */

struct near {
	const char *word;
	const char *name;
	unsigned distance;
};

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static unsigned edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned char rows[3][NAME_LEN_MAX + 1];

	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned char *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			row[j] = least(up[j] + 1, row[j - 1] + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    up2[j - 2] + 1 < row[j])
				row[j] = up2[j - 2] + 1;
		}
	}
	return rows[a_len % 3][b_len];
}

static void consider(struct near *near, const char *name)
{
	size_t word_len = strlen(near->word), len = name ? strlen(name) : 0;
	unsigned distance;

	if (!len || len > NAME_LEN_MAX || word_len > NAME_LEN_MAX)
		return;
	distance = edit_distance(near->word, word_len, name, len);
	if (distance < near->distance && distance * 3 <= (len > word_len ? len : word_len)) {
		near->distance = distance;
		near->name = name;
	}
}

const char *laf_near_field(const char *word)
{
	struct near near = { .word = word, .distance = NAME_LEN_MAX };

	for (int field = 0; field <= AUDIT_FILTERKEY; field++)
		consider(&near, audit_field_to_name(field));
	return near.name;
}

const char *laf_near_call(const char *word, int machine)
{
	struct near near = { .word = word, .distance = NAME_LEN_MAX };

	for (int call = 0; call < AUDIT_BITMASK_SIZE * 32; call++)
		consider(&near, audit_syscall_to_name(call, machine));
	return near.name;
}

const char *laf_near_keyword(const char *word)
{
	static const char *const names[] = {
		"always", "never", "exit", "task", "user", "exclude", "filesystem", "io_uring",
	};
	struct near near = { .word = word, .distance = NAME_LEN_MAX };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		consider(&near, names[i]);
	return near.name;
}
