// SPDX-License-Identifier: GPL-2.0-or-later
/* Rule files of any bytes: read, listed, and each fault placed inside its line. Must run as root: the reader
 * takes root's files only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <laf/rules.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int hear(void *arg, const char *file, unsigned line, const char *text, bool control,
		const struct laf_error *err)
{
	char place[1024];

	/* The place must lie in the line, and the text must be there. */
	if (err && (!err->text[0] || err->column > strlen(text) + 1 ||
		    laf_error_string(err, place, sizeof(place)) <= 0))
		abort();
	return 0;
}

static void print_rules(const struct laf_rules *rules)
{
	static char text[16384];

	for (size_t i = 0; i < rules->n; i++) {
		size_t len;
		int n = laf_rule_string(&rules->list[i], text, sizeof(text));
		const char *key = laf_rule_key(&rules->list[i], &len);

		if (n < 0 || strlen(text) != (size_t)n || (key && !len))
			abort();
	}
}

static void read_rules(const char *path, laf_rules_line_fn fn)
{
	struct laf_rules rules = { 0 };
	struct laf_error err;

	laf_rules_read_file(&rules, path, fn, NULL, &err);
	print_rules(&rules);
	laf_rules_clear(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0) {
		fd = memfd_create("rules", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	/* The kernel gives a memfd mode 0777, and the reader refuses what anyone may write. */
	if (fd < 0 || fchmod(fd, 0600) || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	read_rules(path, NULL);
	read_rules(path, hear);
	return 0;
}
