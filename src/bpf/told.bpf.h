/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is what the reader was told of the task still so? Nothing is compared by address alone: an address can be another object's by
 * now, but not while the task itself has held on to it, which its counters tell. */
#ifndef LAF_TOLD_BPF_H
#define LAF_TOLD_BPF_H

#include "decide.bpf.h"

static __always_inline bool is_hashed(struct dentry *d)
{
	return d->d_hash.pprev != NULL;
}

/* The part of a path above its first mount. */
VERIFIED_ALONE int upper_holds(const struct laf_chain *chain)
{
	u32 i;

	if (!chain)
		return 0;
	for (i = 0; i < CHAIN_MAX; i++) {
		if (i < chain->low)
			continue;
		if (i >= chain->n)
			break;
		if (read_d_seq(chain->dentry[i]) != chain->seq[i])
			return 0;
	}
	return 1;
}

__u64 rename_lock_at = 0; /* rename_lock, where the kernel tells the addresses of data (CONFIG_KALLSYMS_ALL); 0 = not known */

/* Run once, by laf_bpf_open(). libbpf would read all of /proc/kallsyms for it, which takes as long as loading the programs. */
SEC("syscall")
int laf_find_symbols(void *nothing)
{
	bpf_kallsyms_lookup_name("rename_lock", sizeof("rename_lock"), 0, &rename_lock_at);
	return 0;
}

/* Counts all that is renamed on the machine, once at the start and once at the end; odd, too, where it can't be read. */
static __always_inline u32 count_renames(void)
{
	return rename_lock_at ? READ(seqcount, rename_lock_at, sequence) : 1;
}

/* d_seq counts what happens to a dentry's name and folder (__d_move(), __d_drop()). */
static __always_inline bool chain_holds(const struct laf_chain *chain, struct dentry *d, bool renamed)
{
	u32 i;

	if (is_hashed(d) != chain->hashed)
		return false;
	if (!renamed)
		return true;
	for (i = 0; i < CHAIN_MAX; i++) {
		if (i >= chain->low)
			break;
		if (SEQUENCE(d, dentry, d_seq) != chain->seq[i])
			return false;
		d = d->d_parent;
	}
	return chain->n == chain->low || upper_holds(chain);
}

/* A program's file can be exchanged without a trace, for one with the same address (PR_SET_MM_EXE_FILE). A working directory can't:
 * fs->seq counts that. */
static __always_inline bool same_leaf(const struct laf_chain *chain, struct dentry *d)
{
	return (u64)d == chain->leaf && d->d_name.hash == chain->hash;
}

static __always_inline u64 tty_word(struct tty_struct *tty, u32 i)
{
	return *(u64 *)INSIDE(tty, bpf_core_field_offset(struct tty_struct, name) + 8 * i);
}

static __always_inline bool same_tty(const struct laf_told *t, struct tty_struct *tty)
{
	if ((u64)tty != t->tty)
		return false;
	return !tty || (tty_word(tty, 0) == t->tty_name[0] && tty_word(tty, 1) == t->tty_name[1]);
}

/* Where nothing was renamed since on the whole machine, no folder of the paths was; else each is looked at.
 * fs->seq counts every change of root and working directory, self_exec_id every exec, the namespace's event every change of
 * its mounts. */
static __always_inline bool is_same(struct laf_context *c, struct task_struct *task, bool with_cwd)
{
	struct laf_told *t = &c->told;
	struct fs_struct *fs = task->fs;
	struct file *exe = task->mm->exe_file;
	u32 renames = count_renames();
	bool renamed = renames & 1 || renames != t->renames;

	if ((u64)fs != t->fs || SEQUENCE(fs, fs_struct, seq) != t->fs_seq || task->self_exec_id != t->exec_id || (u64)exe != t->exe_file)
		return false;
	if (!same_tty(t, task->signal->tty) || !same_leaf(&t->exe, exe->f_path.dentry) ||
	    !chain_holds(&t->exe, exe->f_path.dentry, renamed))
		return false;
	if ((with_cwd || renamed) && !chain_holds(&t->cwd, fs->pwd.dentry, renamed))
		return false;
	t->renames = renames;
	if (t->crossed) {
		struct mnt_namespace *ns = task->nsproxy->mnt_ns;

		return (u64)ns == t->mnt_ns && ns->event == t->mnt_event;
	}
	return true;
}

static __always_inline u32 told_slot(struct task_struct *task)
{
	return task->pid & (LAF_TOLD_SLOTS - 1);
}

/* Does the ring's reader have what this event needs of the task? */
static __always_inline bool is_told(struct laf_scratch *s, struct laf_context *c, struct task_struct *task, u32 cpu, u32 slot)
{
	struct laf_told *t = &c->told;

	return t->seq && t->cpu == cpu && s->told[slot & (LAF_TOLD_SLOTS - 1)] == t->seq &&
	       is_same(c, task, s->n_names);
}

/* Note the counters before what they count is read. */
static __always_inline void told_begin(struct laf_context *c, struct task_struct *task)
{
	struct laf_told *t = &c->told;
	struct tty_struct *tty = loose(task)->signal->tty;
	struct mnt_namespace *ns = loose(task)->nsproxy->mnt_ns;

	t->seq = 0;
	t->renames = count_renames();
	t->fs = (u64)loose(task)->fs;
	t->fs_seq = SEQUENCE(loose(task)->fs, fs_struct, seq);
	t->exec_id = task->self_exec_id;
	t->exe_file = (u64)loose(task)->mm->exe_file;
	t->mnt_ns = (u64)ns;
	t->mnt_event = ns->event;
	t->tty = (u64)tty;
	t->tty_name[0] = t->tty_name[1] = 0;
	t->exe.whole = t->cwd.whole = 0;
	if (!tty)
		return;
	t->tty_name[0] = tty_word(tty, 0);
	t->tty_name[1] = tty_word(tty, 1);
}

/* Can a change of it be seen, and was there none meanwhile? */
static __always_inline bool told_end(struct laf_context *c, struct task_struct *task)
{
	struct laf_told *t = &c->told;

	if (!t->exe.whole || !t->cwd.whole || t->fs_seq & 1 || !c->title_len || t->tty_name[1] >> 56)
		return false;
	t->crossed = t->exe.crossed | t->cwd.crossed;
	return is_same(c, task, true);
}

#endif
