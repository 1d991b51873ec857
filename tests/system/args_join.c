// SPDX-License-Identifier: GPL-2.0-or-later
/* Joins the EXECVE records of each event of a log, and compares them with the arguments that were given.
 *
 *   args_join LOG FILE     FILE: the arguments, each with its NUL. Prints how many events there are, and how many of these have just these
 *                          arguments; says of the others what is wrong. Status 0 if there are no others. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_KERNEL 8970 /* MAX_AUDIT_MESSAGE_LENGTH: what readers of the log make room for */

static char *given;
static size_t given_bytes;
static char *got; /* the arguments so far, each with its NUL */
static size_t got_bytes, got_room;
static unsigned long argc, args; /* said at first; met so far */
static size_t said_len, part_len; /* of an argument in parts: what aN_len= says, and what came */
static unsigned long parts;
static char serial[64]; /* of the event that is being read */
static unsigned events, whole;
static bool broken;

static void fault(const char *what, const char *text)
{
	if (!broken)
		printf("%s: %s: %.100s\n", serial, what, text);
	broken = true;
}

static void put(const void *bytes, size_t n)
{
	if (got_bytes + n > got_room) {
		got_room = 2 * (got_bytes + n);
		got = realloc(got, got_room);
	}
	memcpy(got + got_bytes, bytes, n);
	got_bytes += n;
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Quoted, or in hexadecimal. */
static void put_value(const char *v)
{
	size_t n = strlen(v);
	char byte;

	if (*v == '"') {
		if (n < 2 || v[n - 1] != '"')
			return fault("a quote is missing", v);
		part_len += n - 2;
		return put(v + 1, n - 2);
	}
	part_len += n;
	if (n % 2)
		fault("half a byte", v);
	for (; n > 1; v += 2, n -= 2) {
		if (digit(v[0]) < 0 || digit(v[1]) < 0)
			return fault("no hexadecimal", v);
		byte = digit(v[0]) << 4 | digit(v[1]);
		put(&byte, 1);
	}
}

/* The parts of an argument are over when another begins. */
static void end_argument(void)
{
	if (!parts)
		return;
	if (part_len != said_len)
		fault("aN_len= is not the length of the parts", serial);
	put("", 1);
	args++;
	parts = 0;
}

static void take_word(char *word)
{
	char *value = strchr(word, '='), *end;
	unsigned long number;

	if (!value)
		return fault("no field", word);
	*value++ = 0;
	if (!strcmp(word, "argc")) {
		argc = strtoul(value, NULL, 10);
		return;
	}
	number = strtoul(word + 1, &end, 10);
	if (*end != '[')
		end_argument();
	if (*word != 'a' || number != args)
		return fault("an argument out of turn", word);
	part_len = *end == '[' ? part_len : 0;
	if (!strcmp(end, "_len")) {
		said_len = strtoul(value, NULL, 10);
		return;
	}
	put_value(value);
	if (*end == '[' && strtoul(end + 1, NULL, 10) != parts++)
		fault("a part out of turn", word);
	if (!*end) {
		put("", 1);
		args++;
	}
}

static void end_event(void)
{
	if (!serial[0])
		return;
	end_argument();
	if (args != argc)
		fault("arguments are missing", "");
	if (got_bytes != given_bytes || memcmp(got, given, got_bytes))
		fault("these are not the arguments that were given", "");
	events++;
	whole += !broken;
	serial[0] = 0;
}

static void take_line(char *line)
{
	char *stamp = strstr(line, "msg=audit("), *body = stamp ? strstr(stamp, "): ") : NULL;

	if (strncmp(line, "type=EXECVE ", 12))
		return;
	if (!body)
		return fault("no record", line);
	*body = 0;
	if (strcmp(serial, stamp + 10)) {
		end_event();
		snprintf(serial, sizeof(serial), "%s", stamp + 10);
		got_bytes = args = argc = parts = 0;
		broken = false;
	}
	if (strlen(body + 3) > LINE_MAX_KERNEL)
		fault("the record is too long", "");
	for (char *word = strtok(body + 3, " \n"); word; word = strtok(NULL, " \n"))
		take_word(word);
}

static void read_given(const char *path)
{
	FILE *f = fopen(path, "re");

	given = malloc(16 << 20);
	given_bytes = f ? fread(given, 1, 16 << 20, f) : 0;
	if (f)
		fclose(f);
}

int main(int argc_, char **argv)
{
	FILE *log = argc_ == 3 ? fopen(argv[1], "re") : NULL;
	char *line = NULL;
	size_t room = 0;

	if (!log)
		return 2;
	read_given(argv[2]);
	while (getline(&line, &room, log) > 0)
		take_line(line);
	end_event();
	printf("%u events, %u whole\n", events, whole);
	return events != whole;
}
