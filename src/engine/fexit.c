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
#include "probe.h"

/* One function that is hooked. */
struct hook {
	int32_t btf_id;
	int programs[2]; /* at its start and at its end; -1 = none */
	int links[2];
	struct laf_use use;
};

struct hooks {
	struct laf_functions functions;
	uint32_t protos[2]; /* prototypes that the two sorts of targets were verified for: with registers, bare */
	struct hook *list;
	size_t n, room;
	struct laf_bpf_runs gone_runs; /* of stubs that are gone */
};

enum { BEGIN, END };

#define NAME_BYTES 32  /* of a pin */
#define NARROW_MANY 32 /* more 32-bit calls than these are not hooked one by one */

/* Hooks where all 32-bit calls pass, if the kernel has such a function. */
static void choose_narrow(struct bpf_engine *t)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool there = btf && btf__find_by_name_kind(btf, "ia32_sys_call", BTF_KIND_FUNC) > 0;

	btf__free(btf);
	bpf_program__set_autoload(t->bpf->progs.laf_narrow_begins, there);
	bpf_program__set_autoload(t->bpf->progs.laf_narrow_ends, there);
}

static void choose(struct bpf_engine *t)
{
	bpf_program__set_autoload(t->bpf->progs.laf_sys_enter, false);
	bpf_program__set_autoload(t->bpf->progs.laf_sys_exit, false);
	choose_narrow(t);
	laf_hooks_choose(t, LAF_HOOKS_SURE);
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

static const char *stub_name(int32_t btf_id, int which, char name[NAME_BYTES])
{
	snprintf(name, NAME_BYTES, LAF_STUB "%d-%d", btf_id, which);
	return name;
}

/* Those that a daemon before us attached. */
static bool find_stubs(struct bpf_engine *t, int32_t btf_id, struct hook *hook)
{
	char name[NAME_BYTES];
	unsigned i;

	*hook = (struct hook){ .btf_id = btf_id, .programs = { -1, -1 } };
	for (i = 0; i < 2; i++) {
		hook->links[i] = laf_pins_find_fd(&t->pins, stub_name(btf_id, i, name));
		if (hook->links[i] >= 0)
			hook->programs[i] = laf_bpf_program_of(hook->links[i]);
	}
	if (hook->links[BEGIN] >= 0)
		return true;
	laf_pins_drop_link(&t->pins, stub_name(btf_id, END, name)); /* it came no further */
	close_hook(hook);
	return false;
}

/* The end first: a start without an end would leave the task's context open. A function that does not return has no end, and
 * since 6.12 the kernel says so. */
static int open_hook(struct bpf_engine *t, const struct laf_function *function, bool returns, struct hook *hook)
{
	const struct hooks *hooks = t->hooks;
	char name[NAME_BYTES];
	bool bare = function->proto == hooks->protos[1];
	static const enum bpf_attach_type types[2] = { [BEGIN] = BPF_TRACE_FENTRY, [END] = BPF_TRACE_FEXIT };
	const int targets[2][2] = {
		{ bpf_map__fd(returns ? t->bpf->maps.function_begin : t->bpf->maps.function_exit),
		  bpf_map__fd(t->bpf->maps.function_end) },
		{ bpf_map__fd(t->bpf->maps.bare_function_begin), bpf_map__fd(t->bpf->maps.bare_function_end) },
	};
	int i, r;

	if (!bare && function->proto != hooks->protos[0])
		return -EOPNOTSUPP;
	if (find_stubs(t, function->btf_id, hook))
		return 0;
	*hook = (struct hook){ .btf_id = function->btf_id, .programs = { -1, -1 }, .links = { -1, -1 } };
	for (i = returns ? END : BEGIN; i >= BEGIN; i--) {
		r = hook->programs[i] = load_stub(function->btf_id, types[i], targets[bare][i]);
		if (r >= 0)
			r = hook->links[i] = bpf_link_create(hook->programs[i], 0, types[i], NULL);
		if (r >= 0)
			r = laf_pins_keep_fd(&t->pins, stub_name(function->btf_id, i, name), hook->links[i]);
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

static struct hook *find_hook(const struct hooks *hooks, int32_t btf_id)
{
	size_t i;

	for (i = 0; i < hooks->n; i++)
		if (hooks->list[i].btf_id == btf_id)
			return &hooks->list[i];
	return NULL;
}

static int hook_call(struct bpf_engine *t, uint32_t abi, uint32_t nr)
{
	struct hooks *hooks = t->hooks;
	const struct laf_call_shape *shape = laf_bpf_shape(t, abi, nr);
	const struct laf_function *function = laf_function_find(&hooks->functions, abi, nr);
	struct hook *hook;
	int r;

	if (!function)
		return 0; /* the kernel has no such call: whoever makes it gets ENOSYS, and is not seen */
	hook = find_hook(hooks, function->btf_id);
	if (hook) {
		hook->use.needed = true;
		return 0;
	}
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
	hooks->list[hooks->n++].use.needed = true;
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
		r = fill_target(t->bpf->maps.function_exit, t->bpf->progs.laf_function_exits);
	if (!r)
		r = fill_target(t->bpf->maps.function_end, t->bpf->progs.laf_function_ends);
	if (!r)
		r = fill_target(t->bpf->maps.bare_function_begin, t->bpf->progs.laf_bare_function_begins);
	if (!r)
		r = fill_target(t->bpf->maps.bare_function_end, t->bpf->progs.laf_bare_function_ends);
	return r;
}

static void forget_needs(struct hooks *hooks)
{
	size_t i;

	for (i = 0; i < hooks->n; i++)
		hooks->list[i].use.needed = false;
}

/* Does the 64-bit call have the same function? */
static bool is_shared(struct bpf_engine *t, uint32_t nr)
{
	const struct hooks *hooks = t->hooks;
	const struct laf_function *function = laf_function_find(&hooks->functions, 1, nr);

	return function && !strncmp(function->name, "__do_sys_", 9);
}

/* Which 32-bit calls are better seen where all of them pass? Returns whether there is any. (exit() has a program of its own.) */
static bool choose_passing(struct bpf_engine *t, const struct laf_policy *policy, bool ret[LAF_ABI_CALLS])
{
	unsigned n = 0, shared = 0;
	uint32_t nr;

	for (nr = 0; nr < LAF_ABI_CALLS; nr++) {
		ret[nr] = laf_policy_audits(policy, 1, nr) && laf_bpf_shape(t, 1, nr)->kind != LAF_KIND_EXIT;
		n += ret[nr];
	}
	for (nr = 0; n <= NARROW_MANY && nr < LAF_ABI_CALLS; nr++) {
		ret[nr] = ret[nr] && is_shared(t, nr);
		shared += ret[nr];
	}
	return n > NARROW_MANY || shared;
}

static bool attach_narrow(struct bpf_engine *t)
{
	if (!bpf_program__autoload(t->bpf->progs.laf_narrow_ends))
		return false;
	if (!laf_bpf_attach(t, t->bpf->progs.laf_narrow_ends, &t->bpf->links.laf_narrow_ends) &&
	    !laf_bpf_attach(t, t->bpf->progs.laf_narrow_begins, &t->bpf->links.laf_narrow_begins))
		return true;
	t->log[0] = 0; /* it is done without */
	return false;
}

/* 32-bit calls: what is seen in one of the two places is so from the moment at which it is attached there. */
static int hook_narrow(struct bpf_engine *t, const struct laf_policy *policy)
{
	bool passing[LAF_ABI_CALLS];
	bool attached = choose_passing(t, policy, passing) && attach_narrow(t);
	uint32_t nr;
	int r = 0;

	for (nr = 0; !r && nr < LAF_ABI_CALLS; nr++) {
		if (!laf_policy_audits(policy, 1, nr))
			continue;
		if (attached && passing[nr]) {
			t->bpf->bss->narrow[nr / 64] |= 1ull << nr % 64;
			continue;
		}
		r = hook_call(t, 1, nr);
		if (!r)
			t->bpf->bss->narrow[nr / 64] &= ~(1ull << nr % 64);
	}
	return r;
}

static int attach_needed(struct bpf_engine *t, const struct laf_policy *policy)
{
	uint32_t nr;
	int r = prepare(t);

	if (!r)
		forget_needs(t->hooks);
	if (!r)
		r = laf_hooks_attach(t, policy);
	for (nr = 0; !r && nr < LAF_ABI_CALLS; nr++)
		if (laf_policy_audits(policy, 0, nr))
			r = hook_call(t, 0, nr);
	if (!r)
		r = hook_narrow(t, policy);
	if (!r && laf_policy_audits_any(policy))
		r = laf_bpf_attach(t, t->bpf->progs.laf_exec, &t->bpf->links.laf_exec);
	return r;
}

static void settle(struct bpf_engine *t, uint64_t now_ns)
{
	struct hooks *hooks = t->hooks;
	size_t i;

	for (i = 0; i < hooks->n; i++)
		laf_use_settle(&hooks->list[i].use, now_ns);
}

static void add_runs_of(const struct hook *hook, struct laf_bpf_runs *runs)
{
	laf_bpf_add_runs(hook->programs[BEGIN], runs);
	laf_bpf_add_runs(hook->programs[END], runs);
}

static bool pick(struct bpf_engine *t, uint64_t before_ns, struct laf_leaving *ret)
{
	struct hooks *hooks = t->hooks;
	char name[NAME_BYTES];
	struct hook *hook;
	size_t i;

	for (i = 0; i < hooks->n; i++) {
		hook = &hooks->list[i];
		if (!hook->use.idle_ns || hook->use.idle_ns >= before_ns)
			continue;
		*ret = (struct laf_leaving){
			.fds = { hook->links[BEGIN], hook->links[END], hook->programs[BEGIN], hook->programs[END] },
		};
		add_runs_of(hook, &hooks->gone_runs);
		laf_pins_drop_link(&t->pins, stub_name(hook->btf_id, BEGIN, name));
		laf_pins_drop_link(&t->pins, stub_name(hook->btf_id, END, name));
		*hook = hooks->list[--hooks->n];
		return true;
	}
	return false;
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

static void runs(struct bpf_engine *t, struct laf_bpf_runs *ret)
{
	struct hooks *hooks = t->hooks;
	size_t i;

	if (!hooks)
		return;
	ret->missed += hooks->gone_runs.missed;
	ret->n += hooks->gone_runs.n;
	ret->ns += hooks->gone_runs.ns;
	for (i = 0; i < hooks->n; i++)
		add_runs_of(&hooks->list[i], ret);
}

static const struct laf_bpf_plan plan = {
	.name = "fexit",
	.choose = choose,
	.attach = attach_needed,
	.settle = settle,
	.detach = detach,
	.pick = pick,
	.runs = runs,
};

static int open_fexit(struct laf_engine *engine, const struct laf_engine_options *options,
		      const struct laf_policy *policy, struct laf_error *err)
{
	return laf_bpf_open(engine, &plan, options, policy, err);
}

/* Trampolines must be allowed, and nobody be preempted inside a program. */
static bool usable(char *why, size_t size)
{
	const char *model = laf_preempt_name(laf_preempt_model());
	int r = laf_probe_fexit();

	if (r)
		snprintf(why, size, "the kernel refuses fexit programs: %s", strerror(-r));
	else if (laf_preempt_skips())
		snprintf(why, size, "preemption is %s, and fexit programs are skipped where a task is preempted inside one",
			 model);
	else
		snprintf(why, size, "fexit programs load, preemption is %s", model);
	return !r && !laf_preempt_skips();
}

const struct laf_engine_ops laf_engine_fexit = {
	.name = "fexit",
	.usable = usable,
	.open = open_fexit,
	.close = laf_bpf_close,
	.set_policy = laf_bpf_set_policy,
	.losses = laf_bpf_losses,
	.limit = laf_bpf_limit,
	.detach_idle = laf_bpf_detach_idle,
	.changes = laf_bpf_changes,
	.follow = laf_bpf_follow,
	.watch = laf_bpf_watch,
	.mark = laf_bpf_mark,
	.complete = laf_bpf_complete,
	.get_stats = laf_bpf_get_stats,
};
