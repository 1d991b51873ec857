// SPDX-License-Identifier: GPL-2.0-or-later
/* Shell quoting. Nothing but printable ASCII leaves here: what a terminal makes of other bytes depends on
 * its character set, and some of them are commands to it. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "put.h"
#include "terminal.h"

enum need { BARE, QUOTES, ESCAPES };

static bool is_safe(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_@%+=:,./-", c));
}

static enum need need_of(const uint8_t *text, size_t len)
{
	enum need need = len ? BARE : QUOTES;

	for (size_t i = 0; i < len; i++) {
		if (text[i] < 0x20 || text[i] > 0x7e || text[i] == '\'')
			return ESCAPES;
		if (!is_safe(text[i]) && (i == 0 || !strchr("~#", text[i])))
			need = QUOTES;
	}
	return need;
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
	enum need need = need_of(t, len);

	if (need == BARE)
		return put_bytes(at, t, len);
	if (need == ESCAPES)
		*at++ = '$';
	*at++ = '\'';
	for (size_t i = 0; i < len; i++) {
		bool plain = need == QUOTES || (t[i] >= 0x20 && t[i] <= 0x7e && t[i] != '\'' && t[i] != '\\');

		if (plain)
			*at++ = t[i];
		else
			at = put_escape(at, t[i]);
	}
	*at++ = '\'';
	return at;
}
