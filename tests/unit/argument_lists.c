// SPDX-License-Identifier: GPL-2.0-or-later
/* Argument lists: a table of shapes, and lists by a fixed random sequence. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument_lists.h"

#define LIST_BYTES_MAX (1500u << 10) /* the stack's limit of 8 MiB lets a quarter through */
#define ARG_LEN_MAX 131071           /* the kernel's MAX_ARG_STRLEN, less the NUL */
#define RANDOM_LISTS 500

enum fill { PLAIN, SPACE_FIRST, SPACE_LAST, QUOTE, NEWLINE, UTF8, HIGH, EMPTY, FILLS };

static const char *const fill_names[] = {
	"plain", "space-first", "space-last", "quote", "newline", "utf8", "high", "empty",
};

static const unsigned counts[] = { 0, 1, 2, 3, 10, 11, 50, 99, 101, 500, 1000, 2000, 5000 };

/* Around the record's 7500 bytes, the 96 and 104 set aside in it, and half of them for hexadecimal. */
static const struct {
	unsigned from, to;
} lengths[] = {
	{ 1, 3 }, { 3640, 3760 }, { 7290, 7310 }, { 7380, 7420 }, { 7480, 7520 }, { 10000, 10000 },
	{ 14990, 15010 }, { 22495, 22505 }, { 30000, 30000 }, { 65535, 65537 }, { 131070, 131071 },
};

static void add(struct argument_list *l, enum fill fill, size_t len)
{
	char *at = l->text + l->bytes;

	if (fill == EMPTY)
		len = 0;
	if (len > ARG_LEN_MAX)
		len = ARG_LEN_MAX;
	for (size_t i = 0; i < len; i++)
		at[i] = 'a' + (i + l->argc) % 26;
	if (len && fill == SPACE_FIRST)
		at[0] = ' ';
	if (len && fill == SPACE_LAST)
		at[len - 1] = ' ';
	if (len && fill == QUOTE)
		at[len / 2] = '"';
	if (len && fill == NEWLINE)
		at[len / 2] = '\n';
	if (len && fill == HIGH)
		at[len / 2] = 0x7f;
	if (len > 1 && fill == UTF8)
		memcpy(at + len / 2 - 1, "\xc3\xa9", 2);
	at[len] = 0;
	l->bytes += len + 1;
	l->argc++;
}

/* `count` arguments of 1 to 12 bytes. */
static void make_count(struct argument_list *l, unsigned count, enum fill fill)
{
	snprintf(l->name, sizeof(l->name), "count-%u-%s", count, fill_names[fill]);
	for (unsigned i = 0; i < count; i++)
		add(l, fill, 1 + i % 12);
	if (!count) {
		l->none = 1;
		add(l, EMPTY, 0);
	}
}

/* One long argument with a short one before and behind. */
static void make_length(struct argument_list *l, unsigned len, enum fill fill)
{
	snprintf(l->name, sizeof(l->name), "length-%u-%s", len, fill_names[fill]);
	add(l, PLAIN, 4);
	add(l, fill, len);
	add(l, PLAIN, 3);
}

static unsigned next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static unsigned random_length(uint64_t *state)
{
	static const struct {
		unsigned from, spread;
	} about[] = {
		{ 0, 20 }, { 0, 20 }, { 0, 300 }, { 3600, 200 }, { 7300, 250 }, { 0, 9000 }, { 14900, 200 },
		{ 0, 40000 },
	};
	unsigned kind = next_random(state) % (sizeof(about) / sizeof(*about));

	return about[kind].from + next_random(state) % about[kind].spread;
}

static void make_random(struct argument_list *l, unsigned n)
{
	uint64_t state = n + 1;
	unsigned argc = 1 + next_random(&state) % 60, fills = 1 + next_random(&state) % FILLS;

	snprintf(l->name, sizeof(l->name), "random-%u", n);
	while (l->argc < argc) {
		unsigned len = random_length(&state);

		if (l->bytes + len + 1 > LIST_BYTES_MAX)
			break;
		add(l, next_random(&state) % fills, len);
	}
}

/* Many bytes in all, by many arguments or by long ones. */
static void make_large(struct argument_list *l, unsigned n)
{
	static const struct {
		unsigned argc, len;
		enum fill fill;
	} large[] = {
		{ 5000, 30, PLAIN }, { 5000, 30, QUOTE }, { 100000, 1, PLAIN }, { 12, 100000, PLAIN },
		{ 11, 131071, UTF8 }, { 150, 7402, SPACE_LAST }, { 150, 7500, PLAIN }, { 30000, 0, EMPTY },
	};

	snprintf(l->name, sizeof(l->name), "large-%u-%u", large[n].argc, large[n].len);
	while (l->argc < large[n].argc)
		add(l, large[n].fill, large[n].len);
}

static unsigned length_of(unsigned n)
{
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		unsigned here = lengths[i].to - lengths[i].from + 1;

		if (n < here)
			return lengths[i].from + n;
		n -= here;
	}
	return 0;
}

static unsigned n_lengths(void)
{
	unsigned n = 0;

	while (length_of(n))
		n++;
	return n;
}

int argument_list_make(unsigned n, struct argument_list *ret)
{
	static const enum fill long_fills[] = { PLAIN, SPACE_FIRST, SPACE_LAST };
	const unsigned n_counts = sizeof(counts) / sizeof(*counts) * FILLS;
	const unsigned n_long = 3 * n_lengths(), n_large = 8;

	*ret = (struct argument_list){ .text = malloc(LIST_BYTES_MAX + ARG_LEN_MAX) };
	if (!ret->text)
		abort();
	if (n < n_counts) {
		make_count(ret, counts[n / FILLS], n % FILLS);
	} else if ((n -= n_counts) < n_long) {
		make_length(ret, length_of(n / 3), long_fills[n % 3]);
	} else if ((n -= n_long) < n_large) {
		make_large(ret, n);
	} else if ((n -= n_large) < RANDOM_LISTS) {
		make_random(ret, n);
	} else {
		free(ret->text);
		return -1;
	}
	return 0;
}
