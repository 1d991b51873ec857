// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls that led to a file, where the way there is not seen: scripts before their interpreter, files made through a link. */
#include <stdlib.h>
#include <string.h>

#include "compare_known.h"

#define PATHS 16

static size_t list_paths(const struct event *e, struct record **paths)
{
	size_t n = 0;

	for (size_t i = 0; e && i < e->n_rec && n < PATHS; i++)
		if (!strcmp(e->rec[i].type, "PATH"))
			paths[n++] = &e->rec[i];
	return n;
}

/* Which PATH is the interpreter of a script: the one whose name became argument 0. 0 = no script. */
static size_t find_interpreter(const struct event *e, struct record **paths, size_t n)
{
	struct record *execve = event_record(e, "EXECVE");
	char *first = execve ? field_text(execve->body, "a0") : NULL;
	size_t found = 0;

	for (size_t i = 1; first && i < n && !found; i++) {
		char *name = field_text(paths[i]->body, "name");

		if (name && !strcmp(name, first))
			found = i;
		free(name);
	}
	free(first);
	return found;
}

bool script_by_name(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *paths[PATHS];
	char *bodies[PATHS], *name;
	size_t n = list_paths(kernel, paths), interpreter = find_interpreter(kernel, paths, n), out = 0;

	if (!interpreter)
		return false;
	name = field_text(paths[0]->body, "name");
	bodies[out++] = given_record(0, name);
	free(name);
	for (size_t i = interpreter; i < n; i++) {
		name = field_text(paths[i]->body, "name");
		bodies[out] = renamed_record(paths[i]->body, out, name);
		out++;
		free(name);
	}
	replace_paths(kernel, bodies, out);
	return true;
}

/* The kernel loses the name on its way: (null) PARENT, (null) CREATE. We see the folder and the file it ended in. */
bool created_through_link(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *paths[PATHS], *mine[PATHS];
	char *bodies[2], *folder, *name;
	size_t n = list_paths(kernel, paths), n_mine = list_paths(ours, mine);

	if (n < 3 || n_mine != 2 || field_text(paths[n - 1]->body, "name") ||
	    !field_is(paths[n - 1]->body, "nametype", "CREATE") || !field_is(paths[n - 2]->body, "nametype", "PARENT"))
		return false;
	folder = field_text(paths[0]->body, "name");
	name = field_text(mine[1]->body, "name");
	bodies[0] = renamed_record(paths[n - 2]->body, 0, folder);
	bodies[1] = renamed_record(paths[n - 1]->body, 1, name);
	free(folder);
	free(name);
	replace_paths(kernel, bodies, 2);
	return true;
}

/* A driver makes a file while it is opened (a terminal's): (null) PARENT, (null) CREATE after the name itself. */
bool only_the_opened(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *paths[PATHS];
	char *body;
	size_t n = list_paths(kernel, paths);

	if (n < 2 || !field_is(paths[0]->body, "nametype", "NORMAL"))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!field_is(paths[i]->body, "name", "(null)"))
			return false;
	body = paths[0]->body;
	replace_paths(kernel, &body, 1);
	return true;
}

/* The same name, of which the last link is not followed, or the one that the kernel gives to a program of which it has only the descriptor. */
static bool is_repeated(const struct record *path, const struct record *before)
{
	const char *name, *name_before;
	size_t n = field(path->body, "name", &name), n_before = field(before->body, "name", &name_before);

	return (n == n_before && !memcmp(name, name_before, n)) || (n > 9 && !memcmp(name, "\"/dev/fd/", 9));
}

/* A security module (Tomoyo) looks the program of an exec up once more: who sees only the start and the end of the call does not see that. */
bool repeated_left_out(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *paths[PATHS], *mine[PATHS];
	size_t n = list_paths(kernel, paths), kept = 0;
	char *bodies[PATHS], *name;

	if (n <= list_paths(ours, mine))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (i && is_repeated(paths[i], paths[i - 1]))
			continue;
		name = field_text(paths[i]->body, "name");
		bodies[kept] = renamed_record(paths[i]->body, kept, name);
		kept++;
		free(name);
	}
	if (kept < n)
		replace_paths(kernel, bodies, kept);
	return kept < n;
}

/* The last PATH of an exec is the loader. By which name the program asks for it is in the program's file, which may be gone when
 * it is looked at: then the loader goes by the path of its own file. Everything else must be the same. */
bool loader_by_file(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *paths[PATHS], *mine[PATHS];
	size_t n = list_paths(kernel, paths), n_mine = list_paths(ours, mine);
	char *name, *body;

	if (n < 2 || n != n_mine || !strcmp(paths[n - 1]->body, mine[n - 1]->body))
		return false;
	name = field_text(mine[n - 1]->body, "name");
	body = name ? renamed_record(paths[n - 1]->body, n - 1, name) : NULL;
	free(name);
	if (!body || strcmp(body, mine[n - 1]->body))
		return false;
	paths[n - 1]->body = body;
	return true;
}
