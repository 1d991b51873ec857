// SPDX-License-Identifier: GPL-2.0-or-later
/* A set of rules that grows and shrinks at random answers as a plain list of them would; and it is the same after it was stored. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/rules/list.h"
#include "../../src/rules/store.h"

#define KINDS 400
#define STEPS 20000

/* Rules of three shapes, each other in its number. */
static int change(struct laf_rules *rules, const char *option, unsigned kind)
{
	char text[200];
	struct laf_command command;
	struct laf_words words;
	int r;

	if (kind % 3 == 0)
		snprintf(text, sizeof(text), "%s always,exit -F arch=b64 -S open -F a0=%u -k k%u", option, kind, kind % 7);
	else if (kind % 3 == 1)
		snprintf(text, sizeof(text), "%s always,exit -F arch=b64 -S %u", option, kind);
	else
		snprintf(text, sizeof(text), "%s /etc/f%u -p wa", !strcmp(option, "-d") ? "-W" : "-w", kind);
	assert_int_equal(laf_words_split(text, &words), 0);
	r = laf_command_parse(&words, &command, NULL);
	assert_int_equal(r, 0);
	r = laf_rules_apply(rules, &command, NULL, 0, NULL);
	laf_command_free(&command);
	laf_words_free(&words);
	return r;
}

static void grow_and_shrink(struct laf_rules *rules)
{
	bool there[KINDS] = { false };
	size_t n = 0, watches = 0;

	srand(1);
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned kind = rand() % KINDS;
		/* in waves, so that the table fills and empties */
		bool adds = rand() % 100 < (step / 2000 % 2 ? 20 : 80);

		assert_int_equal(change(rules, adds ? "-a" : "-d", kind), adds == there[kind] ? (adds ? -EEXIST : -ENOENT) : 0);
		if (adds != there[kind]) {
			n += adds ? 1 : -1;
			watches += kind % 3 != 2 ? 0 : adds ? 1 : -1;
		}
		there[kind] = adds;
		assert_int_equal(rules->n, n);
		assert_int_equal(rules->n_watches, watches);
	}
	for (unsigned kind = 0; kind < KINDS; kind++)
		assert_int_equal(change(rules, "-a", kind), there[kind] ? -EEXIST : 0);
}

static void a_set_answers_as_a_list_would(void **state)
{
	struct laf_rules rules = { 0 };

	grow_and_shrink(&rules);
	for (unsigned kind = 0; kind < KINDS; kind++)
		assert_int_equal(change(&rules, "-d", kind), 0);
	assert_int_equal(rules.n, 0);
	laf_rules_clear(&rules);
}

static void equal_rules_by_prepending_are_both_found(void **state)
{
	struct laf_rules rules = { 0 };

	assert_int_equal(change(&rules, "-a", 1), 0);
	assert_int_equal(change(&rules, "-A", 1), 0);
	assert_int_equal(change(&rules, "-a", 1), -EEXIST);
	assert_int_equal(change(&rules, "-d", 1), 0);
	assert_int_equal(change(&rules, "-d", 1), 0);
	assert_int_equal(change(&rules, "-d", 1), -ENOENT);
	laf_rules_clear(&rules);
}

static char *text_of(const struct laf_rules *rules)
{
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	laf_rules_write(rules, "", to);
	fclose(to);
	return text;
}

static void a_stored_set_comes_back_as_it_was(void **state)
{
	struct laf_rules rules = { 0 }, back = { 0 };
	char *bytes, *before, *after;
	size_t n;
	FILE *f = open_memstream(&bytes, &n);

	grow_and_shrink(&rules);
	assert_int_equal(laf_rules_store(&rules, f), 0);
	fclose(f);
	f = fmemopen(bytes, n, "r");
	assert_int_equal(laf_rules_restore(&back, f), 0);
	fclose(f);
	before = text_of(&rules);
	after = text_of(&back);
	assert_string_equal(before, after);
	assert_int_equal(change(&back, "-a", 0), -EEXIST);
	laf_rules_clear(&back);
	for (size_t cut = 0; cut < n; cut += 97) { /* of a damaged one nothing is left */
		if (!cut)
			continue;
		f = fmemopen(bytes, cut, "r");
		assert_int_equal(laf_rules_restore(&back, f), -EBADMSG);
		assert_int_equal(back.n, 0);
		fclose(f);
	}
	laf_rules_clear(&rules);
	free(before);
	free(after);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_answers_as_a_list_would),
		cmocka_unit_test(equal_rules_by_prepending_are_both_found),
		cmocka_unit_test(a_stored_set_comes_back_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
