// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of ids: how often they are asked for, when they are forgotten, how odd ones are written.
 * The system's databases are replaced by the functions here. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <laf/record.h>

#include "event_builder.h"

static const char *user_name; /* of uid 1000; NULL = nobody has it */
static size_t answer_bytes;   /* that the database's answer needs */
static unsigned lookups;
static struct event_builder b;

int getpwuid_r(uid_t uid, struct passwd *user, char *buf, size_t size, struct passwd **ret)
{
	lookups++;
	*ret = NULL;
	if (size < answer_bytes)
		return ERANGE;
	if (uid != 1000 || !user_name)
		return 0;
	snprintf(buf, size, "%s", user_name);
	user->pw_name = buf;
	*ret = user;
	return 0;
}

int getgrgid_r(gid_t gid, struct group *group, char *buf, size_t size, struct group **ret)
{
	*ret = NULL;
	if (gid != 1000)
		return 0;
	snprintf(buf, size, "staff");
	group->gr_name = buf;
	*ret = group;
	return 0;
}

static void start(enum laf_format format, struct laf_formatter **f)
{
	user_name = "alice";
	answer_bytes = 0;
	lookups = 0;
	builder_start(&b);
	b.wire.auid = b.wire.uid = b.wire.euid = b.wire.suid = b.wire.fsuid = 1000;
	b.wire.gid = b.wire.egid = b.wire.sgid = b.wire.fsgid = 1000;
	assert_int_equal(laf_formatter_new(format, NULL, f), 0);
	assert_int_equal(builder_decode(&b), 0);
}

/* The first line of the event at that time. */
static const char *line_at(struct laf_formatter *f, uint64_t time_ms)
{
	static char line[65536];
	const char *text;
	size_t len;
	unsigned records;

	b.event.time_ms = time_ms;
	assert_int_equal(laf_format_event(f, &b.event, &text, &len, &records), 0);
	snprintf(line, sizeof(line), "%.*s", (int)(strchr(text, '\n') - text), text);
	return line;
}

static void assert_names(const char *line, const char *user, const char *group)
{
	char want[1024];
	const char *names = strchr(line, '\x1d');

	snprintf(want, sizeof(want),
		 "\x1d" "ARCH=x86_64 SYSCALL=openat AUID=%1$s UID=%1$s GID=%2$s EUID=%1$s SUID=%1$s FSUID=%1$s "
		 "EGID=%2$s SGID=%2$s FSGID=%2$s", user, group);
	assert_non_null(names);
	assert_string_equal(names, want);
}

static void names_are_asked_for_once(void **state)
{
	struct laf_formatter *f;

	start(LAF_FORMAT_ENRICHED, &f);
	assert_names(line_at(f, 1000), "\"alice\"", "\"staff\"");
	assert_int_equal(lookups, 1);
	b.wire.pid++; /* the task's text is made anew */
	assert_names(line_at(f, 999999000), "\"alice\"", "\"staff\"");
	assert_int_equal(lookups, 1);
	laf_formatter_free(f);
}

static void flush_forgets(void **state)
{
	struct laf_formatter *f;

	start(LAF_FORMAT_ENRICHED, &f);
	line_at(f, 1000);
	user_name = "bob";
	assert_names(line_at(f, 1000), "\"alice\"", "\"staff\"");
	laf_formatter_flush(f);
	assert_names(line_at(f, 1000), "\"bob\"", "\"staff\"");
	laf_formatter_free(f);
}

/* An account can be made after the first event of its id. */
static void unknown_ids_are_asked_for_again(void **state)
{
	struct laf_formatter *f;

	start(LAF_FORMAT_ENRICHED, &f);
	user_name = NULL;
	assert_names(line_at(f, 1000), "\"unknown(1000)\"", "\"staff\"");
	user_name = "alice";
	assert_names(line_at(f, 10999), "\"unknown(1000)\"", "\"staff\"");
	assert_names(line_at(f, 11000), "\"alice\"", "\"staff\"");
	laf_formatter_free(f);
}

/* As auditd was seen to write them. */
static void odd_names(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "we ird", "776520697264" }, { "qu\"ote", "7175226F7465" },
		{ "\xc3\xbcn\xc3\xaf", "C3BC6EC3AF" }, { "del\x7f", "64656C7F" },
		{ "longyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
		  "\"longyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"" },
	};
	struct laf_formatter *f;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		start(LAF_FORMAT_ENRICHED, &f);
		user_name = cases[i].name;
		assert_names(line_at(f, 1000), cases[i].text, "\"staff\"");
		laf_formatter_free(f);
	}
	start(LAF_FORMAT_SHORT, &f);
	user_name = "\x1b[31m";
	assert_memory_equal(line_at(f, 1000) + 12, " $'\\x1b[31m' make[", 18);
	laf_formatter_free(f);
}

static void large_answers(void **state)
{
	struct laf_formatter *f;

	start(LAF_FORMAT_ENRICHED, &f);
	answer_bytes = 1000000;
	assert_names(line_at(f, 1000), "\"alice\"", "\"staff\"");
	laf_formatter_free(f);
	start(LAF_FORMAT_ENRICHED, &f);
	answer_bytes = 1u << 30;
	assert_names(line_at(f, 1000), "\"unknown(1000)\"", "\"staff\"");
	laf_formatter_free(f);
}

/* More ids than are kept, with the same lowest bits. */
static void ids_that_share_a_slot(void **state)
{
	struct laf_formatter *f;

	start(LAF_FORMAT_SHORT, &f);
	for (uint32_t i = 0; i < 50; i++) {
		char want[64];
		uint32_t id = 1000 + i * 65536;

		b.wire.auid = id;
		snprintf(want, sizeof(want), id == 1000 ? " alice make[" : " %u make[", id);
		assert_memory_equal(line_at(f, 1000) + 12, want, strlen(want));
	}
	b.wire.auid = 1000;
	assert_memory_equal(line_at(f, 1000) + 12, " alice make[", 12);
	laf_formatter_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_asked_for_once),
		cmocka_unit_test(flush_forgets),
		cmocka_unit_test(unknown_ids_are_asked_for_again),
		cmocka_unit_test(odd_names),
		cmocka_unit_test(large_answers),
		cmocka_unit_test(ids_that_share_a_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
