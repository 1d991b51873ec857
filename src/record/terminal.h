/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from audited programs, made fit for a terminal. */
#ifndef LAF_RECORD_TERMINAL_H
#define LAF_RECORD_TERMINAL_H

#include <stddef.h>

/* Bytes that `len` bytes of text need at most. */
#define TERMINAL_MAX(len) (4 * (size_t)(len) + 8)

/* As a shell would take it: bare, 'in quotes', or $'with \x1b escapes' where a byte is not printable ASCII.
 * `at` has room for TERMINAL_MAX(len) bytes. */
char *laf_put_terminal(char *at, const void *text, size_t len);

#endif
