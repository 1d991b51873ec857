// SPDX-License-Identifier: GPL-2.0-or-later
/* THE TABLE of the name hooks: which kernel functions are hooked for which calls (src/bpf/hooks.bpf.h). */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <libaudit.h>

#include "../rules/calls.h"
#include "hooks.h"
#include "policymaps.h"

/* What a call does with its names. */
enum need {
	LOOKS = 1,  /* looks them up */
	OPENS = 2,  /* opens the file */
	MAKES = 4,  /* opens it, or makes it while it opens it */
	FOLDER = 8, /* makes, moves or removes them in a folder */
	STARTS = 64,  /* they are programs */
	QUEUES = 16,  /* they are message queues */
	FOLLOWS = 32, /* no call: names are watched */
};

struct name_hook {
	const char *name;     /* of the program */
	size_t program, link; /* in the skeleton */
	const char *function;
	unsigned needs;
	const char *unless;   /* not where the kernel has this function: it shows the same */
	bool optional;        /* a detail is lost without it, no name */
};

#define HOOK(p, f, n, ...) \
	{ .name = #p, .program = offsetof(struct calls_bpf, progs.p), .link = offsetof(struct calls_bpf, links.p), \
	  .function = (f), .needs = (n), ##__VA_ARGS__ }

/* The kernels are those in which a function is known to be one of its own, not inlined everywhere (6.1, 6.12, 6.18 looked at). */
static const struct name_hook table[] = {
	HOOK(laf_filename_lookup, "filename_lookup", LOOKS),
	HOOK(laf_path_parentat, "path_parentat", FOLDER, .optional = true),                      /* to 6.12 */
	HOOK(laf_filename_parentat, "__filename_parentat", FOLDER, .unless = "path_parentat"),   /* seven arguments: from 6.6 */
	HOOK(laf_complete_walk, "complete_walk", OPENS, .optional = true),
	HOOK(laf_finish_open, "finish_open", OPENS, .optional = true),
	HOOK(laf_want_write, "mnt_want_write", MAKES, .optional = true),
	HOOK(laf_path_mknod, "security_path_mknod", MAKES, .optional = true),
	HOOK(laf_do_filp_open, "do_filp_open", OPENS),
	HOOK(laf_may_delete, "may_delete", FOLDER),
	HOOK(laf_vfs_mkdir, "vfs_mkdir", FOLDER),
	HOOK(laf_vfs_mknod, "vfs_mknod", FOLDER),
	HOOK(laf_vfs_create, "vfs_create", FOLDER),
	HOOK(laf_vfs_symlink, "vfs_symlink", FOLDER),
	HOOK(laf_vfs_link, "vfs_link", FOLDER),
	HOOK(laf_vfs_rename, "vfs_rename", FOLDER),
	HOOK(laf_pty_new, "devpts_pty_new", OPENS, .optional = true),
	HOOK(laf_file_caps, "get_vfs_caps_from_disk", STARTS, .optional = true),
	HOOK(laf_lookup_queue, "lookup_noperm", QUEUES, .optional = true),                           /* from 6.16 */
	HOOK(laf_lookup_queue_by_text, "lookup_one_len", QUEUES, .unless = "lookup_noperm", .optional = true),
	HOOK(laf_make_queue, "vfs_mkobj", QUEUES, .optional = true),
	HOOK(laf_name_changed, "inotify_handle_inode_event", FOLLOWS, .optional = true),
};
#define N_HOOKS (sizeof(table) / sizeof(*table))

static struct bpf_program *program_of(struct bpf_engine *t, const struct name_hook *hook)
{
	return *(struct bpf_program **)((char *)t->bpf + hook->program);
}

static struct bpf_link **link_of(struct bpf_engine *t, const struct name_hook *hook)
{
	return (struct bpf_link **)((char *)t->bpf + hook->link);
}

static bool has_function(const struct btf *btf, const char *name)
{
	return btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) > 0;
}

static bool is_chosen(const struct btf *btf, const struct name_hook *hook)
{
	return has_function(btf, hook->function) && !(hook->unless && has_function(btf, hook->unless));
}

static bool is_missing(const struct btf *btf, const struct name_hook *hook)
{
	return !hook->optional && !has_function(btf, hook->function) && !(hook->unless && has_function(btf, hook->unless));
}

/* What it takes to know when a hook was skipped: misses.bpf.h. */
static bool can_tell_skips(const struct btf *btf)
{
	return has_function(btf, "bpf_preempt_disable");
}

static bool are_there(const struct btf *btf)
{
	size_t i;

	for (i = 0; i < N_HOOKS; i++)
		if (is_missing(btf, &table[i]))
			return false;
	return true;
}

void laf_hooks_choose(struct bpf_engine *t, enum laf_hooks_use use)
{
	struct btf *btf = use == LAF_HOOKS_NONE ? NULL : btf__load_vmlinux_btf();
	bool skippable = use == LAF_HOOKS_SKIPPABLE;
	size_t i;

	t->name_hooks = btf && are_there(btf) && (!skippable || can_tell_skips(btf));
	for (i = 0; i < N_HOOKS; i++)
		bpf_program__set_autoload(program_of(t, &table[i]), t->name_hooks && is_chosen(btf, &table[i]) &&
					  !(skippable && table[i].needs == FOLLOWS));
	skippable &= t->name_hooks;
	t->bpf->rodata->hooks_skippable = skippable;
	bpf_program__set_autoload(t->bpf->progs.laf_find_counts, skippable);
	btf__free(btf);
}

static bool is_call(uint32_t abi, uint32_t nr, const char *name)
{
	return audit_name_to_syscall(name, abi ? MACH_X86 : MACH_86_64) == (int)nr;
}

/* Calls that open a file without giving it to the caller. */
static bool opens_inside(uint32_t abi, uint32_t nr)
{
	static const char *const names[] = { "acct", "swapon", "swapoff", "uselib", "quotactl" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (is_call(abi, nr, names[i]))
			return true;
	return false;
}

static unsigned needs_of(const struct laf_call_shape *shape, uint32_t abi, uint32_t nr)
{
	if (shape->special == LAF_SPECIAL_SOCKETCALL)
		return LOOKS | FOLDER;
	if (!laf_shape_has_names(shape))
		return 0;
	switch (shape->kind) {
	case LAF_KIND_OPEN: case LAF_KIND_OPENAT2:
		return LOOKS | OPENS | MAKES;
	case LAF_KIND_EXEC:
		return LOOKS | OPENS | STARTS;
	}
	if (shape->flags & LAF_SHAPE_QUEUE)
		return QUEUES | FOLDER;
	if (shape->flags & LAF_SHAPE_PARENT)
		return LOOKS | FOLDER;
	if (shape->saddr_kind)
		return is_call(abi, nr, "bind") ? LOOKS | FOLDER : LOOKS;
	return opens_inside(abi, nr) ? LOOKS | OPENS : LOOKS;
}

static unsigned needs_of_policy(const struct bpf_engine *t, const struct laf_policy *policy)
{
	unsigned needs = policy->n_watches ? FOLLOWS : 0;
	uint32_t abi, nr;

	for (abi = 0; abi < LAF_ABIS; abi++)
		for (nr = 0; nr < LAF_SHAPES; nr++)
			if (laf_policy_audits(policy, abi, nr))
				needs |= needs_of(laf_bpf_shape(t, abi, nr), abi, nr);
	return needs;
}

static uint32_t program_id(const struct bpf_link *link)
{
	struct bpf_link_info info = { 0 };
	uint32_t size = sizeof(info);

	return bpf_obj_get_info_by_fd(bpf_link__fd(link), &info, &size) ? 0 : info.prog_id;
}

/* Run an iterator for what it notes. Returns 0 or a negative errno. */
static int run_iterator(struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach(program);
	int fd, r = link ? 0 : -errno;
	char nothing[64];

	if (r)
		return r;
	fd = bpf_iter_create(bpf_link__fd(link));
	while (fd >= 0 && (r = read(fd, nothing, sizeof(nothing))) > 0)
		;
	if (r < 0)
		r = -errno;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return fd < 0 ? fd : r;
}

/* Where the kernel counts how often it skipped each hook that is attached. */
static int find_counts(struct bpf_engine *t)
{
	struct calls_bpf__bss *bss = t->bpf->bss;
	uint32_t ids[sizeof(bss->hook_ids) / sizeof(*bss->hook_ids)] = { 0 };
	size_t i, n = 0;
	int r;

	_Static_assert(N_HOOKS < sizeof(ids) / sizeof(*ids), "the list ends with 0");
	for (i = 0; i < N_HOOKS; i++)
		if (*link_of(t, &table[i]))
			ids[n++] = program_id(*link_of(t, &table[i]));
	if (!memcmp(ids, bss->hook_ids, sizeof(ids)))
		return 0;
	memcpy(bss->hook_ids, ids, sizeof(ids));
	memset(bss->miss_counts, 0, sizeof(bss->miss_counts));
	r = run_iterator(t->bpf->progs.laf_find_counts);
	if (!r && n && !bss->miss_counts[n - 1])
		r = -ENOENT;
	if (r)
		snprintf(t->log, sizeof(t->log), "finding the counts of skipped programs");
	return r;
}

int laf_hooks_attach(struct bpf_engine *t, const struct laf_policy *policy)
{
	unsigned needs = t->name_hooks ? needs_of_policy(t, policy) : 0;
	size_t i;
	int r;

	for (i = 0; i < N_HOOKS; i++) {
		if (!(table[i].needs & needs) || !bpf_program__autoload(program_of(t, &table[i])))
			continue;
		r = laf_bpf_attach(t, program_of(t, &table[i]), link_of(t, &table[i]));
		if (r) {
			snprintf(t->log, sizeof(t->log), "attaching to %s, for names", table[i].function);
			return r;
		}
	}
	r = needs && t->bpf->rodata->hooks_skippable ? find_counts(t) : 0;
	if (!r)
		t->bpf->bss->names_hooked = (needs & ~FOLLOWS) != 0;
	return r;
}

bool laf_hooks_skippable(struct bpf_engine *t, const struct bpf_program *program, struct bpf_link **link)
{
	size_t i;

	for (i = 0; t->bpf->rodata->hooks_skippable && i < N_HOOKS; i++)
		if (program_of(t, &table[i]) == program || link_of(t, &table[i]) == link)
			return true;
	return false;
}

bool laf_hooks_has(const char *program)
{
	size_t i;

	for (i = 0; i < N_HOOKS; i++)
		if (!strcmp(table[i].name, program))
			return true;
	return false;
}
