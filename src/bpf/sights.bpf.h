/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the name hooks have seen of a call, collected as the kernel's audit collects it (kernel/auditsc.c). Texts are the kernel's own
 * copies, which nobody can change. */
#ifndef LAF_SIGHTS_BPF_H
#define LAF_SIGHTS_BPF_H

#include "call.bpf.h"

/* The context of an audited call that is running, or NULL. */
static __always_inline struct laf_context *watched(void)
{
	struct laf_context *c;

	stay_here();
	c = context_of(bpf_get_current_task_btf(), 0);
	leave_again();
	return c && c->active && c->seen.hooked ? c : NULL;
}

static __always_inline bool has_flag(const struct laf_context *c, u32 flag)
{
	return shape_of(c->abi, c->nr)->flags & flag;
}

#define NO_ENTRY NAMES_MAX

static __always_inline bool is_error(u64 ptr)
{
	return ptr >= -(u64)MAX_ERRNO;
}

/* A new entry; NO_ENTRY where there is no room. */
static __always_inline u32 new_entry(struct laf_context *c, u32 source, u32 nametype)
{
	u32 at = c->seen.n;
	struct laf_found_name *n;

	if (at >= NAMES_MAX) {
		c->seen.cut = 1;
		return NO_ENTRY;
	}
	n = &c->seen.name[at];
	__builtin_memset(n, 0, sizeof(*n));
	n->source = source;
	n->sight = NAME_SEEN;
	n->wire.nametype = nametype;
	if (source == NAME_NONE)
		n->wire.flags = LAF_NAME_NULL;
	c->seen.n = at + 1;
	return at;
}

/* One of more names than a context has room for. */
static __always_inline void copy_far(struct laf_context *c, u32 i, u64 from)
{
	struct laf_long *l;
	long n = 0;

	stay_here();
	l = long_of_task();
	leave_again();
	if (l)
		n = bpf_probe_read_kernel_str(text_apart(l, i), NAME_MAX_HERE, (void *)from);
	c->name[i].len = n > 0 ? n - 1 : 0;
	if (!l || n == NAME_MAX_HERE)
		c->seen.cut = 1;
}

/* The kernel's copy in place of ours. */
VERIFIED_ALONE int copy_name(struct laf_context *c, u32 i, u64 from)
{
	struct laf_long *l;
	long n;

	if (!c)
		return 0;
	i &= TEXTS - 1;
	c->name[i].taken = 1;
	c->name[i].apart = 0;
	if (i >= TEXTS_HERE) {
		copy_far(c, i, from);
		return 0;
	}
	n = bpf_probe_read_kernel_str(c->text[i], NAME_MAX_HERE, (void *)from);
	c->name[i].len = n > 0 ? n - 1 : 0;
	if (n < NAME_MAX_HERE)
		return 0;
	if (i > NAME_GIVEN_1) {
		c->seen.cut = 1;
		return 0;
	}
	stay_here();
	l = long_of_task();
	leave_again();
	if (!l)
		return 0;
	n = bpf_probe_read_kernel_str(l->text[i & 1], PATH_MAX, (void *)from);
	if (n <= 0)
		return 0;
	c->name[i].len = n - 1;
	c->name[i].apart = 1;
	return 0;
}

/* Where the first NUL of eight bytes is; 8 = nowhere. */
static __always_inline u32 nul_in(u64 word)
{
	u64 nul = (word - 0x0101010101010101ull) & ~word & 0x8080808080808080ull;
	u32 at = 0;

	if (!nul)
		return 8;
	if (!(u32)nul)
		nul >>= 32, at = 4;
	if (!(nul & 0xffff))
		nul >>= 16, at += 2;
	return nul & 0xff ? at : at + 1;
}

/* The same for name 0 where it is short: reading text byte by byte, as bpf_probe_read_kernel_str() does, takes long. */
static __always_inline void copy_first_name(struct laf_context *c, const char *from)
{
	u64 *words = (u64 *)c->text[0];
	u32 i, at;

	if (!bpf_probe_read_kernel(words, NAME_MAX_SHORT, from)) {
		for (i = 0; i < NAME_MAX_SHORT / 8; i++) {
			at = nul_in(words[i]);
			if (at == 8)
				continue;
			c->name[0].len = 8 * i + at;
			c->name[0].taken = 1;
			c->name[0].apart = 0;
			return;
		}
	}
	copy_name(c, 0, number_of(c, from));
}

/* The entry of a name that the call was given. */
VERIFIED_ALONE u32 entry_of_given(struct laf_context *c, u32 source, u64 text)
{
	u32 i;

	if (!c)
		return NO_ENTRY;
	for (i = 0; i < 2; i++) {
		if (i >= c->seen.n || c->seen.name[i].source != source)
			continue;
		if (c->seen.name[i].sight != NAME_SEEN)
			copy_name(c, source, text);
		c->seen.name[i].sight = NAME_SEEN;
		return i;
	}
	copy_name(c, source, text);
	return new_entry(c, source, LAF_NAME_UNKNOWN);
}

/* The entry of a name that is looked up: one that the call was given, known by where it was copied from, or a new one. */
VERIFIED_ALONE u32 entry_of(struct laf_context *c, u64 filename)
{
	struct filename *name = (struct filename *)filename;
	const volatile struct laf_call_shape *shape;
	u64 uptr, text;
	u32 i, source;

	if (!c || is_error(filename))
		return NO_ENTRY;
	if (!filename) /* an empty name, and a descriptor or the working directory */
		return new_entry(c, NAME_NONE, LAF_NAME_UNKNOWN);
	uptr = (u64)BPF_CORE_READ(name, uptr);
	text = (u64)BPF_CORE_READ(name, name);
	shape = shape_of(c->abi, c->nr);
	for (i = 0; uptr && i < 2; i++)
		if (arg_of(c, shape->name[i]) == uptr)
			return entry_of_given(c, i, text);
	if (!uptr && shape->flags & LAF_SHAPE_LATE)
		entry_of_given(c, 0, text);
	source = NAME_KERNEL + c->seen.n_texts;
	if (source >= TEXTS)
		return NO_ENTRY;
	i = new_entry(c, source, LAF_NAME_UNKNOWN);
	if (i >= NAMES_MAX)
		return NO_ENTRY;
	c->seen.n_texts++;
	copy_name(c, source, text);
	return i;
}

/* May an entry of this type become the folder of a name, or the name itself? */
static __always_inline bool fits(u32 nametype, u32 parent)
{
	if (parent)
		return nametype == LAF_NAME_PARENT || nametype == LAF_NAME_UNKNOWN;
	return nametype != LAF_NAME_PARENT;
}

static __always_inline void fill_entry(struct laf_context *c, struct laf_found_name *n, u64 dentry)
{
	c->seen.clear = 0;
	n->mnt = c->seen.mnt;
	n->leaf = dentry;

	n->wire.flags &= ~LAF_NAME_INODE;
	if (read_inode(dentry, &n->wire))
		n->generation = READ(inode, READ(dentry, dentry, d_inode), i_generation);
	n->dentry = dentry;
}

/* Is it of this inode, and may it become what is looked for? */
VERIFIED_ALONE int is_of_inode(const struct laf_context *c, u32 at, u64 ino, u32 dev, u32 parent)
{
	const struct laf_found_name *n;

	if (!c)
		return 0;
	n = seen_at(c, at);
	return n->wire.flags & LAF_NAME_INODE && n->wire.ino == ino && n->wire.dev == dev && fits(n->wire.nametype, parent);
}

/* The last entry for which that is so, or NO_ENTRY. Verified alone for its answer to be any: the kernel would verify what follows for
 * each. */
VERIFIED_ALONE u32 entry_of_inode_seen(struct laf_context *c, u64 ino, u32 dev, u32 parent)
{
	u32 i, at;

	if (!c)
		return NO_ENTRY;
	for (i = 0; i < NAMES_MAX; i++) {
		at = NAMES_MAX - 1 - i;
		if (at < c->seen.n && is_of_inode(c, at, ino, dev, parent))
			return at;
	}
	return NO_ENTRY;
}

/* __audit_inode(): the name of entry `at` led to `dentry`, or to it as the folder of its last part. */
VERIFIED_ALONE int see_inode(struct laf_context *c, u32 at, u64 dentry, u32 parent)
{
	struct laf_found_name *n;
	struct inode *inode;
	u32 found = at;

	if (!c || at >= NAMES_MAX)
		return 0;
	inode = (struct inode *)number_of(c, READ(dentry, dentry, d_inode));
	if (!inode || is_left_out(inode))
		return 0;
	if (!fits(c->seen.name[at].wire.nametype, parent))
		found = entry_of_inode_seen(c, READ(inode, inode, i_ino), READ(super_block, READ(inode, inode, i_sb), s_dev), parent);
	if (found == NO_ENTRY)
		found = new_entry(c, c->seen.name[at].source, LAF_NAME_UNKNOWN);
	asm volatile("" : "+r"(found));
	if (found >= NAMES_MAX)
		return 0;
	n = &c->seen.name[found];
	n->wire.nametype = parent ? LAF_NAME_PARENT : LAF_NAME_NORMAL;
	n->wire.flags &= LAF_NAME_NULL;
	if (parent)
		n->wire.flags |= LAF_NAME_FOLDER;
	fill_entry(c, n, dentry);
	return 0;
}

struct laf_text {
	u64 from;
	u32 len;
	u32 zero;
};

static long strip_step(u32 i, struct laf_text *text)
{
	u8 last = 0;

	if (text->len < 2)
		return 1;
	bpf_probe_read_kernel(&last, 1, (void *)(text->from + text->len - 1));
	if (last != '/')
		return 1;
	text->len--;
	return 0;
}

/* Are the first bytes of the tail those of seen.dname? In words: a loop over bytes takes the kernel long to verify. */
static __always_inline bool tail_is_dname(const struct laf_context *c, u32 len)
{
	const u64 *tail = (const u64 *)c->tail, *dname = (const u64 *)c->seen.dname;
	u32 words = len / 8 & (DNAME_ROOM / 8 - 1), rest = len & 7, i;

	for (i = 0; i < words; i++)
		if (tail[i & (DNAME_ROOM / 8 - 1)] != dname[i & (DNAME_ROOM / 8 - 1)])
			return false;
	/* of little-endian words the first bytes are the lowest */
	return !rest || !((tail[words] ^ dname[words]) << (64 - 8 * rest));
}

/* audit_compare_dname_path(): does this text, but for slashes at its end, end with seen.dname? 0: no; else its length and, in ENDS_WITH_PART, whether that is
 * its last part. */
#define ENDS_WITH_PART 0x10000
VERIFIED_ALONE u32 ends_with(struct laf_context *c, u32 source)
{
	u32 dlen, at;
	struct laf_text text;
	struct laf_long *l;
	u8 before = '/';

	if (!c || source >= TEXTS)
		return 0;
	text.len = c->name[source & (TEXTS - 1)].len;
	text.from = (u64)c->text[source & (TEXTS_HERE - 1)];
	if (lies_apart(c, source)) {
		stay_here();
		l = bpf_task_storage_get(&longs, bpf_get_current_task_btf(), 0, 0);
		leave_again();
		if (!l)
			return 0;
		text.from = (u64)text_apart(l, source);
	}
	if (strip_slashes)
		bpf_loop(PATH_MAX, strip_step, &text, 0);
	dlen = c->seen.dname_len & (DNAME_ROOM - 1);
	if (!dlen || dlen > text.len)
		return 0;
	at = text.len - dlen;
	bpf_probe_read_kernel(c->tail, dlen, (void *)(text.from + at));
	if (!tail_is_dname(c, dlen))
		return 0;
	if (at)
		bpf_probe_read_kernel(&before, 1, (void *)(text.from + at - 1));
	return before == '/' ? text.len | ENDS_WITH_PART : text.len;
}

/* The entry of the folder of seen.child, or NO_ENTRY. This and the next are verified alone, as above. */
VERIFIED_ALONE u32 search_parent(struct laf_context *c)
{
	u32 i, end;

	if (!c)
		return NO_ENTRY;
	for (i = 0; i < NAMES_MAX && i < c->seen.n; i++) {
		const struct laf_found_name *n = &c->seen.name[i];

		if (n->source >= TEXTS || n->wire.nametype != LAF_NAME_PARENT || n->wire.ino != c->seen.child.ino ||
		    n->wire.dev != c->seen.child.dev)
			continue;
		end = ends_with(c, n->source);
		if (!(end & ENDS_WITH_PART))
			continue;
		c->seen.child.parent_len = end;
		return i;
	}
	c->seen.child.parent_len = 0;
	return NO_ENTRY;
}

/* Where the folder was found, the last part begins where it does in the folder's own text, whatever this text is. */
static __always_inline bool is_child(struct laf_context *c, u32 source)
{
	u32 end = ends_with(c, source), parent_len = c->seen.child.parent_len;

	if (!parent_len || (end & ~ENDS_WITH_PART) == c->seen.dname_len)
		return end & ENDS_WITH_PART;
	return end && (end | ENDS_WITH_PART) == parent_len;
}

/* The entry of the child itself, after its folder. */
VERIFIED_ALONE u32 search_child(struct laf_context *c)
{
	u32 i, type;

	if (!c)
		return NO_ENTRY;
	for (i = 0; i < NAMES_MAX && i < c->seen.n; i++) {
		type = c->seen.name[i].wire.nametype;
		if (c->seen.name[i].source >= TEXTS || (type != c->seen.child.nametype && type != LAF_NAME_UNKNOWN))
			continue;
		if (is_child(c, c->seen.name[i].source))
			return i;
	}
	return NO_ENTRY;
}

/* __audit_inode_child(): `dentry` is made in or removed from folder `dir`. Returns whether it has entries without a name. */
VERIFIED_ALONE int see_child(struct laf_context *c, u64 dir, u64 dentry, u32 nametype)
{
	struct dentry *d = (struct dentry *)dentry;
	struct laf_found_name *n;
	u32 at, child, source = NAME_NONE;
	int nameless = 0;

	if (!c || !dir || !dentry || is_left_out((struct inode *)dir))
		return 0;
	c->seen.child.ino = BPF_CORE_READ((struct inode *)dir, i_ino);
	c->seen.child.dev = BPF_CORE_READ((struct inode *)dir, i_sb, s_dev);
	c->seen.child.nametype = nametype;
	c->seen.dname_len = BPF_CORE_READ(d, d_name.len) & (DNAME_ROOM - 1);
	bpf_probe_read_kernel(c->seen.dname, c->seen.dname_len & (DNAME_ROOM - 1), BPF_CORE_READ(d, d_name.name));
	at = search_parent(c);
	child = search_child(c);
	if (at < NAMES_MAX) {
		source = c->seen.name[at].source;
	} else {
		at = new_entry(c, NAME_NONE, LAF_NAME_PARENT);
		asm volatile("" : "+r"(at));
		if (at >= NAMES_MAX)
			return 0;
		fill_entry(c, &c->seen.name[at], (u64)BPF_CORE_READ(d, d_parent));
		nameless = 1;
	}
	at = child;
	if (at >= NAMES_MAX)
		at = new_entry(c, source, nametype);
	asm volatile("" : "+r"(at));
	if (at >= NAMES_MAX)
		return 0;
	n = &c->seen.name[at];
	n->wire.nametype = nametype;
	n->sight = NAME_SEEN;
	fill_entry(c, n, dentry);
	if (nametype == LAF_NAME_DELETE)
		n->dentry = (u64)BPF_CORE_READ(d, d_parent);
	return nameless;
}

/* What is made is seen twice: before, when nothing is there yet, and after. Once is enough where both give the same entries. */
static __always_inline void see_made(struct laf_context *c, u64 dir, u64 dentry, bool made)
{
	u32 last;

	if (!see_child(c, dir, dentry, LAF_NAME_CREATE) || !made)
		return;
	last = c->seen.n - 1;
	asm volatile("" : "+r"(last));
	if (last < NAMES_MAX) {
		c->seen.name[last].wire = (struct laf_wire_name){
			.nametype = LAF_NAME_CREATE,
			.flags = c->seen.name[last].wire.flags & LAF_NAME_NULL,
		};
	}
	see_child(c, dir, dentry, LAF_NAME_CREATE);
}

#endif
