/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What went wrong, where, and in words a person can act on. */
#ifndef LAF_ERROR_H
#define LAF_ERROR_H

#include <stddef.h>

/* Filled by a function that fails where a person must act; untouched on success.
 * Owns nothing: plain arrays, no freeing. */
struct laf_error {
	char file[256];  /* "" when the fault is in no file */
	unsigned line;   /* 1-based; 0 = no line */
	unsigned column; /* 1-based, in bytes; 0 = the line as a whole */
	char text[512];  /* one sentence, no newline */
	char hint[128];  /* what would help or lies behind it, "" = nothing to add */
};

/* Set err->text by format, and no hint; err may be NULL. Returns `code`, so that
 * `return laf_error_set(err, -EINVAL, "…")` reads well. */
__attribute__((format(printf, 3, 4)))
int laf_error_set(struct laf_error *err, int code, const char *format, ...);

/* Same, with a place in the file named before. */
__attribute__((format(printf, 5, 6)))
int laf_error_at(struct laf_error *err, int code, unsigned line, unsigned column,
		 const char *format, ...);

/* "file:line:column: text; hint", only the parts that are set. Returns `text`'s length as snprintf does. */
int laf_error_string(const struct laf_error *err, char *buf, size_t size);

#endif
