// SPDX-License-Identifier: GPL-2.0-or-later
/* EXECVE records against the kernel's own, for some twelve hundred argument lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <laf/record.h>

#include "argument_lists.h"
#include "event_builder.h"
#include "golden.h"

#define GOLDEN "tests/unit/golden/execve.txt"
#define LINE_BYTES 512

static struct event_builder builder;

/* Copy the bodies of the EXECVE lines to `to`; returns how many there are. */
static unsigned bodies(const char *text, size_t len, char *to, size_t *ret_len)
{
	static const char head[] = "type=EXECVE msg=audit(1700000000.123:4242): ";
	const char *end = text + len;
	unsigned n = 0;

	*ret_len = 0;
	while (text < end) {
		const char *newline = memchr(text, '\n', end - text);

		assert_non_null(newline);
		if (!strncmp(text, head, sizeof(head) - 1)) {
			size_t body = newline + 1 - (text + sizeof(head) - 1);

			memcpy(to + *ret_len, text + sizeof(head) - 1, body);
			*ret_len += body;
			n++;
		}
		text = newline + 1;
	}
	return n;
}

/* What golden_write() says of our records of the list. */
static void format_list(struct laf_formatter *f, const struct argument_list *l, FILE *to)
{
	const char *text;
	char *execve;
	size_t len;
	unsigned records;

	builder_start(&builder);
	builder.wire.flags = LAF_EV_ARGS_APART;
	builder.argv = l->text;
	builder.argv_len = l->bytes;
	builder_execve(&builder, l->argc, "", 0);
	assert_int_equal(builder_decode(&builder), 0);
	assert_int_equal(laf_format_event(f, &builder.event, &text, &len, &records), 0);
	execve = malloc(len);
	records = bodies(text, len, execve, &len);
	golden_write(to, l->name, records, execve, len);
	free(execve);
}

static void compare(FILE *golden, char *ours)
{
	char line[LINE_BYTES], *save;

	for (char *at = strtok_r(ours, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
		assert_non_null(fgets(line, sizeof(line), golden));
		line[strcspn(line, "\n")] = 0;
		assert_string_equal(at, line);
	}
}

static void execve_is_cut_as_the_kernel_cuts_it(void **state)
{
	FILE *golden = fopen(GOLDEN, "r");
	struct laf_formatter *f;
	struct argument_list l;
	unsigned n;

	assert_non_null(golden);
	assert_int_equal(laf_formatter_new(LAF_FORMAT_RAW, NULL, &f), 0);
	for (n = 0; !argument_list_make(n, &l); n++) {
		char *ours = NULL;
		size_t len;
		FILE *to = open_memstream(&ours, &len);

		format_list(f, &l, to);
		fclose(to);
		compare(golden, ours);
		free(ours);
		free(l.text);
	}
	assert_true(n > 1000);
	assert_int_equal(fgetc(golden), EOF);
	laf_formatter_free(f);
	fclose(golden);
}

/* Fewer arguments than were counted: what is there is written. */
static void short_list(void **state)
{
	const char *text;
	struct laf_formatter *f;
	char execve[256];
	size_t len;
	unsigned records;

	assert_int_equal(laf_formatter_new(LAF_FORMAT_RAW, NULL, &f), 0);
	builder_start(&builder);
	builder_execve(&builder, 5, "ls\0-l", 5);
	assert_int_equal(builder_decode(&builder), 0);
	assert_int_equal(laf_format_event(f, &builder.event, &text, &len, &records), 0);
	assert_int_equal(bodies(text, len, execve, &len), 1);
	execve[len] = 0;
	assert_string_equal(execve, "argc=5 a0=\"ls\" a1=\"-l\"\n");
	laf_formatter_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(execve_is_cut_as_the_kernel_cuts_it),
		cmocka_unit_test(short_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
