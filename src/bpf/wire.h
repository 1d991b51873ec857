/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an event looks like in a ring: one header, then sections. No libc, no kernel headers.
 *
 * A ring message is a struct laf_wire_event or, before it in the same ring, any number of
 * struct laf_wire_args (pieces of a long argument list of the event that follows).
 *
 * The last sections of an event are what it tells of the task: EXE, CWD, TTY, PROCTITLE. As long as nothing of it changes, the
 * task's further events in the same ring have no such part and refer to the event that told it last: the reader keeps a
 * table of LAF_TOLD_SLOTS for each ring, and what an event tells takes the place of what was in its slot. The programs keep the
 * same table, so that nothing is referred to that is not there; what could not be sent was not told.
 * All numbers are in host order. Sections start at multiples of 8 bytes.
 */
#ifndef LAF_WIRE_H
#define LAF_WIRE_H

#ifdef __bpf__
#include "kernel.h"
#else
#include <linux/types.h>
#endif

/* Raised when anything in this file changes, or anything else by which a version reads out what another one recorded: how conditions are
 * numbered (LAF_SECTION_CONDS), what src/engine/former.c knows of the maps, what src/daemon/keep.c keeps in files. */
#define LAF_WIRE_LAYOUT 6

enum laf_wire_type {
	LAF_WIRE_EVENT = 1,
	LAF_WIRE_ARGS = 2,
};

/* laf_wire_event.flags */
#define LAF_EV_NO_RETURN  0x01 /* the call has no return value (exit, exit_group) */
#define LAF_EV_CANDIDATE  0x02 /* only the text of a name can decide: see laf_policy_decide() */
#define LAF_EV_ARGS_APART 0x04 /* the argument list came before, in LAF_WIRE_ARGS messages */
#define LAF_EV_DETAIL     0x08 /* a detail could not be read; the sections say which */

#define LAF_RULE_NONE 0xffffffffu

#define LAF_TOLD_SLOTS 512u  /* a power of two */
#define LAF_TOLD_BYTES 1000u /* a longer part comes with every event */

/* One audited call. 184 bytes, no padding. */
struct laf_wire_event {
	__u16 type;        /*   0 LAF_WIRE_EVENT */
	__u16 flags;       /*   2 LAF_EV_… */
	__u32 bytes;       /*   4 the message's length, header and sections */
	__u64 seq;         /*   8 per processor; counts recorded and lost events alike, from 1 */
	__u64 exit_ns;     /*  16 CLOCK_MONOTONIC at the end of the call: events are ordered by it */
	__u64 entry_ns;    /*  24 CLOCK_MONOTONIC at its start, to a tick: the time in the records */
	__s64 exit;        /*  32 the return value; restart codes already mapped to -EINTR */
	__u64 args[4];     /*  40 a0 to a3 */
	__u32 task_at;     /*  72 where the part on the task begins; `bytes` = there is none */
	__u32 arch;        /*  76 AUDIT_ARCH_X86_64 or AUDIT_ARCH_I386 */
	__u32 nr;          /*  80 the call's number in its ABI */
	__u32 policy;      /*  84 the policy generation that decided */
	__u32 rule;        /*  88 the rule that decided; LAF_RULE_NONE for an undecided candidate */
	__u32 key_rule;    /*  92 the rule whose key the record carries, or LAF_RULE_NONE */
	__u32 personality; /*  96 */
	__u32 pid;         /* 100 the process (tgid), initial pid namespace */
	__u32 ppid;        /* 104 */
	__u32 auid;        /* 108 4294967295 = unset; ids are those of the initial user namespace */
	__u32 ses;         /* 112 4294967295 = unset */
	__u32 uid, gid, euid, suid, fsuid, egid, sgid, fsgid; /* 116 */
	char comm[16];     /* 148 the task's name, NUL-padded */
	__u32 position;    /* 164 candidates: rules from this position on are out of reach */
	__u64 told;        /* 168 seq of the event that told of the task: its own = to be kept, 0 = not to be kept */
	__u32 slot;        /* 176 where it is kept */
	__u32 tid;         /* 180 the thread, initial pid namespace */
};
_Static_assert(sizeof(struct laf_wire_event) == 184, "laf_wire_event");

/* A piece of an argument list that does not fit into its event. */
#define LAF_WIRE_ARGS_MAX 8168
struct laf_wire_args {
	__u16 type;  /*  0 LAF_WIRE_ARGS */
	__u16 flags; /*  2 zero */
	__u32 bytes; /*  4 how many of `text` are used */
	__u64 seq;   /*  8 the seq of the event it belongs to */
	__u64 at;    /* 16 offset of this piece in the whole list */
	char text[LAF_WIRE_ARGS_MAX]; /* 24 */
};
_Static_assert(sizeof(struct laf_wire_args) == 8192, "laf_wire_args");

enum laf_section_kind {
	LAF_SECTION_NAME = 1,      /* struct laf_wire_name, then the text, no NUL */
	LAF_SECTION_CWD = 2,       /* a path as components, see below; before the part on the task: as it was when the call began */
	LAF_SECTION_EXE = 3,       /* a path as components */
	LAF_SECTION_BASE = 4,      /* components: the folder that the name before it is relative to */
	LAF_SECTION_TTY = 5,       /* the terminal's name, no NUL; absent = "(none)" */
	LAF_SECTION_SADDR = 6,     /* a struct sockaddr as the kernel copied it */
	LAF_SECTION_PROCTITLE = 7, /* up to 128 bytes of the command line, untrimmed; absent = "(null)" */
	LAF_SECTION_EXECVE = 8,    /* __u32 argc, __u32 zero, then the argument list, NULs kept */
	LAF_SECTION_CONDS = 9,     /* __u64[]: which conditions held, for candidates */
	LAF_SECTION_SPECIAL = 11,  /* struct laf_wire_special: what a call's own record tells */
	LAF_SECTION_OPENED = 10,   /* components: where the opened file (name 0) really is */
	LAF_SECTION_LABEL = 15,    /* the task's security label, no NUL; absent = none */
	LAF_SECTION_FCAPS = 14,    /* struct laf_wire_fcaps: of the program that was started */
	LAF_SECTION_WHO = 12,      /* struct laf_wire_who, where exclude rules ask for it */
	LAF_SECTION_KEY = 13,      /* the key of the task rule that has all calls of this task recorded, no NUL */
};

#define LAF_LABEL_MAX 2048 /* a longer label is cut */

/* laf_wire_section.flags */
#define LAF_PATH_DELETED   0x01 /* components: " (deleted)" follows */
#define LAF_PATH_TRUNCATED 0x02 /* components: deeper or longer than can be told: "<too_long>" */
#define LAF_PATH_PSEUDO    0x04 /* components: a file outside of every folder (memfd): "/name (deleted)" */
#define LAF_SECTION_FAULT  0x08 /* the memory could not be read; payload is empty */
#define LAF_PROCTITLE_CUT  0x10 /* the arguments' last NUL was overwritten: the title ends at the first NUL */

/* Components: from the leaf to the root, each one byte of length and as many bytes of text.
 * No component at all is "/". */

struct laf_wire_section {
	__u16 kind;  /* LAF_SECTION_… */
	__u16 flags;
	__u32 bytes; /* of the payload that follows; the next section starts at the next multiple of 8 */
};

/* nametype, numbered as the kernel numbers them (include/linux/audit.h, AUDIT_TYPE_…). */
enum laf_nametype {
	LAF_NAME_UNKNOWN = 0,
	LAF_NAME_NORMAL = 1,
	LAF_NAME_PARENT = 2,
	LAF_NAME_DELETE = 3,
	LAF_NAME_CREATE = 4,
};

#define LAF_NAME_INODE   0x01 /* inode, dev, mode, ids and rdev are known */
#define LAF_NAME_NULL    0x02 /* there is no name: name=(null) */
#define LAF_NAME_FOLDER  0x04 /* PARENT: shows the text up to its last slash, or the cwd */
#define LAF_NAME_FAULT   0x08 /* the name could not be read from the caller's memory */
#define LAF_NAME_UNSOUGHT 0x20 /* never looked up, or not found: no rule can match it */
#define LAF_NAME_HIDDEN   0x80 /* counted, not shown: the folder of message queues */
#define LAF_NAME_NO_CAPS  0x40 /* its capabilities are not asked for: umount() */
#define LAF_NAME_COMPONENTS 0x10 /* the text is components (a loader known by its file only) */

/* One collected name. 40 bytes. */
struct laf_wire_name {
	__u64 ino;      /*  0 */
	__u32 dev;      /*  8 as the kernel's dev_t: major << 20 | minor */
	__u32 rdev;     /* 12 */
	__u32 uid;      /* 16 */
	__u32 gid;      /* 20 */
	__u16 mode;     /* 24 */
	__u8 nametype;  /* 26 enum laf_nametype */
	__u8 flags;     /* 27 LAF_NAME_… */
	__u32 text_len; /* 28 bytes of text that follow */
	__u64 zero;     /* 32 */
};
_Static_assert(sizeof(struct laf_wire_name) == 40, "laf_wire_name");

/* The file capabilities of one file. 48 bytes. */
struct laf_wire_fcaps {
	__u64 permitted;   /*  0 */
	__u64 inheritable; /*  8 */
	__u64 ino;         /* 16 of the file: it is one of the names */
	__u32 dev;         /* 24 */
	__u32 rootid;      /* 28 */
	__u32 ver;         /* 32 as cap_fver= */
	__u32 effective;   /* 36 0 or 1 */
	__u64 zero;        /* 40 */
};
_Static_assert(sizeof(struct laf_wire_fcaps) == 48, "laf_wire_fcaps");

/* What a record of one kind of call tells, as numbers in the record's order. 112 bytes. */
#define LAF_SPECIAL_VALUES 13
struct laf_wire_special {
	__u32 type;   /*  0 the record's number: AUDIT_SOCKETCALL, AUDIT_FD_PAIR, AUDIT_MMAP, AUDIT_OPENAT2, AUDIT_CAPSET, AUDIT_BPRM_FCAPS */
	__u32 n;      /*  4 how many of the values are used */
	__u64 value[LAF_SPECIAL_VALUES]; /* 8 */
};
_Static_assert(sizeof(struct laf_wire_special) == 112, "laf_wire_special");

struct laf_wire_who {
	__u64 exe_ino; /*  0 the program's inode; 0 = no program */
	__u32 exe_dev; /*  8 kernel dev_t */
	__u32 tid;     /* 12 the thread, initial pid namespace */
};
_Static_assert(sizeof(struct laf_wire_who) == 16, "laf_wire_who");

/* Why an event, or a part of it, could not be recorded. */
enum laf_loss {
	LAF_LOSS_RING_FULL = 0,  /* no room in the processor's ring */
	LAF_LOSS_NO_CONTEXT = 1, /* the kernel refused the task's context */
	LAF_LOSS_NO_RING = 2,    /* a processor that came after the rings were made */
	LAF_LOSS_UNDECIDED = 3,  /* a candidate that a reload took the rules from */
	LAF_LOSS_MISSED = 4,     /* the kernel skipped the program (recursion_misses) */
	LAF_LOSS_BACKLOG = 5,    /* as much waits in the ring as a limit allows */
	LAF_LOSS_CAUSES = 6,
};

/* Counters, per processor. */
struct laf_wire_count {
	__u64 lost[LAF_LOSS_CAUSES]; /* all but LAF_LOSS_NO_CONTEXT have a seq */
};

/* Events lost behind the decision, by what decided. 16 bytes. */
#define LAF_LOST_MAX 4096u /* of these; what comes beyond is counted by its call alone */
struct laf_wire_lost {
	__u32 policy; /*  0 the generation */
	__u32 rule;   /*  4 LAF_RULE_NONE: an undecided candidate, or decided by a task rule */
	__u32 call;   /*  8 LAF_CALL_INDEX */
	__u32 zero;   /* 12 */
};
_Static_assert(sizeof(struct laf_wire_lost) == 16, "laf_wire_lost");

/* Tasks of the audited command, per processor. 24 bytes. */
struct laf_wire_scope {
	__u64 started;  /*  0 marked at their start */
	__u64 ended;    /*  8 of those that were marked */
	__u64 unmarked; /* 16 could not be marked */
};
_Static_assert(sizeof(struct laf_wire_scope) == 24, "laf_wire_scope");

#endif
