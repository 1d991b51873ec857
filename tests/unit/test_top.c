// SPDX-License-Identifier: GPL-2.0-or-later
/* Counting by rule and program: each event is in one row, whatever comes; what is busy has a row of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/daemon/top.h"

static void count(struct laf_top *top, const char *key, const char *exe, size_t bytes)
{
	static struct laf_wire_event wire = { .comm = "nothing" };
	uint8_t components[300];
	struct laf_event event = { .wire = &wire, .key = key, .key_len = key ? strlen(key) : 0 };

	if (exe) {
		components[0] = strlen(exe);
		memcpy(components + 1, exe, components[0]);
		event.exe = (struct laf_path){ .components = components, .bytes = components[0] + 1 };
	}
	laf_top_count_event(top, &event, bytes);
}

/* Events and bytes of the line that begins so; also checks that all lines but "all=" and the others add up to the total. */
static struct laf_top_count line(const struct laf_top *top, const char *begin)
{
	struct laf_top_count ret = { 0 }, sums[2] = { top->rules.others, top->programs.others };
	char *text, *rest, *next;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	laf_top_write(top, to);
	fclose(to);
	for (rest = text; (next = strsep(&rest, "\n"));) {
		unsigned long long events, n;
		unsigned table = next[0] == 'p';
		char *value = strrchr(next, '=');

		if (!value || sscanf(value, "=%llu %llu", &events, &n) != 2)
			continue;
		if (!strncmp(next, begin, strlen(begin)))
			ret = (struct laf_top_count){ events, n };
		if (next[0] == 'a')
			continue;
		sums[table].events += events;
		sums[table].bytes += n;
	}
	free(text);
	for (unsigned table = 0; table < 2; table++) {
		assert_int_equal(sums[table].events, top->all.events);
		assert_int_equal(sums[table].bytes, top->all.bytes);
	}
	return ret;
}

static struct laf_top *new_top(void)
{
	struct laf_top *top = calloc(1, sizeof(*top));

	assert_non_null(top);
	return top;
}

static void names(void **state)
{
	struct laf_top *top = new_top();
	char longest[256];

	count(top, "one", "prog", 10);
	count(top, "one", "prog", 20);
	count(top, "two\1three", "other", 5);
	count(top, NULL, NULL, 7);
	assert_int_equal(line(top, "rule{one}=").events, 2);
	assert_int_equal(line(top, "rule{one}=").bytes, 30);
	assert_int_equal(line(top, "rule{two,three}=").bytes, 5);
	assert_int_equal(line(top, "rule{(no key)}=").bytes, 7);
	assert_int_equal(line(top, "program{/prog}=").bytes, 30);
	assert_int_equal(line(top, "program{(nothing)}=").bytes, 7);
	/* beyond what is kept only the last byte differs */
	memset(longest, 'x', 255);
	longest[255] = 0;
	count(top, longest, NULL, 1);
	longest[254] = 'y';
	count(top, longest, NULL, 2);
	count(top, longest, NULL, 4);
	assert_int_equal(top->rules.last->count.bytes, 6);
	assert_int_equal(line(top, "all=").events, 7);
	free(top);
}

/* A thousand times as many names as there are rows, each once, and between them one that comes again and again. */
static void churn(void **state)
{
	struct laf_top *top = new_top();
	char name[32];
	unsigned i;

	for (i = 0; i < 500000; i++) {
		snprintf(name, sizeof(name), "old%u", i % 600);
		count(top, name, name, 1);
	}
	for (i = 0; i < 500000; i++) {
		snprintf(name, sizeof(name), "once%u", i);
		count(top, name, name, 1);
		if (i % 50 == 0)
			count(top, "busy", "busy", 3);
	}
	assert_int_equal(line(top, "all=").events, 1010000);
	assert_true(top->rules.others.events > 900000);
	assert_true(line(top, "rule{busy}=").events > 9000);
	assert_true(line(top, "program{/busy}=").bytes > 27000);
	free(top);
}

static void kernel_records(void **state)
{
	static const char first[] = "audit(1.2:7): arch=c000003e syscall=2 comm=\"x\" exe=\"/bin/x y\" key=\"mine\"";
	static const char bare[] = "audit(1.2:8): arch=c000003e syscall=2 comm=\"x\" exe=\"/bin/x\" key=(null)";
	static const char user[] = "audit(1.2:9): pid=1 msg='op=x exe=\"/usr/bin/su\" res=success'";
	struct laf_top *top = new_top();

	laf_top_count_record(top, 1300, 7, first, sizeof(first) - 1, 100);
	count(top, "between", "prog", 1);
	laf_top_count_record(top, 1307, 7, "cwd", 3, 10);
	laf_top_count_record(top, 1300, 8, bare, sizeof(bare) - 1, 5);
	laf_top_count_record(top, 1101, 9, user, sizeof(user) - 1, 6);
	assert_int_equal(line(top, "rule{mine}=").events, 1);
	assert_int_equal(line(top, "rule{mine}=").bytes, 110);
	assert_int_equal(line(top, "program{/bin/x y}=").bytes, 110);
	assert_int_equal(line(top, "rule{(no key)}=").bytes, 5);
	assert_int_equal(line(top, "rule{(USER_ACCT)}=").bytes, 6);
	assert_int_equal(line(top, "program{/usr/bin/su}=").bytes, 6);
	free(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(churn),
		cmocka_unit_test(kernel_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
