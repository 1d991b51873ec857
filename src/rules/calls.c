// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of calls: one row for each call that takes a path or an address, opens, starts or ends something,
 * or stands in one of the kernel's classes. */
#include <errno.h>
#include <string.h>
#include <stddef.h>

#include <libaudit.h>

#include "calls.h"

/* A row says by one letter an argument what the arguments are:
 *   -  a plain value
 *   t  a text that is looked up nowhere
 *   n  a name; N: a name that the kernel takes before the name left of it
 *   d  the folder that the next name is relative to
 *   f  a descriptor whose file gives a PATH without a name
 *   o  O_… flags, or a pointer to struct open_how
 *   e  flags that may say that an empty name is good
 *   s  an address copied in, S: copied out, m: struct msghdr copied in, M: copied out
 * Classes are the kernel's (include/asm-generic/audit_*.h of 6.18, read back from the running kernel):
 *   x exec, w write, r read, a change of attributes, d a folder is written, s a signal is sent.
 */
struct call_row {
	const char *name;
	const char *args;
	const char *classes;
	enum laf_call_kind kind;
	enum laf_special special;
	__u8 early[4];      /* errors that can only come before the first name is taken */
	__u16 empty_flag;   /* 0: AT_EMPTY_PATH */
	__u8 flags;         /* LAF_SHAPE_… */
	__u8 abis;          /* 1 x86-64, 2 i386; 0: wherever the name is known */
	/* as in struct laf_call_shape, arguments counted from 1: 0 = none */
	__u64 bad_bits, when_bits;
	__u8 bad_arg, bad_zero, when_arg, when_name, when_number;
};

#define EMPTY_PATH 0x1000      /* AT_EMPTY_PATH */
#define EMPTY_PICK 0x08        /* FSPICK_EMPTY_PATH */
#define EMPTY_FROM 0x04        /* MOVE_MOUNT_F_EMPTY_PATH */
#define EMPTY_ALWAYS 0xffff
#define BAD_OPEN 0x410000      /* __O_TMPFILE, O_DIRECTORY: not together with what else the flags ask */
#define X86_64 1
#define I386 2

#define ROW(n, a, c, ...) { .name = (n), .args = (a), .classes = (c), ##__VA_ARGS__ }
#define KIND(k) .kind = LAF_KIND_##k
#define EARLY(...) .early = { __VA_ARGS__ }
#define BAD(arg, bits) .bad_arg = (arg) + 1, .bad_bits = (bits)
#define BAD_FLAGS(arg, good) BAD(arg, 0xffffffff & ~(good))
#define BAD_ZERO(arg) .bad_arg = (arg) + 1, .bad_zero = 1
#define WHEN(name, arg, bits) .when_name = (name), .when_arg = (arg) + 1, .when_bits = (bits)
#define WHEN_NUMBER(name, arg, bits) WHEN(name, arg, bits), .when_number = 1
#define NEGATIVE 0x80000000 /* of an int */
#define SPECIAL(s) .special = LAF_SPECIAL_##s
#define FLAG(flag) .flags = LAF_SHAPE_##flag
#define ABI(abi) .abis = (abi)
#define EMPTY(flag) .empty_flag = (flag)

static const struct call_row rows[] = {
	/* files are opened */
	ROW("open", "no", "", KIND(OPEN), BAD(1, BAD_OPEN)),
	ROW("openat", "dno", "", KIND(OPEN), BAD(2, BAD_OPEN)),
	ROW("openat2", "dno", "", KIND(OPENAT2), SPECIAL(OPENAT2), EARLY(EINVAL, E2BIG, EFAULT)),
	ROW("creat", "n", "wd", KIND(OPEN)),
	ROW("open_tree", "dne", "", KIND(OPEN), EARLY(EINVAL, EPERM)),
	ROW("open_tree_attr", "dne", "", KIND(OPEN), EARLY(EINVAL, EPERM)),
	ROW("open_by_handle_at", "--", "", KIND(OPEN)),
	ROW("mq_open", "n", "", EARLY(EFAULT), .flags = LAF_SHAPE_QUEUE | LAF_SHAPE_MAKES),
	/* programs start, tasks begin and end */
	ROW("execve", "n", "x", KIND(EXEC), FLAG(RESERVE)),
	ROW("execveat", "dn--e", "x", KIND(EXEC), FLAG(RESERVE)),
	ROW("fork", "", "", KIND(FORK)),
	ROW("vfork", "", "", KIND(FORK)),
	ROW("clone", "", "", KIND(FORK)),
	ROW("clone3", "", "", KIND(FORK)),
	ROW("exit", "", "", KIND(EXIT)),
	ROW("exit_group", "", "", KIND(EXIT)),
	ROW("rt_sigreturn", "", "", KIND(SIGRETURN)),
	ROW("sigreturn", "", "", KIND(SIGRETURN)),
	ROW("kill", "", "s"),
	ROW("tkill", "", "s"),
	ROW("tgkill", "", "s"),
	ROW("uselib", "n", ""),
	/* who a task is */
	ROW("setuid", "", "", FLAG(RESERVE)),
	ROW("setuid32", "", "", FLAG(RESERVE)),
	ROW("setgid", "", "", FLAG(RESERVE)),
	ROW("setgid32", "", "", FLAG(RESERVE)),
	ROW("setreuid", "", "", FLAG(RESERVE)),
	ROW("setreuid32", "", "", FLAG(RESERVE)),
	ROW("setregid", "", "", FLAG(RESERVE)),
	ROW("setregid32", "", "", FLAG(RESERVE)),
	ROW("setresuid", "", "", FLAG(RESERVE)),
	ROW("setresuid32", "", "", FLAG(RESERVE)),
	ROW("setresgid", "", "", FLAG(RESERVE)),
	ROW("setresgid32", "", "", FLAG(RESERVE)),
	ROW("setfsuid", "", "", FLAG(RESERVE)),
	ROW("setfsuid32", "", "", FLAG(RESERVE)),
	ROW("setfsgid", "", "", FLAG(RESERVE)),
	ROW("setfsgid32", "", "", FLAG(RESERVE)),
	ROW("setgroups", "", "", FLAG(RESERVE)),
	ROW("setgroups32", "", "", FLAG(RESERVE)),
	ROW("capset", "", "", SPECIAL(CAPSET), FLAG(RESERVE)),
	/* names come, go and change */
	ROW("rename", "nN", "wd"),
	ROW("renameat", "dndN", "wd"),
	ROW("renameat2", "dndN", "wd"),
	ROW("mkdir", "n", "wd"),
	ROW("mkdirat", "dn", "wd"),
	ROW("rmdir", "n", "wd"),
	ROW("link", "nN", "wda"),
	ROW("linkat", "dndNe", "wda"),
	ROW("unlink", "n", "wd"),
	ROW("unlinkat", "dn", "wd", BAD_FLAGS(2, 0x200)), /* AT_REMOVEDIR */
	ROW("symlink", "tN", "wd"),
	ROW("symlinkat", "tdN", "wd"),
	ROW("mknod", "n", "wd"),
	ROW("mknodat", "dn", "wd"),
	ROW("mq_unlink", "n", "", FLAG(QUEUE)),
	/* contents */
	ROW("truncate", "n", "w", BAD(1, 1ull << 63), ABI(X86_64)),
	ROW("truncate", "n", "w", BAD(1, NEGATIVE), ABI(I386)),
	ROW("truncate64", "n", "w", BAD(2, NEGATIVE)), /* the high half of the length */
	ROW("ftruncate", "", "w"),
	ROW("ftruncate64", "", "w"),
	ROW("fallocate", "", "w"),
	ROW("acct", "n", "w", EARLY(EPERM)),
	ROW("swapon", "n", "w", EARLY(EPERM), BAD_FLAGS(1, 0x7ffff)), /* SWAP_FLAGS_VALID */
	ROW("swapoff", "n", "", EARLY(EPERM)),
	ROW("quotactl", "-n", "wr", FLAG(LATE)),
	ROW("mq_timedsend", "f", ""),
	ROW("mq_timedsend_time64", "f", ""),
	ROW("mq_timedreceive", "f", ""),
	ROW("mq_timedreceive_time64", "f", ""),
	/* owners, modes, times */
	ROW("chmod", "n", "a"),
	ROW("fchmod", "f", "a"),
	ROW("fchmodat", "dn", "a"),
	ROW("fchmodat2", "dn-e", "a", EARLY(EINVAL)),
	ROW("chown", "n", "a"),
	ROW("chown32", "n", "a"),
	ROW("lchown", "n", "a"),
	ROW("lchown32", "n", "a"),
	ROW("fchown", "f", "a"),
	ROW("fchown32", "f", "a"),
	ROW("fchownat", "dn--e", "a", EARLY(EINVAL)),
	ROW("utime", "n", "", EARLY(EFAULT)),
	ROW("utimes", "n", "", EARLY(EINVAL, EFAULT)),
	ROW("futimesat", "dn", "", EARLY(EINVAL, EFAULT)),
	ROW("utimensat", "dn-e", "", EARLY(EFAULT), BAD_FLAGS(3, 0x1100)),
	ROW("utimensat_time64", "dn-e", "", EARLY(EFAULT), BAD_FLAGS(3, 0x1100)),
	ROW("file_getattr", "dn--e", ""),
	ROW("file_setattr", "dn--e", ""),
	/* extended attributes */
	ROW("setxattr", "n", "a", EARLY(E2BIG, ERANGE, EFAULT), BAD_FLAGS(4, 3)),
	ROW("lsetxattr", "n", "a", EARLY(E2BIG, ERANGE, EFAULT), BAD_FLAGS(4, 3)),
	ROW("fsetxattr", "f", "a", EARLY(E2BIG, ERANGE, EFAULT), BAD_FLAGS(4, 3)),
	ROW("setxattrat", "dne", "a", EARLY(E2BIG, ERANGE, EFAULT), BAD_FLAGS(2, 0x1100)),
	ROW("getxattr", "n", "r", BAD_ZERO(1)),
	ROW("lgetxattr", "n", "r", BAD_ZERO(1)),
	ROW("fgetxattr", "f", "r", BAD_ZERO(1)),
	ROW("getxattrat", "dne", "r", BAD_ZERO(3)),
	ROW("listxattr", "n", "r"),
	ROW("llistxattr", "n", "r"),
	ROW("flistxattr", "f", "r"),
	ROW("listxattrat", "dne", "r", BAD_FLAGS(2, 0x1100)),
	ROW("removexattr", "n", "a", EARLY(ERANGE, EFAULT)),
	ROW("lremovexattr", "n", "a", EARLY(ERANGE, EFAULT)),
	ROW("fremovexattr", "f", "a", EARLY(ERANGE, EFAULT)),
	ROW("removexattrat", "dne", "a", EARLY(ERANGE, EFAULT), BAD_FLAGS(2, 0x1100)),
	/* looking */
	ROW("access", "n", "", EARLY(EINVAL)),
	ROW("faccessat", "dn", "", EARLY(EINVAL)),
	ROW("faccessat2", "dn-e", "", EARLY(EINVAL)),
	ROW("stat", "n", ""),
	ROW("lstat", "n", ""),
	ROW("stat64", "n", ""),
	ROW("lstat64", "n", ""),
	ROW("oldstat", "n", ""),
	ROW("oldlstat", "n", ""),
	ROW("newfstatat", "dn", ""), /* an empty name goes by the descriptor alone */
	ROW("fstatat64", "dn", ""),
	ROW("statx", "dn", ""),
	ROW("statfs", "n", ""),
	ROW("statfs64", "n", ""),
	ROW("readlink", "n", "r", BAD(2, NEGATIVE), .bad_zero = 1),
	ROW("readlinkat", "dn", "r", EMPTY(EMPTY_ALWAYS), BAD(3, NEGATIVE), .bad_zero = 1),
	ROW("name_to_handle_at", "dn--e", "", BAD_FLAGS(4, 0x1603)),
	ROW("inotify_add_watch", "-n", "", EARLY(EINVAL, EBADF)),
	ROW("fanotify_mark", "---dn", "", EARLY(EPERM, EINVAL, EBADF), ABI(X86_64)),
	ROW("fanotify_mark", "----dn", "", EARLY(EPERM, EINVAL, EBADF), ABI(I386)),
	/* where a task is, and what is mounted there */
	ROW("chdir", "n", "", KIND(CHDIR)),
	ROW("chroot", "n", ""),
	ROW("pivot_root", "nn", "", EARLY(EPERM), BAD_ZERO(0)),
	ROW("mount", "nN", "", EARLY(EFAULT), WHEN(1, 3, 0x3000)), /* MS_BIND, MS_MOVE */
	ROW("umount", "n", "", FLAG(NO_CAPS)),
	ROW("umount2", "n", "", BAD_FLAGS(1, 0xf), FLAG(NO_CAPS)),
	ROW("move_mount", "dndN", "", EARLY(EPERM)), /* an empty name goes by the descriptor alone */
	ROW("fspick", "dne", "", EARLY(EPERM), EMPTY(EMPTY_PICK), BAD_FLAGS(2, 0xf)),
	ROW("fsconfig", "---nd", "", WHEN_NUMBER(0, 1, 1 << 3 | 1 << 4)), /* FSCONFIG_SET_PATH, …_EMPTY */
	ROW("sysfs", "-n", "", WHEN_NUMBER(0, 0, 1 << 1)),
	ROW("mount_setattr", "dne", "", EARLY(EINVAL, EPERM, E2BIG)),
	/* calls with a record of their own */
	ROW("pipe", "", "", SPECIAL(PIPE)),
	ROW("pipe2", "", "", SPECIAL(PIPE)),
	ROW("socketpair", "", "", SPECIAL(SOCKETPAIR)),
	ROW("mmap", "", "", SPECIAL(MMAP), ABI(X86_64)),
	ROW("mmap", "", "", SPECIAL(OLD_MMAP), ABI(I386)),
	ROW("mmap2", "", "", SPECIAL(MMAP)),
	ROW("socketcall", "", "", SPECIAL(SOCKETCALL)),
	/* addresses */
	ROW("bind", "-s", "w", EARLY(EBADF, ENOTSOCK)),
	ROW("connect", "-s", "", EARLY(EBADF)),
	ROW("sendto", "----s", "", EARLY(EBADF, ENOTSOCK)),
	ROW("sendmsg", "-m", "", EARLY(EBADF, ENOTSOCK)),
	ROW("sendmmsg", "-m", "", EARLY(EBADF, ENOTSOCK)),
	ROW("accept", "-S", ""),
	ROW("accept4", "-S", ""),
	ROW("getsockname", "-S", ""),
	ROW("getpeername", "-S", ""),
	ROW("recvfrom", "----S", ""),
	ROW("recvmsg", "-M", ""),
	ROW("recvmmsg", "-M", ""),
	ROW("recvmmsg_time64", "-M", ""),
};

#define N_ROWS (sizeof(rows) / sizeof(*rows))

/* How the rows above were on kernels before one; of several that hold, the last. Measured on 6.1, 6.12, 6.16 and 6.17: where two
 * of these differ the change lies somewhere between. */
static const struct {
	__u32 before;
	struct call_row row;
} older_rows[] = {
	/* names are taken in their order, the second only if the first leads somewhere */
	{ LAF_KERNEL(6, 17), ROW("move_mount", "dndn", "", EARLY(EPERM)) },
	{ LAF_KERNEL(6, 13), ROW("move_mount", "dndne", "", EARLY(EPERM), EMPTY(EMPTY_FROM)) },
	/* the descriptor's file is told before the attribute's name is read */
	{ LAF_KERNEL(6, 13), ROW("fsetxattr", "f", "") },
	{ LAF_KERNEL(6, 13), ROW("fgetxattr", "f", "") },
	{ LAF_KERNEL(6, 13), ROW("fremovexattr", "f", "") },
	{ LAF_KERNEL(6, 13), ROW("getxattr", "n", "") },
	{ LAF_KERNEL(6, 13), ROW("lgetxattr", "n", "") },
	{ LAF_KERNEL(6, 12), ROW("setxattr", "n", "") },
	{ LAF_KERNEL(6, 12), ROW("lsetxattr", "n", "") },
	{ LAF_KERNEL(6, 12), ROW("removexattr", "n", "") },
	{ LAF_KERNEL(6, 12), ROW("lremovexattr", "n", "") },
	/* an empty name is a name, though the file is the descriptor's */
	{ LAF_KERNEL(6, 11), ROW("newfstatat", "dn-e", "") },
	{ LAF_KERNEL(6, 11), ROW("fstatat64", "dn-e", "") },
	{ LAF_KERNEL(6, 11), ROW("statx", "dne", "") },
};

#define N_OLDER_ROWS (sizeof(older_rows) / sizeof(*older_rows))

/* Calls that libaudit 3.0.9 does not know; both ABIs share the numbers from 403 on. */
static const struct {
	const char *name;
	int nr;
} late_calls[] = {
	{ "fchmodat2", 452 },      /* 6.6 */
	{ "setxattrat", 463 },     /* 6.13 */
	{ "getxattrat", 464 },     /* 6.13 */
	{ "listxattrat", 465 },    /* 6.13 */
	{ "removexattrat", 466 },  /* 6.13 */
	{ "open_tree_attr", 467 }, /* 6.15 */
	{ "file_getattr", 468 },   /* 6.17 */
	{ "file_setattr", 469 },   /* 6.17 */
};

static const struct laf_call_shape no_shape = {
	.name = { LAF_ARG_NONE, LAF_ARG_NONE },
	.dfd = { LAF_ARG_NONE, LAF_ARG_NONE },
	.fd = LAF_ARG_NONE,
	.saddr = LAF_ARG_NONE,
	.flags_arg = LAF_ARG_NONE,
	.open_flags = LAF_ARG_NONE,
	.text_arg = LAF_ARG_NONE,
	.bad_arg = LAF_ARG_NONE,
	.when_arg = LAF_ARG_NONE,
};

/* Calls that wait for nothing: when they end it is no later, to a tick, than when they began. */
static const char *const prompt_calls[] = {
	"adjtimex", "alarm", "arch_prctl", "capget", "capset", "clock_adjtime", "clock_adjtime64", "clock_getres", "clock_gettime",
	"clock_gettime64", "clock_settime", "clock_settime64", "getcpu", "getegid", "getegid32", "geteuid", "geteuid32", "getgid",
	"getgid32", "getgroups", "getgroups32", "getitimer", "getpgid", "getpgrp", "getpid", "getppid", "getpriority", "getresgid",
	"getresgid32", "getresuid", "getresuid32", "getrlimit", "getrusage", "getsid", "gettid", "gettimeofday", "getuid", "getuid32",
	"ioperm", "iopl", "kill", "oldolduname", "olduname", "personality", "prlimit64", "rt_sigaction", "rt_sigpending",
	"rt_sigprocmask", "setdomainname", "setfsgid", "setfsgid32", "setfsuid", "setfsuid32", "setgid", "setgid32", "setgroups",
	"setgroups32", "sethostname", "setitimer", "setpgid", "setpriority", "setregid", "setregid32", "setresgid", "setresgid32",
	"setresuid", "setresuid32", "setreuid", "setreuid32", "setrlimit", "setsid", "settimeofday", "setuid", "setuid32", "sigaction",
	"sigaltstack", "signal", "sigpending", "sigprocmask", "stime", "sysinfo", "tgkill", "time", "times", "tkill", "umask", "uname",
};

/* The number of the row's call in an ABI, or -1. */
static int row_number(const struct call_row *row, unsigned abi)
{
	int nr;

	if (row->abis && !(row->abis & (1u << abi)))
		return -1;
	nr = audit_name_to_syscall(row->name, abi ? MACH_X86 : MACH_86_64);
	for (size_t i = 0; nr < 0 && i < sizeof(late_calls) / sizeof(*late_calls); i++)
		if (!strcmp(row->name, late_calls[i].name))
			nr = late_calls[i].nr;
	return nr;
}

static void swap_names(struct laf_call_shape *shape)
{
	__u8 name = shape->name[0], dfd = shape->dfd[0];

	shape->name[0] = shape->name[1];
	shape->dfd[0] = shape->dfd[1];
	shape->name[1] = name;
	shape->dfd[1] = dfd;
}

static void shape_address(struct laf_call_shape *shape, char letter, __u8 arg)
{
	shape->saddr = arg;
	switch (letter) {
	case 's': shape->saddr_kind = LAF_SADDR_IN; break;
	case 'S': shape->saddr_kind = LAF_SADDR_OUT; break;
	case 'm': shape->saddr_kind = LAF_SADDR_IN_MSG; break;
	case 'M': shape->saddr_kind = LAF_SADDR_OUT_MSG; break;
	}
}

static struct laf_call_shape row_start(const struct call_row *row)
{
	struct laf_call_shape shape = no_shape;

	shape.kind = row->kind;
	shape.special = row->special;
	shape.flags = row->flags | (strchr(row->classes, 'd') ? LAF_SHAPE_PARENT : 0);
	memcpy(shape.early, row->early, sizeof(shape.early));
	shape.empty_flag = row->empty_flag;
	if (row->bad_arg)
		shape.bad_arg = row->bad_arg - 1;
	shape.bad_bits = row->bad_bits;
	shape.bad_zero = row->bad_zero;
	if (row->when_arg)
		shape.when_arg = row->when_arg - 1;
	shape.when_bits = row->when_bits;
	shape.when_name = row->when_name;
	shape.when_number = row->when_number;
	return shape;
}

/* Most calls have none of what makes some of them dear. */
static bool has_more(const struct call_row *row, const struct laf_call_shape *shape)
{
	return shape->special || shape->saddr_kind || shape->fd != LAF_ARG_NONE || row->kind == LAF_KIND_EXEC ||
	       row->kind == LAF_KIND_EXIT || row->kind == LAF_KIND_CHDIR || strlen(row->args) > 4 || row->bad_arg > 4 ||
	       row->when_arg > 4;
}

static struct laf_call_shape row_shape(const struct call_row *row)
{
	struct laf_call_shape shape = row_start(row);
	__u8 dfd = LAF_ARG_NONE;
	unsigned n = 0;

	for (__u8 arg = 0; row->args[arg]; arg++) {
		switch (row->args[arg]) {
		case 'd':
			dfd = arg;
			break;
		case 't':
			shape.text_arg = arg;
			shape.name[n++] = arg;
			break;
		case 'n': case 'N':
			shape.dfd[n] = dfd;
			shape.name[n++] = arg;
			dfd = LAF_ARG_NONE;
			if (row->args[arg] == 'N')
				swap_names(&shape);
			break;
		case 'f':
			shape.fd = arg;
			break;
		case 'o':
			shape.open_flags = arg;
			break;
		case 'e':
			shape.flags_arg = arg;
			if (!shape.empty_flag)
				shape.empty_flag = EMPTY_PATH;
			break;
		case 's': case 'S': case 'm': case 'M':
			shape_address(&shape, row->args[arg], arg);
			break;
		}
	}
	if (has_more(row, &shape))
		shape.flags |= LAF_SHAPE_MORE;
	return shape;
}

static void put_row(const struct call_row *row, struct laf_call_shape *shapes)
{
	for (unsigned abi = 0; abi < LAF_ABIS; abi++) {
		int nr = row_number(row, abi);

		if (nr >= 0 && (unsigned)nr < LAF_SHAPES)
			shapes[abi * LAF_SHAPES + nr] = row_shape(row);
	}
}

static void mark_prompt(const char *name, struct laf_call_shape *shapes)
{
	const struct call_row row = { .name = name };

	for (unsigned abi = 0; abi < LAF_ABIS; abi++) {
		int nr = row_number(&row, abi);

		if (nr >= 0 && (unsigned)nr < LAF_SHAPES)
			shapes[abi * LAF_SHAPES + nr].flags |= LAF_SHAPE_PROMPT;
	}
}

void laf_calls_shapes_of(uint32_t kernel, struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES])
{
	for (size_t i = 0; i < LAF_ABIS * LAF_SHAPES; i++)
		shapes[i] = no_shape;
	for (size_t i = 0; i < N_ROWS; i++)
		put_row(&rows[i], shapes);
	for (size_t i = 0; i < N_OLDER_ROWS; i++)
		if (kernel < older_rows[i].before)
			put_row(&older_rows[i].row, shapes);
	for (size_t i = 0; i < sizeof(prompt_calls) / sizeof(*prompt_calls); i++)
		mark_prompt(prompt_calls[i], shapes);
}

void laf_calls_shapes(struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES])
{
	laf_calls_shapes_of(UINT32_MAX, shapes);
}

static uint8_t class_bits(const char *letters)
{
	uint8_t bits = 0;

	for (; *letters; letters++) {
		switch (*letters) {
		case 'x': bits |= LAF_CLASS_EXEC; break;
		case 'w': bits |= LAF_CLASS_WRITE; break;
		case 'r': bits |= LAF_CLASS_READ; break;
		case 'a': bits |= LAF_CLASS_ATTR; break;
		case 'd': bits |= LAF_CLASS_DIR_WRITE; break;
		case 's': bits |= LAF_CLASS_SIGNAL; break;
		}
	}
	return bits;
}

void laf_calls_classes(uint8_t classes[LAF_ABIS * LAF_SHAPES])
{
	memset(classes, 0, LAF_ABIS * LAF_SHAPES);
	for (size_t i = 0; i < N_ROWS; i++) {
		for (unsigned abi = 0; abi < LAF_ABIS; abi++) {
			int nr = row_number(&rows[i], abi);

			if (nr >= 0 && (unsigned)nr < LAF_SHAPES)
				classes[abi * LAF_SHAPES + nr] = class_bits(rows[i].classes);
		}
	}
}

bool laf_shape_has_names(const struct laf_call_shape *shape)
{
	return shape->name[0] != LAF_ARG_NONE || shape->fd != LAF_ARG_NONE || shape->kind == LAF_KIND_OPEN ||
	       shape->saddr_kind == LAF_SADDR_IN || shape->saddr_kind == LAF_SADDR_IN_MSG ||
	       shape->special == LAF_SPECIAL_SOCKETCALL;
}

bool laf_shape_is_open(const struct laf_call_shape *shape)
{
	return shape->open_flags != LAF_ARG_NONE;
}
