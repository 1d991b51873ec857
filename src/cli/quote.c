// SPDX-License-Identifier: GPL-2.0-or-later
/* Text that others chose, on its way to a terminal or a parser. */
#include <stdbool.h>
#include <stddef.h>

#include "quote.h"

/* The length of a character of more than one byte, or 0 where there is none (RFC 3629). */
static size_t utf8_length(const unsigned char *s)
{
	static const struct { unsigned char first, last, low, high; size_t length; } leads[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	size_t i, n;

	for (i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		if (s[0] < leads[i].first || s[0] > leads[i].last || s[1] < leads[i].low || s[1] > leads[i].high)
			continue;
		for (n = 2; n < leads[i].length && s[n] >= 0x80 && s[n] <= 0xbf; n++)
			;
		return n == leads[i].length ? n : 0;
	}
	return 0;
}

/* Write one character. Returns how many bytes of the text it was. */
static size_t put_character(const unsigned char *s, FILE *to)
{
	size_t n = *s < 0x80 ? 1 : utf8_length(s);
	bool control = *s < ' ' || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0); /* U+0080 to U+009F */

	if (n && !control)
		fwrite(s, 1, n, to);
	else
		fputc('?', to);
	return n ? n : 1;
}

void laf_quote(const char *text, FILE *to)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', to);
	while (*s) {
		if (*s == '"' || *s == '\\')
			fputc('\\', to);
		s += put_character(s, to);
	}
	fputc('"', to);
}

void laf_put_plain(const char *text, unsigned columns, FILE *to)
{
	const unsigned char *s = (const unsigned char *)text;

	for (; *s && columns; columns--)
		s += put_character(s, to);
}
