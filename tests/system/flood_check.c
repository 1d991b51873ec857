// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the log of a flood and what the flood says it did: is every record whole and every event there once?
 *
 *   flood_check LOG MADE RECORDS [gaps]
 *
 * MADE: lines of a pid and the number of its calls, which flood.c wrote. RECORDS: the types that each event must
 * have, in order, with a comma between them. Prints "made M, written W, records of laf's own O, lost L" where L is
 * the last total of DAEMON_ERR op=lost-events, and says what is wrong; the status is then 1. With `gaps`, events that had a number already may be lost. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERIAL_FIRST 0x80000000u
#define PIDS_MAX 64
#define FAULTS_SHOWN 20

struct process {
	unsigned pid;
	uint64_t made, written, last; /* the number of its last call in the log */
};

static struct process processes[PIDS_MAX];
static unsigned n_processes, faults;
static uint64_t made, written, own, lost;
static uint32_t serial; /* of the event that is being read; 0 = none yet */
static bool gaps;
static char types[256], got[256]; /* of its records: wanted, and so far */

static void fault(const char *what, const char *line)
{
	if (faults++ < FAULTS_SHOWN)
		printf("%s: %.*s\n", what, (int)strcspn(line, "\n"), line);
}

static void read_made(const char *path)
{
	FILE *f = fopen(path, "re");
	struct process *p = processes;

	while (f && p < processes + PIDS_MAX && fscanf(f, "%u %lu", &p->pid, &p->made) == 2)
		made += p++->made;
	n_processes = p - processes;
	if (f)
		fclose(f);
}

/* A number behind " name=". Returns whether it is there. */
static bool number(const char *line, const char *name, int base, uint64_t *ret)
{
	const char *at = strstr(line, name);
	char *end;

	if (!at)
		return false;
	at += strlen(name);
	*ret = strtoull(at, &end, base);
	return end != at && (*end == ' ' || *end == '\n' || *end == ')');
}

/* Every call is there once, and in order: its number stands in a2. */
static void take_syscall(const char *line)
{
	uint64_t pid = 0, nr = 0, call = 0;

	if (!number(line, " pid=", 10, &pid) || !number(line, " syscall=", 10, &nr) || !number(line, " a2=", 16, &call))
		return fault("a field is missing", line);
	for (unsigned i = 0; i < n_processes; i++) {
		struct process *p = &processes[i];

		if (p->pid != pid)
			continue;
		if (call <= p->last)
			fault("a call twice or out of order", line);
		if (call > p->made || nr != 2)
			fault("a call that nobody made", line);
		p->last = call;
		p->written++;
		written++;
		return;
	}
	fault("an event of another process", line);
}

static void end_event(const char *line)
{
	if (!serial)
		return;
	if (!strncmp(got, "DAEMON_", 7) || !strncmp(got, "CONFIG_CHANGE", 13))
		own++;
	else if (strcmp(got, types))
		fault("before this line an event does not have its records", line);
}

/* Serials count up by one: none is there twice, and the records of one event stand together. */
static void take_serial(const char *line, uint32_t next)
{
	if (next == serial)
		return;
	end_event(line);
	got[0] = 0;
	if (next < SERIAL_FIRST || (serial && next != ((serial + 1) | SERIAL_FIRST) && !(gaps && next > serial)))
		fault("a serial out of turn", line);
	serial = next;
}

static void take_line(const char *line)
{
	unsigned seconds, ms, next;
	char type[32];
	int n = 0;

	if (sscanf(line, "type=%31[A-Z_] msg=audit(%10u.%3u:%u):%n", type, &seconds, &ms, &next, &n) != 4 || !n ||
	    line[n] != ' ')
		return fault("no record", line);
	if (strstr(line + n, " msg=audit("))
		fault("two records in one line", line);
	take_serial(line, next);
	if (strlen(got) + strlen(type) + 2 < sizeof(got))
		sprintf(got + strlen(got), "%s%s", got[0] ? "," : "", type);
	if (!strcmp(type, "SYSCALL"))
		take_syscall(line);
	else if (!strcmp(type, "DAEMON_ERR") && !strstr(line, " op=in-doubt ") && !number(line, " total=", 10, &lost))
		fault("no total", line);
}

int main(int argc, char **argv)
{
	size_t room = 0;
	char *line = NULL;
	ssize_t n;
	FILE *f;

	if (argc != 4 && argc != 5)
		return 2;
	gaps = argc == 5;
	read_made(argv[2]);
	snprintf(types, sizeof(types), "%s", argv[3]);
	f = fopen(argv[1], "re");
	if (!f)
		return 2;
	setvbuf(f, NULL, _IOFBF, 1 << 20);
	while ((n = getline(&line, &room, f)) > 0) {
		if (line[n - 1] != '\n' || strlen(line) != (size_t)n)
			fault("a line that is not whole", line);
		take_line(line);
	}
	end_event("the end");
	for (unsigned i = 0; i < n_processes; i++)
		printf("process %u: %lu calls, %lu of them in the log\n", processes[i].pid, processes[i].made,
		       processes[i].written);
	printf("made %lu, written %lu, records of laf's own %lu, lost %lu\n", made, written, own, lost);
	if (faults)
		printf("%u faults\n", faults);
	return faults || !made ? 1 : 0;
}
