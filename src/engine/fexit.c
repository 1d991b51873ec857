// SPDX-License-Identifier: GPL-2.0-or-later
/* The fexit engine: stubs at the start and the end of each audited call's own function; all other calls have none. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "../rules/calls.h"
#include "bpf.h"
#include "functions.h"
#include "hooks.h"
#include "policymaps.h"
#include "preempt.h"

/* One function that is hooked. */
struct hook {
	int32_t btf_id;
	int programs[2]; /* at its start and at its end; -1 = none */
	int links[2];
};

struct hooks {
	struct laf_functions functions;
	uint32_t protos[2]; /* prototypes that the two sorts of targets were verified for: with registers, bare */
	struct hook *list;
	size_t n, room;
};

enum { BEGIN, END };



static void choose(struct bpf_engine *t)
{
	bpf_program__set_autoload(t->bpf->progs.laf_sys_enter, false);
	bpf_program__set_autoload(t->bpf->progs.laf_sys_exit, false);
	laf_hooks_choose(t, true);
}

/* A stub jumps to the program in the only slot of `target`, which was verified for a function with the same arguments. */
static int load_stub(int32_t btf_id, enum bpf_attach_type type, int target)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = type, .attach_btf_id = btf_id);
	const struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_2, .src_reg = BPF_PSEUDO_MAP_FD, .imm = target },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_tail_call },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "laf_stub", "GPL", insns, sizeof(insns) / sizeof(insns[0]), &options);
}

static void close_hook(struct hook *hook)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		if (hook->links[i] >= 0)
			close(hook->links[i]);
		if (hook->programs[i] >= 0)
			close(hook->programs[i]);
	}
}

/* The end first: a start without an end would leave the task's context open. A function that does not return has no end, and
 * since 6.12 the kernel says so. */
static int open_hook(struct bpf_engine *t, const struct laf_function *function, bool returns, struct hook *hook)
{
	const struct hooks *hooks = t->hooks;
	bool bare = function->proto == hooks->protos[1];
	static const enum bpf_attach_type types[2] = { [BEGIN] = BPF_TRACE_FENTRY, [END] = BPF_TRACE_FEXIT };
	const int targets[2][2] = {
		{ bpf_map__fd(t->bpf->maps.function_begin), bpf_map__fd(t->bpf->maps.function_end) },
		{ bpf_map__fd(t->bpf->maps.bare_function_begin), bpf_map__fd(t->bpf->maps.bare_function_end) },
	};
	int i, r;

	if (!bare && function->proto != hooks->protos[0])
		return -EOPNOTSUPP;
	*hook = (struct hook){ .btf_id = function->btf_id, .programs = { -1, -1 }, .links = { -1, -1 } };
	for (i = returns ? END : BEGIN; i >= BEGIN; i--) {
		r = hook->programs[i] = load_stub(function->btf_id, types[i], targets[bare][i]);
		if (r >= 0)
			r = hook->links[i] = bpf_link_create(hook->programs[i], 0, types[i], NULL);
		if (r < 0) {
			snprintf(t->log, sizeof(t->log), "%s the %s of %s",
				 hook->programs[i] < 0 ? "loading the stub for" : "attaching to",
				 i == BEGIN ? "start" : "end", function->name);
			close_hook(hook);
			return r;
		}
	}
	return 0;
}

static bool is_hooked(const struct hooks *hooks, int32_t btf_id)
{
	size_t i;

	for (i = 0; i < hooks->n; i++)
		if (hooks->list[i].btf_id == btf_id)
			return true;
	return false;
}

static int hook_call(struct bpf_engine *t, uint32_t abi, uint32_t nr)
{
	struct hooks *hooks = t->hooks;
	const struct laf_call_shape *shape = laf_bpf_shape(t, abi, nr);
	const struct laf_function *function = laf_function_find(&hooks->functions, abi, nr);
	int r;

	if (!function)
		return 0; /* the kernel has no such call: whoever makes it gets ENOSYS, and is not seen */
	if (is_hooked(hooks, function->btf_id))
		return 0;
	if (hooks->n == hooks->room) {
		size_t room = hooks->room ? hooks->room * 2 : 64;
		struct hook *list = realloc(hooks->list, room * sizeof(*list));

		if (!list)
			return -ENOMEM;
		hooks->list = list;
		hooks->room = room;
	}
	r = open_hook(t, function, shape->kind != LAF_KIND_EXIT, &hooks->list[hooks->n]);
	if (r)
		return r;
	hooks->n++;
	return 0;
}

static int fill_target(struct bpf_map *map, struct bpf_program *program)
{
	uint32_t zero = 0;
	int fd = bpf_program__fd(program);

	return bpf_map_update_elem(bpf_map__fd(map), &zero, &fd, 0);
}

static int prepare(struct bpf_engine *t)
{
	const struct laf_function *function;
	struct hooks *hooks;
	int r;

	if (t->hooks)
		return 0;
	t->hooks = hooks = calloc(1, sizeof(*hooks));
	if (!hooks)
		return -ENOMEM;
	r = laf_functions_open(&hooks->functions);
	if (r)
		return r;
	t->bpf->bss->entry_hooked = 1;
	function = laf_function_named(&hooks->functions, "__x64_sys_openat");
	if (!function || !hooks->functions.bare_proto)
		return -ENOENT;
	hooks->protos[0] = function->proto;
	hooks->protos[1] = hooks->functions.bare_proto;
	r = fill_target(t->bpf->maps.function_begin, t->bpf->progs.laf_function_begins);
	if (!r)
		r = fill_target(t->bpf->maps.function_end, t->bpf->progs.laf_function_ends);
	if (!r)
		r = fill_target(t->bpf->maps.bare_function_begin, t->bpf->progs.laf_bare_function_begins);
	if (!r)
		r = fill_target(t->bpf->maps.bare_function_end, t->bpf->progs.laf_bare_function_ends);
	return r;
}

static int attach_needed(struct bpf_engine *t, const struct laf_policy *policy)
{
	uint32_t abi, nr;
	int r = prepare(t);

	if (!r)
		r = laf_hooks_attach(t, policy);
	for (abi = 0; !r && abi < LAF_ABIS; abi++)
		for (nr = 0; !r && nr < LAF_ABI_CALLS; nr++)
			if (laf_policy_audits(policy, abi, nr))
				r = hook_call(t, abi, nr);
	if (!r && ((struct hooks *)t->hooks)->n)
		r = laf_bpf_attach(t->bpf->progs.laf_exec, &t->bpf->links.laf_exec);
	return r;
}

static void detach(struct bpf_engine *t)
{
	struct hooks *hooks = t->hooks;
	size_t i;

	if (!hooks)
		return;
	for (i = 0; i < hooks->n; i++)
		close_hook(&hooks->list[i]);
	laf_functions_close(&hooks->functions);
	free(hooks->list);
	free(hooks);
	t->hooks = NULL;
}

static uint64_t misses(struct bpf_engine *t)
{
	struct hooks *hooks = t->hooks;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; hooks && i < hooks->n; i++)
		sum += laf_bpf_misses(hooks->list[i].programs[BEGIN]) + laf_bpf_misses(hooks->list[i].programs[END]);
	return sum;
}

static const struct laf_bpf_plan plan = {
	.choose = choose,
	.attach = attach_needed,
	.detach = detach,
	.misses = misses,
};

static int open_fexit(struct laf_engine *engine, const struct laf_engine_options *options,
		      const struct laf_policy *policy, struct laf_error *err)
{
	return laf_bpf_open(engine, &plan, options, policy, err);
}

/* Trampolines must be allowed, and nobody be preempted inside a program. */
static bool usable(char *why, size_t size)
{
	enum laf_preempt model = laf_preempt_model();
	struct btf *btf = btf__load_vmlinux_btf();
	int id = btf ? btf__find_by_name_kind(btf, "__x64_sys_openat", BTF_KIND_FUNC) : -ENOENT, fd = -ENOENT;

	if (id >= 0) {
		LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_FEXIT,
			    
			    .attach_btf_id = id);
		const struct bpf_insn insns[] = {
			{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
			{ .code = BPF_JMP | BPF_EXIT },
		};

		fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "laf_probe", "GPL", insns, 2, &options);
	}
	btf__free(btf);
	if (fd < 0) {
		snprintf(why, size, "the kernel refuses fexit programs: %s", strerror(-fd));
		return false;
	}
	close(fd);
	if (model != LAF_PREEMPT_NONE && model != LAF_PREEMPT_VOLUNTARY) {
		snprintf(why, size, "preemption is %s, and fexit programs are skipped where a task is preempted inside one",
			 laf_preempt_name(model));
		return false;
	}
	snprintf(why, size, "fexit programs load, preemption is %s", laf_preempt_name(model));
	return true;
}

const struct laf_engine_ops laf_engine_fexit = {
	.name = "fexit",
	.usable = usable,
	.open = open_fexit,
	.close = laf_bpf_close,
	.set_policy = laf_bpf_set_policy,
	.changes = laf_bpf_changes,
	.follow = laf_bpf_follow,
	.watch = laf_bpf_watch,
	.mark = laf_bpf_mark,
	.get_stats = laf_bpf_get_stats,
};
