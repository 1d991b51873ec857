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

/* d_seq counts what happens to a dentry's name and folder (__d_move(), __d_drop()). */
static __always_inline bool chain_holds(const struct laf_chain *chain, struct dentry *d)
{
	u32 i;

	if ((u64)d != chain->leaf || d->d_name.hash != chain->hash || is_hashed(d) != chain->hashed)
		return false;
	for (i = 0; i < CHAIN_MAX; i++) {
		if (i >= chain->low)
			break;
		if (SEQUENCE(d, dentry, d_seq) != chain->seq[i])
			return false;
		d = d->d_parent;
	}
	return chain->n == chain->low || upper_holds(chain);
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

/* fs->seq counts every change of root and working directory, self_exec_id every exec, the namespace's event every change of
 * its mounts. */
static __always_inline bool is_same(struct laf_context *c, struct task_struct *task, bool with_cwd)
{
	struct laf_told *t = &c->told;
	struct fs_struct *fs = task->fs;
	struct file *exe = task->mm->exe_file;

	if ((u64)fs != t->fs || SEQUENCE(fs, fs_struct, seq) != t->fs_seq || task->self_exec_id != t->exec_id || (u64)exe != t->exe_file)
		return false;
	if (!same_tty(t, task->signal->tty) || !chain_holds(&t->exe, exe->f_path.dentry))
		return false;
	if (with_cwd && !chain_holds(&t->cwd, fs->pwd.dentry))
		return false;
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
static __always_inline bool is_told(struct laf_scratch *s, struct laf_context *c, struct task_struct *task, u32 cpu)
{
	struct laf_told *t = &c->told;

	return t->seq && t->cpu == cpu && s->told[told_slot(task)] == t->seq &&
	       is_same(c, task, s->n_names);
}

/* Note the counters before what they count is read. */
static __always_inline void told_begin(struct laf_context *c, struct task_struct *task)
{
	struct laf_told *t = &c->told;
	struct tty_struct *tty = task->signal->tty;
	struct mnt_namespace *ns = task->nsproxy->mnt_ns;

	t->seq = 0;
	t->fs = (u64)task->fs;
	t->fs_seq = SEQUENCE(task->fs, fs_struct, seq);
	t->exec_id = task->self_exec_id;
	t->exe_file = (u64)task->mm->exe_file;
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
