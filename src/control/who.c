// SPDX-License-Identifier: GPL-2.0-or-later
/* Who a process is, by /proc. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "execute.h"

#define UNSET 4294967295u

static uint32_t read_id(pid_t pid, const char *name)
{
	char path[64];
	unsigned id;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	f = fopen(path, "re");
	if (!f)
		return UNSET;
	if (fscanf(f, "%u", &id) != 1)
		id = UNSET;
	fclose(f);
	return id;
}

/* Where no security module gives labels, there is nothing to read. */
static void read_subj(pid_t pid, char *text, size_t size)
{
	char path[64];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/attr/current", pid);
	f = fopen(path, "re");
	if (!f)
		return;
	n = fread(text, 1, size - 1, f);
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	fclose(f);
}

void laf_who_read(pid_t pid, struct laf_who *ret)
{
	char path[64];
	struct stat st;

	memset(ret, 0, sizeof(*ret));
	snprintf(path, sizeof(path), "/proc/%d", pid);
	ret->pid = pid;
	ret->uid = stat(path, &st) ? UNSET : st.st_uid;
	ret->auid = read_id(pid, "loginuid");
	ret->ses = read_id(pid, "sessionid");
	read_subj(pid, ret->subj, sizeof(ret->subj));
}
