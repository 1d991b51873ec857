/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events to lines of text: the standard audit log, raw or enriched, or one readable line. */
#ifndef LAF_RECORD_H
#define LAF_RECORD_H

#include <stddef.h>

#include <laf/event.h>

enum laf_format {
	LAF_FORMAT_RAW,      /* as auditd's log_format = RAW */
	LAF_FORMAT_ENRICHED, /* as auditd's log_format = ENRICHED */
	LAF_FORMAT_SHORT,    /* one line an event, for people */
};

/* Holds what does not change between two events (names of ids, text of the last task). Not thread-safe. */
struct laf_formatter;

/* Returns 0 or -ENOMEM. `node`: text for "node=X " before each line, or NULL. */
int laf_formatter_new(enum laf_format format, const char *node, struct laf_formatter **ret);
void laf_formatter_free(struct laf_formatter *f);

/* Forget names of users and groups (they may have changed). */
void laf_formatter_flush(struct laf_formatter *f);

/* Format all records of one event. On success *ret_text points to the lines, each ended by '\n' (not NUL-terminated), owned by
 * the formatter and valid until the next call; *ret_records is how many records they are.
 * Returns 0, -ENOMEM, or -EMSGSIZE for an event over the limit LAF_EVENT_TEXT_MAX. */
int laf_format_event(struct laf_formatter *f, const struct laf_event *event,
		     const char **ret_text, size_t *ret_bytes, unsigned *ret_records);

/* Format one record that is text already, as the kernel's audit sends it: "audit(SEC.MMM:SERIAL): …". `type`: AUDIT_…; `time_ms`: of
 * the record. The line is as auditd writes it. Returns and gives as above; not for LAF_FORMAT_SHORT. */
int laf_format_text(struct laf_formatter *f, unsigned type, uint64_t time_ms, const char *text, size_t len,
		    const char **ret_text, size_t *ret_bytes);

#define LAF_EVENT_TEXT_MAX (64u << 20) /* bytes of text of one event: an argument list may be megabytes */

#endif
