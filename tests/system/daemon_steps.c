// SPDX-License-Identifier: GPL-2.0-or-later
/* What the test of the daemon does to its files. Calls are open(2) itself, with a number where the mode stands.
 *
 *   daemon_steps replace FOLDER FIRST N   N times replace FOLDER/watched, in turn by a rename and by a removal and a new file, and open
 *                                         the new one at once, by number FIRST and so on
 *   daemon_steps follow FOLDER N LOG      N times replace it, and open it by another name until that is in LOG, which it is as soon
 *                                         as the daemon has followed the watched name to the new file
 *   daemon_steps reuse FOLDER N           N times remove FOLDER/watched, and open another new file; prints how often that was given
 *                                         the inode number of the removed one
 *   daemon_steps open FILE NUMBER         one open, when a line comes on standard input
 *   daemon_steps latency LOG N            N opens of LOG, one after the other, each when the one before is in LOG; prints after how many
 *                                         milliseconds each was there, sorted */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FOLLOWED 0xf0000 /* where the numbers begin of opens by another name */

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		die(path);
	close(fd);
}

static void open_numbered(const char *path, unsigned long number)
{
	long fd = syscall(SYS_open, path, O_RDONLY | O_CLOEXEC, number);

	if (fd < 0)
		die(path);
	close(fd);
}

static void replace_file(const char *path, const char *spare, unsigned long i)
{
	if (i & 1) {
		make_file(spare);
		if (rename(spare, path))
			die("rename");
		return;
	}
	if (unlink(path))
		die("unlink");
	make_file(path);
}

static void replace(const char *folder, unsigned long first, unsigned long n)
{
	char path[PATH_MAX], spare[PATH_MAX];

	snprintf(path, sizeof(path), "%s/watched", folder);
	snprintf(spare, sizeof(spare), "%s/spare", folder);
	for (unsigned long i = first; i < first + n; i++) {
		replace_file(path, spare, i);
		open_numbered(path, i);
	}
}

static unsigned long inode_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		die(path);
	return st.st_ino;
}

static void reuse(const char *folder, unsigned long n)
{
	char path[PATH_MAX], other[PATH_MAX];
	unsigned long reused = 0, inode;

	snprintf(path, sizeof(path), "%s/watched", folder);
	snprintf(other, sizeof(other), "%s/stranger", folder);
	for (unsigned long i = 0; i < n; i++) {
		inode = inode_of(path);
		unlink(path);
		make_file(other);
		reused += inode_of(other) == inode;
		open_numbered(other, i);
		unlink(other);
		make_file(path);
	}
	printf("%lu\n", reused);
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

/* Whether what was added to the log since the last call ends an event with this number. */
static bool is_there(FILE *log, unsigned long number)
{
	static char line[65536];
	char field[32];
	bool found = false;

	snprintf(field, sizeof(field), " a2=%lx ", number);
	clearerr(log);
	while (fgets(line, sizeof(line), log)) {
		if (!strchr(line, '\n')) { /* it is being written */
			fseek(log, -(long)strlen(line), SEEK_CUR);
			break;
		}
		found |= strstr(line, " syscall=2 ") && strstr(line, field);
	}
	return found;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static FILE *open_log(const char *path)
{
	FILE *log = fopen(path, "re");

	if (!log)
		die(path);
	fseek(log, 0, SEEK_END);
	return log;
}

static void latency(const char *path, unsigned long n)
{
	double *took = calloc(n, sizeof(*took)), begin;
	FILE *log = open_log(path);

	for (unsigned long i = 0; i < n; i++) {
		begin = now_ms();
		open_numbered(path, 0xabc000 + i);
		while (!is_there(log, 0xabc000 + i) && now_ms() - begin < 5000)
			poll(NULL, 0, 1);
		took[i] = now_ms() - begin;
	}
	qsort(took, n, sizeof(*took), by_size);
	for (unsigned long i = 0; i < n; i++)
		printf("%.0f\n", took[i]);
}

static int follow(const char *folder, unsigned long n, const char *log_path)
{
	char path[PATH_MAX], spare[PATH_MAX], alias[PATH_MAX];
	FILE *log = open_log(log_path);
	double begin;

	snprintf(path, sizeof(path), "%s/watched", folder);
	snprintf(spare, sizeof(spare), "%s/spare", folder);
	snprintf(alias, sizeof(alias), "%s/alias", folder);
	for (unsigned long i = 0; i < n; i++) {
		replace_file(path, spare, i);
		if (link(path, alias))
			die("link");
		begin = now_ms();
		do {
			open_numbered(alias, FOLLOWED + i);
			poll(NULL, 0, 5);
			if (now_ms() - begin > 5000)
				return 1;
		} while (!is_there(log, FOLLOWED + i));
		unlink(alias);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 3 ? argv[1] : "";
	char line[8];

	if (!strcmp(what, "replace") && argc > 4)
		replace(argv[2], atol(argv[3]), atol(argv[4]));
	else if (!strcmp(what, "follow") && argc > 4)
		return follow(argv[2], atol(argv[3]), argv[4]);
	else if (!strcmp(what, "reuse"))
		reuse(argv[2], atol(argv[3]));
	else if (!strcmp(what, "latency"))
		latency(argv[2], atol(argv[3]));
	else if (!strcmp(what, "open") && fgets(line, sizeof(line), stdin))
		open_numbered(argv[2], atol(argv[3]));
	else
		return 2;
	return 0;
}
