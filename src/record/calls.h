/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of architectures and calls. */
#ifndef LAF_RECORD_CALLS_H
#define LAF_RECORD_CALLS_H

#include <stdint.h>

#define CALL_NAME_MAX 64 /* bytes that an architecture or a call needs at most */

char *laf_put_arch(char *at, uint32_t arch);
/* The i386 calls that stand for many name the one that argument `a0` asks for, as in "socketcall(connect)". */
char *laf_put_call(char *at, uint32_t arch, uint32_t nr, uint64_t a0);

/* NULL for a call that libaudit does not know. */
const char *laf_call_name(uint32_t arch, uint32_t nr);

#endif
