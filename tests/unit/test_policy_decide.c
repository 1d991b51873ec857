// SPDX-License-Identifier: GPL-2.0-or-later
/* The last word on an event: its key, and candidates by the text of their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "policy_model.h"
#include "../../src/rules/policy_texts.h"

static struct laf_rules rules;
static struct laf_policy *policy;
static struct laf_wire_event wire;
static struct laf_wire_name wires[LAF_EVENT_NAMES_MAX];
static struct laf_event event;
static uint64_t conds[LAF_CONDS_MAX / 64];
static char root[] = "/tmp/laf-policy-XXXXXX"; /* with way -> dir */

static int make_root(void **state)
{
	char path[64];

	if (!mkdtemp(root))
		return -1;
	snprintf(path, sizeof(path), "%s/dir", root);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/way", root);
	return symlink("dir", path);
}

static int remove_root(void **state)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/way", root);
	remove(path);
	snprintf(path, sizeof(path), "%s/dir", root);
	remove(path);
	return remove(root);
}

/* A candidate open() without names, under a policy without rules. */
static int start(void **state)
{
	memset(&rules, 0, sizeof(rules));
	policy = NULL;
	memset(wires, 0, sizeof(wires));
	memset(conds, 0xff, sizeof(conds));
	wire = (struct laf_wire_event){
		.flags = LAF_EV_CANDIDATE, .arch = AUDIT_ARCH_X86_64, .nr = SYS_open,
		.rule = LAF_RULE_NONE, .key_rule = LAF_RULE_NONE, .position = UINT32_MAX,
	};
	event = (struct laf_event){ .wire = &wire, .conds = conds, .n_conds = LAF_CONDS_MAX / 64 };
	return 0;
}

static int finish(void **state)
{
	laf_policy_free(policy);
	rules_free(&rules);
	return 0;
}

static void put(int action, int nr, uint32_t field, const char *path, const char *key)
{
	struct audit_rule_data *data = rule_new(action);

	rule_call(data, nr);
	if (path)
		rule_text(&data, field, AUDIT_EQUAL, path);
	if (key)
		rule_text(&data, AUDIT_FILTERKEY, AUDIT_EQUAL, key);
	rules_put(&rules, data);
}

static void watch(const char *path, const char *key)
{
	put(AUDIT_ALWAYS, -1, AUDIT_WATCH, path, key);
}

static void dir(const char *path, const char *key)
{
	put(AUDIT_ALWAYS, -1, AUDIT_DIR, path, key);
}

static void compile(void)
{
	struct laf_error err;

	assert_int_equal(laf_policy_compile(&rules, &policy, &err), 0);
}

static struct laf_name *add_name(const char *text, uint8_t flags)
{
	struct laf_name *name = &event.names[event.n_names];

	wires[event.n_names].text_len = text ? strlen(text) : 0;
	wires[event.n_names].flags = flags;
	*name = (struct laf_name){ &wires[event.n_names++], text, { 0 } };
	return name;
}

static bool decided(void)
{
	if (!policy)
		compile();
	return laf_policy_decide(policy, &event);
}

/* Does an event with this one name match? */
static bool matches(const char *text)
{
	event.n_names = 0;
	add_name(text, 0);
	return decided();
}

static void key_is(const char *key)
{
	if (!key) {
		assert_null(event.key);
		assert_int_equal(event.key_len, 0);
		return;
	}
	assert_non_null(event.key);
	assert_int_equal(event.key_len, strlen(key));
	assert_memory_equal(event.key, key, strlen(key));
}

#define PATH(components) { (const uint8_t *)(components), sizeof(components) - 1, 0 }

static void test_decided_already(void **state)
{
	put(AUDIT_ALWAYS, SYS_open, 0, NULL, "k");
	put(AUDIT_NEVER, SYS_open, 0, NULL, "n");
	wire.flags = 0;
	wire.rule = wire.key_rule = 0;
	assert_true(decided());
	key_is("k");
	wire.key_rule = LAF_RULE_NONE;
	assert_true(decided());
	key_is(NULL);
	wire.key_rule = 2; /* no such rule */
	assert_true(decided());
	key_is(NULL);
}

static void test_watch_text(void **state)
{
	watch("/laf/none", "w");
	assert_true(matches("/laf/none"));
	key_is("w");
	assert_true(matches("//laf/./x/..//none/"));
	assert_true(matches("/../laf/none"));
	assert_false(matches("/laf/non"));
	assert_false(matches("/laf/none/below"));
	assert_false(matches("/laf/nonesuch"));
	assert_false(matches("/laf"));
	assert_false(matches(""));
	key_is(NULL);
}

static void test_dir_text(void **state)
{
	dir("/laf/none/", "d");
	assert_true(matches("/laf/none"));
	assert_true(matches("/laf/none/a"));
	assert_true(matches("/laf/none/a/b/../c"));
	assert_false(matches("/laf/none/../other"));
	assert_false(matches("/laf/nonesuch/a"));
	assert_false(matches("/laf"));
}

static void test_root(void **state)
{
	dir("/", "d");
	assert_true(matches("/"));
	assert_true(matches("/.."));
	assert_true(matches("/a"));
	assert_false(matches("a")); /* relative to what? */
}

static void test_relative(void **state)
{
	struct laf_name *name;

	watch("/laf/none", "w");
	event.cwd = (struct laf_path)PATH("\3laf");
	assert_true(matches("none"));
	assert_true(matches("./none"));
	assert_false(matches("laf/none"));
	name = &event.names[0];
	name->base = (struct laf_path)PATH("\1b\1a");
	assert_false(decided());
	name->text = "../../laf/none";
	wires[0].text_len = strlen(name->text);
	assert_true(decided());
	name->base = (struct laf_path)PATH(""); /* the root folder */
	name->text = "laf/none";
	wires[0].text_len = strlen(name->text);
	assert_true(decided());
	name->base = (struct laf_path)PATH("\4none\3laf"); /* the descriptor itself: an empty name */
	wires[0].text_len = 0;
	assert_true(decided());
	name->base.flags = LAF_PATH_TRUNCATED;
	assert_false(decided());
}

static void test_name_flags(void **state)
{
	watch("/laf/none", "w");
	compile();
	add_name("/laf/none", LAF_NAME_INODE); /* its inode has decided already */
	assert_false(decided());
	wires[0].flags = LAF_NAME_NULL;
	assert_false(decided());
	wires[0].flags = LAF_NAME_FAULT;
	assert_false(decided());
	wires[0].flags = LAF_NAME_FOLDER; /* it stands for /laf */
	assert_false(decided());
	event.names[0].text = "/laf/none/new/";
	wires[0].text_len = strlen(event.names[0].text);
	assert_true(decided());
	event.names[0].text = "\4none\3laf";
	wires[0].text_len = strlen(event.names[0].text);
	wires[0].flags = LAF_NAME_COMPONENTS;
	assert_true(decided());
}

static void test_opened(void **state)
{
	watch("/laf/none", "w");
	compile();
	add_name("link", LAF_NAME_INODE);
	event.opened = (struct laf_path)PATH("\4none\3laf");
	assert_true(decided());
	event.opened.flags = LAF_PATH_DELETED; /* gone by now, but this it was */
	assert_true(decided());
	event.opened.flags = LAF_PATH_PSEUDO;
	assert_false(decided());
}

static void test_conditions(void **state)
{
	watch("/laf/none", "one");
	rule_field(rules.list[0].data, AUDIT_UID, AUDIT_EQUAL, 1);
	watch("/laf/none", "two");
	rule_field(rules.list[1].data, AUDIT_UID, AUDIT_EQUAL, 2);
	memset(conds, 0, sizeof(conds));
	assert_false(matches("/laf/none"));
	conds[0] = 1;
	assert_true(matches("/laf/none"));
	key_is("one");
	conds[0] = 2;
	assert_true(matches("/laf/none"));
	key_is("two");
	conds[0] = 3;
	assert_true(matches("/laf/none"));
	key_is("one");
	event.n_conds = 0; /* nothing was sent */
	assert_false(matches("/laf/none"));
}

static void test_calls(void **state)
{
	put(AUDIT_ALWAYS, SYS_open, AUDIT_WATCH, "/laf/none", "open");
	put(AUDIT_ALWAYS, SYS_unlink, AUDIT_WATCH, "/laf/none", "unlink");
	assert_true(matches("/laf/none"));
	key_is("open");
	wire.nr = SYS_unlink;
	assert_true(matches("/laf/none"));
	key_is("unlink");
	wire.nr = SYS_mkdir;
	assert_false(matches("/laf/none"));
	wire.nr = 100000;
	assert_false(matches("/laf/none"));
	wire.nr = SYS_unlink; /* 87 of i386 is swapon */
	wire.arch = AUDIT_ARCH_I386;
	assert_true(matches("/laf/none"));
	key_is("unlink");
}

static void test_positions(void **state)
{
	put(AUDIT_NEVER, -1, AUDIT_DIR, "/laf/never", NULL);
	watch("/laf/never/file", "w");
	watch("/laf/file", NULL);
	put(AUDIT_NEVER, -1, AUDIT_WATCH, "/laf/file", NULL);
	dir("/laf", "d");
	assert_false(matches("/laf/never/file"));
	assert_true(matches("/laf/file"));
	key_is("d"); /* the folder matched before, and the watch has no key of its own */
	assert_true(matches("/laf/other"));
	key_is("d");
	wire.position = 2; /* the kernel side found rule 2 */
	wire.rule = 2;
	wire.key_rule = LAF_RULE_NONE;
	assert_true(matches("/laf/other"));
	key_is(NULL);
	assert_false(matches("/laf/never/x"));
	wire.position = wire.rule = 0;
	assert_false(matches("/laf/other"));
}

/* A list match takes over the key altogether, a watch only if it has one. */
static void test_keys(void **state)
{
	dir("/laf/dir", NULL);
	watch("/laf/file", NULL);
	watch("/laf/keyed", "own");
	put(AUDIT_ALWAYS, SYS_open, 0, NULL, "before");
	wire.position = wire.rule = wire.key_rule = 3;
	assert_true(matches("/laf/dir/x"));
	key_is(NULL);
	assert_true(matches("/laf/file"));
	key_is("before");
	assert_true(matches("/laf/keyed"));
	key_is("own");
	assert_true(matches("/laf/unwatched"));
	key_is("before");
}

/* The first name with a match ends it, whatever the next would say. */
static void test_name_order(void **state)
{
	put(AUDIT_NEVER, -1, AUDIT_WATCH, "/laf/b", NULL);
	watch("/laf/a", "a");
	add_name("/laf/a", 0);
	add_name("/laf/b", 0);
	assert_true(decided());
	key_is("a");
	event.names[0].text = "/laf/b";
	event.names[1].text = "/laf/a";
	assert_false(decided());
}

/* A watched path is known by the text that was written and by the one without links. */
static void test_links(void **state)
{
	char written[64], real[64];

	snprintf(written, sizeof(written), "%s/way/file", root);
	snprintf(real, sizeof(real), "%s/dir/file", root);
	watch(written, "w");
	assert_true(matches(written));
	assert_true(matches(real));
}

static void test_linked_folder(void **state)
{
	char written[64], real[64];

	snprintf(written, sizeof(written), "%s/way/", root);
	snprintf(real, sizeof(real), "%s/dir/file", root);
	dir(written, "d");
	assert_true(matches(real));
}

/* Without the slash it is the link itself and no more. */
static void test_link_as_folder(void **state)
{
	char link[64], below[64];

	snprintf(link, sizeof(link), "%s/way", root);
	snprintf(below, sizeof(below), "%s/way/file", root);
	dir(link, "d");
	assert_true(matches(link));
	assert_false(matches(below));
}

static void test_long_text(void **state)
{
	static char text[20000];

	watch("/laf/none", "w");
	dir("/a", "d");
	memset(text, 'a', sizeof(text) - 1);
	text[0] = text[2] = '/';
	assert_true(matches(text));
	key_is("d");
	for (size_t i = 0; i + 2 < sizeof(text); i += 2)
		memcpy(text + i, "/.", 2);
	assert_false(matches(text));
}

static void test_plain(void **state)
{
	static const char *const pairs[][2] = {
		{ "/", "" },
		{ "", "" },
		{ "//", "" },
		{ "/a", "/a" },
		{ "/a/", "/a" },
		{ "/a//b", "/a/b" },
		{ "/a/./b/.", "/a/b" },
		{ "/a/../b", "/b" },
		{ "/..", "" },
		{ "/../../a", "/a" },
		{ "/a/b/../..", "" },
		{ "/...", "/..." },
		{ "/.a/..b", "/.a/..b" },
		{ "/a/b/../../../c", "/c" },
		{ "a/b", "/a/b" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char text[64] = "x"; /* room for the slash that "a/b" lacks */
		size_t len = strlen(pairs[i][0]);

		memcpy(text, pairs[i][0], len);
		if (len && text[0] != '/') {
			memmove(text + 1, text, len++);
			text[0] = '/';
		}
		len = policy_text_plain(text, len);
		assert_int_equal(len, strlen(pairs[i][1]));
		assert_memory_equal(text, pairs[i][1], len);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_decided_already),
		TEST(test_watch_text),
		TEST(test_dir_text),
		TEST(test_root),
		TEST(test_relative),
		TEST(test_name_flags),
		TEST(test_opened),
		TEST(test_conditions),
		TEST(test_calls),
		TEST(test_positions),
		TEST(test_keys),
		TEST(test_name_order),
		TEST(test_links),
		TEST(test_linked_folder), TEST(test_link_as_folder),
		TEST(test_long_text),
		TEST(test_plain),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
