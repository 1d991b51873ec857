// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts a program with a large argument list.
 *
 *   args_make KIND FILE PROGRAM [N]    write the arguments to FILE, each with its NUL, and become PROGRAM with them; with N:
 *                                      as N children, half of them at a time, and end when they have ended
 *
 * The kinds are the functions below. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST 131071 /* MAX_ARG_STRLEN without the NUL */

struct list {
	char **argv;
	size_t n, room, bytes;
};

static void add(struct list *list, char *text)
{
	if (list->n + 2 > list->room) {
		list->room = 2 * list->room + 16;
		list->argv = realloc(list->argv, list->room * sizeof(*list->argv));
	}
	list->argv[list->n++] = text;
	list->argv[list->n] = NULL;
	list->bytes += strlen(text) + 1;
}

/* An argument of so many bytes; the seed says of which. */
static void add_made(struct list *list, size_t bytes, unsigned seed, const char *letters)
{
	char *text = malloc(bytes + 1);
	size_t n = strlen(letters);

	for (size_t i = 0; i < bytes; i++)
		text[i] = letters[(i * 31 + seed * 7 + i / 1021) % n];
	text[bytes] = 0;
	add(list, text);
}

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=/.,:[]{}()'`$\\"
#define WILD PLAIN " \"\n\t\001\033\177\200\303\244\377"

/* 128 KiB to the byte: arguments of all lengths, plain and not, empty ones between. */
static void mixed(struct list *list)
{
	const size_t bytes = 131072;
	unsigned i = 0;

	add(list, "mixed");
	while (bytes - list->bytes > 12000) {
		add_made(list, i * i * 3 % 11000, i, i % 3 ? PLAIN : WILD);
		add(list, i % 5 ? "a0=\"b\" argc=7" : "");
		i++;
	}
	add_made(list, bytes - list->bytes - 1, i, PLAIN);
}

static void one_plain(struct list *list)
{
	add(list, "one");
	add_made(list, LONGEST, 1, PLAIN);
}

static void one_wild(struct list *list)
{
	add(list, "one");
	add_made(list, LONGEST, 2, WILD);
}

static void many(struct list *list)
{
	for (unsigned i = 0; i < 5000; i++)
		add_made(list, i % 23, i, i % 7 ? PLAIN : WILD);
}

/* Where records are cut: lengths around the room that a record has. */
static void edges(struct list *list)
{
	add(list, "edges");
	for (unsigned i = 0; i < 120; i++)
		add_made(list, (i % 2 ? 7380 : 3690) + i, i, i % 4 < 2 ? PLAIN : WILD);
}

static void megabytes(struct list *list, size_t bytes)
{
	add(list, "megabytes");
	for (unsigned i = 0; list->bytes + 100001 < bytes; i++)
		add_made(list, 100000, i, i % 2 ? PLAIN : WILD);
	add_made(list, bytes - list->bytes - 1, 3, PLAIN);
}

static void stack_limit(struct list *list)
{
	megabytes(list, 1500000);
}

static void kernel_limit(struct list *list)
{
	megabytes(list, 6000000);
}

static void none(struct list *list)
{
	add(list, ""); /* what the kernel makes of an empty list, since 5.18 */
}

static void two(struct list *list)
{
	add(list, "two");
	add(list, "words");
}

static const struct {
	const char *name;
	void (*make)(struct list *list);
} kinds[] = {
	{ "mixed", mixed }, { "one_plain", one_plain }, { "one_wild", one_wild }, { "many", many }, { "edges", edges },
	{ "stack_limit", stack_limit }, { "kernel_limit", kernel_limit }, { "none", none }, { "two", two },
};

static void write_list(const struct list *list, const char *path)
{
	FILE *f = fopen(path, "we");

	for (size_t i = 0; f && i < list->n; i++)
		fwrite(list->argv[i], 1, strlen(list->argv[i]) + 1, f);
	if (!f || fclose(f)) {
		perror(path);
		exit(1);
	}
}

static void become(const char *program, const struct list *list)
{
	char *empty[] = { NULL };

	execve(program, list->n == 1 && !list->argv[0][0] ? empty : list->argv, empty);
	perror(program);
	_exit(errno == E2BIG ? 7 : 1);
}

static int start_many(const char *program, const struct list *list, int n)
{
	int status, failed = 0, running = 0;

	for (int i = 0; i < n; i++) {
		if (running == n / 2) {
			failed |= wait(&status) < 0 || status;
			running--;
		}
		if (!fork())
			become(program, list);
		running++;
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct list list = { 0 };

	if (argc < 4)
		return 2;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name))
			kinds[i].make(&list);
	if (!list.n)
		return 2;
	write_list(&list, argv[2]);
	if (argc > 4)
		return start_many(argv[3], &list, atoi(argv[4]));
	become(argv[3], &list);
}
