/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting an event together and sending it. */
#ifndef LAF_EMIT_BPF_H
#define LAF_EMIT_BPF_H

#include "label.bpf.h"
#include "told.bpf.h"

#define ARGS_INLINE_MAX 4096u
#define RECORD_HEAD 8   /* BPF_RINGBUF_HDR_SZ */
#define EVENT_REST 1024 /* what still follows in an event after its arguments: the title */
#define ARGS_PIECES_MAX 4096 /* of LAF_WIRE_ARGS_MAX bytes: over 32 MiB, more than a stack may hold */

/* Room for a section of up to BODY_SLACK bytes, or NULL. */
static __always_inline u8 *section_at(struct laf_scratch *s)
{
	u32 used;

	if (!s)
		return NULL;
	used = s->used;
	if (used > BODY_LIMIT) {
		s->ev.flags |= LAF_EV_DETAIL;
		return NULL;
	}
	return s->body + used;
}

static __always_inline void section_close(struct laf_scratch *s, u8 *at, u32 kind, u32 flags, u32 bytes)
{
	struct laf_wire_section *head = (struct laf_wire_section *)at;

	head->kind = kind;
	head->flags = flags;
	head->bytes = bytes;
	s->used += (sizeof(*head) + bytes + 7) & ~7u;
}

VERIFIED_ALONE int emit_path(struct laf_scratch *s, u64 dentry, u64 mnt, u32 kind, struct laf_chain *chain)
{
	u8 *at = section_at(s);
	u32 flags = 0, bytes;

	if (!at || !dentry)
		return 0;
	bytes = walk_path(dentry, mnt, (void *)(at + sizeof(struct laf_wire_section)), &flags, chain);
	section_close(s, at, kind, flags, bytes);
	return 0;
}

/* The folder that a relative name starts from, where it is not the working directory. */
static __always_inline void emit_base(struct laf_scratch *s, struct laf_context *c, struct laf_found_name *n)
{
	u32 arg = n->base_dfd - 1;
	struct file *file;

	if (arg > 5 || (s32)arg_of(c, arg) == AT_FDCWD)
		return;
	file = (struct file *)file_of(arg_of(c, arg));
	if (file)
		emit_path(s, (u64)BPF_CORE_READ(file, f_path.dentry), (u64)BPF_CORE_READ(file, f_path.mnt),
			  LAF_SECTION_BASE, NULL);
}

/* Copy a name that the call was given; returns its length. */
static __always_inline u32 copy_given(u8 *to, struct laf_context *c, u32 i)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 len = c->name[i & (TEXTS - 1)].len, word;
	struct laf_long *l;

	if (i < TEXTS_HERE && len <= NAME_MAX_SHORT) {
		for (word = 0; word < NAME_MAX_SHORT / 8; word++)
			((u64 *)to)[word] = ((u64 *)c->text[i & (TEXTS_HERE - 1)])[word];
		return len;
	}

	if (len >= PATH_MAX)
		return 0;
	if (lies_apart(c, i)) {
		l = bpf_task_storage_get(&longs, task, 0, 0);
		if (!l)
			return 0;
		bpf_probe_read_kernel(to, len & (PATH_MAX - 1), text_apart(l, i));
		return len;
	}
	bpf_probe_read_kernel(to, len & (NAME_MAX_HERE - 1), c->text[i & (TEXTS_HERE - 1)]);
	return len;
}

/* sun_path ends at its first NUL or with the address. */
static __always_inline u32 copy_socket_path(u8 *to, struct laf_context *c)
{
	u32 room = c->saddr_len - 2;
	long n;

	asm volatile("" : "+r"(room));
	if (room > SADDR_MAX - 2)
		return 0;
	bpf_probe_read_kernel(to, room, c->saddr + 2);
	to[room] = 0;
	n = bpf_probe_read_kernel_str(to, SADDR_MAX - 1, to);
	return n > 0 ? n - 1 : 0;
}

/* Copy the text of a name behind its header; returns its length. */
static __always_inline u32 copy_text(u8 *to, struct laf_scratch *s, struct laf_context *c, u32 source)
{
	u32 len = c->interp_len & (INTERP_MAX - 1), flags = 0;

	if (source < TEXTS)
		return copy_given(to, c, source);
	switch (source) {
	case NAME_INTERP:
		bpf_probe_read_kernel(to, len, c->interp);
		return len;
	case NAME_SOCKET:
		return copy_socket_path(to, c);
	case NAME_FILE:
		return walk_path(s->loader_dentry, s->loader_mnt, (void *)to, &flags, NULL);
	}
	return 0;
}

VERIFIED_ALONE int emit_name(struct laf_scratch *s, struct laf_context *c, struct laf_found_name *n)
{
	struct laf_wire_name *wire;
	u8 *at = section_at(s);

	if (!at || !c || !n)
		return 0;
	wire = (void *)(at + sizeof(struct laf_wire_section));
	*wire = n->wire;
	wire->text_len = copy_text((u8 *)(wire + 1), s, c, n->source);
	if (n->source <= NAME_GIVEN_1 && !c->name[n->source & 1].taken) {
		wire->flags |= LAF_NAME_NULL | LAF_NAME_FAULT;
		s->ev.flags |= LAF_EV_DETAIL;
	}
	section_close(s, at, LAF_SECTION_NAME, 0, sizeof(*wire) + wire->text_len);
	if (n->base_dfd)
		emit_base(s, c, n);
	return 0;
}

static __always_inline void emit_names(struct laf_scratch *s, struct laf_context *c)
{
	u32 i;

	if (!s->found && s->n_names) {
		emit_name(s, c, &c->seen.name[0]);
		return;
	}
	for (i = 0; i < NAMES_MAX; i++) {
		if (i >= s->n_names)
			break;
		emit_name(s, c, &s->names[i]);
	}
}

/* The working directory as it was before the call. */
VERIFIED_ALONE int emit_former_cwd(struct laf_scratch *s)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_long *l;
	u32 bytes;
	u8 *at;

	l = bpf_task_storage_get(&longs, task, 0, 0);
	at = section_at(s);
	if (!l || !at)
		return 0;
	bytes = l->cwd_bytes;
	if (bytes > COMPONENTS_MAX)
		return 0;
	bpf_probe_read_kernel(at + sizeof(struct laf_wire_section), bytes, l->cwd.bytes);
	section_close(s, at, LAF_SECTION_CWD, l->cwd_flags, bytes);
	return 0;
}

static __always_inline void emit_cwd(struct laf_scratch *s, struct task_struct *task, struct laf_chain *chain)
{
	if (loose(task)->fs)
		emit_path(s, plain(s, loose(task)->fs->pwd.dentry), plain(s, loose(task)->fs->pwd.mnt), LAF_SECTION_CWD, chain);
}

static __always_inline void emit_exe(struct laf_scratch *s, struct task_struct *task, struct laf_chain *chain)
{
	if (loose(task)->mm && loose(task)->mm->exe_file)
		emit_path(s, plain(s, loose(task)->mm->exe_file->f_path.dentry), plain(s, loose(task)->mm->exe_file->f_path.mnt),
			  LAF_SECTION_EXE, chain);
}

static __always_inline void emit_tty(struct laf_scratch *s, struct task_struct *task)
{
	struct tty_struct *tty = loose(task)->signal->tty;
	u8 *at;
	long n;

	if (!tty)
		return;
	at = section_at(s);
	if (!at)
		return;
	n = bpf_probe_read_kernel_str(at + sizeof(struct laf_wire_section), sizeof(tty->name), tty->name);
	if (n > 1)
		section_close(s, at, LAF_SECTION_TTY, 0, n - 1);
}

VERIFIED_ALONE int emit_label(struct laf_scratch *s)
{
	u8 *at = section_at(s);
	long n;

	if (!at || !apparmor_sizes)
		return 0;
	n = read_label((char *)at + sizeof(struct laf_wire_section));
	if (n > 1)
		section_close(s, at, LAF_SECTION_LABEL, 0, n - 1);
	else
		s->ev.flags |= LAF_EV_DETAIL;
	return 0;
}

/* get_cmdline(): the arguments; where their last NUL was overwritten, on into the environment (setproctitle). */
VERIFIED_ALONE int take_title(struct laf_scratch *s, struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = loose(task)->mm;
	u64 start, len, more;
	u8 *text = section_at(s);

	if (!c || !mm || !text)
		return 0;
	text += sizeof(struct laf_wire_section);
	start = mm->arg_start;
	len = mm->arg_end - start;
	if (len > PROCTITLE_MAX)
		len = PROCTITLE_MAX;
	asm volatile("" : "+r"(len));
	if (len > PROCTITLE_MAX || !len || bpf_probe_read_user(text, len, (void *)start))
		return 0;
	__builtin_memcpy(c->title, text, PROCTITLE_MAX);
	c->title_flags = 0;
	c->title_len = len;
	if (!text[len - 1] || len == PROCTITLE_MAX)
		return 0;
	c->title_flags = LAF_PROCTITLE_CUT;
	more = mm->env_end - mm->env_start;
	if (more > PROCTITLE_MAX - len)
		more = PROCTITLE_MAX - len;
	asm volatile("" : "+r"(more));
	more &= 2 * PROCTITLE_MAX - 1; /* it is no more than half of that: for the verifier */
	if (more && !bpf_probe_read_user(text + len, more, (void *)mm->env_start))
		c->title_len = len + more;
	__builtin_memcpy(c->title, text, PROCTITLE_MAX);
	return 0;
}

VERIFIED_ALONE int emit_proctitle(struct laf_scratch *s, struct laf_context *c)
{
	u8 *at = section_at(s);

	if (!at || !c)
		return 0;
	if (!c->title_len)
		take_title(s, c);
	if (c->title_len)
		__builtin_memcpy(at + sizeof(struct laf_wire_section), c->title, PROCTITLE_MAX);
	section_close(s, at, LAF_SECTION_PROCTITLE, c->title_len ? c->title_flags : LAF_SECTION_FAULT,
		      c->title_len & 255);
	return 0;
}

VERIFIED_ALONE int emit_saddr(struct laf_scratch *s, struct laf_context *c)
{
	u8 *at = section_at(s);
	u32 len;

	if (!at || !c)
		return 0;
	len = c->saddr_len;
	asm volatile("" : "+r"(len));
	if (!len || len > SADDR_MAX)
		return 0;
	bpf_probe_read_kernel(at + sizeof(struct laf_wire_section), len, c->saddr);
	section_close(s, at, LAF_SECTION_SADDR, 0, len);
	return 0;
}

/* AUDIT_… of include/uapi/linux/audit.h */
#define AUDIT_SOCKETCALL 1304
#define AUDIT_FD_PAIR 1317
#define AUDIT_BPRM_FCAPS 1321
#define AUDIT_CAPSET 1322
#define AUDIT_MMAP 1323
#define AUDIT_OPENAT2 1337

static __always_inline struct laf_wire_special *special_at(struct laf_scratch *s, u32 type, u32 n)
{
	struct laf_wire_special *special;
	u8 *at = section_at(s);

	if (!at)
		return NULL;
	special = (void *)(at + sizeof(struct laf_wire_section));
	__builtin_memset(special, 0, sizeof(*special));
	special->type = type;
	special->n = n;
	section_close(s, at, LAF_SECTION_SPECIAL, 0, sizeof(*special));
	return special;
}

static __always_inline void emit_fd_pair(struct laf_scratch *s, u64 ptr)
{
	struct laf_wire_special *special;
	s32 pair[2];

	if (s->ev.exit || bpf_probe_read_user(pair, sizeof(pair), (void *)ptr))
		return;
	special = special_at(s, AUDIT_FD_PAIR, 2);
	if (!special)
		return;
	special->value[0] = pair[0];
	special->value[1] = pair[1];
}

/* Only what is mapped from a descriptor has a record, good or not. */
static __always_inline void emit_mmap(struct laf_scratch *s, u64 fd, u64 flags, u64 offset)
{
	struct laf_wire_special *special;

	if (flags & MAP_ANONYMOUS || offset & (PAGE_SIZE - 1))
		return;
	special = special_at(s, AUDIT_MMAP, 2);
	if (!special)
		return;
	special->value[0] = fd;
	special->value[1] = flags;
}

static __always_inline void emit_openat2(struct laf_scratch *s, struct laf_context *c)
{
	struct laf_wire_special *special;

	if (!c->n_inner || c->args[3] < 24 || s->ev.exit == -E2BIG) /* OPEN_HOW_SIZE_VER0 */
		return;
	special = special_at(s, AUDIT_OPENAT2, 3);
	if (!special)
		return;
	special->value[0] = c->inner[0];
	special->value[1] = c->inner[1];
	special->value[2] = c->inner[2];
}

static __always_inline void emit_capset(struct laf_scratch *s)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct cred *cred = loose(task)->cred;
	struct laf_wire_special *special;

	if (s->ev.exit)
		return;
	special = special_at(s, AUDIT_CAPSET, 5);
	if (!special)
		return;
	special->value[0] = task->tgid;
	bpf_core_read(&special->value[1], sizeof(u64), &cred->cap_inheritable);
	bpf_core_read(&special->value[2], sizeof(u64), &cred->cap_permitted);
	bpf_core_read(&special->value[3], sizeof(u64), &cred->cap_effective);
	bpf_core_read(&special->value[4], sizeof(u64), &cred->cap_ambient);
}

/* The capabilities of a program's file, and BPRM_FCAPS where they, or something else, raise those of a task that is not root. */
VERIFIED_ALONE int emit_exec_caps(struct laf_scratch *s, struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_wire_special *special;
	struct laf_caps now = {};
	u8 *at = section_at(s);

	if (!at || !c)
		return 0;
	if (c->fcaps.dev) {
		__builtin_memcpy(at + sizeof(struct laf_wire_section), &c->fcaps, sizeof(c->fcaps));
		section_close(s, at, LAF_SECTION_FCAPS, 0, sizeof(c->fcaps));
	}
	read_caps(&now, loose(task)->cred);
	if (s->ev.exit || !raises_caps(c, loose(task)->cred, &now))
		return 0;
	special = special_at(s, AUDIT_BPRM_FCAPS, 13);
	if (!special)
		return 0;
	special->value[0] = c->fcaps.ver;
	special->value[1] = c->fcaps.permitted;
	special->value[2] = c->fcaps.inheritable;
	special->value[3] = c->fcaps.effective;
	__builtin_memcpy(&special->value[4], &c->old_caps, sizeof(c->old_caps));
	__builtin_memcpy(&special->value[8], &now, sizeof(now));
	special->value[12] = c->fcaps.rootid;
	return 0;
}

static __always_inline void emit_socketcall(struct laf_scratch *s, struct laf_context *c)
{
	struct laf_wire_special *special;
	u32 i;

	if (!c->n_inner)
		return;
	special = special_at(s, AUDIT_SOCKETCALL, 1 + (c->n_inner & 7));
	if (!special)
		return;
	special->value[0] = c->n_inner;
	for (i = 0; i < 6; i++)
		special->value[1 + i] = c->inner[i];
}

/* The records that some calls have of their own. */
VERIFIED_ALONE int emit_special(struct laf_scratch *s, struct laf_context *c)
{
	if (!s || !c)
		return 0;
	switch (shape_of(c->abi, c->nr)->special) {
	case LAF_SPECIAL_PIPE:
		emit_fd_pair(s, c->args[0]);
		break;
	case LAF_SPECIAL_SOCKETPAIR:
		emit_fd_pair(s, c->args[3]);
		break;
	case LAF_SPECIAL_MMAP:
		emit_mmap(s, c->args[4], c->args[3], c->abi ? 0 : c->args[5]);
		break;
	case LAF_SPECIAL_OLD_MMAP:
		if (c->n_inner)
			emit_mmap(s, c->inner[4], c->inner[3], c->inner[5]);
		break;
	case LAF_SPECIAL_OPENAT2:
		emit_openat2(s, c);
		break;
	case LAF_SPECIAL_CAPSET:
		emit_capset(s);
		break;
	case LAF_SPECIAL_SOCKETCALL:
		emit_socketcall(s, c);
		if (c->args[0] == 8) /* SYS_SOCKETPAIR */
			emit_fd_pair(s, c->inner[3]);
		break;
	}
	return 0;
}

static __always_inline void emit_conds(struct laf_scratch *s)
{
	u8 *at = section_at(s);

	if (!at)
		return;
	__builtin_memcpy(at + sizeof(struct laf_wire_section), s->conds, sizeof(s->conds));
	section_close(s, at, LAF_SECTION_CONDS, 0, (s->n_conds & 31) * 8);
}

struct laf_pieces {
	void *ring;
	u64 from, len, at, seq;
	u32 failed;
};

static long emit_piece(u32 i, struct laf_pieces *p)
{
	struct laf_wire_args *piece;
	u64 len = p->len - p->at;

	if (len > LAF_WIRE_ARGS_MAX)
		len = LAF_WIRE_ARGS_MAX;
	asm volatile("" : "+r"(len));
	if (!len || len > LAF_WIRE_ARGS_MAX)
		return 1;
	piece = bpf_ringbuf_reserve(p->ring, sizeof(*piece), 0);
	if (!piece) {
		p->failed = 1;
		return 1;
	}
	piece->type = LAF_WIRE_ARGS;
	piece->flags = 0;
	piece->bytes = len;
	piece->seq = p->seq;
	piece->at = p->at;
	if (bpf_probe_read_user(piece->text, len, (void *)(p->from + p->at)))
		piece->flags = LAF_SECTION_FAULT;
	bpf_ringbuf_submit(piece, BPF_RB_NO_WAKEUP);
	p->at += len;
	return 0;
}

/* The argument list of a new program: with the event if it is short, before it in pieces if not.
 * Returns not 0 where the ring has no room for them. */
static __noinline int emit_args(struct laf_scratch *s, struct laf_context *c, void *ring)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_pieces p = { .ring = ring, .seq = s->ev.seq, .at = unknown_zero };
	struct mm_struct *mm = loose(task)->mm;
	u8 *at = section_at(s);
	u64 len, need;
	u32 *argc;

	if (!at || !mm)
		return 0;
	argc = (u32 *)(at + sizeof(struct laf_wire_section));
	argc[0] = c->argc;
	argc[1] = 0;
	p.from = mm->arg_start;
	len = p.len = mm->arg_end - mm->arg_start;
	asm volatile("" : "+r"(len));
	if (len <= ARGS_INLINE_MAX) {
		if (len && bpf_probe_read_user(argc + 2, len, (void *)p.from))
			len = 0, s->ev.flags |= LAF_EV_DETAIL;
		section_close(s, at, LAF_SECTION_EXECVE, 0, 8 + len);
		return 0;
	}
	section_close(s, at, LAF_SECTION_EXECVE, 0, 8);
	s->ev.flags |= LAF_EV_ARGS_APART;
	need = (p.len / LAF_WIRE_ARGS_MAX + 1) * (sizeof(struct laf_wire_args) + RECORD_HEAD) + sizeof(s->ev) + s->used +
	       EVENT_REST;
	if (bpf_ringbuf_query(ring, BPF_RB_RING_SIZE) - bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) < need)
		return -1;
	bpf_loop(ARGS_PIECES_MAX, emit_piece, &p, 0);
	s->asked_at = 0; /* they are not in `sent` */
	return p.failed;
}

static __always_inline u64 comm_word(struct task_struct *task, u32 i)
{
	return *(u64 *)INSIDE(task, bpf_core_field_offset(struct task_struct, comm) + 8 * i);
}

/* When the call began, as exactly as the kernel's audit tells it: to a tick. Two looks at the clock would cost more than the rest of the
 * header. */
static __always_inline u64 entry_time(const struct laf_context *c, u64 now)
{
	return hooks_skippable ? c->entry_ns : now - (bpf_jiffies64() - c->entry_tick) * tick_ns;
}

static __always_inline void fill_event(struct laf_scratch *s, struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct cred *cred = task->cred;
	struct laf_wire_event *ev = &s->ev;

	ev->type = LAF_WIRE_EVENT;
	ev->exit_ns = bpf_ktime_get_ns();
	ev->entry_ns = entry_time(c, ev->exit_ns);
	ev->args[0] = c->args[0];
	ev->args[1] = c->args[1];
	ev->args[2] = c->args[2];
	ev->args[3] = c->args[3];
	ev->arch = c->abi ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64;
	ev->nr = c->nr;
	ev->personality = task->personality;
	ev->pid = task->tgid;
	ev->tid = task->pid;
	ev->ppid = task->real_parent->tgid;
	ev->auid = task->loginuid.val;
	ev->ses = task->sessionid;
	ev->uid = cred->uid.val;
	ev->gid = cred->gid.val;
	ev->euid = cred->euid.val;
	ev->suid = cred->suid.val;
	ev->fsuid = cred->fsuid.val;
	ev->egid = cred->egid.val;
	ev->sgid = cred->sgid.val;
	ev->fsgid = cred->fsgid.val;
	((u64 *)ev->comm)[0] = comm_word(task, 0);
	((u64 *)ev->comm)[1] = comm_word(task, 1);
}

/* What the event tells of its task, if the reader does not have it. */
VERIFIED_ALONE int emit_task(struct laf_scratch *s, struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 before;

	if (!s || !c)
		return 0;
	before = s->used;
	told_begin(c, task);
	emit_exe(s, task, &c->told.exe);
	emit_cwd(s, task, &c->told.cwd);
	emit_tty(s, task);
	emit_proctitle(s, c);
	s->ev.told = told_end(c, task) && s->used - before <= LAF_TOLD_BYTES ? s->ev.seq : 0;
	return 0;
}

/* The last part of a ring is kept for what matters most. What is waiting in it is asked only when so much has been sent that it may
 * be too much: the reader can only have made more room since. */
static __always_inline bool has_room(struct laf_scratch *s, void *ring)
{
	u64 room = common_room, waiting;

	if (s->sent < s->asked_at && room == s->asked_for)
		return true;
	waiting = bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA);
	if (waiting >= room)
		return false;
	s->asked_for = room;
	s->asked_at = s->sent + room - waiting;
	return true;
}

/* Once for each wake_bytes, not for each event above it: a wake-up costs more than the event. */
static __always_inline u64 wake_for(struct laf_scratch *s, u32 bytes)
{
	u64 before = s->sent;

	s->sent = before + ((bytes + RECORD_HEAD + 7) & ~7u);
	return (before ^ s->sent) & ~((u64)wake_bytes - 1) ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

/* What the kernel's audit lets exclude rules ask about the current task, beside what every event tells. */
VERIFIED_ALONE int emit_who(struct laf_scratch *s)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct laf_wire_who *who;
	u8 *at = section_at(s);
	struct inode *inode;

	if (!at)
		return 0;
	who = (void *)(at + sizeof(struct laf_wire_section));
	*who = (struct laf_wire_who){ .tid = task->pid };
	if (loose(task)->mm && loose(task)->mm->exe_file) {
		inode = loose(task)->mm->exe_file->f_inode;
		who->exe_ino = inode->i_ino;
		who->exe_dev = inode->i_sb->s_dev;
	}
	section_close(s, at, LAF_SECTION_WHO, 0, sizeof(*who));
	return 0;
}

VERIFIED_ALONE int emit_task_key(struct laf_scratch *s)
{
	struct laf_task_state *state = state_of(bpf_get_current_task_btf());
	u8 *at = section_at(s);
	long n;

	if (!at || !state)
		return 0;
	n = bpf_probe_read_kernel_str(at + sizeof(struct laf_wire_section), LAF_KEY_MAX + 1, state->key);
	if (n > 1)
		section_close(s, at, LAF_SECTION_KEY, 0, n - 1);
	return 0;
}

/* Count an event that was decided as lost. */
VERIFIED_ALONE int lose(struct laf_scratch *s, struct laf_context *c, u32 cause)
{
	struct laf_wire_lost key = {};
	u64 none = 0, *n;

	if (!s || !c)
		return 0;
	count_loss(cause);
	key.policy = s->ev.policy;
	key.rule = s->ev.rule;
	key.call = LAF_CALL_INDEX(c->abi & 1, c->nr & (LAF_ABI_CALLS - 1));
	n = bpf_map_lookup_elem(&lost_by_rule, &key);
	if (!n) {
		bpf_map_update_elem(&lost_by_rule, &key, &none, BPF_NOEXIST);
		n = bpf_map_lookup_elem(&lost_by_rule, &key);
	}
	if (n)
		(*n)++;
	return 0;
}

/* Send what the policy wants, or count it as lost. */
VERIFIED_ALONE int emit(struct laf_scratch *s, struct laf_context *c, u32 verdict)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const volatile struct laf_call_shape *shape;
	u32 cpu, bytes, slot;
	void *ring;
	bool more;

	if (!s || !c)
		return 0;
	cpu = s->cpu;
	ring = bpf_map_lookup_elem(&rings, &cpu);
	shape = shape_of(c->abi, c->nr);
	more = shape->flags & LAF_SHAPE_MORE;
	s->ev.seq = ++s->seq;
	if (!ring) {
		lose(s, c, LAF_LOSS_NO_RING);
		return 0;
	}
	if (!(shape->flags & LAF_SHAPE_RESERVE) && !has_room(s, ring)) {
		lose(s, c, backlog_limited ? LAF_LOSS_BACKLOG : LAF_LOSS_RING_FULL);
		return 0;
	}
	fill_event(s, c);
	if (verdict == VERDICT_CANDIDATE) {
		s->ev.flags |= LAF_EV_CANDIDATE;
		emit_conds(s);
		emit_path(s, s->opened_dentry, s->opened_mnt, LAF_SECTION_OPENED, NULL);
	}
	if (verdict == VERDICT_TASK)
		emit_task_key(s);
	if (who_wanted)
		emit_who(s);
	if (more && shape->special)
		emit_special(s, c);
	if (more && shape->kind == LAF_KIND_EXEC && c->seen.hooked)
		emit_exec_caps(s, c);
	emit_names(s, c);
	if (more && c->cwd_taken)
		emit_former_cwd(s);
	if (more && c->saddr_len)
		emit_saddr(s, c);
	if (apparmor_sizes)
		emit_label(s);
	if (more && shape->kind == LAF_KIND_EXEC && s->ev.exit == 0 && emit_args(s, c, ring)) {
		lose(s, c, LAF_LOSS_RING_FULL);
		return 0;
	}
	s->ev.slot = slot = told_slot(task);
	s->ev.task_at = sizeof(s->ev) + s->used;
	if (is_told(s, c, task, cpu, slot))
		s->ev.told = c->told.seq;
	else
		emit_task(s, c);
	bytes = sizeof(s->ev) + s->used;
	s->ev.bytes = bytes;
	asm volatile("" : "+r"(bytes));
	if (bytes > sizeof(s->ev) + sizeof(s->body))
		return 0;
	if (bpf_ringbuf_output(ring, &s->ev, bytes, wake_for(s, bytes))) {
		lose(s, c, LAF_LOSS_RING_FULL);
		return 0;
	}
	if (s->ev.told == s->ev.seq) {
		s->told[slot & (LAF_TOLD_SLOTS - 1)] = c->told.seq = s->ev.seq;
		c->told.cpu = cpu;
	}
	return 0;
}

#endif
