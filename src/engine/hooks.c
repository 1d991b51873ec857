// SPDX-License-Identifier: GPL-2.0-or-later
/* THE TABLE of the name hooks: which kernel functions are hooked for which calls (src/bpf/hooks.bpf.h). */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>

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
	size_t program, link; /* in the skeleton */
	const char *function;
	unsigned needs;
	const char *unless;   /* not where the kernel has this function: it shows the same */
	bool optional;        /* a detail is lost without it, no name */
};

#define HOOK(p, f, n, ...) \
	{ .program = offsetof(struct calls_bpf, progs.p), .link = offsetof(struct calls_bpf, links.p), \
	  .function = (f), .needs = (n), ##__VA_ARGS__ }

/* The kernels are those in which a function is known to be one of its own, not inlined everywhere (6.1, 6.12, 6.18 looked at). */
static const struct name_hook table[] = {
	HOOK(laf_filename_lookup, "filename_lookup", LOOKS),
	HOOK(laf_path_parentat, "path_parentat", FOLDER, .optional = true),                      /* to 6.12 */
	HOOK(laf_filename_parentat, "__filename_parentat", FOLDER, .unless = "path_parentat"),   /* seven arguments: from 6.6 */
	HOOK(laf_complete_walk, "complete_walk", OPENS, .optional = true),
	HOOK(laf_finish_open, "finish_open", OPENS, .optional = true),
	HOOK(laf_unlazy, "try_to_unlazy", MAKES, .optional = true),
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

void laf_hooks_choose(struct bpf_engine *t, bool wanted)
{
	struct btf *btf = wanted ? btf__load_vmlinux_btf() : NULL;
	size_t i;

	for (i = 0; btf && i < N_HOOKS; i++)
		if (is_missing(btf, &table[i])) {
			btf__free(btf);
			btf = NULL;
		}
	for (i = 0; i < N_HOOKS; i++)
		bpf_program__set_autoload(program_of(t, &table[i]), btf && is_chosen(btf, &table[i]));
	t->name_hooks = btf;
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

int laf_hooks_attach(struct bpf_engine *t, const struct laf_policy *policy)
{
	unsigned needs = t->name_hooks ? needs_of_policy(t, policy) : 0;
	size_t i;
	int r;

	for (i = 0; i < N_HOOKS; i++) {
		if (!(table[i].needs & needs) || !bpf_program__autoload(program_of(t, &table[i])))
			continue;
		r = laf_bpf_attach(program_of(t, &table[i]), link_of(t, &table[i]));
		if (r) {
			snprintf(t->log, sizeof(t->log), "attaching to %s, for names", table[i].function);
			return r;
		}
	}
	t->bpf->bss->names_hooked = (needs & ~FOLLOWS) != 0;
	return 0;
}
