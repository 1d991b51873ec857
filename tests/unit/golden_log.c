// SPDX-License-Identifier: GPL-2.0-or-later
/* Log lines back to ring messages. Only for logs that are known to be good: anything else aborts. */
#include <stdlib.h>
#include <string.h>

#include "golden_log.h"

#define VALUE_MAX 16384

/* The stamp, from "msg=" to the ')', is the same in all lines of an event. */
static int same_event(const char *a, const char *b)
{
	const char *x = strstr(a, "msg="), *y = strstr(b, "msg=");

	return strcspn(x, ")") == strcspn(y, ")") && !strncmp(x, y, strcspn(x, ")"));
}

static char *read_line(FILE *log)
{
	char *line = NULL;
	size_t size;

	if (getline(&line, &size, log) >= 0)
		return line;
	free(line);
	return NULL;
}

int golden_next(FILE *log, struct golden_event *e)
{
	for (unsigned i = 0; i < e->n; i++)
		free(e->lines[i]);
	e->n = 0;
	if (!e->ahead)
		e->ahead = read_line(log);
	if (!e->ahead)
		return -1;
	while (e->ahead && (!e->n || same_event(e->lines[0], e->ahead))) {
		if (e->n == GOLDEN_LINES_MAX)
			abort();
		e->lines[e->n++] = e->ahead;
		e->ahead = read_line(log);
	}
	return 0;
}

/* The value of " name=" in the raw part of a line; NULL if it is not there. */
static const char *find(const char *line, const char *name, char *value)
{
	const char *body = strstr(line, "): ") + 2, *end = strpbrk(body, "\x1d\n");
	size_t len = strlen(name);

	for (const char *at = body; at && at < end; at = strchr(at + 1, ' ')) {
		if (strncmp(at + 1, name, len) || at[1 + len] != '=')
			continue;
		at += len + 2;
		snprintf(value, VALUE_MAX, "%.*s", (int)strcspn(at, " \x1d\n"), at);
		return value;
	}
	return NULL;
}

static unsigned long long number(const char *line, const char *name, int base)
{
	char value[VALUE_MAX];

	return find(line, name, value) ? strtoull(value, NULL, base) : 0;
}

/* Undo quotes or hexadecimal, in place. Returns the length, or -1 for (null) and nothing. */
static long untrusted(const char *line, const char *name, char *value)
{
	size_t len;

	if (!find(line, name, value) || !strcmp(value, "(null)"))
		return -1;
	len = strlen(value);
	if (*value == '"') {
		memmove(value, value + 1, len - 2);
		value[len - 2] = 0;
		return len - 2;
	}
	for (size_t i = 0; i < len / 2; i++) {
		char pair[3] = { value[2 * i], value[2 * i + 1], 0 };

		value[i] = strtoul(pair, NULL, 16);
	}
	value[len / 2] = 0;
	return len / 2;
}

static void build_path(struct event_builder *b, unsigned kind, const char *line, const char *name)
{
	char value[VALUE_MAX], *deleted;
	long len = untrusted(line, name, value);

	if (len < 0)
		return;
	deleted = len > 10 && !strcmp(value + len - 10, " (deleted)") ? value + len - 10 : NULL;
	if (deleted)
		*deleted = 0;
	builder_path(b, kind, deleted ? LAF_PATH_DELETED : 0, value);
}

static void build_ids(struct laf_wire_event *w, const char *line)
{
	w->ppid = number(line, "ppid", 10);
	w->pid = number(line, "pid", 10);
	w->auid = number(line, "auid", 10);
	w->ses = number(line, "ses", 10);
	w->uid = number(line, "uid", 10);
	w->gid = number(line, "gid", 10);
	w->euid = number(line, "euid", 10);
	w->suid = number(line, "suid", 10);
	w->fsuid = number(line, "fsuid", 10);
	w->egid = number(line, "egid", 10);
	w->sgid = number(line, "sgid", 10);
	w->fsgid = number(line, "fsgid", 10);
}

static void build_syscall(struct event_builder *b, const char *line)
{
	struct laf_wire_event *w = &b->wire;
	char value[VALUE_MAX];

	w->arch = number(line, "arch", 16);
	w->nr = number(line, "syscall", 10);
	w->personality = number(line, "per", 16);
	w->exit = find(line, "exit", value) ? strtoll(value, NULL, 10) : 0;
	if (!find(line, "success", value))
		w->flags |= LAF_EV_NO_RETURN;
	for (int i = 0; i < 4; i++)
		w->args[i] = number(line, (char[]){ 'a', '0' + i, 0 }, 16);
	build_ids(w, line);
	memset(w->comm, 0, sizeof(w->comm));
	memcpy(w->comm, value, untrusted(line, "comm", value));
	build_path(b, LAF_SECTION_EXE, line, "exe");
	if (find(line, "tty", value) && strcmp(value, "(none)"))
		builder_section(b, LAF_SECTION_TTY, 0, value, strlen(value));
}

static void build_execve(struct event_builder *b, const char *line)
{
	char list[VALUE_MAX], value[VALUE_MAX], name[16];
	unsigned argc = number(line, "argc", 10);
	size_t bytes = 0;

	for (unsigned i = 0; i < argc; i++) {
		long len;

		snprintf(name, sizeof(name), "a%u", i);
		len = untrusted(line, name, value);
		if (len < 0 || bytes + len + 1 > sizeof(list))
			abort();
		memcpy(list + bytes, value, len + 1);
		bytes += len + 1;
	}
	builder_execve(b, argc, list, bytes);
}

static unsigned device(const char *line, const char *name)
{
	char value[VALUE_MAX] = "0:0", *minor;
	unsigned major;

	find(line, name, value);
	major = strtoul(value, &minor, 16);
	return major << 20 | strtoul(minor + 1, NULL, 16);
}

static unsigned nametype(const char *line)
{
	static const char *const types[] = { "UNKNOWN", "NORMAL", "PARENT", "DELETE", "CREATE" };
	char value[VALUE_MAX];

	find(line, "nametype", value);
	for (unsigned i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(value, types[i]))
			return i;
	abort();
}

/* A parent's record shows the folder of a name that itself is not in it: any will do. */
static void build_name(struct event_builder *b, const char *line)
{
	struct laf_wire_name n = { .nametype = nametype(line) };
	char text[VALUE_MAX], value[VALUE_MAX];
	long len = untrusted(line, "name", text);

	if (find(line, "inode", value)) {
		n.flags |= LAF_NAME_INODE;
		n.ino = strtoull(value, NULL, 10);
		n.dev = device(line, "dev");
		n.rdev = device(line, "rdev");
		n.mode = number(line, "mode", 8);
		n.uid = number(line, "ouid", 10);
		n.gid = number(line, "ogid", 10);
	}
	if (len < 0) {
		n.flags |= LAF_NAME_NULL;
		len = 0;
	} else if (n.nametype == LAF_NAME_PARENT) {
		n.flags |= LAF_NAME_FOLDER;
		if (text[len - 1] != '/')
			len = 0;
		memcpy(text + len, "any//", 5);
		len += 5;
	}
	builder_name(b, n, text, len);
}

/* The NUL behind the last argument is trimmed from a title, where there was room for it. */
static void build_proctitle(struct event_builder *b, const char *line)
{
	char value[VALUE_MAX];
	long len = untrusted(line, "proctitle", value);

	if (len > 0 && strcmp(value, "(null)"))
		builder_section(b, LAF_SECTION_PROCTITLE, 0, value, len < 128 ? len + 1 : len);
}

static void build_line(struct event_builder *b, const char *line)
{
	char value[VALUE_MAX];

	if (!strncmp(line, "type=EXECVE", 11))
		build_execve(b, line);
	else if (!strncmp(line, "type=SOCKADDR", 13))
		builder_section(b, LAF_SECTION_SADDR, 0, value, untrusted(line, "saddr", value));
	else if (!strncmp(line, "type=CWD", 8))
		build_path(b, LAF_SECTION_CWD, line, "cwd");
	else if (!strncmp(line, "type=PATH", 9))
		build_name(b, line);
	else if (!strncmp(line, "type=PROCTITLE", 14))
		build_proctitle(b, line);
	else
		abort();
}

void golden_build(const struct golden_event *e, struct event_builder *b)
{
	static char key[VALUE_MAX];
	unsigned long long s, ms;
	long key_len;

	builder_start(b);
	build_syscall(b, e->lines[0]);
	for (unsigned i = 1; i < e->n; i++)
		build_line(b, e->lines[i]);
	if (builder_decode(b))
		abort();
	if (sscanf(e->lines[0], "type=SYSCALL msg=audit(%llu.%llu:%u)", &s, &ms, &b->event.serial) != 3)
		abort();
	b->event.time_ms = s * 1000 + ms;
	key_len = untrusted(e->lines[0], "key", key);
	if (key_len >= 0) {
		b->event.key = key;
		b->event.key_len = key_len;
	}
}
