/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a string that JSON and Prometheus take. */
#ifndef LAF_QUOTE_H
#define LAF_QUOTE_H

#include <stdio.h>

/* In quotes; control characters and what is not UTF-8 as '?'. */
void laf_quote(const char *text, FILE *to);

/* For a terminal: up to `columns` characters; control characters and what is not UTF-8 as '?'. */
void laf_put_plain(const char *text, unsigned columns, FILE *to);

#endif
