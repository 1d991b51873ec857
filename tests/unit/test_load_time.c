// SPDX-License-Identifier: GPL-2.0-or-later
/* How long a large public rule file takes from its text to the kernel's maps, without attaching: at most 200 ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <laf/rules.h>

#include "../../src/clock.h"
#include "../../src/engine/policymaps.h"
#include "../../src/rules/policy.h"

#define RULES "../shared/rules/neo23x0/audit.rules"
#define LIMIT_MS 200
#define ROUNDS 10 /* the fastest counts: others work on this machine, too */

static char file[] = "/tmp/test_load_time-XXXXXX";

/* As a file of root's, and without what this machine lacks. */
static bool copy_rules(void)
{
	FILE *from = fopen(RULES, "r"), *to;
	char line[8192];
	int fd;

	if (!from)
		return false;
	fd = mkstemp(file);
	to = fdopen(fd, "w");
	fputs("-i\n", to);
	while (fgets(line, sizeof(line), from))
		fputs(line, to);
	fclose(from);
	assert_int_equal(fclose(to), 0);
	return true;
}

static int make_slots(enum bpf_map_type type, uint32_t key, uint32_t value, uint32_t flags)
{
	LIBBPF_OPTS(bpf_map_create_opts, inner, .map_flags = flags);
	LIBBPF_OPTS(bpf_map_create_opts, outer);
	int fd;

	outer.inner_map_fd = bpf_map_create(type, "laf_inner", key, value, 1, &inner);
	if ((int)outer.inner_map_fd < 0)
		return -1;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "laf_slots", sizeof(uint32_t), sizeof(uint32_t), 2, &outer);
	close(outer.inner_map_fd);
	return fd;
}

static uint64_t load(const struct laf_policymaps *maps, uint64_t *ret_compiled)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };
	struct laf_policy *policy;
	uint64_t start = clock_ns(CLOCK_MONOTONIC), ended;

	assert_in_range(laf_rules_read_file(&rules, file, NULL, NULL, &err), 0, 1);
	assert_true(rules.n > 300);
	assert_int_equal(laf_policy_compile(&rules, &policy, &err), 0);
	*ret_compiled = clock_ns(CLOCK_MONOTONIC) - start;
	if (maps->codes_fd >= 0 && laf_policymaps_load(policy, maps, 0, &err))
		fail_msg("%s", err.text);
	ended = clock_ns(CLOCK_MONOTONIC);
	laf_policy_free(policy);
	laf_rules_clear(&rules);
	return ended - start;
}

static void is_loaded_in_time(void **state)
{
	const struct laf_policymaps maps = {
		.codes_fd = make_slots(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), sizeof(struct laf_insn), BPF_F_INNER_MAP),
		.inodes_fd = make_slots(BPF_MAP_TYPE_HASH, sizeof(struct laf_inode_key), sizeof(struct laf_inode_rules),
					BPF_F_NO_PREALLOC),
		.watches_fd = make_slots(BPF_MAP_TYPE_HASH, sizeof(struct laf_watch_key), sizeof(struct laf_watch),
					 BPF_F_NO_PREALLOC),
	};
	uint64_t compiled = UINT64_MAX, loaded = UINT64_MAX, part, whole;

	if (!copy_rules()) {
		print_message("skipped: needs " RULES "\n");
		skip();
	}
	for (unsigned i = 0; i < ROUNDS; i++) {
		whole = load(&maps, &part);
		loaded = whole < loaded ? whole : loaded;
		compiled = part < compiled ? part : compiled;
	}
	unlink(file);
	printf("read and compiled in %.1f ms%s %.1f ms\n", compiled / 1e6,
	       maps.codes_fd < 0 ? ", no maps can be made:" : ", with its maps in place in", loaded / 1e6);
	assert_true(loaded < LIMIT_MS * 1000000ull);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_loaded_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
