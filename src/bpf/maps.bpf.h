/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs keep: a context per task, scratch per processor, the policy, the rings, the counters. */
#ifndef LAF_MAPS_BPF_H
#define LAF_MAPS_BPF_H

#include "kernel.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "policy.h"
#include "wire.h"

#define NAME_MAX_HERE 256 /* a longer name goes to struct laf_long */
#define NAME_MAX_SHORT 64u /* most names are no longer */
#define PROCTITLE_MAX 128 /* MAX_PROCTITLE_AUDIT_LEN, kernel/auditsc.c */
#define SADDR_MAX 128u    /* sizeof(struct sockaddr_storage) */
#define INTERP_MAX 256u   /* BINPRM_BUF_SIZE, the longest "#!" line */
#define DNAME_ROOM 256    /* of a dentry's name: NAME_MAX and a NUL */
#define NAMES_MAX 16      /* of one call */
#define TEXTS 16          /* of names: two that the call was given, then those that the kernel has of its own */
#define TEXTS_HERE 4      /* most calls have no more; the others are in struct laf_long */

struct laf_taken_name {
	u16 len;
	u8 taken;  /* there is a name */
	u8 apart;  /* its text is in struct laf_long */
};

/* One collected name on its way to the ring. */
struct laf_found_name {
	struct laf_wire_name wire;
	u64 dentry;     /* where the climb to dir= rules begins; 0 = not known */
	u64 leaf, mnt;  /* the name's own dentry, which may be gone by now, and its mount */
	u32 generation; /* of the inode */
	u8 source;      /* enum name_source */
	u8 sight;       /* enum name_sight */
	u8 base_dfd;
	u8 zero;
};
enum name_source {
	NAME_GIVEN_0 = 0,
	NAME_GIVEN_1 = 1,
	NAME_KERNEL = 2, /* and up to TEXTS: the kernel's own copies: context.text, long.text_more */
	NAME_INTERP = TEXTS, /* context.interp */
	NAME_SOCKET, /* the path in context.saddr */
	NAME_FILE,   /* the loader's own path */
	NAME_EMPTY,  /* "" */
	NAME_NONE,   /* no name at all */
};
enum name_sight {
	NAME_RESERVED, /* the call was given it; the kernel was not seen to look it up */
	NAME_SEEN,
};

/* What is made or removed, while it is looked for among the names. */
struct laf_child {
	u64 ino; /* of its folder */
	u32 dev;
	u32 nametype;
	u32 parent_len; /* what ends_with() said of the folder's text; 0 = there is none */
	u32 zero;
};

/* What the name hooks saw of the running call (sights.bpf.h). */
struct laf_sights {
	u32 hooked;  /* they were there when the call began */
	u32 cpu;     /* where it began, see misses.bpf.h */
	u64 moves;   /* of the task to other processors, until then */
	u32 n;
	u32 n_texts; /* of the kernel's own */
	u32 dname_len;
	u32 cut;     /* not 0: there was no room for a name, or for all of it */
	u32 clear;   /* 1 + the generation of the policy that has no rules on any of the names' folders; 0: not known */
	u32 unseen;  /* not 0: the kernel came to an inode that the hooks did not see: text must do */
	u64 tried;   /* the dentry that an open came to, should it fail */
	u64 made_in; /* the folder in which an open looked for a file to make */
	u64 wanted;  /* the folder in which it asked whether it may write */
	u64 mnt;     /* the mount of the last */
	u64 refused; /* something was not allowed to be removed */
	volatile u64 number; /* see number_of() */
	struct laf_child child;
	struct laf_found_name name[NAMES_MAX];
	char dname[DNAME_ROOM] __attribute__((aligned(8))); /* for comparing: a dentry's name */
};

/* A file from which the running call took its watched name (follow.bpf.h): its rules hold for this call. */
struct laf_left {
	u64 ino;
	u32 dev;
	u32 is_there; /* 0 at the call's start */
	u32 policy;   /* the generation */
	u32 program;
};

/* A path as it was told, by what it was made of. The lower part lies on one mount and can be climbed by d_parent. */
#define CHAIN_MAX 16
struct laf_chain {
	u64 dentry[CHAIN_MAX];
	u32 seq[CHAIN_MAX];
	u64 leaf;
	u32 hash;   /* of the leaf's name */
	u32 hashed; /* the leaf is not deleted */
	u32 n;
	u32 low;
	u32 crossed; /* a mount */
	u32 whole;   /* 0: it can't be told by the chain whether it is still the same */
};

/* What the reader was told of the task, and the counters by which a change is seen. */
struct laf_told {
	u64 seq; /* of the event that told it; 0 = nothing */
	u32 cpu; /* whose ring it is in */
	u32 renames; /* count_renames() when all of it was last seen to hold */
	u64 exec_id, exe_file, fs, tty, tty_name[2];
	u64 mnt_ns, mnt_event;
	u32 fs_seq;
	u32 crossed;
	struct laf_chain exe, cwd;
};

struct laf_caps {
	u64 permitted, inheritable, effective, ambient;
};

/* What must last from a call's start to its end. Made at a task's first audited call, freed with the task. With the kernel's own head of it, it
 * fills an object of 4 KiB (tests/vm/memory.sh). */
struct laf_context {
	u64 scoped; /* the task belongs to the audited command; first, for laf_engine_mark() */
	u64 entry_ns;   /* where hooks_skippable; else the tick does */
	u64 entry_tick;
	u64 args[8]; /* six; an argument that a call does not have (LAF_ARG_NONE) reads as the last, 0 */
	u64 inner[8]; /* arguments that lie in memory: struct open_how, those of a socketcall, of an old mmap */
	u32 n_inner;  /* 0 = could not be read */
	u32 nr;
	u32 abi;
	u32 policy; /* that was in force when it began */
	u8 active; /* in an audited call */
	u8 zero;
	u8 interp_len;
	u8 cwd_taken;
	u32 fd_ok;
	struct laf_taken_name name[TEXTS];
	u32 saddr_kind; /* enum laf_saddr_kind */
	u32 saddr_arg;
	u64 saddr_ptr;
	u32 saddr_len;
	u32 saddr_room; /* copied out: how much the caller has room for */
	struct laf_wire_name fd_file;
	u32 title_len;   /* 0: not read yet. As the kernel's audit, of the task's first event, for the task's life */
	u32 title_flags;
	struct laf_told told;
	u8 saddr[SADDR_MAX];
	union {
		char interp[INTERP_MAX]; /* of an exec */
		char tail[DNAME_ROOM] __attribute__((aligned(8))); /* where names are made and removed, for comparing: the end of a text */
	};
	char text[TEXTS_HERE][NAME_MAX_HERE];
	struct laf_sights seen;
	struct laf_left left;
	struct laf_caps old_caps;     /* before an exec */
	struct laf_wire_fcaps fcaps;  /* of the program that it starts; dev 0 = none */
	u32 old_uid;
	u32 argc;
	u8 title[PROCTITLE_MAX];
};
_Static_assert(sizeof(struct laf_context) <= 4096 - 80, "laf_context"); /* struct bpf_local_storage_elem, and the allocator's own */

/* For the rare task with a long name, many names or a chdir in flight. */
#define COMPONENTS_MAX (PATH_MAX + 512)
struct laf_components {
	u8 bytes[COMPONENTS_MAX];
};
struct laf_long {
	char text[2][PATH_MAX];
	u32 cwd_bytes;
	u32 cwd_flags;
	struct laf_components cwd;
	char text_more[TEXTS - TEXTS_HERE][NAME_MAX_HERE];
};
_Static_assert(sizeof(struct laf_long) <= 4 * 4096 - 80, "laf_long");

#define BODY_LIMIT 57344u /* a section may begin up to here */
#define BODY_SLACK 6144u  /* and is no longer than this */

/* One call on its way through the policy. */
struct laf_run {
	u32 slot;     /* of the policy */
	u32 call;     /* LAF_CALL_INDEX */
	u32 no_return;
	u32 name;     /* the name under test, or NAMES_MAX for all */
	u32 position; /* of the best match so far; only lower ones count */
	u32 rule;
	u32 has_key;
	u32 action;
};

/* Where one event is put together; one for each processor, never shared: not even a cache line, nor the two that are fetched together. */
struct laf_scratch {
	u64 seq; /* of the last event; first, for laf_bpf_get_stats() */
	u64 sent; /* bytes of the ring since the start, but for pieces of arguments */
	u64 asked_at, asked_for; /* when has_room() is to ask again, and what common_room was then */
	u64 told[LAF_TOLD_SLOTS]; /* the reader's table, by the events that it is from */
	struct laf_wire_event ev;
	u8 body[BODY_LIMIT + BODY_SLACK];
	u32 used;
	u32 n_names;
	struct laf_run run;
	struct laf_found_name names[NAMES_MAX];
	u64 opened_dentry, opened_mnt;
	u64 loader_dentry, loader_mnt;
	u32 unseen; /* a name without inode */
	u64 conds[LAF_CONDS_MAX / 64];
	u32 n_conds;
	u32 found; /* find_names() has run */
	u64 plain; /* see plain() */
	u32 cpu;
	u32 zero;
} __attribute__((aligned(128)));

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct laf_context);
} contexts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct laf_long);
} longs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE); /* for it to begin with a page */
	__uint(max_entries, 1); /* one for each processor, set before loading */
	__type(key, u32);
	__type(value, struct laf_scratch);
} scratches SEC(".maps");

/* A policy is two maps; the generation's last bit says which slot is in force. The templates have sizes, not types: 6.1 takes
 * no map without BTF in the place of one that has it (bpf_map_meta_equal() compares timer_off, which BTF sets). */
struct laf_code_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_INNER_MAP);
	__uint(max_entries, LAF_CALLS);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(struct laf_insn));
} code_template SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, u32);
	__array(values, struct laf_code_map);
} codes SEC(".maps") = { .values = { &code_template, &code_template } };

struct laf_inode_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct laf_inode_key));
	__uint(value_size, sizeof(struct laf_inode_rules));
} inode_template SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, u32);
	__array(values, struct laf_inode_map);
} inode_tables SEC(".maps") = { .values = { &inode_template, &inode_template } };

struct laf_ring_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring_template SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1); /* one for each processor, set before loading */
	__type(key, u32);
	__array(values, struct laf_ring_map);
} rings SEC(".maps") = { .values = { &ring_template } };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct laf_wire_count);
} counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, LAF_LOST_MAX);
	__type(key, struct laf_wire_lost);
	__type(value, u64);
} lost_by_rule SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct laf_wire_scope);
} scope_counts SEC(".maps");

/* Set before loading. */
const volatile __u32 scoped = 0;         /* only tasks marked as the command's are audited */
const volatile __u32 creat_parent = 0;   /* O_CREAT on an old file gives a PARENT too (before 6.12) */
const volatile __u32 fd_first = 0;       /* a descriptor's file is noted before other arguments are looked at (before 6.13) */
const volatile __u32 strip_slashes = 0;  /* a name with slashes at its end is compared without them (since 6.14) */
const volatile __u32 hooks_skippable = 0; /* this kernel preempts tasks inside hooks */
const volatile __u64 tick_ns = 4000000;
const volatile __u32 wake_bytes = 1 << 20; /* wake the reader when a ring holds another so much; a power of two */
const volatile struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES] = {};

const volatile __u32 can_cast = 0;       /* there is bpf_rdonly_cast() (since 6.2) */

/* A member of a kernel's object by its address alone, a number. Where the kernel lets programs say what is there it costs a load, else a
 * call. What can't be read is 0. */
extern void *bpf_rdonly_cast(const void *object, u32 btf_id) __ksym __weak;
#define READ(type, address, member)                                                                                         \
	({                                                                                                                  \
		typeof(((struct type *)0)->member) value;                                                                   \
		u64 place = (u64)(address);                                                                                 \
		if (can_cast)                                                                                               \
			value = ((struct type *)bpf_rdonly_cast((void *)place, bpf_core_type_id_kernel(struct type)))   \
					->member;                                                                           \
		else                                                                                                        \
			value = BPF_CORE_READ((struct type *)place, member);                                            \
		value;                                                                                                      \
	})

/* A task, for following its pointers. At each that leads out of an object that it trusts, the verifier looks through all types of the kernel by
 * name, several times (btf_nested_type_is_trusted(), since 6.4): most of the time that loading took. Then a load costs some instructions more:
 * what most events need is read without. */
static __always_inline struct task_struct *loose(struct task_struct *task)
{
	return can_cast ? bpf_rdonly_cast(task, bpf_core_type_id_kernel(struct task_struct)) : task;
}

/* Set by the daemon while it runs. No program that runs on the way of an event writes here, nor in any other map that processors
 * share (tests/unit/test_shared.c). */
/* Always 0, which the verifier must not know. Before 6.7 it follows the body of a bpf_loop() once, with the state of the first
 * round: a bound on a counter that is known to start at 0 never fails there, and the check is taken out of the program. */
volatile __u32 unknown_zero = 0;
__u64 common_room = 0;   /* bytes of a ring; the rest is kept for calls with LAF_SHAPE_RESERVE */
__u32 backlog_limited = 0; /* it is less than there would be */
__u32 self_tgid = 0;     /* the daemon: its own calls are never audited */
__u32 generation = 0;    /* of the policy in force */
__u32 names_hooked = 0;  /* the name hooks are attached */
__u32 entry_hooked = 0;  /* sys_enter is attached: without it arguments are taken at the end */
__u32 tasks_decided = 0; /* there are, or were, task rules */
__u32 filesystems_chosen = 0; /* there are filesystem rules */
__u32 inodes_ruled = 0;  /* there are rules on inodes */
__u32 who_wanted = 0;    /* exclude rules ask for the thread or the program's inode */
__u64 inode_filter[2][LAF_FILTER_BITS / 64] = {}; /* by slot of the policy */
__u64 audited_any[LAF_ABI_CALLS / 64] = {}; /* call numbers audited in either ABI: the first look of every call */
__u64 audited[LAF_ABIS][LAF_ABI_CALLS / 64] = {};
__u64 ending[LAF_ABIS][LAF_ABI_CALLS / 64] = {}; /* the same by the number and ABI at the call's end, which an exec can change */

/* Functions that are not static are verified once, by themselves, not once for each way that leads to them. */
#define VERIFIED_ALONE __noinline

static __always_inline bool bit_is_set(const __u64 *bits, u32 nr)
{
	u32 word = nr >> 6;

	asm volatile("" : "+r"(word)); /* or the compiler drops the bound that the verifier asks for */
	return bits[word & (LAF_ABI_CALLS / 64 - 1)] >> (nr & 63) & 1;
}

static __always_inline bool is_in_filter(u32 slot, u64 ino, u32 dev)
{
	u32 bit = laf_filter_bit(ino, dev);

	asm volatile("" : "+r"(bit), "+r"(slot));
	return inode_filter[slot & 1][bit / 64 & (LAF_FILTER_BITS / 64 - 1)] >> (bit & 63) & 1;
}

static __always_inline void put_in_filter(u32 slot, u64 ino, u32 dev)
{
	u32 bit = laf_filter_bit(ino, dev);

	asm volatile("" : "+r"(bit), "+r"(slot));
	__sync_fetch_and_or(&inode_filter[slot & 1][bit / 64 & (LAF_FILTER_BITS / 64 - 1)], 1ull << (bit & 63));
}

static __always_inline bool call_is_audited(u32 abi, u32 nr)
{
	return bit_is_set(audited[abi & 1], nr);
}

static __always_inline const volatile struct laf_call_shape *shape_of(u32 abi, u32 nr)
{
	u32 at;

	if (nr >= LAF_SHAPES)
		nr = LAF_SHAPES - 1; /* no call has this number: a plain shape */
	at = (abi & 1) * LAF_SHAPES + nr;
	asm volatile("" : "+r"(at));
	return &shapes[at & (LAF_ABIS * LAF_SHAPES - 1)];
}

/* The name of that number: among those that the event is to tell, among those that the hooks saw. */
static __always_inline struct laf_found_name *name_at(struct laf_scratch *s, u32 i)
{
	asm volatile("" : "+r"(i));
	return &s->names[i & (NAMES_MAX - 1)];
}

static __always_inline const struct laf_found_name *seen_at(const struct laf_context *c, u32 i)
{
	asm volatile("" : "+r"(i));
	return &c->seen.name[i & (NAMES_MAX - 1)];
}

static __always_inline u64 arg_of(const struct laf_context *c, u32 arg)
{
	return c->args[arg & 7];
}

/* A pointer as a number, at the cost of storing and loading it: functions that are verified alone take no pointers of the kernel's types, and
 * none that leads out of its map. */
static __always_inline u64 plain(struct laf_scratch *s, const void *ptr)
{
	s->plain = (u64)ptr;
	asm volatile("" : : : "memory");
	return s->plain;
}

static __always_inline u64 number_of(struct laf_context *c, const void *ptr)
{
	c->seen.number = (u64)ptr;
	return c->seen.number;
}

static __always_inline u32 current_abi(struct task_struct *task)
{
	return task->thread_info.status & TS_COMPAT ? 1 : 0;
}

static __always_inline void count_loss(u32 cause)
{
	u32 first = 0;
	struct laf_wire_count *count = bpf_map_lookup_elem(&counts, &first);

	if (count && cause < LAF_LOSS_CAUSES)
		count->lost[cause]++;
}

#endif
