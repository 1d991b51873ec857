// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading an audit log into events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libaudit.h>

#include "compare.h"

static int read_all(const char *path, char **ret)
{
	FILE *f = fopen(path, "re");
	size_t n = 0, room = 1 << 20;
	char *text = malloc(room);

	if (!f)
		return -errno;
	for (;;) {
		n += fread(text + n, 1, room - n - 1, f);
		if (n < room - 1)
			break;
		room *= 2;
		text = realloc(text, room);
	}
	text[n] = 0;
	fclose(f);
	*ret = text;
	return 0;
}

size_t field(const char *body, const char *name, const char **ret_value)
{
	size_t n = strlen(name);

	for (const char *p = body; (p = strstr(p, name)); p += n) {
		const char *v = p + n + 1, *end;

		if (p[n] != '=' || (p != body && p[-1] != ' '))
			continue;
		if (*v == '"')
			end = strchr(v + 1, '"') ? strchr(v + 1, '"') + 1 : v + strlen(v);
		else
			end = v + strcspn(v, " \035");
		*ret_value = v;
		return end - v;
	}
	*ret_value = "";
	return 0;
}

bool field_is(const char *body, const char *name, const char *value)
{
	const char *v;
	size_t n = field(body, name, &v);

	return n == strlen(value) && !memcmp(v, value, n);
}

static unsigned long field_number(const char *body, const char *name, int base)
{
	const char *v;

	return field(body, name, &v) ? strtoul(v, NULL, base) : 0;
}

char *field_text(const char *body, const char *name)
{
	const char *v;
	size_t n = field(body, name, &v);
	char *text;

	if (!n || (n == 6 && !memcmp(v, "(null)", 6)))
		return NULL;
	if (*v == '"')
		return strndup(v + 1, n - 2);
	text = calloc(1, n / 2 + 1);
	for (size_t i = 0; i + 1 < n; i += 2) {
		char two[3] = { v[i], v[i + 1], 0 };

		text[i / 2] = strtoul(two, NULL, 16);
	}
	return text;
}

const char *event_call_name(const struct event *e, char *buf, size_t size)
{
	const char *name = audit_syscall_to_name(e->nr, e->arch == AUDIT_ARCH_I386 ? MACH_X86 : MACH_86_64);

	if (name)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "#%u", e->nr);
	return buf;
}

struct record *event_record(const struct event *e, const char *type)
{
	for (size_t i = 0; i < e->n_rec; i++)
		if (!strcmp(e->rec[i].type, type))
			return &e->rec[i];
	return NULL;
}

static void note_syscall(struct event *e, char *body, char *last_step)
{
	char *comm = field_text(body, "comm");
	const char *v;

	e->call = body;
	e->arch = field_number(body, "arch", 16);
	e->nr = field_number(body, "syscall", 10);
	e->pid = field_number(body, "pid", 10);
	e->has_exit = field(body, "exit", &v);
	e->exit = e->has_exit ? strtol(v, NULL, 10) : 0;
	if (comm && strchr(comm, '.'))
		snprintf(last_step, sizeof(e->step), "%s", comm);
	snprintf(e->step, sizeof(e->step), "%s", last_step);
	free(comm);
}

/* The events still open, by a hash of their serial: records of several processors mix in the kernel's log. */
static struct event *find_event(struct log *log, double time, unsigned long serial)
{
	for (size_t i = log->n, seen = 0; i-- && seen < 4096; seen++)
		if (log->ev[i].serial == serial && log->ev[i].time == time)
			return &log->ev[i];
	return NULL;
}

static struct event *event_of(struct log *log, double time, unsigned long serial, size_t line)
{
	struct event *e = find_event(log, time, serial);

	if (e) {
		e->scattered |= e != &log->ev[log->n - 1];
		return e;
	}
	if (!(log->n & (log->n - 1)))
		log->ev = realloc(log->ev, (log->n ? log->n * 2 : 1) * sizeof(*log->ev));
	e = &log->ev[log->n++];
	*e = (struct event){ .time = time, .serial = serial, .line = line };
	return e;
}

static int take_line(struct log *log, char *line, size_t number, char *last_step)
{
	char *msg = strstr(line, " msg=audit("), *end = msg ? strstr(msg, "): ") : NULL;
	struct event *e;
	struct record *r;
	char *serial;
	double time;

	if (strncmp(line, "type=", 5) || !msg || !end)
		return -EBADMSG;
	time = strtod(msg + 11, &serial);
	if (*serial != ':')
		return -EBADMSG;
	e = event_of(log, time, strtoul(serial + 1, NULL, 10), number);
	e->rec = realloc(e->rec, (e->n_rec + 1) * sizeof(*e->rec));
	r = &e->rec[e->n_rec++];
	*msg = 0;
	r->type = line + 5;
	r->body = end + 3;
	if (!strcmp(r->type, "SYSCALL"))
		note_syscall(e, r->body, last_step);
	return 0;
}

int log_read(const char *path, struct log *log)
{
	char last_step[32] = "(start)";
	size_t number = 0;
	int rc;

	*log = (struct log){ .path = path };
	rc = read_all(path, &log->text);
	if (rc)
		return rc;
	for (char *line = log->text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		number++;
		if (take_line(log, line, number, last_step)) {
			fprintf(stderr, "compare: %s:%zu: no audit record: %.80s\n", path, number, line);
			return -EBADMSG;
		}
	}
	return 0;
}
