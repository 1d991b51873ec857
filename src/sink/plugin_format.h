/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of the log as plugins get it: for plugin*.c alone. */
#ifndef LAF_SINK_PLUGIN_FORMAT_H
#define LAF_SINK_PLUGIN_FORMAT_H

#include <libaudit.h>

#include "plugin.h"

/* The lines as they are; those of an event followed by its EOE. Returns NULL without memory; to be freed. */
struct laf_plugin_item *laf_plugin_string(const char *text, size_t bytes, unsigned records);

/* What auditd writes before each record. */
struct laf_plugin_header {
	uint32_t version;      /* 0: the text is what follows "msg="; 1 (enriched, or with a node): the whole line */
	uint32_t header_bytes;
	uint32_t type;
	uint32_t bytes;        /* of the text */
};

/* What binary plugins read at once: they count on it that there is room for the longest record behind each header. */
#define LAF_PLUGIN_FRAME (sizeof(struct laf_plugin_header) + MAX_AUDIT_MESSAGE_LENGTH)

/* The same, each line as a header and its text; what is longer than a frame is cut. */
struct laf_plugin_item *laf_plugin_binary(const char *text, size_t bytes, unsigned records, bool enriched);

#endif
