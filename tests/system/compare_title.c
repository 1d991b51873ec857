// SPDX-License-Identifier: GPL-2.0-or-later
/* PROCTITLE after an exec. The kernel reads a task's command line at the task's first event and keeps it to its end, so that a
 * program started after that goes by the title of the one before; laf writes what the task runs now. What that is can be
 * read back from the EXECVE record. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compare_known.h"

#define TITLE_MAX 128
#define PIDS 4194304

/* The last argument list that each process was started with, as PROCTITLE shows it. */
static char **titles;

/* Append the argument whose text begins at `v` (n bytes, quoted or hex), without ending it. */
static void add_text(FILE *f, const char *v, size_t n)
{
	if (*v == '"') {
		fwrite(v + 1, 1, n - 2, f);
		return;
	}
	for (size_t i = 0; i + 1 < n; i += 2) {
		char two[3] = { v[i], v[i + 1], 0 };

		putc((int)strtoul(two, NULL, 16), f);
	}
}

/* All arguments of one EXECVE record: aN=TEXT, or aN_len=L aN[0]=PIECE aN[1]=PIECE. */
static void add_arguments(FILE *f, const char *body)
{
	for (const char *p = strstr(body, " a"); p; p = strstr(p + 1, " a")) {
		const char *eq = strchr(p, '='), *piece = strchr(p, '[');
		size_t n;

		if (!eq || !isdigit(p[2]) || (strstr(p, "_len=") && strstr(p, "_len=") < eq))
			continue;
		if (!piece || piece > eq || !strncmp(piece, "[0]", 3)) {
			if (ftell(f))
				putc(0, f);
		}
		n = strcspn(eq + 1, " \035");
		add_text(f, eq + 1, n);
		p = eq + n;
	}
}

/* The kernel's isprint() goes by Latin-1. */
static bool kernel_isprint(unsigned char c)
{
	return (c >= 0x20 && c < 0x7f) || c >= 0xa0;
}

/* The kernel cuts at 128 bytes and drops what can't be printed from the end. */
static char *title_of(const struct event *e)
{
	char *list, *title;
	size_t n, size;
	bool plain = true;
	FILE *f = open_memstream(&list, &size);

	for (size_t i = 0; i < e->n_rec; i++)
		if (!strcmp(e->rec[i].type, "EXECVE"))
			add_arguments(f, e->rec[i].body);
	putc(0, f); /* the last argument's end */
	fclose(f);
	n = size < TITLE_MAX ? size : TITLE_MAX;
	while (n && !kernel_isprint(list[n - 1]))
		n--;
	if (!n) {
		free(list);
		return strdup("proctitle=\"(null)\"");
	}
	for (size_t i = 0; i < n; i++)
		plain &= list[i] != '"' && list[i] >= 0x21 && list[i] <= 0x7e;
	f = open_memstream(&title, &size);
	if (plain)
		fprintf(f, "proctitle=\"%.*s\"", (int)n, list);
	else
		fputs("proctitle=", f);
	for (size_t i = 0; i < n && !plain; i++)
		fprintf(f, "%02X", (unsigned char)list[i]);
	fclose(f);
	free(list);
	return title;
}

/* The kernel can't read the memory of a task that is being killed. */
bool title_of_dying(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *theirs = event_record(kernel, "PROCTITLE"), *mine = ours ? event_record(ours, "PROCTITLE") : NULL;

	if (!theirs || !mine || strcmp(theirs->body, "proctitle=\"(null)\"") || !strcmp(theirs->body, mine->body))
		return false;
	theirs->body = mine->body;
	return true;
}

/* The workload's steps that write over their own title: argument lists the titles they end with. */
bool title_rewritten(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *theirs = event_record(kernel, "PROCTITLE"), *mine = ours ? event_record(ours, "PROCTITLE") : NULL;

	if (!theirs || !mine || strncmp(kernel->step, "title.", 6) || !strcmp(theirs->body, mine->body))
		return false;
	if (!strstr(k->argument, mine->body + strlen("proctitle=")))
		return false;
	theirs->body = mine->body;
	return true;
}

bool title_of_new_program(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *theirs = event_record(kernel, "PROCTITLE"), *mine = ours ? event_record(ours, "PROCTITLE") : NULL;

	if (!titles)
		titles = calloc(PIDS, sizeof(*titles));
	if (kernel->call && event_record(kernel, "EXECVE"))
		titles[kernel->pid] = title_of(kernel);
	if (!kernel->call || !theirs || !mine || !titles[kernel->pid])
		return false;
	if (!strcmp(theirs->body, mine->body) || strcmp(mine->body, titles[kernel->pid]))
		return false;
	theirs->body = titles[kernel->pid];
	return true;
}
