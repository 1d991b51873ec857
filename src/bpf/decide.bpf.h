/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluation of the policy for one call: the kernel audit's exit filter, over compiled rules. */
#ifndef LAF_DECIDE_BPF_H
#define LAF_DECIDE_BPF_H

#include "follow.bpf.h"
#include "label.bpf.h"
#include "names.bpf.h"

/* The interpreter's registers. */
struct laf_machine {
	struct laf_scratch *s;
	struct laf_context *c;
	void *code; /* the policy's entries */
	u32 pc;
	u32 matched;
};

/* Without a call: the kernel takes eight functions, each in another (MAX_CALL_FRAMES), and test_name() is the eighth: a program, decide(),
 * run_trees_of(), climb_step(), run_code(), step(), test_names(). */
static __always_inline int compare_here(u32 left, u32 op, u32 right)
{
	switch (op) {
	case LAF_EQ: return left == right;
	case LAF_NE: return left != right;
	case LAF_LT: return left < right;
	case LAF_LE: return left <= right;
	case LAF_GT: return left > right;
	case LAF_GE: return left >= right;
	case LAF_MASK: return (left & right) != 0;
	case LAF_TEST: return (left & right) == right;
	}
	return 0;
}

VERIFIED_ALONE int compare(u32 left, u32 op, u32 right)
{
	return compare_here(left, op, right);
}

struct laf_search {
	u64 gids;
	u32 low, high;
	u32 gid, found;
};

static long search_step(u32 i, struct laf_search *search)
{
	u32 middle = (search->low + search->high) / 2, here = 0;

	if (search->low >= search->high)
		return 1;
	bpf_probe_read_kernel(&here, sizeof(here), (void *)(search->gids + middle * sizeof(here)));
	if (here == search->gid) {
		search->found = 1;
		return 1;
	}
	if (here < search->gid)
		search->low = middle + 1;
	else
		search->high = middle;
	return 0;
}

/* groups_search(): the list is sorted, and no longer than NGROUPS_MAX, 65536. */
static __always_inline int in_groups(u32 gid)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct group_info *groups = BPF_CORE_READ(task, cred, group_info);
	struct laf_search search = { .gid = gid, .gids = (u64)groups + bpf_core_field_offset(struct group_info, gid) };

	search.high = BPF_CORE_READ(groups, ngroups);
	bpf_loop(17, search_step, &search, 0);
	return search.found;
}

/* gid and egid: equal also where a supplementary group is, unequal only where none is. */
static __always_inline bool compare_group(u32 gid, u32 op, u32 val)
{
	bool result = compare(gid, op, val);

	if (op == LAF_EQ && !result)
		return in_groups(val);
	if (op == LAF_NE && result)
		return !in_groups(val);
	return result;
}

static __always_inline u32 id_of(u32 what)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct cred *cred = loose(task)->cred;

	switch (what) {
	case LAF_T_AUID: return task->loginuid.val;
	case LAF_T_UID: return cred->uid.val;
	case LAF_T_EUID: return cred->euid.val;
	case LAF_T_SUID: return cred->suid.val;
	case LAF_T_FSUID: return cred->fsuid.val;
	case LAF_T_GID: return cred->gid.val;
	case LAF_T_EGID: return cred->egid.val;
	case LAF_T_SGID: return cred->sgid.val;
	case LAF_T_FSGID: return cred->fsgid.val;
	}
	return 0;
}

/* A name that nobody resolved has the values of a fresh struct audit_names: inode -1, all else 0. */
VERIFIED_ALONE int test_name(struct laf_scratch *s, u32 i, u32 what, u32 op, u32 val)
{
	const struct laf_wire_name *n;
	bool known;
	u32 left;

	if (!s)
		return 0;
	n = &s->names[i & (NAMES_MAX - 1)].wire;
	known = n->flags & LAF_NAME_INODE;
	switch (what) {
	case LAF_T_DEVMAJOR:
		return compare_here(n->dev >> 20, op, val) || compare_here(n->rdev >> 20, op, val);
	case LAF_T_DEVMINOR:
		return compare_here(n->dev & 0xfffff, op, val) || compare_here(n->rdev & 0xfffff, op, val);
	case LAF_T_INODE:
		left = known ? (u32)n->ino : ~0u;
		break;
	case LAF_T_OBJ_UID:
		left = n->uid;
		break;
	case LAF_T_OBJ_GID:
		left = n->gid;
		break;
	case LAF_T_FILETYPE:
		return known && (n->mode & S_IFMT) == val;
	default:
		return 0;
	}
	return compare_here(left, op, val);
}

/* `name`: the one under test, or NAMES_MAX for any. filetype sees every name, whichever is under test
 * (audit_match_filetype()). */
VERIFIED_ALONE int test_names(struct laf_scratch *s, u32 name, u32 what, u32 op, u32 val)
{
	bool filetype = what == LAF_T_FILETYPE;
	u32 i;

	if (!s)
		return 0;
	for (i = 0; i < NAMES_MAX; i++) {
		if (i >= s->n_names)
			break;
		if (name != NAMES_MAX && name != i && !filetype)
			continue;
		if (test_name(s, i, what, filetype ? LAF_EQ : op, val))
			return op != LAF_NE || !filetype;
	}
	return op == LAF_NE && filetype;
}

static __always_inline bool is_object(u32 what)
{
	return what == LAF_T_OBJ_UID || what == LAF_T_OBJ_GID;
}

/* Two ids; one of them may be that of any name (audit_compare_uid()). */
static __always_inline int test_compare(struct laf_scratch *s, u32 left, u32 op, u32 right)
{
	if (is_object(right))
		return test_names(s, NAMES_MAX, right, op, id_of(left));
	if (is_object(left))
		return test_names(s, NAMES_MAX, left, op, id_of(right));
	return compare(id_of(left), op, id_of(right));
}

static __always_inline struct laf_insn *insn_at(struct laf_machine *m, u32 at)
{
	return bpf_map_lookup_elem(m->code, &at);
}

/* The program's file is (device, inode). */
static __always_inline int test_exe(struct laf_machine *m)
{
	struct laf_insn_inode *want = (void *)insn_at(m, m->pc + 1);
	struct task_struct *task = bpf_get_current_task_btf();
	struct inode *inode;

	m->pc++;
	if (!want || !loose(task)->mm || !loose(task)->mm->exe_file)
		return 0;
	inode = loose(task)->mm->exe_file->f_inode;
	return inode->i_ino == want->ino && inode->i_sb->s_dev == want->dev;
}

static __always_inline bool test_call(struct laf_machine *m, u32 set)
{
	u32 bit = m->s->run.call & 127;
	struct laf_insn *bits = insn_at(m, set + (m->s->run.call >> 7));

	if (!bits)
		return false;
	return ((u8 *)bits)[bit >> 3 & 15] >> (bit & 7) & 1;
}

/* ACC_MODE() of the kernel: read 4, write 2, both for O_RDWR and for the odd 3. */
static __always_inline u32 access_mode(u64 flags)
{
	return (0x6624 >> ((flags & O_ACCMODE) * 4)) & 0xf;
}

VERIFIED_ALONE int test_opened(struct laf_context *c, u32 op, u32 val)
{
	const volatile struct laf_call_shape *shape;
	u64 flags = 0;
	bool holds;
	u32 arg;

	if (!c)
		return 0;
	shape = shape_of(c->abi, c->nr);
	arg = shape->open_flags;
	if (arg > 5)
		return 1;
	flags = shape->kind == LAF_KIND_OPENAT2 ? c->inner[0] : arg_of(c, arg);
	holds = access_mode(flags) & val;
	return op == LAF_NE ? !holds : holds;
}

VERIFIED_ALONE int test_bind(struct laf_context *c, u32 op, u32 val)
{
	return !c || shape_of(c->abi, c->nr)->special != LAF_SPECIAL_SOCKETCALL || compare(arg_of(c, 0), op, val);
}

/* What the task is. */
VERIFIED_ALONE int test_task(u32 what, u32 op, u32 val)
{
	struct task_struct *task = bpf_get_current_task_btf();

	switch (what) {
	case LAF_T_PID: return compare(task->tgid, op, val);
	case LAF_T_PPID: return compare(loose(task)->real_parent->tgid, op, val);
	case LAF_T_PERS: return compare(task->personality, op, val);
	case LAF_T_AUID_SET: return compare(task->loginuid.val != ~0u, op, val);
	case LAF_T_SES: return compare(task->sessionid, op, val);
	case LAF_T_GID: case LAF_T_EGID:
		return compare_group(id_of(what), op, val);
	}
	return compare(id_of(what), op, val);
}

/* What the call was given and what it gave back. */
VERIFIED_ALONE int test_call_facts(struct laf_scratch *s, struct laf_context *c, u32 what, u32 op, u32 val)
{
	s64 ret;

	if (!s || !c)
		return 0;
	ret = s->ev.exit;
	switch (what) {
	case LAF_T_EXIT: return !s->run.no_return && compare(ret, op, val);
	case LAF_T_SUCCESS: /* AUDITSC_SUCCESS is 1, AUDITSC_FAILURE 2 */
		return !s->run.no_return && compare((u64)ret < -(u64)MAX_ERRNO ? 1 : 2, op, val ? 1 : 2);
	case LAF_T_SADDR_FAM:
		return c->saddr_len >= 2 && compare(*(u16 *)c->saddr, op, val);
	}
	return compare(arg_of(c, what - LAF_T_ARG0), op, val);
}

static __always_inline int test_insn(struct laf_machine *m, struct laf_insn *insn)
{
	u32 what = insn->what, op = insn->op, val = insn->val;

	switch (what) {
	case LAF_T_EXIT: case LAF_T_SUCCESS: case LAF_T_SADDR_FAM:
	case LAF_T_ARG0: case LAF_T_ARG1: case LAF_T_ARG2: case LAF_T_ARG3:
		return test_call_facts(m->s, m->c, what, op, val);
	case LAF_T_DEVMAJOR: case LAF_T_DEVMINOR: case LAF_T_INODE: case LAF_T_OBJ_UID: case LAF_T_OBJ_GID:
	case LAF_T_FILETYPE:
		return test_names(m->s, m->s->run.name, what, op, val);
	case LAF_T_OPENED: return test_opened(m->c, op, val);
	case LAF_T_BIND: return test_bind(m->c, op, val);
	case LAF_T_EXE: return test_exe(m) ? op == LAF_EQ : op == LAF_NE;
	case LAF_T_COMPARE: return test_compare(m->s, val, op, insn->aux);
	case LAF_T_CALL: return test_call(m, val);
	case LAF_T_ROLE: return test_role(m->s, op, val);
	case LAF_T_NEVER: return 0;
	}
	return test_task(what, op, val);
}

static __always_inline void set_cond(struct laf_scratch *s, struct laf_insn *insn)
{
	u32 word = insn->val / 64;

	if (insn->aux >= s->run.position || word >= LAF_CONDS_MAX / 64)
		return;
	s->conds[word] |= 1ull << (insn->val & 63);
	if (s->n_conds <= word)
		s->n_conds = word + 1;
}

static __always_inline u32 match(struct laf_run *run, struct laf_insn *insn)
{
	if (insn->val >= run->position)
		return 0;
	run->position = insn->val;
	run->rule = insn->aux;
	run->action = insn->op;
	run->has_key = insn->flags & LAF_INSN_KEY;
	return 1;
}

static long step(u32 i, struct laf_machine *m)
{
	struct laf_insn *insn = insn_at(m, m->pc);

	if (!insn || insn->what == LAF_STOP)
		return 1;
	if (insn->what == LAF_MATCH) {
		m->matched = match(&m->s->run, insn);
		return 1;
	}
	if (insn->what == LAF_COND) {
		set_cond(m->s, insn);
		m->pc++;
		return 0;
	}
	if (test_insn(m, insn))
		m->pc++;
	else
		m->pc = insn->fail;
	return 0;
}

/* Run the code at `pc`. Returns whether a rule better than the best so far matched. */
VERIFIED_ALONE int run_code(struct laf_scratch *s, struct laf_context *c, u32 pc)
{
	struct laf_machine m = { .s = s, .c = c, .pc = pc };
	u32 slot;

	if (!s)
		return 0;
	slot = s->run.slot;
	m.code = bpf_map_lookup_elem(&codes, &slot);
	if (m.code && !step(0, &m)) /* many programs are one step long */
		bpf_loop(LAF_POLICY_STEPS_MAX, step, &m, 0);
	return m.matched;
}

static __always_inline bool can_have_rules(struct laf_scratch *s, u64 ino, u32 dev)
{
	return is_in_filter(s->run.slot, ino, dev);
}

/* The rules on an inode number, or NULL. */
static __always_inline struct laf_inode_rules *rules_on(struct laf_scratch *s, u64 ino, u32 dev)
{
	struct laf_inode_key key = { .ino = ino, .dev = dev };
	u32 slot = s->run.slot;
	void *inodes = bpf_map_lookup_elem(&inode_tables, &slot);

	return inodes ? bpf_map_lookup_elem(inodes, &key) : NULL;
}

/* What the table has of an inode, or NULL. A number that was given to another file since is another inode. */
static __always_inline struct laf_inode_rules *entry_of_inode(struct laf_scratch *s, struct inode *inode)
{
	struct laf_inode_rules *rules = rules_on(s, READ(inode, inode, i_ino), READ(super_block, READ(inode, inode, i_sb), s_dev));

	if (rules && rules->dated && rules->generation != READ(inode, inode, i_generation))
		return NULL;
	return rules;
}

/* The rules on an inode of device `dev`, or NULL. */
static __always_inline struct laf_inode_rules *rules_of(struct laf_scratch *s, struct inode *inode, u32 dev)
{
	return can_have_rules(s, READ(inode, inode, i_ino), dev) ? entry_of_inode(s, inode) : NULL;
}

/* The same for a collected name, which may be gone by now. */
static __always_inline struct laf_inode_rules *rules_of_name(struct laf_scratch *s, const struct laf_found_name *n)
{
	struct laf_inode_rules *rules;

	if (!(n->wire.flags & LAF_NAME_INODE) || !can_have_rules(s, n->wire.ino, n->wire.dev))
		return NULL;
	rules = rules_on(s, n->wire.ino, n->wire.dev);
	if (rules && rules->dated && rules->generation != n->generation)
		return NULL;
	return rules;
}

struct laf_rung {
	u64 parent, name[2], inode;
};

/* Parent, name and inode stand in a row in every kernel so far: one call instead of two. */
static __always_inline void read_rung(struct laf_scratch *s, u64 dentry, struct laf_rung *rung)
{
	u32 at = bpf_core_field_offset(struct dentry, d_parent);

	if (!can_cast && bpf_core_field_offset(struct dentry, d_inode) == at + __builtin_offsetof(struct laf_rung, inode)) {
		if (bpf_probe_read_kernel(rung, sizeof(*rung), (void *)(dentry + at)))
			rung->parent = rung->inode = 0;
		return;
	}
	rung->parent = plain(s, READ(dentry, dentry, d_parent));
	rung->inode = plain(s, READ(dentry, dentry, d_inode));
}

static __always_inline u32 device_of(u64 dentry)
{
	return READ(super_block, READ(dentry, dentry, d_sb), s_dev);
}

struct laf_climb {
	struct laf_scratch *s;
	struct laf_context *c;
	u64 dentry;
	u32 dev; /* of all on the way */
};

/* One folder up; dir= rules do not cross a mount, as handle_path() of the kernel does not. */
static long climb_step(u32 i, struct laf_climb *climb)
{
	struct laf_inode_rules *rules;
	struct laf_rung rung;

	read_rung(climb->s, climb->dentry, &rung);
	if (rung.inode) {
		rules = rules_of(climb->s, (struct inode *)rung.inode, climb->dev);
		if (rules && rules->tree)
			run_code(climb->s, climb->c, rules->tree);
	}
	if (!rung.parent || rung.parent == climb->dentry)
		return 1;
	climb->dentry = rung.parent;
	return 0;
}

VERIFIED_ALONE int run_trees_of(struct laf_scratch *s, struct laf_context *c, u32 i)
{
	struct laf_climb climb = { .s = s, .c = c };
	const struct laf_found_name *n;
	struct laf_inode_rules *rules;

	if (!s || !c)
		return 0;
	n = name_at(s, i);
	if (n->wire.nametype == LAF_NAME_DELETE) { /* the climb begins at its folder */
		rules = rules_of_name(s, n);
		if (rules && rules->tree)
			run_code(s, c, rules->tree);
	}
	climb.dentry = n->dentry;
	if (!climb.dentry)
		return 0;
	climb.dev = device_of(climb.dentry);
	bpf_loop(WALK_STEPS_MAX, climb_step, &climb, 0);
	return 0;
}

static __always_inline void run_trees(struct laf_scratch *s, struct laf_context *c)
{
	u32 i;

	for (i = 0; i < NAMES_MAX && i < s->n_names; i++)
		run_trees_of(s, c, i);
}

static __always_inline bool can_be_watched(struct laf_scratch *s, const struct laf_wire_name *name)
{
	return can_have_rules(s, name->ino, name->dev) || can_have_rules(s, (u32)name->ino, LAF_DEV_ANY);
}

static __always_inline int run_watch(struct laf_scratch *s, struct laf_context *c, struct laf_inode_rules *rules)
{
	return rules && rules->watch && run_code(s, c, rules->watch);
}

VERIFIED_ALONE int run_watches_of(struct laf_scratch *s, struct laf_context *c, u32 i)
{
	const struct laf_found_name *n;

	if (!s || !c)
		return 0;
	n = name_at(s, i);
	if (!(n->wire.flags & LAF_NAME_INODE) || !can_be_watched(s, &n->wire))
		return 0;
	s->run.name = i;
	/* both: of one inode's rules the lowest position wins */
	return run_watch(s, c, rules_of_name(s, n)) | run_watch(s, c, rules_on(s, (u32)n->wire.ino, LAF_DEV_ANY));
}

/* The rules of a watched name that the call itself took from its file, wherever this is among the names. */
static __always_inline int run_left(struct laf_scratch *s, struct laf_context *c)
{
	const struct laf_left *left = &c->left;
	u32 i;

	if (!left->is_there || left->policy != s->ev.policy)
		return 0;
	for (i = 0; i < NAMES_MAX && i < s->n_names; i++)
		if (s->names[i].wire.ino == left->ino && s->names[i].wire.dev == left->dev)
			break;
	s->run.name = i < s->n_names ? i : NAMES_MAX;
	return run_code(s, c, left->program);
}

/* Name by name; the first that has a better rule ends it. */
VERIFIED_ALONE int run_watches(struct laf_scratch *s, struct laf_context *c)
{
	u32 i;

	if (!s || !c)
		return 0;
	for (i = 0; i < NAMES_MAX && i < s->n_names; i++)
		if (run_watches_of(s, c, i))
			return 1;
	return run_left(s, c);
}

/* Is this name, which the hooks saw, in a folder that holds a watched name, and not known to a watch by its inode? */
VERIFIED_ALONE int is_held_name(struct laf_scratch *s, u32 i)
{
	const struct laf_found_name *n;
	struct laf_inode_rules *rules;
	struct dentry *folder;
	struct inode *inode;

	if (!s)
		return 0;
	n = name_at(s, i);
	if (!n->dentry || n->wire.nametype == LAF_NAME_PARENT || n->wire.nametype == LAF_NAME_UNKNOWN)
		return 0;
	folder = (struct dentry *)n->dentry;
	if (n->wire.nametype != LAF_NAME_DELETE)
		folder = BPF_CORE_READ(folder, d_parent);
	inode = BPF_CORE_READ(folder, d_inode);
	rules = inode ? entry_of_inode(s, inode) : NULL;
	if (!rules || !rules->holds)
		return 0;
	rules = rules_of_name(s, n);
	return !rules || !rules->watch;
}

/* The first of these. */
VERIFIED_ALONE int find_held(struct laf_scratch *s)
{
	u32 i;

	if (!s)
		return 0;
	for (i = 0; i < NAMES_MAX && i < s->n_names; i++) {
		if (!is_held_name(s, i))
			continue;
		s->opened_dentry = s->names[i].leaf;
		s->opened_mnt = s->names[i].mnt;
		return 1;
	}
	return 0;
}

/* Does the opened file lie in a folder that holds a watched name? Then its text must be compared too. */
static __always_inline bool in_holder(struct laf_scratch *s)
{
	struct dentry *opened = (struct dentry *)s->opened_dentry;
	struct laf_inode_rules *rules;
	struct inode *inode;

	if (!opened)
		return false;
	inode = BPF_CORE_READ(opened, d_parent, d_inode);
	if (!inode)
		return false;
	rules = entry_of_inode(s, inode);
	return rules && rules->holds;
}

/* Can the call have come to a watched name of which the tables do not know yet? */
static __always_inline bool is_held(struct laf_scratch *s, struct laf_context *c)
{
	if (c->seen.hooked && s->n_names)
		return !names_followed && find_held(s);
	return in_holder(s);
}

/* The conditions of rules with a path that this engine can decide only by the name's text. */
static __always_inline bool run_conds(struct laf_scratch *s, struct laf_context *c, u32 conds)
{
	__builtin_memset(s->conds, 0, sizeof(s->conds));
	s->n_conds = 0;
	s->run.name = NAMES_MAX;
	run_code(s, c, conds);
	return s->n_conds;
}

/* TASK: the task list wants all that this task calls. */
enum laf_verdict { VERDICT_NO, VERDICT_RECORD, VERDICT_CANDIDATE, VERDICT_TASK };

static __always_inline void start_run(struct laf_scratch *s)
{
	struct laf_run *run = &s->run;

	run->position = run->rule = s->ev.key_rule = LAF_RULE_NONE;
	run->action = 0;
	run->name = NAMES_MAX;
}

struct laf_touch {
	struct laf_scratch *s;
	u64 dentry;
	u32 dev, found;
};

static long touch_step(u32 i, struct laf_touch *touch)
{
	struct laf_inode_rules *rules;
	struct laf_rung rung;

	read_rung(touch->s, touch->dentry, &rung);
	rules = rung.inode ? rules_of(touch->s, (struct inode *)rung.inode, touch->dev) : NULL;
	if (rules && rules->tree) {
		touch->found = 1;
		return 1;
	}
	if (!rung.parent || rung.parent == touch->dentry)
		return 1;
	touch->dentry = rung.parent;
	return 0;
}

/* Has a file that the hooks saw rules of its own? */
VERIFIED_ALONE int touches_watched(struct laf_scratch *s, struct laf_context *c, u32 i)
{
	const struct laf_found_name *n;
	struct laf_inode_rules *rules;

	if (!s || !c)
		return 0;
	n = seen_at(c, i);
	if (!(n->wire.flags & LAF_NAME_INODE) || !can_be_watched(s, &n->wire))
		return 0;
	rules = rules_of_name(s, n);
	return (rules && (rules->watch || rules->tree)) || rules_on(s, (u32)n->wire.ino, LAF_DEV_ANY);
}

/* Has a folder above it? */
VERIFIED_ALONE int touches_tree(struct laf_scratch *s, struct laf_context *c, u32 i)
{
	struct laf_touch touch = { .s = s };

	if (!s || !c)
		return 0;
	touch.dentry = seen_at(c, i)->dentry;
	if (!touch.dentry)
		return 0;
	touch.dev = device_of(touch.dentry);
	bpf_loop(WALK_STEPS_MAX, touch_step, &touch, 0);
	return touch.found;
}

/* Mostly not one has, and that is all there is to know of the names. */
VERIFIED_ALONE int touch_rules(struct laf_scratch *s, struct laf_context *c)
{
	u32 i;

	if (!s || !c || c->seen.unseen || c->left.is_there)
		return 1;
	for (i = 0; i < NAMES_MAX && i < c->seen.n; i++)
		if (touches_watched(s, c, i))
			return 1;
	if (c->seen.clear == s->ev.policy + 1)
		return 0;
	for (i = 0; i < NAMES_MAX && i < c->seen.n; i++)
		if (touches_tree(s, c, i))
			return 1;
	return 0;
}

/* Did the hooks see all names that rules can ask for, and do the tables know what they are? */
static __always_inline bool all_seen(struct laf_context *c, struct laf_policy_call *head)
{
	if (!c->seen.hooked || c->fd_ok || (head->conds && !names_followed))
		return false;
	return c->seen.n || shape_of(c->abi, c->nr)->kind != LAF_KIND_OPEN;
}

/* The rules in the order that the kernel's audit looks at them: the plain ones and those on trees, then, name by
 * name, those on inodes; only what stands before the best so far can still win. */
static __always_inline u32 run_stages(struct laf_scratch *s, struct laf_context *c, struct laf_policy_call *head, bool names)
{
	struct laf_wire_event *ev = &s->ev;
	struct laf_run *run = &s->run;

	start_run(s);
	if (head->code)
		run_code(s, c, head->code);
	if (names && head->flags & LAF_CALL_DIRS)
		run_trees(s, c);
	if (run->position != LAF_RULE_NONE)
		ev->key_rule = run->has_key ? run->rule : LAF_RULE_NONE;
	if (names && head->flags & LAF_CALL_WATCHES && run_watches(s, c) && run->has_key)
		ev->key_rule = run->rule; /* without a key of its own it keeps the one found before */
	ev->rule = run->rule;
	ev->position = run->position;
	if (names && head->conds && (s->unseen || is_held(s, c)) && run_conds(s, c, head->conds))
		return VERDICT_CANDIDATE;
	return run->action ? VERDICT_RECORD : VERDICT_NO;
}

/* Most often one rule of all that name the call comes first, and has no test. */
static __always_inline u32 take_rule(struct laf_wire_event *ev, const struct laf_insn *insn)
{
	ev->position = insn->val;
	ev->rule = insn->aux;
	ev->key_rule = insn->flags & LAF_INSN_KEY ? insn->aux : LAF_RULE_NONE;
	return insn->op ? VERDICT_RECORD : VERDICT_NO;
}

/* What is to become of a call that has ended, or does not return. */
VERIFIED_ALONE int decide(struct laf_scratch *s, struct laf_context *c, u32 no_return)
{
	u32 slot = generation, call, pc;
	struct laf_policy_call *head;
	struct laf_insn *insn;
	bool names;
	void *code;

	if (!s || !c)
		return VERDICT_NO;
	s->ev.policy = slot;
	slot &= 1;
	call = LAF_CALL_INDEX(c->abi & 1, c->nr & (LAF_ABI_CALLS - 1));
	code = bpf_map_lookup_elem(&codes, &slot);
	head = code ? bpf_map_lookup_elem(code, &call) : NULL;
	if (!head || !(head->flags & LAF_CALL_AUDITED))
		return VERDICT_NO;
	if (state_of(bpf_get_current_task_btf())) { /* one that lets nothing be recorded did not come so far */
		s->ev.rule = s->ev.key_rule = LAF_RULE_NONE;
		return VERDICT_TASK;
	}
	names = head->conds || head->flags & (LAF_CALL_INODES | LAF_CALL_WATCHES | LAF_CALL_DIRS);
	s->run.slot = slot;
	if (names && !(head->flags & LAF_CALL_INODES) && all_seen(c, head))
		names = touch_rules(s, c);
	if (!names) {
		pc = head->code;
		insn = pc ? bpf_map_lookup_elem(code, &pc) : NULL;
		if (!insn)
			return VERDICT_NO;
		if (insn->what == LAF_MATCH)
			return take_rule(&s->ev, insn);
	}
	s->run.call = call;
	s->run.no_return = no_return;
	if (names)
		find_names(s, c);
	return run_stages(s, c, head, names);
}

#endif
