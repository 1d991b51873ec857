/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Socket addresses for people. */
#ifndef LAF_RECORD_SADDR_H
#define LAF_RECORD_SADDR_H

#include <stddef.h>
#include <stdint.h>

#define SADDR_TEXT_MAX 1024 /* bytes that one address needs at most */

/* The family's name, or NULL. */
const char *laf_saddr_family(unsigned family);

/* auditd's way, e.g. "{ saddr_fam=inet laddr=1.2.3.4 lport=53 }". */
char *laf_put_saddr_enriched(char *at, const uint8_t *saddr, size_t len);
/* Our own way, e.g. "1.2.3.4:53", "[::1]:53", "/run/x.sock", "@abstract". */
char *laf_put_saddr_short(char *at, const uint8_t *saddr, size_t len);

#endif
