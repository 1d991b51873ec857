// SPDX-License-Identifier: GPL-2.0-or-later
/* A rule file for use. */
#include <stdio.h>

#include <libaudit.h>

#include "readrules.h"

static int count_bad(void *arg, const char *file, unsigned line, const char *text, bool control,
		     const struct laf_error *err)
{
	unsigned *bad = arg;

	*bad += err != NULL;
	return 0;
}

int laf_read_rules(struct laf_rules *rules, const char *path, struct laf_error *err)
{
	unsigned bad = 0;
	int r = laf_rules_read_file(rules, path, count_bad, &bad, err);

	if (r < 0)
		return r;
	if (bad)
		fprintf(stderr, "laf: %s: %u %s left out, as -i or -c in the file asks; 'laf rules check %s' shows why\n",
			path, bad, bad == 1 ? "line is" : "lines are", path);
	return 0;
}

static void warn(const struct laf_rules *rules, unsigned list, const char *text)
{
	size_t i, n = 0;

	for (i = 0; i < rules->n; i++)
		n += rules->list[i].data->flags == list;
	if (n)
		fprintf(stderr, "laf: %zu %s of the list %s\n", n, n == 1 ? "rule is" : "rules are", text);
}

void laf_warn_lists(const struct laf_rules *rules, bool engine, bool messages)
{
	if (!engine)
		warn(rules, AUDIT_FILTER_URING_EXIT, "io_uring, which this engine does not act on");
	if (!messages)
		warn(rules, AUDIT_FILTER_USER, "user, which laf acts on only where the kernel's audit is its alone");
}
