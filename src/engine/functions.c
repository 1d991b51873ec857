// SPDX-License-Identifier: GPL-2.0-or-later
/* Which function carries out a call: by its name, or by this table where the name says otherwise. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <libaudit.h>

#include "functions.h"

/* Entries of arch/x86/entry/syscalls/syscall_{64,32}.tbl whose entry point is not named as libaudit names the call. */
static const struct {
	uint8_t abi;
	uint16_t nr;
	const char *function;
} irregular[] = {
	{ 0, 4, "__x64_sys_newstat" },
	{ 0, 5, "__x64_sys_newfstat" },
	{ 0, 6, "__x64_sys_newlstat" },
	{ 0, 17, "__x64_sys_pread64" },
	{ 0, 18, "__x64_sys_pwrite64" },
	{ 0, 40, "__x64_sys_sendfile64" },
	{ 0, 63, "__x64_sys_newuname" },
	{ 0, 166, "__x64_sys_umount" },
	{ 1, 13, "__ia32_sys_time32" },
	{ 1, 16, "__ia32_sys_lchown16" },
	{ 1, 18, "__ia32_sys_stat" },
	{ 1, 22, "__ia32_sys_oldumount" },
	{ 1, 23, "__ia32_sys_setuid16" },
	{ 1, 24, "__ia32_sys_getuid16" },
	{ 1, 25, "__ia32_sys_stime32" },
	{ 1, 28, "__ia32_sys_fstat" },
	{ 1, 30, "__ia32_sys_utime32" },
	{ 1, 46, "__ia32_sys_setgid16" },
	{ 1, 47, "__ia32_sys_getgid16" },
	{ 1, 49, "__ia32_sys_geteuid16" },
	{ 1, 50, "__ia32_sys_getegid16" },
	{ 1, 52, "__ia32_sys_umount" },
	{ 1, 55, "__ia32_compat_sys_fcntl64" },
	{ 1, 59, "__ia32_sys_olduname" },
	{ 1, 70, "__ia32_sys_setreuid16" },
	{ 1, 71, "__ia32_sys_setregid16" },
	{ 1, 76, "__ia32_compat_sys_old_getrlimit" },
	{ 1, 80, "__ia32_sys_getgroups16" },
	{ 1, 81, "__ia32_sys_setgroups16" },
	{ 1, 82, "__ia32_compat_sys_old_select" },
	{ 1, 84, "__ia32_sys_lstat" },
	{ 1, 89, "__ia32_compat_sys_old_readdir" },
	{ 1, 90, "__ia32_compat_sys_ia32_mmap" },
	{ 1, 95, "__ia32_sys_fchown16" },
	{ 1, 106, "__ia32_compat_sys_newstat" },
	{ 1, 107, "__ia32_compat_sys_newlstat" },
	{ 1, 108, "__ia32_compat_sys_newfstat" },
	{ 1, 109, "__ia32_sys_uname" },
	{ 1, 119, "__do_compat_sys_sigreturn" },
	{ 1, 120, "__ia32_compat_sys_ia32_clone" },
	{ 1, 122, "__ia32_sys_newuname" },
	{ 1, 124, "__ia32_sys_adjtimex_time32" },
	{ 1, 138, "__ia32_sys_setfsuid16" },
	{ 1, 139, "__ia32_sys_setfsgid16" },
	{ 1, 140, "__ia32_sys_llseek" },
	{ 1, 142, "__ia32_compat_sys_select" },
	{ 1, 161, "__ia32_sys_sched_rr_get_interval_time32" },
	{ 1, 162, "__ia32_sys_nanosleep_time32" },
	{ 1, 164, "__ia32_sys_setresuid16" },
	{ 1, 165, "__ia32_sys_getresuid16" },
	{ 1, 170, "__ia32_sys_setresgid16" },
	{ 1, 171, "__ia32_sys_getresgid16" },
	{ 1, 173, "__do_compat_sys_rt_sigreturn" },
	{ 1, 177, "__ia32_compat_sys_rt_sigtimedwait_time32" },
	{ 1, 180, "__ia32_sys_ia32_pread64" },
	{ 1, 181, "__ia32_sys_ia32_pwrite64" },
	{ 1, 182, "__ia32_sys_chown16" },
	{ 1, 191, "__ia32_compat_sys_getrlimit" },
	{ 1, 192, "__ia32_sys_mmap_pgoff" },
	{ 1, 193, "__ia32_sys_ia32_truncate64" },
	{ 1, 194, "__ia32_sys_ia32_ftruncate64" },
	{ 1, 195, "__ia32_compat_sys_ia32_stat64" },
	{ 1, 196, "__ia32_compat_sys_ia32_lstat64" },
	{ 1, 197, "__ia32_compat_sys_ia32_fstat64" },
	{ 1, 198, "__ia32_sys_lchown" },
	{ 1, 199, "__do_sys_getuid" },
	{ 1, 200, "__do_sys_getgid" },
	{ 1, 201, "__do_sys_geteuid" },
	{ 1, 202, "__do_sys_getegid" },
	{ 1, 203, "__ia32_sys_setreuid" },
	{ 1, 204, "__ia32_sys_setregid" },
	{ 1, 205, "__ia32_sys_getgroups" },
	{ 1, 206, "__ia32_sys_setgroups" },
	{ 1, 207, "__ia32_sys_fchown" },
	{ 1, 208, "__ia32_sys_setresuid" },
	{ 1, 209, "__ia32_sys_getresuid" },
	{ 1, 210, "__ia32_sys_setresgid" },
	{ 1, 211, "__ia32_sys_getresgid" },
	{ 1, 212, "__ia32_sys_chown" },
	{ 1, 213, "__ia32_sys_setuid" },
	{ 1, 214, "__ia32_sys_setgid" },
	{ 1, 215, "__ia32_sys_setfsuid" },
	{ 1, 216, "__ia32_sys_setfsgid" },
	{ 1, 225, "__ia32_sys_ia32_readahead" },
	{ 1, 239, "__ia32_sys_sendfile64" },
	{ 1, 240, "__ia32_sys_futex_time32" },
	{ 1, 247, "__ia32_sys_io_getevents_time32" },
	{ 1, 250, "__ia32_sys_ia32_fadvise64" },
	{ 1, 260, "__ia32_sys_timer_settime32" },
	{ 1, 261, "__ia32_sys_timer_gettime32" },
	{ 1, 264, "__ia32_sys_clock_settime32" },
	{ 1, 265, "__ia32_sys_clock_gettime32" },
	{ 1, 266, "__ia32_sys_clock_getres_time32" },
	{ 1, 267, "__ia32_sys_clock_nanosleep_time32" },
	{ 1, 271, "__ia32_sys_utimes_time32" },
	{ 1, 272, "__ia32_sys_ia32_fadvise64_64" },
	{ 1, 279, "__ia32_sys_mq_timedsend_time32" },
	{ 1, 280, "__ia32_sys_mq_timedreceive_time32" },
	{ 1, 283, "__ia32_compat_sys_kexec_load" },
	{ 1, 299, "__ia32_sys_futimesat_time32" },
	{ 1, 300, "__ia32_compat_sys_ia32_fstatat64" },
	{ 1, 308, "__ia32_compat_sys_pselect6_time32" },
	{ 1, 309, "__ia32_compat_sys_ppoll_time32" },
	{ 1, 314, "__ia32_sys_ia32_sync_file_range" },
	{ 1, 319, "__ia32_sys_epoll_pwait" },
	{ 1, 320, "__ia32_sys_utimensat_time32" },
	{ 1, 324, "__ia32_sys_ia32_fallocate" },
	{ 1, 325, "__ia32_sys_timerfd_settime32" },
	{ 1, 326, "__ia32_sys_timerfd_gettime32" },
	{ 1, 337, "__ia32_compat_sys_recvmmsg_time32" },
	{ 1, 343, "__ia32_sys_clock_adjtime32" },
	{ 1, 347, "__ia32_sys_process_vm_readv" },
	{ 1, 348, "__ia32_sys_process_vm_writev" },
	{ 1, 365, "__ia32_sys_getsockopt" },
	{ 1, 366, "__ia32_sys_setsockopt" },
	{ 1, 403, "__ia32_sys_clock_gettime" },
	{ 1, 404, "__ia32_sys_clock_settime" },
	{ 1, 405, "__ia32_sys_clock_adjtime" },
	{ 1, 406, "__ia32_sys_clock_getres" },
	{ 1, 407, "__ia32_sys_clock_nanosleep" },
	{ 1, 408, "__ia32_sys_timer_gettime" },
	{ 1, 409, "__ia32_sys_timer_settime" },
	{ 1, 410, "__ia32_sys_timerfd_gettime" },
	{ 1, 411, "__ia32_sys_timerfd_settime" },
	{ 1, 412, "__ia32_sys_utimensat" },
	{ 1, 418, "__ia32_sys_mq_timedsend" },
	{ 1, 419, "__ia32_sys_mq_timedreceive" },
	{ 1, 420, "__ia32_sys_semtimedop" },
	{ 1, 422, "__ia32_sys_futex" },
	{ 1, 423, "__ia32_sys_sched_rr_get_interval" },
};

/* Calls that libaudit 3.0.9 does not know; both ABIs share these numbers and names. From 449 on. */
#define LATE_FIRST 449
static const char *const late[] = {
	"futex_waitv", "set_mempolicy_home_node", "cachestat", "fchmodat2", "map_shadow_stack", "futex_wake", "futex_wait",
	"futex_requeue", "statmount", "listmount", "lsm_get_self_attr", "lsm_set_self_attr", "lsm_list_modules", "mseal",
	"setxattrat", "getxattrat", "listxattrat", "removexattrat", "open_tree_attr", "file_getattr", "file_setattr",
};

/* How the kernel names the rest, in the order they are tried. A call without arguments has its body alone, of which the wrappers are other
 * names; with arguments the body, where it stands by itself, is no place to hook: it has another prototype. */
static const char *const patterns[2][5] = {
	{ "__do_sys_%s", "__x64_sys_%s" },
	{ "__do_compat_sys_%s", "__do_sys_%s", "__ia32_compat_sys_%s", "__ia32_sys_%s" },
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct laf_function *)a)->name, ((const struct laf_function *)b)->name);
}

static bool is_entry(const char *name)
{
	return !strncmp(name, "__x64_sys_", 10) || !strncmp(name, "__ia32_", 7) || !strncmp(name, "__do_", 5);
}

static int add(struct laf_functions *functions, const char *name, int32_t id, uint32_t proto)
{
	struct laf_function *f;

	if (functions->n == functions->room) {
		size_t room = functions->room ? functions->room * 2 : 1024;

		f = realloc(functions->list, room * sizeof(*f));
		if (!f)
			return -ENOMEM;
		functions->list = f;
		functions->room = room;
	}
	f = &functions->list[functions->n++];
	*f = (struct laf_function){ .name = name, .btf_id = id, .proto = proto };
	return 0;
}

int laf_functions_open(struct laf_functions *functions)
{
	const struct laf_function *bare;
	const struct btf_type *type;
	uint32_t id, n;
	int r = 0;

	memset(functions, 0, sizeof(*functions));
	functions->btf = btf__load_vmlinux_btf();
	if (!functions->btf)
		return -errno;
	n = btf__type_cnt(functions->btf);
	for (id = 1; !r && id < n; id++) {
		type = btf__type_by_id(functions->btf, id);
		if (btf_is_func(type) && is_entry(btf__name_by_offset(functions->btf, type->name_off)))
			r = add(functions, btf__name_by_offset(functions->btf, type->name_off), id, type->type);
	}
	qsort(functions->list, functions->n, sizeof(*functions->list), by_name);
	bare = laf_function_named(functions, "__do_sys_getpid");
	functions->bare_proto = bare ? bare->proto : 0;
	if (r)
		laf_functions_close(functions);
	return r;
}

void laf_functions_close(struct laf_functions *functions)
{
	btf__free(functions->btf);
	free(functions->list);
	memset(functions, 0, sizeof(*functions));
}

const struct laf_function *laf_function_named(const struct laf_functions *functions, const char *name)
{
	const struct laf_function key = { .name = name };

	if (!functions->n)
		return NULL;
	return bsearch(&key, functions->list, functions->n, sizeof(key), by_name);
}

static const char *call_name(uint32_t abi, uint32_t nr)
{
	const char *call = audit_syscall_to_name(nr, abi ? MACH_X86 : MACH_86_64);

	if (!call && nr >= LATE_FIRST && nr - LATE_FIRST < sizeof(late) / sizeof(late[0]))
		return late[nr - LATE_FIRST];
	return call;
}

const struct laf_function *laf_function_find(const struct laf_functions *functions, uint32_t abi, uint32_t nr)
{
	const char *call = call_name(abi, nr);
	const struct laf_function *f;
	char name[80];
	unsigned i;

	for (i = 0; i < sizeof(irregular) / sizeof(irregular[0]); i++)
		if (irregular[i].abi == abi && irregular[i].nr == nr)
			return laf_function_named(functions, irregular[i].function);
	for (i = 0; call && patterns[abi][i]; i++) {
		snprintf(name, sizeof(name), patterns[abi][i], call);
		f = laf_function_named(functions, name);
		if (f && (strncmp(name, "__do_", 5) || f->proto == functions->bare_proto))
			return f;
	}
	return NULL;
}
