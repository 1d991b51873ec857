/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of users and groups, as the system's databases have them, kept. */
#ifndef LAF_RECORD_IDS_H
#define LAF_RECORD_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/record.h>

#define ID_UNSET 4294967295u
#define ID_SLOTS 512             /* a power of two */
#define ID_UNKNOWN_KEPT_MS 10000 /* by the events' own time: an account may be made after its first use */
#define ID_NAME_MAX 63           /* bytes; auditd cuts longer names there */
#define ID_TEXT_MAX (4 * ID_NAME_MAX + 8)

enum id_kind { ID_USER = 1, ID_GROUP = 2 };

struct id_name {
	uint32_t id;
	uint16_t kind; /* 0 = nothing here */
	uint16_t len;
	bool unknown;
	uint64_t time_ms; /* when it was looked up */
	char *text;       /* ready to be written */
};

struct id_names {
	enum laf_format format;
	struct id_name *slots; /* by kind and the lowest bits of the id */
	uint64_t good_until_ms; /* set by the caller; falls to when a name that was written goes stale */
};

int laf_ids_init(struct id_names *ids, enum laf_format format);
void laf_ids_free(struct id_names *ids);
void laf_ids_flush(struct id_names *ids);

/* Write an id's name in the form that the format wants: quoted or in hexadecimal (enriched), or fit for a
 * terminal (short). `at` has room for ID_TEXT_MAX bytes. */
char *laf_put_id_name(char *at, struct id_names *ids, enum id_kind kind, uint32_t id, uint64_t now_ms);

#endif
