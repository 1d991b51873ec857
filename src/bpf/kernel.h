/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's types, only the members that are read; CO-RE finds where they are on the running kernel.
 * Differences between kernels stand here and nowhere else. */
#ifndef LAF_KERNEL_H
#define LAF_KERNEL_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;
#define true 1
#define false 0
#define NULL ((void *)0)

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PROG_ARRAY = 3,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};
enum {
	BPF_F_NO_PREALLOC = 1u << 0,
	BPF_F_MMAPABLE = 1u << 10,
	BPF_F_INNER_MAP = 1u << 12,
};
enum { BPF_NOEXIST = 1 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };
enum { BPF_RB_NO_WAKEUP = 1, BPF_RB_FORCE_WAKEUP = 2, BPF_RB_AVAIL_DATA = 0, BPF_RB_RING_SIZE = 1 };

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pt_regs {
	unsigned long r10, r9, r8, ax, cx, dx, si, di, orig_ax, bp, bx;
};

typedef struct { u32 val; } kuid_t;
typedef struct { u32 val; } kgid_t;

typedef struct { u64 val; } kernel_cap_t; /* two u32 before 6.3, one u64 since: the same bytes */

struct group_info {
	int ngroups;
	kgid_t gid[0];
};

struct uid_gid_extent {
	u32 first, lower_first;
};

struct uid_gid_map {
	u32 nr_extents;
	struct uid_gid_extent extent[5];
};

struct user_namespace {
	struct uid_gid_map uid_map;
	struct user_namespace *parent;
};

struct aa_policy {
	const char *hname;
};

struct aa_ns {
	struct aa_policy base;
	struct aa_ns *parent;
};

struct aa_profile {
	struct aa_policy base;
	struct aa_ns *ns;
};

struct aa_label {
	char *hname;
	int size;
	struct aa_profile *vec[];
};

struct cpu_vfs_cap_data {
	u32 magic_etc;
	kernel_cap_t permitted, inheritable;
	kuid_t rootid;
};

struct cred {
	kuid_t uid, suid, euid, fsuid;
	kgid_t gid, sgid, egid, fsgid;
	struct group_info *group_info;
	kernel_cap_t cap_inheritable, cap_permitted, cap_effective, cap_ambient;
	u32 securebits;
	void *security;
	struct user_namespace *user_ns;
};

struct super_block {
	u32 s_dev;
	unsigned long s_magic;
};

struct inode {
	u16 i_mode;
	kuid_t i_uid;
	kgid_t i_gid;
	struct super_block *i_sb;
	unsigned long i_ino;
	u32 i_rdev;
	u32 i_generation;
};

struct qstr {
	u32 hash;
	u32 len;
	const unsigned char *name;
};

struct hlist_bl_node {
	struct hlist_bl_node *next, **pprev;
};

struct dentry_operations {
	void *d_dname;
};

struct counter {
	u32 opaque; /* seqcount_spinlock_t, and seqlock_t for fs_struct since 6.18: both begin with the number, see SEQUENCE() */
};
#define SEQUENCE(object, type, member) (*(u32 *)INSIDE(object, bpf_core_field_offset(struct type, member)))

/* The place `offset` bytes inside an object; told in one, the compiler makes of it an access that libbpf does not know. */
#define INSIDE(object, offset) ({ u64 inside = (offset); asm volatile("" : "+r"(inside)); (void *)(object) + inside; })

struct seqcount {
	u32 sequence;
};

struct dentry {
	struct counter d_seq;
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
	const struct dentry_operations *d_op;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
	struct mnt_namespace *mnt_ns;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct filename {
	const char *name;  /* the kernel's copy */
	const char *uptr;  /* where it was copied from; NULL: a name of the kernel's own */
};

struct nameidata {
	struct path path;
	struct filename *name;
	u32 flags; /* LOOKUP_… */
};

struct open_flags {
	int open_flag;
};

struct renamedata {
	struct inode *old_dir, *new_dir;          /* before 6.17 */
	struct dentry *old_parent, *new_parent;   /* since */
	struct dentry *old_dentry, *new_dentry;
	u32 flags;
};

struct fs_struct {
	struct counter seq;
	struct path root, pwd;
};

struct mnt_namespace {
	u64 event;
};

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct file {
	u32 f_mode;
	struct path f_path;
	struct inode *f_inode;
};

struct fdtable {
	u32 max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct tty_struct {
	char name[64];
};

struct signal_struct {
	struct tty_struct *tty;
};

struct mm_struct {
	unsigned long arg_start, arg_end, env_start, env_end;
	unsigned long saved_auxv[2];
	struct file *exe_file;
};

struct vm_area_struct {
	struct file *vm_file;
};

struct linux_binprm {
	const char *filename, *interp, *fdpath;
	int argc;
};

struct thread_info {
	u32 status;
};

struct sched_entity {
	u64 nr_migrations;
};

struct task_struct {
	struct thread_info thread_info;
	struct sched_entity se;
	u32 personality;
	int pid, tgid;
	struct task_struct *real_parent;
	const struct cred *cred;
	char comm[16];
	struct fs_struct *fs;
	struct files_struct *files;
	struct signal_struct *signal;
	struct mm_struct *mm;
	kuid_t loginuid;
	u32 sessionid;
	u64 self_exec_id;
	struct nsproxy *nsproxy;
	struct nameidata *nameidata;
};

typedef struct { u64 v; } u64_stats_t;

struct bpf_prog_stats {
	u64_stats_t misses;
};

struct bpf_prog_aux {
	u32 id;
};

struct bpf_prog {
	struct bpf_prog_stats *stats; /* per processor */
	struct bpf_prog_aux *aux;
};

struct bpf_array {
	void *pptrs[0];
};

struct bpf_iter__bpf_prog {
	struct bpf_prog *prog;
};

#pragma clang attribute pop

/* arch/x86/include/asm/thread_info.h: the call came through a 32-bit entry */
#define TS_COMPAT 0x0002

/* include/linux/namei.h: the last part may be made. The second bit since the flags were put in order (6.18 has it), the first before. */
#define LOOKUP_CREATE (0x0200 | 0x20000)

/* include/linux/fs.h: the file was made by this open (since 4.19) */
#define FMODE_CREATED 0x100000
#define FMODE_PATH 0x4000

#define AUDIT_ARCH_X86_64 0xc000003eu
#define AUDIT_ARCH_I386   0x40000003u

#define AT_FDCWD (-100)
#define PATH_MAX 4096u
#define PAGE_SIZE 4096u
#define MAP_ANONYMOUS 0x20u
#define O_ACCMODE 3u
#define O_CREAT 0100u
#define O_EXCL 0200u
#define O_PATH 010000000u
#define O_TMPFILE_BIT 020000000u

#define ENOENT 2
#define EINTR 4
#define ECHILD 10
#define ESTALE 116
#define EBADF 9
#define EFAULT 14
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EROFS 30
#define E2BIG 7
#define ENAMETOOLONG 36
#define ENOSYS 38
#define ELOOP 40
#define ENOTSOCK 88
#define ERESTARTSYS 512
#define ENOIOCTLCMD 515
#define ERESTART_RESTARTBLOCK 516
#define MAX_ERRNO 4095u

#define AF_UNIX 1

#define RENAME_EXCHANGE 2u

#define S_IFMT 0170000u

#endif
