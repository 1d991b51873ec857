// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's PATH records turned into those of an engine that sees the names, but not where they led to.
 *
 * Such an engine writes one PATH for each name that the kernel copied, in the order of copying, without inode and
 * as UNKNOWN. From the kernel's records those names can be read back: NORMAL and UNKNOWN stand for themselves; a
 * PARENT stands for a name of which it shows the part before the last component (or the working directory);
 * CREATE and DELETE complete such a PARENT. */
#include <stdlib.h>
#include <string.h>

#include "compare_known.h"

#define SLOTS 16

struct slot {
	char *text;   /* NULL: only the folder is known */
	char *folder; /* NULL too: there is no name */
};

/* "a/b" gives "a/", "a/b//" gives "a/", "b" gives the working directory. */
static char *folder_of(const char *name, const char *cwd)
{
	size_t n = strlen(name);

	while (n > 1 && name[n - 1] == '/')
		n--;
	while (n && name[n - 1] != '/')
		n--;
	return n ? strndup(name, n) : strdup(cwd);
}

static bool in_folder(const char *name, const char *folder, const char *cwd)
{
	char *f = folder_of(name, cwd);
	bool same = !strcmp(f, folder);

	free(f);
	return same;
}

/* The slot that a CREATE or DELETE completes. Of two in the same folder the first is the new name, the last the old one, and
 * the kernel deletes the old name first. */
static struct slot *incomplete_slot(struct slot *slots, size_t n, const char *text, const char *cwd, bool from_end)
{
	for (size_t i = 0; i < n; i++) {
		struct slot *s = &slots[from_end ? n - 1 - i : i];

		if (!s->text && s->folder && in_folder(text, s->folder, cwd))
			return s;
	}
	return NULL;
}

static void complete(struct slot *slots, size_t *n, char *text, const char *cwd, bool deleted)
{
	struct slot *s;

	for (size_t i = 0; i < *n; i++) {
		if (slots[i].text && !strcmp(slots[i].text, text)) {
			free(text); /* shown a second time */
			return;
		}
	}
	s = incomplete_slot(slots, *n, text, cwd, deleted);
	if (s)
		s->text = text;
	else if (*n < SLOTS)
		slots[(*n)++].text = text;
}

static size_t read_slots(const struct event *e, const char *cwd, struct slot *slots)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n_rec; i++) {
		const char *body = e->rec[i].body;
		char *text;

		if (strcmp(e->rec[i].type, "PATH") || n == SLOTS)
			continue;
		text = field_text(body, "name");
		if (!text && field_is(body, "nametype", "NORMAL"))
			n++;
		if (!text)
			continue; /* a second use of a name that is in the list */
		if (field_is(body, "nametype", "PARENT"))
			slots[n++].folder = text;
		else if (field_is(body, "nametype", "NORMAL") || field_is(body, "nametype", "UNKNOWN"))
			slots[n++].text = text;
		else
			complete(slots, &n, text, cwd, field_is(body, "nametype", "DELETE"));
	}
	return n;
}

/* As the kernel writes strings. */
static void put_text(FILE *f, const char *text)
{
	bool plain = true;

	if (!text) {
		fputs("(null)", f);
		return;
	}
	for (const char *p = text; *p; p++)
		plain &= *p != '"' && *p >= 0x21 && *p <= 0x7e;
	if (plain) {
		fprintf(f, "\"%s\"", text);
		return;
	}
	for (const char *p = text; *p; p++)
		fprintf(f, "%02X", (unsigned char)*p);
}

char *renamed_record(const char *old, size_t item, const char *text)
{
	char *body;
	size_t size;
	FILE *f = open_memstream(&body, &size);
	const char *name;
	size_t n = field(old, "name", &name);

	fprintf(f, "item=%zu name=", item);
	put_text(f, text);
	fputs(name + n, f);
	fclose(f);
	return body;
}

char *given_record(size_t item, const char *text)
{
	char *body;
	size_t size;
	FILE *f = open_memstream(&body, &size);

	fprintf(f, "item=%zu name=", item);
	put_text(f, text);
	fputs(" nametype=UNKNOWN cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0", f);
	fclose(f);
	return body;
}

/* The text of the i-th name in our own event: all that can tell a name of which the kernel shows the folder. */
static char *our_name(const struct event *ours, size_t item)
{
	for (size_t i = 0; ours && i < ours->n_rec; i++)
		if (!strcmp(ours->rec[i].type, "PATH") && !item--)
			return field_text(ours->rec[i].body, "name");
	return NULL;
}

static void set_items(struct event *e, size_t items)
{
	struct record *r = event_record(e, "SYSCALL");
	const char *at = strstr(r->body, " items="), *rest;
	size_t size;
	char *body;
	FILE *f;

	if (!at)
		return;
	rest = at + 7 + strspn(at + 7, "0123456789");
	f = open_memstream(&body, &size);
	fprintf(f, "%.*s items=%zu%s", (int)(at - r->body), r->body, items, rest);
	fclose(f);
	r->body = e->call = body;
}

void replace_paths(struct event *e, char **bodies, size_t n)
{
	size_t at = 0;

	while (at < e->n_rec && strcmp(e->rec[at++].type, "CWD"))
		;
	for (size_t i = at; i < e->n_rec;)
		if (!strcmp(e->rec[i].type, "PATH"))
			drop_record(e, i);
		else
			i++;
	e->rec = realloc(e->rec, (e->n_rec + n) * sizeof(*e->rec));
	memmove(e->rec + at + n, e->rec + at, (e->n_rec - at) * sizeof(*e->rec));
	for (size_t i = 0; i < n; i++)
		e->rec[at + i] = (struct record){ "PATH", bodies[i] };
	e->n_rec += n;
	if (!n && event_record(e, "CWD"))
		drop_record(e, event_record(e, "CWD") - e->rec);
	set_items(e, n);
}

/* The kernel counts a name that it does not show (the folder of message queues). */
static bool hidden_only(const struct event *e)
{
	return !event_record(e, "PATH") && !field_is(e->call, "items", "0");
}

/* Complete and write the slots; at most `most`. */
static bool write_slots(struct event *kernel, const struct event *ours, struct slot *slots, size_t n, size_t most,
			const char *cwd)
{
	char *bodies[SLOTS];

	for (size_t i = 0; i < n; i++) {
		char *name = our_name(ours, i);

		if (!slots[i].text && slots[i].folder && name && in_folder(name, slots[i].folder, cwd))
			slots[i].text = strdup(name);
		bodies[i] = given_record(i, slots[i].text ?: slots[i].folder);
		free(name);
		free(slots[i].text);
		free(slots[i].folder);
	}
	replace_paths(kernel, bodies, n < most ? n : most);
	return true;
}

static bool as_given(struct event *kernel, const struct event *ours, size_t most)
{
	const struct record *cwd_record = event_record(kernel, "CWD");
	struct slot slots[SLOTS] = { 0 };
	bool changed;
	char *cwd;
	size_t n;

	if (!cwd_record)
		return false;
	cwd = field_text(cwd_record->body, "cwd");
	n = read_slots(kernel, cwd, slots);
	if (!n && hidden_only(kernel)) {
		slots[0].text = our_name(ours, 0);
		n = slots[0].text != NULL;
	}
	changed = write_slots(kernel, ours, slots, n, most, cwd);
	free(cwd);
	return changed;
}

bool names_as_given(const struct known *k, struct event *kernel, const struct event *ours)
{
	return as_given(kernel, ours, SLOTS);
}

bool first_name_as_given(const struct known *k, struct event *kernel, const struct event *ours)
{
	return as_given(kernel, ours, 1);
}

static size_t count_paths(const struct event *e)
{
	size_t n = 0;

	for (size_t i = 0; e && i < e->n_rec; i++)
		n += !strcmp(e->rec[i].type, "PATH");
	return n;
}

bool second_name_if_ours(const struct known *k, struct event *kernel, const struct event *ours)
{
	return as_given(kernel, ours, count_paths(ours) > 1 ? SLOTS : 1);
}

bool device_as_given(const struct known *k, struct event *kernel, const struct event *ours)
{
	if (count_paths(kernel) == 3)
		drop_record(kernel, event_record(kernel, "PATH") - kernel->rec);
	return as_given(kernel, ours, 1);
}

/* The kernel stopped at the first of two names; we can't see at which one a call failed. Ours alone knows the other. */
bool second_name_unseen(const struct known *k, struct event *kernel, const struct event *ours)
{
	char *bodies[2];
	size_t n = count_paths(kernel);

	if (count_paths(ours) != 2 || n >= 2)
		return names_as_given(k, kernel, ours);
	if (n)
		names_as_given(k, kernel, ours);
	for (size_t i = 0; i < 2; i++) {
		char *name = our_name(ours, i);

		bodies[i] = given_record(i, name);
		free(name);
	}
	if (n && strcmp(event_record(kernel, "PATH")->body, bodies[0]))
		return true;
	replace_paths(kernel, bodies, 2);
	return true;
}

/* An empty name and no descriptor: before 6.13 the kernel shows it as such, later as (null). */
static bool is_nothing(const struct event *kernel, const struct record *path)
{
	if (field_is(path->body, "name", "(null)"))
		return true;
	return field_is(path->body, "name", "\"\"") &&
	       (field_is(kernel->call, "a0", "ffffffffffffff9c") || field_is(kernel->call, "a0", "ffffff9c"));
}

bool empty_name_left_out(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *path = event_record(kernel, "PATH");

	if (!path || count_paths(kernel) != 1 || !is_nothing(kernel, path) || count_paths(ours))
		return false;
	replace_paths(kernel, NULL, 0);
	return k->apply != NULL;
}

/* PARENT and NORMAL of an open that failed with O_CREAT: only a new file's folder can be known to be told. */
bool folder_of_old_left_out(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *path = event_record(kernel, "PATH");

	if (!path || count_paths(kernel) != 2 || count_paths(ours) != 1 ||
	    !field_is(path[0].body, "nametype", "PARENT") || !field_is(path[1].body, "nametype", "NORMAL"))
		return false;
	drop_record(kernel, path - kernel->rec);
	return names_as_given(k, kernel, ours);
}
