// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads one version of a rule file after the other while processes make calls that each version records.
 *
 *   reload_calls LAF COUNT RULES TRUTH    RULES: made of TEMPLATE-0 and -1 in turns, `@` becoming the version's number
 *
 * TRUTH gets a line for each call: its number, the newest version that was in force for sure when it began, and the newest that could be
 * when it had ended. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLERS 2
#define FIRST 0x40000000u

static struct shared {
	atomic_uint begun, done; /* versions */
	atomic_bool over;
} *shared;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void call(unsigned caller, const char *truth)
{
	char name[4096];
	FILE *f;

	snprintf(name, sizeof(name), "%s-%u", truth, caller);
	f = fopen(name, "w");
	if (!f)
		die(name);
	for (unsigned n = caller; !shared->over; n += CALLERS) {
		unsigned least = shared->done;

		syscall(SYS_getpgid, FIRST + n);
		fprintf(f, "%u %u %u\n", n, least, shared->begun);
		if (n % 32 < CALLERS)
			usleep(2000);
	}
	exit(fclose(f) ? 1 : 0);
}

static void write_version(const char *rules, unsigned version)
{
	char name[4096], line[4096], *at;
	FILE *from, *to;

	snprintf(name, sizeof(name), "%s-%u", rules, version & 1);
	from = fopen(name, "r");
	to = fopen(rules, "w");
	if (!from || !to)
		die(rules);
	while (fgets(line, sizeof(line), from)) {
		at = strchr(line, '@');
		if (at)
			fprintf(to, "%.*s%u%s", (int)(at - line), line, version, at + 1);
		else
			fputs(line, to);
	}
	fclose(from);
	if (fclose(to))
		die(rules);
}

static int load(const char *laf, const char *rules)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execl(laf, "laf", "rules", "load", rules, NULL);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

int main(int argc, char **argv)
{
	unsigned count = argc == 5 ? atoi(argv[2]) : 0, i, version;
	int status, failed = 0;
	pid_t callers[CALLERS];

	if (!count)
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	for (i = 0; i < CALLERS; i++) {
		callers[i] = fork();
		if (!callers[i])
			call(i, argv[4]);
	}
	for (version = 1; version <= count && !failed; version++) {
		write_version(argv[3], version);
		shared->begun = version;
		failed = load(argv[1], argv[3]);
		shared->done = version;
	}
	shared->over = true;
	for (i = 0; i < CALLERS; i++)
		failed |= waitpid(callers[i], &status, 0) != callers[i] || status;
	return failed ? 1 : 0;
}
