/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compiled rules as the kernel side reads them: an array of 16-byte entries and a table of inodes.
 *
 * Entries 0 to LAF_CALLS - 1 are the heads of the calls (struct laf_policy_call), then comes the head of the lists
 * other than exit (struct laf_policy_lists), the rest is code (struct laf_insn): tests that go on with the next
 * entry when they hold and with `fail` when not, until LAF_MATCH or LAF_STOP. A rule's position is its place in
 * the filter list; the lowest that matches wins.
 */
#ifndef LAF_POLICY_WIRE_H
#define LAF_POLICY_WIRE_H

#ifdef __bpf__
#include "kernel.h"
#else
#include <linux/types.h>
#endif

#define LAF_ABI_CALLS 2048u /* call numbers a rule's mask can hold: AUDIT_BITMASK_SIZE * 32 */
#define LAF_ABIS 2u         /* 0: x86-64, 1: i386 */
#define LAF_CALLS (LAF_ABI_CALLS * LAF_ABIS)
#define LAF_CALL_INDEX(abi, nr) ((abi) * LAF_ABI_CALLS + (nr))
#define LAF_LISTS LAF_CALLS      /* the entry of the head of the lists */
#define LAF_CODE (LAF_LISTS + 1) /* the first entry of code */

#define LAF_POLICY_INSNS_MAX (4u << 20) /* entries of one policy: 64 MiB */
#define LAF_POLICY_STEPS_MAX 65536u     /* entries examined for one stage of one event */
#define LAF_CONDS_MAX 1024u             /* different conditions on rules with a path, per call */

/* laf_policy_call.flags */
#define LAF_CALL_AUDITED 0x01 /* a rule can record this call */
#define LAF_CALL_INODES  0x02 /* a rule without path looks at the inodes of names */
#define LAF_CALL_WATCHES 0x04 /* path= or inode= rules are in reach */
#define LAF_CALL_DIRS    0x08 /* dir= rules are in reach */

struct laf_policy_call {
	__u32 code;  /*  0 first entry of the rules without path= and dir=; 0 = none */
	__u32 conds; /*  4 first entry of the conditions of rules with path= and dir=; 0 = none */
	__u32 flags; /*  8 LAF_CALL_… */
	__u32 zero;  /* 12 */
};
_Static_assert(sizeof(struct laf_policy_call) == 16, "laf_policy_call");

/* laf_policy_lists.flags */
#define LAF_LISTS_KEEP 0x01 /* file systems: those in the table are the only ones to keep, not those to leave out */
#define LAF_LISTS_WHO  0x02 /* exclude: an event must tell the thread and the program's inode */

struct laf_policy_lists {
	__u32 task;        /*  0 first entry of the task list; 0 = none. MATCH: aux = where the key's text stands, 0 = no key */
	__u32 filesystems; /*  4 not 0: names on some file systems are left out (LAF_DEV_FSTYPE) */
	__u32 flags;       /*  8 LAF_LISTS_… */
	__u32 zero;        /* 12 */
};
_Static_assert(sizeof(struct laf_policy_lists) == 16, "laf_policy_lists");

enum laf_insn_what {
	LAF_STOP = 0, /* nothing matched */
	LAF_MATCH,    /* all tests of rule `aux` at position `val` held; op: its action */
	LAF_COND,     /* all tests of condition `val` held; it serves positions from `aux` on */
	/* tests: value OP val */
	LAF_T_PID, LAF_T_PPID, LAF_T_PERS, LAF_T_EXIT, LAF_T_SUCCESS,
	LAF_T_AUID, LAF_T_AUID_SET, LAF_T_SES,
	LAF_T_UID, LAF_T_EUID, LAF_T_SUID, LAF_T_FSUID,
	LAF_T_GID, LAF_T_EGID, LAF_T_SGID, LAF_T_FSGID, /* GID and EGID look at the supplementary groups, too */
	LAF_T_ARG0, LAF_T_ARG1, LAF_T_ARG2, LAF_T_ARG3,
	LAF_T_SADDR_FAM,
	LAF_T_DEVMAJOR, LAF_T_DEVMINOR, LAF_T_INODE, LAF_T_OBJ_UID, LAF_T_OBJ_GID,
	LAF_T_FILETYPE, /* (mode & S_IFMT) == val */
	LAF_T_OPENED,   /* the access mode of this open shares a bit with val (1 exec, 2 write, 4 read) */
	LAF_T_BIND,     /* this is no socketcall, or its call compares with val */
	LAF_T_EXE,      /* next entry: struct laf_insn_inode; op equal or not */
	LAF_T_COMPARE,  /* ids `val` and `aux` (enum laf_insn_what, LAF_T_AUID … LAF_T_OBJ_GID) compared */
	LAF_T_CALL,     /* this call is in the set of LAF_CALLS bits in the entries from `val` on */
	LAF_T_ROLE,     /* one of the AppArmor profiles that confine the task has the name that stands in the entries from `val` on */
	LAF_T_NEVER,    /* does not hold */
	/* in user space alone: records and messages (src/rules/policy_filters.c) */
	LAF_T_MSGTYPE,
	LAF_T_THREAD,
	LAF_T_GID_ALONE, /* without the supplementary groups */
};

#define LAF_KEY_MAX 256u /* bytes of a rule's key: AUDIT_MAX_KEY_LEN */

#define LAF_ROLE_MAX 256u /* bytes of a name of LAF_T_ROLE, with its NUL */

enum laf_op { LAF_EQ, LAF_NE, LAF_LT, LAF_LE, LAF_GT, LAF_GE, LAF_MASK, LAF_TEST };

#define LAF_INSN_KEY 0x01 /* MATCH: the rule has a key */

struct laf_insn {
	__u8 what;  /*  0 enum laf_insn_what */
	__u8 op;    /*  1 enum laf_op; MATCH: 0 never, 1 always */
	__u8 flags; /*  2 */
	__u8 zero;  /*  3 */
	__u32 fail; /*  4 where to go on when the test does not hold */
	__u32 val;  /*  8 */
	__u32 aux;  /* 12 */
};
_Static_assert(sizeof(struct laf_insn) == 16, "laf_insn");

struct laf_insn_inode {
	__u64 ino;  /*  0 */
	__u32 dev;  /*  8 kernel dev_t */
	__u32 zero; /* 12 */
};
_Static_assert(sizeof(struct laf_insn_inode) == 16, "laf_insn_inode");

/* The table of inodes: which rules a file or folder brings into play. */
struct laf_inode_key {
	__u64 ino;  /*  0 */
	__u32 dev;  /*  8 kernel dev_t; LAF_DEV_ANY: rules that name the inode number alone */
	__u32 zero; /* 12 */
};
_Static_assert(sizeof(struct laf_inode_key) == 16, "laf_inode_key");

#define LAF_DEV_ANY 0xffffffffu
#define LAF_DEV_FSTYPE 0xfffffffeu /* `ino` is a file system's magic number (laf_policy_lists.filesystems) */

struct laf_inode_rules {
	__u32 watch; /*  0 first entry of the path= and inode= rules on it; 0 = none */
	__u32 tree;  /*  4 first entry of the dir= rules on it */
	__u16 holds; /*  8 not 0: a folder in which a watched name lies */
	__u16 dated; /* 10 not 0: `generation` is known, and another one is another file with the same number */
	__u32 generation; /* 12 of the inode */
};
_Static_assert(sizeof(struct laf_inode_rules) == 16, "laf_inode_rules");

/* The table of watched names: what path= rules are about, whichever file has the name. Its last part in its folder. */
#define LAF_WATCH_NAME_MAX 255u /* NAME_MAX */
struct laf_watch_key {
	__u64 ino;     /*  0 of the folder */
	__u32 dev;     /*  8 */
	__u32 len;     /* 12 */
	char name[LAF_WATCH_NAME_MAX + 1]; /* 16, NUL-padded */
};
_Static_assert(sizeof(struct laf_watch_key) == 272, "laf_watch_key");

struct laf_watch {
	__u64 ino;     /*  0 of the file that has the name now */
	__u32 dev;     /*  8 */
	__u32 program; /* 12 first entry of its rules */
	__u16 known;   /* 16 not 0: there is such a file */
	__u16 dated;   /* 18 not 0: inodes of its file system have generations */
	__u32 generation; /* 20 of the inode */
};
_Static_assert(sizeof(struct laf_watch) == 24, "laf_watch");

/* Which inodes can have rules (watch, tree): a bit for each value of a hash. Most have none. */
#define LAF_FILTER_BITS (1u << 18)
static inline __u32 laf_filter_bit(__u64 ino, __u32 dev)
{
	return ((__u32)ino * 2654435769u ^ dev * 2246822519u) >> 14;
}

/* What a call's arguments are; one for each call number below LAF_SHAPES. */
#define LAF_SHAPES 512u
#define LAF_ARG_NONE 0xff

enum laf_call_kind {
	LAF_KIND_PLAIN = 0,
	LAF_KIND_OPEN,    /* returns a descriptor of the file that name 0 led to */
	LAF_KIND_OPENAT2, /* the same, flags in a struct open_how */
	LAF_KIND_EXEC,    /* a new program when it returns 0 */
	LAF_KIND_EXIT,    /* does not return */
	LAF_KIND_CHDIR,   /* the working directory must be told before the call */
	LAF_KIND_FORK,    /* returns twice */
	LAF_KIND_SIGRETURN, /* comes back with other registers */
};

enum laf_saddr_kind {
	LAF_SADDR_NONE = 0,
	LAF_SADDR_IN,      /* address and length are arguments, copied in */
	LAF_SADDR_IN_MSG,  /* in a struct msghdr, copied in */
	LAF_SADDR_OUT,     /* address argument, pointer to the length, copied out */
	LAF_SADDR_OUT_MSG, /* in a struct msghdr, copied out */
};

enum laf_special {
	LAF_SPECIAL_NONE = 0,
	LAF_SPECIAL_PIPE,       /* FD_PAIR at argument 0 */
	LAF_SPECIAL_SOCKETPAIR, /* FD_PAIR at argument 3 */
	LAF_SPECIAL_MMAP,       /* MMAP: descriptor 4, flags 3 */
	LAF_SPECIAL_OLD_MMAP,   /* the same, arguments in memory at argument 0 */
	LAF_SPECIAL_OPENAT2,    /* OPENAT2: struct open_how at 2, its size at 3 */
	LAF_SPECIAL_CAPSET,     /* CAPSET: the task's capabilities afterwards */
	LAF_SPECIAL_SOCKETCALL, /* SOCKETCALL: the call at 0, its arguments in memory at 1 */
};

/* laf_call_shape.flags */
#define LAF_SHAPE_PARENT  0x01 /* names are looked up in their folder, to come or to go there */
#define LAF_SHAPE_NO_CAPS 0x02 /* of what it names no capabilities are asked for: the file system may not answer any more */
#define LAF_SHAPE_QUEUE   0x04 /* its name is that of a message queue: the folder of all queues is nothing that the caller named */
#define LAF_SHAPE_LATE    0x10 /* its first name is taken only before the kernel looks it up by a copy of its own */
#define LAF_SHAPE_RESERVE 0x20 /* a new program or identity: its events may take the last part of a ring */
#define LAF_SHAPE_MORE    0x40 /* more of it is looked at than four arguments and names that are given as text */
#define LAF_SHAPE_PROMPT  0x80 /* it waits for nothing, and takes no more than values: its end is early enough to look at it */
#define LAF_SHAPE_MAKES   0x08 /* … and with O_CREAT in argument 1 it makes it */

struct laf_call_shape {
	__u8 kind;         /*  0 enum laf_call_kind */
	__u8 name[2];      /*  1 which arguments are names, in the order the kernel takes them */
	__u8 dfd[2];       /*  3 which arguments they are relative to */
	__u8 fd;           /*  5 an argument whose file gives a PATH without a name */
	__u8 saddr_kind;   /*  6 enum laf_saddr_kind */
	__u8 saddr;        /*  7 which argument is the address or the struct msghdr; its length is the next */
	__u8 flags_arg;    /*  8 which argument may say that an empty name is good */
	__u8 open_flags;   /*  9 which argument holds the O_… flags */
	__u16 empty_flag;  /* 10 the bit that says it; 0xffff: an empty name is always good */
	__u8 early[4];     /* 12 errors that come before any name is taken; 0 = none */
	__u64 bad_bits;    /* 16 EINVAL comes before any name is taken if argument bad_arg has one of these bits */
	__u64 when_bits;   /* 24 name[when_name] is taken only if argument when_arg has one of these bits, */
	__u8 bad_arg;      /* 32 */
	__u8 bad_zero;     /* 33 not 0: EINVAL and EFAULT come before any name is taken if bad_arg is 0 */
	__u8 when_arg;     /* 34 LAF_ARG_NONE = both names are always taken */
	__u8 when_name;    /* 35 */
	__u8 when_number;  /* 36 not 0: … or, as a number below 64, is one of the bits of when_bits */
	__u8 flags;        /* 37 LAF_SHAPE_… */
	__u8 text_arg;     /* 38 an argument that is a text, looked up nowhere: a link's target */
	__u8 special;      /* 39 enum laf_special: the record of its own that the call has */
};
_Static_assert(sizeof(struct laf_call_shape) == 40, "laf_call_shape");

#endif
