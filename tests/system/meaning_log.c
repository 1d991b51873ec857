// SPDX-License-Identifier: GPL-2.0-or-later
/* What was recorded: of each event the call, its key, and which records it has. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libaudit.h>

#include "meaning.h"

#define FIRST 1300
#define MIXED 64 /* events */

/* Records that laf leaves out so far, or that are not for files: docs/differences.md. */
static bool is_left_out(unsigned type)
{
	return type == AUDIT_EOE || type == AUDIT_BPRM_FCAPS || type == AUDIT_OBJ_PID;
}

/* The value of " NAME=" in a record, up to the next space. */
static void field(const char *text, size_t len, const char *name, char *buf, size_t size)
{
	const char *at = memmem(text, len, name, strlen(name)), *end = text + len;
	size_t n = 0;

	for (at = at ? at + strlen(name) : end; at < end && *at != ' ' && n + 1 < size; at++)
		buf[n++] = *at;
	buf[n] = 0;
}

static unsigned long serial_of(const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);

	return colon ? strtoul(colon + 1, NULL, 10) : 0;
}

static struct log_line *new_line(struct log *log)
{
	if (log->n == log->room) {
		log->room = log->room ? 2 * log->room : 1024;
		log->lines = realloc(log->lines, log->room * sizeof(*log->lines));
		if (!log->lines)
			abort();
	}
	memset(&log->lines[log->n], 0, sizeof(*log->lines));
	return &log->lines[log->n++];
}

static void take_call(struct log *log, const char *text, size_t len, const struct place *place)
{
	static const char *const names[] = {
		"arch=", " syscall=", " per=", " exit=", " a0=", " a1=", " a2=", " a3=", " items=", " comm=", " key=",
	};
	char value[256], *at;
	struct log_line *line;
	unsigned pid;

	field(text, len, " auid=", value, sizeof(value));
	if (strtoul(value, NULL, 10) != MARK)
		return;
	field(text, len, " pid=", value, sizeof(value));
	pid = strtoul(value, NULL, 10);
	if (pid == (unsigned)place->server)
		return;
	line = new_line(log);
	line->pid = pid;
	line->serial = serial_of(text, len);
	at = line->text;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(names[i], " items=") && !place->sees_names)
			continue;
		field(text, len, names[i], value, sizeof(value));
		at += snprintf(at, line->text + sizeof(line->text) - at, "%s%.64s", names[i], value);
	}
}

/* Records of two processors' events come mixed, a few at a time. */
static struct log_line *line_of(struct log *log, unsigned long serial)
{
	for (size_t i = log->n; i-- > 0 && i + MIXED > log->n;)
		if (log->lines[i].serial == serial)
			return &log->lines[i];
	return NULL;
}

void log_record(struct log *log, unsigned type, const char *text, size_t len, const struct place *place)
{
	struct log_line *line;

	if (type < FIRST || type >= FIRST + 128 || is_left_out(type))
		return;
	if (type == AUDIT_SYSCALL)
		take_call(log, text, len, place);
	line = line_of(log, serial_of(text, len));
	if (line)
		line->types[(type - FIRST) / 64] |= UINT64_C(1) << (type - FIRST) % 64;
}

void log_lines(struct log *log, const char *text, size_t len, const struct place *place)
{
	while (len) {
		const char *end = memchr(text, '\n', len), *body = memmem(text, len, " msg=", 5);
		char name[32] = "";

		if (!end || !body || sscanf(text, "type=%31s", name) != 1)
			abort();
		log_record(log, audit_name_to_msg_type(name), body + 5, end - body - 5, place);
		len -= end + 1 - text;
		text = end + 1;
	}
}

static int by_process(const void *left, const void *right)
{
	const struct log_line *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

void log_sort(struct log *log)
{
	if (log->n)
		qsort(log->lines, log->n, sizeof(*log->lines), by_process);
	for (size_t i = 0; i < log->n; i++) {
		struct log_line *line = &log->lines[i];
		size_t used = strlen(line->text);

		snprintf(line->text + used, sizeof(line->text) - used, " pid=%u records=%llx:%llx", line->pid,
			 (unsigned long long)line->types[1], (unsigned long long)line->types[0]);
	}
}

bool log_equal(const struct log *a, const struct log *b, const char **ret_a, const char **ret_b)
{
	for (size_t i = 0; i < a->n || i < b->n; i++) {
		*ret_a = i < a->n ? a->lines[i].text : NULL;
		*ret_b = i < b->n ? b->lines[i].text : NULL;
		if (!*ret_a || !*ret_b || strcmp(*ret_a, *ret_b))
			return false;
	}
	return true;
}

void log_clear(struct log *log)
{
	log->n = 0;
}
