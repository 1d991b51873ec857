// SPDX-License-Identifier: GPL-2.0-or-later
/* PROCTITLE: the beginning of the task's command line. */
#include "formatter.h"

#define NO_TITLE "(null)" /* quoted, unlike everywhere else */

/* The kernel's isprint(): Latin-1. */
static bool prints(uint8_t c)
{
	return (c >= 0x20 && c <= 0x7e) || c >= 0xa0;
}

int laf_record_proctitle(struct laf_formatter *f, const struct laf_event *e)
{
	const char *title = e->proctitle;
	size_t len = title ? e->proctitle_len : 0;
	char *at;
	int err;

	while (len && !prints(title[len - 1]))
		len--;
	if (!len) {
		title = NO_TITLE;
		len = sizeof(NO_TITLE) - 1;
	}
	at = record_begin(f, "PROCTITLE", 16 + PUT_UNTRUSTED_MAX(len), &err);
	if (!at)
		return err;
	at = put_literal(at, "proctitle=");
	record_end(f, put_untrusted(at, title, len));
	return 0;
}
