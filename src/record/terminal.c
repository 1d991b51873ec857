// SPDX-License-Identifier: GPL-2.0-or-later
/* Shell quoting. Nothing but printable ASCII leaves here: what a terminal makes of other bytes depends on
 * its character set, and some of them are commands to it. */
#include <stdint.h>

#include "put.h"
#include "terminal.h"

/* The lowest of its bytes decides how a text is written. */
enum way { ESCAPES, QUOTES, BARE };

static const uint8_t ways[256] = {
	['a' ... 'z'] = BARE, ['A' ... 'Z'] = BARE, ['0' ... '9'] = BARE,
	['_'] = BARE, ['@'] = BARE, ['%'] = BARE, ['+'] = BARE, ['='] = BARE, [':'] = BARE,
	[','] = BARE, ['.'] = BARE, ['/'] = BARE, ['-'] = BARE, ['~'] = BARE, ['#'] = BARE,
	[' '] = QUOTES, ['!'] = QUOTES, ['"'] = QUOTES, ['$'] = QUOTES, ['&'] = QUOTES, ['('] = QUOTES,
	[')'] = QUOTES, ['*'] = QUOTES, [';'] = QUOTES, ['<'] = QUOTES, ['>'] = QUOTES, ['?'] = QUOTES,
	['['] = QUOTES, ['\\'] = QUOTES, [']'] = QUOTES, ['^'] = QUOTES, ['`'] = QUOTES, ['{'] = QUOTES,
	['|'] = QUOTES, ['}'] = QUOTES,
};

static enum way way_of(const uint8_t *text, size_t len)
{
	/* a shell minds these two only at the start of a word */
	enum way way = !len || *text == '~' || *text == '#' ? QUOTES : BARE;

	for (size_t i = 0; i < len; i++)
		if (ways[text[i]] < way)
			way = ways[text[i]];
	return way;
}

static char *put_escape(char *at, uint8_t c)
{
	static const char named[] = "abtnvfr"; /* 7 to 13 */

	*at++ = '\\';
	if (c >= 7 && c <= 13) {
		*at++ = named[c - 7];
	} else if (c == '\'' || c == '\\') {
		*at++ = c;
	} else {
		*at++ = 'x';
		at = put_hex_2(at, c);
	}
	return at;
}

char *laf_put_terminal(char *at, const void *text, size_t len)
{
	const uint8_t *t = text;
	enum way way = way_of(t, len);

	if (way == BARE)
		return put_bytes(at, t, len);
	if (way == ESCAPES)
		*at++ = '$';
	*at++ = '\'';
	for (size_t i = 0; i < len; i++) {
		if (way == ESCAPES && (ways[t[i]] == ESCAPES || t[i] == '\\'))
			at = put_escape(at, t[i]);
		else
			*at++ = t[i];
	}
	*at++ = '\'';
	return at;
}
