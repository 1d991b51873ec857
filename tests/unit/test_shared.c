// SPDX-License-Identifier: GPL-2.0-or-later
/* No program that runs on the way of an event writes what processors share. The kernel's verifier says so, which looks at every way
 * through the programs: here they find all shared maps, global variables above all, read-only. What is excepted stands in two tables,
 * with the reason, and in docs/scaling.md. Skipped where no programs can be loaded. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/btf.h>

#include "../../src/engine/bpf.h"
#include "../../src/engine/hooks.h"
#include "../../src/engine/probe.h"

#define LINES 128 /* two cache lines are fetched together */

/* These maps are shared, and written nevertheless. */
static const struct {
	const char *map, *why;
} own[] = {
	{ "scratches", "each processor writes its own element alone" },
	{ "lost_by_rule", "the first loss of each rule adds a key, for all; values are a processor's own" },
};

/* These programs write shared maps, and run on the way of no event. */
static const struct {
	const char *program, *why;
} apart[] = {
	{ "laf_name_changed", "a watched name comes, goes or is replaced: the tables of inodes are set right" },
	{ "laf_find_counts", "runs once after programs were attached" },
	{ "laf_find_symbols", "runs once after programs were loaded" },
};

static char said[4096]; /* by libbpf: the end of its first warning that has the verifier's log */

static int keep(enum libbpf_print_level level, const char *format, va_list args)
{
	char *text = NULL;
	int n;

	if (level != LIBBPF_WARN || strstr(said, "processed") || (n = vasprintf(&text, format, args)) < 0)
		return 0;
	snprintf(said, sizeof(said), "%s", n < (int)sizeof(said) ? text : text + n - sizeof(said) + 1);
	free(text);
	return 0;
}

static bool is_own(const struct bpf_map *map)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (!strcmp(bpf_map__name(map), own[i].map))
			return true;
	return false;
}

/* What programs can write in it is a processor's or a task's own, or nothing. */
static bool is_shared(const struct bpf_map *map)
{
	switch (bpf_map__type(map)) {
	case BPF_MAP_TYPE_PERCPU_ARRAY:
	case BPF_MAP_TYPE_TASK_STORAGE:
	case BPF_MAP_TYPE_RINGBUF:
	case BPF_MAP_TYPE_PROG_ARRAY:
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
		return false;
	default:
		return true;
	}
}

static void make_read_only(struct bpf_map *map)
{
	if (map && is_shared(map))
		assert_int_equal(bpf_map__set_map_flags(map, bpf_map__map_flags(map) | BPF_F_RDONLY_PROG), 0);
}

static void make_all_read_only(struct calls_bpf *bpf)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, bpf->obj) {
		if (is_own(map))
			continue;
		make_read_only(map);
		if (bpf_map__type(map) == BPF_MAP_TYPE_ARRAY_OF_MAPS)
			make_read_only(bpf_map__inner_map(map));
	}
}

static void leave_apart(struct calls_bpf *bpf)
{
	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
		struct bpf_program *program = bpf_object__find_program_by_name(bpf->obj, apart[i].program);

		assert_non_null(program);
		bpf_program__set_autoload(program, false);
	}
}

static bool is_on_function(const struct bpf_program *program)
{
	enum bpf_attach_type type = bpf_program__expected_attach_type(program);

	return type == BPF_TRACE_FENTRY || type == BPF_TRACE_FEXIT;
}

/* Some kernels take no programs on functions. */
static void choose_functions(struct bpf_engine *t, enum laf_hooks_use use)
{
	bool narrow = libbpf_find_vmlinux_btf_id("ia32_sys_call", BPF_TRACE_FENTRY) > 0;
	struct bpf_program *program;

	bpf_program__set_autoload(t->bpf->progs.laf_narrow_begins, narrow);
	bpf_program__set_autoload(t->bpf->progs.laf_narrow_ends, narrow);
	laf_hooks_choose(t, use);
	bpf_object__for_each_program(program, t->bpf->obj)
		if (is_on_function(program) && laf_probe_fexit())
			bpf_program__set_autoload(program, false);
}

static bool has_apparmor(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool has = btf && btf__find_by_name_kind(btf, "aa_label", BTF_KIND_STRUCT) > 0;

	btf__free(btf);
	return has;
}

/* The programs that this kernel has functions for, with the constants that take nothing out of them. */
static struct calls_bpf *open_programs(enum laf_hooks_use use)
{
	struct bpf_engine t = { .bpf = calls_bpf__open() };
	bool all = use == LAF_HOOKS_SKIPPABLE;

	assert_non_null(t.bpf);
	choose_functions(&t, use);
	t.bpf->rodata->scoped = all;
	t.bpf->rodata->creat_parent = t.bpf->rodata->fd_first = t.bpf->rodata->strip_slashes = all;
	t.bpf->rodata->apparmor_sizes = all && has_apparmor();
	return t.bpf;
}

/* Not calls_bpf__load(): it would map .bss to be written. */
static int load(struct calls_bpf *bpf)
{
	said[0] = 0;
	make_all_read_only(bpf);
	return bpf_object__load(bpf->obj);
}

static unsigned loaded(const struct calls_bpf *bpf)
{
	struct bpf_program *program;
	unsigned n = 0;

	bpf_object__for_each_program(program, bpf->obj)
		n += bpf_program__fd(program) >= 0;
	return n;
}

static void check(enum laf_hooks_use use)
{
	struct calls_bpf *bpf = open_programs(use);
	int r;

	leave_apart(bpf);
	r = load(bpf);
	if (r == -EPERM)
		skip();
	if (r)
		fputs(said, stderr);
	assert_int_equal(r, 0);
	assert_true(bpf_program__fd(bpf->progs.laf_sys_exit) >= 0);
	assert_true(laf_probe_fexit() || bpf_program__fd(bpf->progs.laf_function_ends) >= 0);
	printf("%u programs write nothing that is shared\n", loaded(bpf));
	calls_bpf__destroy(bpf);
}

static void nothing_shared_is_written(void **state)
{
	check(LAF_HOOKS_SURE);
}

static void nor_with_every_constant_set(void **state)
{
	check(LAF_HOOKS_SKIPPABLE);
}

/* The check finds a program that writes. */
static void what_writes_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
		struct calls_bpf *bpf = open_programs(LAF_HOOKS_SKIPPABLE);
		struct bpf_program *writer = bpf_object__find_program_by_name(bpf->obj, apart[i].program), *program;
		int r;

		bpf_object__for_each_program(program, bpf->obj)
			bpf_program__set_autoload(program, program == writer);
		r = is_on_function(writer) && laf_probe_fexit() ? -EACCES : load(bpf);
		if (r == -EPERM)
			skip();
		assert_int_equal(r, -EACCES);
		assert_true(!said[0] || strstr(said, "write into map"));
		calls_bpf__destroy(bpf);
	}
}

/* Each processor's scratch has its lines for itself, from the first, which begins a page, to the last. */
static void scratches_share_no_line(void **state)
{
	struct calls_bpf *bpf = calls_bpf__open();

	assert_non_null(bpf);
	assert_int_equal(bpf_map__value_size(bpf->maps.scratches) % LINES, 0);
	assert_true(bpf_map__map_flags(bpf->maps.scratches) & BPF_F_MMAPABLE);
	calls_bpf__destroy(bpf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_shared_is_written),
		cmocka_unit_test(nor_with_every_constant_set),
		cmocka_unit_test(what_writes_is_refused),
		cmocka_unit_test(scratches_share_no_line),
	};

	libbpf_set_print(keep);
	if (geteuid())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
