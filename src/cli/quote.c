// SPDX-License-Identifier: GPL-2.0-or-later
/* Quoting. */
#include <stddef.h>
#include <stdint.h>

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

void laf_quote(const char *text, FILE *to)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n;

	fputc('"', to);
	for (; *s; s += n) {
		n = *s < 0x80 ? 1 : utf8_length(s);
		if (*s == '"' || *s == '\\')
			fputc('\\', to);
		if (n && *s >= ' ' && *s != 0x7f)
			fwrite(s, 1, n, to);
		else
			fputc('?', to);
		n += !n;
	}
	fputc('"', to);
}
