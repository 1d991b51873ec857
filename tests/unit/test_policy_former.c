// SPDX-License-Identifier: GPL-2.0-or-later
/* Watched names in the compiled policy, and rules compiled again after folders were moved. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "policy_model.h"

static struct laf_rules rules;
static struct laf_policy *policy;
static char top[64];

static void make_file(const char *name)
{
	int fd = openat(AT_FDCWD, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	close(fd);
}

/* In a folder of its own: a/p/f, a/p/g, t/x. */
static int start(void **state)
{
	memset(&rules, 0, sizeof(rules));
	policy = NULL;
	snprintf(top, sizeof(top), "/tmp/laf-former-XXXXXX");
	if (!mkdtemp(top) || chdir(top) || mkdir("a", 0700) || mkdir("a/p", 0700) || mkdir("t", 0700))
		return -1;
	make_file("a/p/f");
	make_file("a/p/g");
	make_file("t/x");
	return 0;
}

static int finish(void **state)
{
	char command[128];

	laf_policy_free(policy);
	rules_free(&rules);
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return chdir("/") || system(command);
}

static void put(uint32_t field, const char *name, uint32_t key)
{
	struct audit_rule_data *data = rule_new(AUDIT_ALWAYS);
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	rule_call(data, -1);
	if (key)
		rule_field(data, AUDIT_PID, AUDIT_EQUAL, key);
	rule_text(&data, field, AUDIT_EQUAL, path);
	rules_put(&rules, data);
}

static bool (*watch_fn)(void *arg, const struct laf_watch_key *key, struct laf_watch *ret);

static void compile(void)
{
	const struct laf_policy_recall recall = { .previous = policy, .watch = watch_fn };
	struct laf_policy *next;
	struct laf_error err;

	assert_int_equal(laf_policy_compile_again(&rules, &recall, &next, &err), 0);
	laf_policy_free(policy);
	policy = next;
}

static uint64_t inode_of(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(name, &st), 0);
	return st.st_ino;
}

static const struct laf_inode_rules *rules_on(uint64_t ino)
{
	for (uint32_t i = 0; i < policy->n_inodes; i++)
		if (policy->inodes[i].key.ino == ino)
			return &policy->inodes[i].rules;
	return NULL;
}

static bool is_watched(uint64_t ino)
{
	return rules_on(ino) && rules_on(ino)->watch;
}

static bool is_tree(uint64_t ino)
{
	return rules_on(ino) && rules_on(ino)->tree;
}

static const struct laf_watch *watch_in(uint64_t folder, const char *name)
{
	for (uint32_t i = 0; i < policy->n_watches; i++) {
		const struct laf_watch_key *key = &policy->watches[i].key;

		if (key->ino == folder && key->len == strlen(name) && !memcmp(key->name, name, key->len))
			return &policy->watches[i].watch;
	}
	return NULL;
}

/* A tmp that gives its files no generation can't tell a folder from a later one with its number. */
static bool has_generations(void)
{
	return rules_on(inode_of("a/p"))->dated;
}

static void test_names(void **state)
{
	const struct laf_watch *f, *h;

	put(AUDIT_WATCH, "a/p/f", 1);
	put(AUDIT_WATCH, "a/p/./f", 2); /* the same name by another text */
	put(AUDIT_WATCH, "a/p/h", 3);
	put(AUDIT_WATCH, "missing/f", 4);
	compile();
	assert_int_equal(policy->n_watches, 2);
	f = watch_in(inode_of("a/p"), "f");
	h = watch_in(inode_of("a/p"), "h");
	assert_true(f->known);
	assert_int_equal(f->ino, inode_of("a/p/f"));
	assert_int_equal(f->program, rules_on(f->ino)->watch);
	assert_false(h->known);
	assert_int_equal(policy->code[h->program].what, LAF_T_PID);
	assert_int_equal(policy->code[h->program].val, 3);
	/* a name without a file can get one: the calls must look at watches */
	assert_true(laf_policy_call(policy, 0, 2)->flags & LAF_CALL_WATCHES);
}

static void test_two_names_of_one_file(void **state)
{
	assert_int_equal(link("a/p/f", "a/p/f2"), 0);
	put(AUDIT_WATCH, "a/p/f", 1);
	put(AUDIT_WATCH, "a/p/f2", 2);
	compile();
	assert_int_equal(policy->n_watches, 2);
	/* when one of them goes, the rules of both can't just be dropped */
	assert_int_not_equal(watch_in(inode_of("a/p"), "f")->program, rules_on(inode_of("a/p/f"))->watch);
	assert_int_not_equal(watch_in(inode_of("a/p"), "f2")->program, rules_on(inode_of("a/p/f"))->watch);
}

static void test_file_replaced(void **state)
{
	uint64_t old = inode_of("a/p/f");

	put(AUDIT_WATCH, "a/p/f", 0);
	compile();
	assert_int_equal(rename("a/p/g", "a/p/f"), 0);
	compile();
	assert_false(is_watched(old));
	assert_true(is_watched(inode_of("a/p/f")));
	assert_int_equal(policy->n_watches, 1);
}

static void test_folder_moved(void **state)
{
	uint64_t folder = inode_of("a/p"), file = inode_of("a/p/f");

	put(AUDIT_WATCH, "a/p/f", 0);
	compile();
	if (!has_generations())
		skip();
	assert_int_equal(rename("a", "b"), 0);
	compile();
	assert_true(is_watched(file));
	assert_non_null(watch_in(folder, "f"));
	assert_int_equal(mkdir("a", 0700), 0);
	assert_int_equal(mkdir("a/p", 0700), 0);
	make_file("a/p/f");
	compile();
	compile();
	assert_true(is_watched(file));
	assert_true(is_watched(inode_of("a/p/f")));
	assert_int_equal(policy->n_watches, 2);
	assert_int_equal(rename("a", "c"), 0);
	assert_int_equal(rename("b", "a"), 0);
	compile();
	assert_true(is_watched(file));
	assert_true(is_watched(inode_of("c/p/f")));
}

static bool says_g(void *arg, const struct laf_watch_key *key, struct laf_watch *ret)
{
	assert_int_equal(key->ino, inode_of("b/p"));
	assert_int_equal(key->len, 1);
	assert_int_equal(key->name[0], 'f');
	*ret = (struct laf_watch){ .known = 1, .ino = inode_of("b/p/g"), .dev = key->dev, .dated = 1 };
	return true;
}

/* What came under the name in the moved folder is known to the kernel side alone. */
static void test_recalled(void **state)
{
	uint64_t file = inode_of("a/p/f");

	put(AUDIT_WATCH, "a/p/f", 0);
	compile();
	if (!has_generations())
		skip();
	assert_int_equal(rename("a", "b"), 0);
	watch_fn = says_g;
	compile();
	watch_fn = NULL;
	assert_false(is_watched(file));
	assert_true(is_watched(inode_of("b/p/g")));
}

static void test_tree_moved(void **state)
{
	uint64_t tree = inode_of("t");

	put(AUDIT_DIR, "t", 0);
	put(AUDIT_WATCH, "a/p/f", 0); /* for has_generations() */
	compile();
	if (!has_generations())
		skip();
	assert_int_equal(rename("t", "u"), 0);
	compile();
	assert_true(is_tree(tree));
	assert_int_equal(mkdir("t", 0700), 0);
	compile();
	assert_true(is_tree(tree));
	assert_true(is_tree(inode_of("t")));
}

static void test_other_rules(void **state)
{
	uint64_t file = inode_of("a/p/f");

	put(AUDIT_WATCH, "a/p/f", 0);
	compile();
	assert_int_equal(rename("a", "b"), 0);
	rules_free(&rules);
	memset(&rules, 0, sizeof(rules));
	put(AUDIT_WATCH, "b/p/g", 0);
	compile();
	assert_false(is_watched(file));
	assert_true(is_watched(inode_of("b/p/g")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_names), TEST(test_two_names_of_one_file), TEST(test_file_replaced), TEST(test_folder_moved),
		TEST(test_recalled), TEST(test_tree_moved), TEST(test_other_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
