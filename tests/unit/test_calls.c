// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of calls: shapes and classes of calls picked by number. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <libaudit.h>
#include <sys/syscall.h>

#include "../../src/rules/calls.h"

static struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES];
static uint8_t classes[LAF_ABIS * LAF_SHAPES];

static int setup(void **state)
{
	laf_calls_shapes(shapes);
	laf_calls_classes(classes);
	return 0;
}

#define I386(nr) (LAF_SHAPES + (nr))
#define NONE LAF_ARG_NONE

static void names_are(unsigned at, int dfd0, int name0, int dfd1, int name1)
{
	const struct laf_call_shape *s = &shapes[at];

	assert_int_equal(s->dfd[0], dfd0);
	assert_int_equal(s->name[0], name0);
	assert_int_equal(s->dfd[1], dfd1);
	assert_int_equal(s->name[1], name1);
}

static void test_names(void **state)
{
	names_are(SYS_open, NONE, 0, NONE, NONE);
	names_are(SYS_openat, 0, 1, NONE, NONE);
	names_are(SYS_renameat2, 2, 3, 0, 1); /* the new name is taken first */
	names_are(SYS_symlinkat, 1, 2, NONE, 0);
	names_are(SYS_pivot_root, NONE, 0, NONE, 1);
	names_are(SYS_quotactl, NONE, 1, NONE, NONE);
	names_are(SYS_fsconfig, NONE, 3, NONE, NONE);
	names_are(SYS_mount, NONE, 1, NONE, 0);
	names_are(SYS_fanotify_mark, 3, 4, NONE, NONE);
	names_are(I386(339), 4, 5, NONE, NONE); /* fanotify_mark: the mask takes two arguments */
	names_are(I386(5), NONE, 0, NONE, NONE); /* open */
	names_are(I386(300), 0, 1, NONE, NONE); /* fstatat64 */
	names_are(I386(412), 0, 1, NONE, NONE); /* utimensat_time64 */
	names_are(452, 0, 1, NONE, NONE); /* fchmodat2 */
	names_are(I386(466), 0, 1, NONE, NONE); /* removexattrat */
	names_are(SYS_getpid, NONE, NONE, NONE, NONE);
}

static void test_older(void **state)
{
	laf_calls_shapes_of(LAF_KERNEL(6, 17), shapes);
	names_are(SYS_move_mount, 2, 3, 0, 1);
	laf_calls_shapes_of(LAF_KERNEL(6, 16), shapes);
	names_are(SYS_move_mount, 0, 1, 2, 3);
	assert_int_equal(shapes[SYS_move_mount].flags_arg, NONE);
	assert_int_equal(shapes[SYS_setxattr].early[0], E2BIG);
	laf_calls_shapes_of(LAF_KERNEL(6, 1), shapes);
	names_are(SYS_move_mount, 0, 1, 2, 3);
	assert_int_equal(shapes[SYS_move_mount].flags_arg, 4);
	assert_int_equal(shapes[SYS_setxattr].early[0], 0);
	assert_int_equal(shapes[SYS_newfstatat].flags_arg, 3);
	assert_int_equal(shapes[I386(300)].flags_arg, 3); /* fstatat64 */
	assert_int_equal(shapes[SYS_openat].open_flags, 2); /* as ever */
	laf_calls_shapes(shapes);
	assert_int_equal(shapes[SYS_newfstatat].flags_arg, NONE);
}

static void test_shapes(void **state)
{
	assert_int_equal(shapes[SYS_openat].kind, LAF_KIND_OPEN);
	assert_int_equal(shapes[SYS_openat].open_flags, 2);
	assert_int_equal(shapes[SYS_openat2].kind, LAF_KIND_OPENAT2);
	assert_int_equal(shapes[SYS_creat].kind, LAF_KIND_OPEN);
	assert_int_equal(shapes[SYS_creat].open_flags, NONE);
	assert_int_equal(shapes[SYS_newfstatat].flags_arg, NONE); /* "" with a descriptor gives no name */
	assert_int_equal(shapes[SYS_fchownat].flags_arg, 4);
	assert_int_equal(shapes[SYS_fchownat].empty_flag, 0x1000);
	assert_int_equal(shapes[SYS_readlinkat].empty_flag, 0xffff);
	assert_int_equal(shapes[SYS_fchmod].fd, 0);
	assert_int_equal(shapes[SYS_exit_group].kind, LAF_KIND_EXIT);
	assert_int_equal(shapes[I386(119)].kind, LAF_KIND_SIGRETURN);
	assert_int_equal(shapes[SYS_acct].early[0], EPERM);
	assert_int_equal(shapes[SYS_connect].saddr_kind, LAF_SADDR_IN);
	assert_int_equal(shapes[SYS_sendto].saddr, 4);
	assert_int_equal(shapes[SYS_recvmsg].saddr_kind, LAF_SADDR_OUT_MSG);
	assert_int_equal(shapes[SYS_getpid].kind, LAF_KIND_PLAIN);
	assert_int_equal(shapes[SYS_getpid].saddr_kind, LAF_SADDR_NONE);
	assert_int_equal(shapes[SYS_execveat].flags, LAF_SHAPE_RESERVE | LAF_SHAPE_MORE);
	assert_int_equal(shapes[SYS_setresuid].flags, LAF_SHAPE_RESERVE | LAF_SHAPE_PROMPT);
	assert_int_equal(shapes[I386(213)].flags, LAF_SHAPE_RESERVE | LAF_SHAPE_PROMPT); /* setuid32 */
	assert_int_equal(shapes[SYS_getuid].flags, LAF_SHAPE_PROMPT);
	assert_int_equal(shapes[SYS_wait4].flags, 0);
	assert_int_equal(shapes[I386(7)].flags, 0); /* waitpid */
}

/* Of a call that is looked at when it ends all is in the registers still. */
static void test_prompt(void **state)
{
	for (size_t i = 0; i < LAF_ABIS * LAF_SHAPES; i++) {
		const struct laf_call_shape *s = &shapes[i];

		if (!(s->flags & LAF_SHAPE_PROMPT))
			continue;
		assert_int_equal(s->kind, LAF_KIND_PLAIN);
		assert_int_equal(s->saddr_kind, LAF_SADDR_NONE);
		assert_int_equal(s->fd, LAF_ARG_NONE);
		assert_true(s->special == LAF_SPECIAL_NONE || s->special == LAF_SPECIAL_CAPSET);
		assert_false(laf_shape_has_names(s));
	}
}

static void test_conditions(void **state)
{
	assert_int_equal(shapes[SYS_unlinkat].bad_arg, 2);
	assert_int_equal(shapes[SYS_unlinkat].bad_bits, 0xfffffdff);
	assert_int_equal(shapes[SYS_readlink].bad_zero, 1);
	assert_int_equal(shapes[SYS_mount].when_name, 1);
	assert_int_equal(shapes[SYS_mount].when_arg, 3);
	assert_int_equal(shapes[SYS_mount].when_bits, 0x3000);
	assert_int_equal(shapes[SYS_fsconfig].when_number, 1);
	assert_int_equal(shapes[SYS_truncate].bad_bits >> 32, 0x80000000);
	assert_int_equal(shapes[I386(92)].bad_bits, 0x80000000); /* truncate */
	assert_int_equal(shapes[SYS_getpid].bad_arg, NONE);
	assert_int_equal(shapes[SYS_getpid].when_arg, NONE);
	assert_int_equal(shapes[SYS_rename].when_arg, NONE);
}

static void test_has_names(void **state)
{
	assert_true(laf_shape_has_names(&shapes[SYS_openat]));
	assert_true(laf_shape_has_names(&shapes[SYS_fchown]));
	assert_true(laf_shape_has_names(&shapes[SYS_bind]));
	assert_true(laf_shape_has_names(&shapes[SYS_open_by_handle_at])); /* by the file it returns */
	assert_false(laf_shape_has_names(&shapes[SYS_read]));
	assert_false(laf_shape_has_names(&shapes[SYS_accept4]));
	assert_false(laf_shape_has_names(&shapes[SYS_ftruncate]));
	assert_true(laf_shape_is_open(&shapes[SYS_open]));
	assert_true(laf_shape_is_open(&shapes[I386(437)]));
	assert_false(laf_shape_is_open(&shapes[SYS_creat]));
}

/* How many calls of an ABI stand in a class; the numbers are those of kernel 6.18. */
static unsigned count(unsigned abi, uint8_t class)
{
	unsigned n = 0;

	for (unsigned i = 0; i < LAF_SHAPES; i++)
		n += !!(classes[abi * LAF_SHAPES + i] & class);
	return n;
}

static void test_classes(void **state)
{
	assert_int_equal(count(0, LAF_CLASS_DIR_WRITE), 15);
	assert_int_equal(count(1, LAF_CLASS_DIR_WRITE), 15);
	assert_int_equal(count(0, LAF_CLASS_ATTR), 18);
	assert_int_equal(count(1, LAF_CLASS_ATTR), 21);
	assert_int_equal(count(0, LAF_CLASS_READ), 11);
	assert_int_equal(count(1, LAF_CLASS_READ), 11);
	assert_int_equal(count(0, LAF_CLASS_WRITE), 22);
	assert_int_equal(count(1, LAF_CLASS_WRITE), 24);
	assert_int_equal(count(0, LAF_CLASS_SIGNAL), 3);
	assert_int_equal(count(1, LAF_CLASS_SIGNAL), 3);
	assert_int_equal(count(0, LAF_CLASS_EXEC), 2);
	assert_int_equal(classes[SYS_link], LAF_CLASS_WRITE | LAF_CLASS_DIR_WRITE | LAF_CLASS_ATTR);
	assert_int_equal(classes[I386(361)], LAF_CLASS_WRITE); /* bind */
}

/* No row may name a call that no ABI has: each number that must be there is there. */
static void test_every_name(void **state)
{
	static const char *const calls[] = {
		"open", "openat", "openat2", "creat", "open_tree", "mq_open", "execve", "execveat",
		"uselib", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "link", "linkat",
		"unlink", "unlinkat", "symlink", "symlinkat", "mknod", "mknodat", "mq_unlink", "truncate",
		"acct", "swapon", "swapoff", "quotactl", "mq_timedsend", "mq_timedreceive", "chmod",
		"fchmod", "fchmodat", "chown", "lchown", "fchown", "fchownat", "utime", "utimes",
		"futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "getxattr", "lgetxattr",
		"fgetxattr", "listxattr", "llistxattr", "flistxattr", "removexattr", "lremovexattr",
		"fremovexattr", "access", "faccessat", "faccessat2", "stat", "lstat", "statx", "statfs",
		"readlink", "readlinkat", "name_to_handle_at", "inotify_add_watch", "fanotify_mark",
		"chdir", "chroot", "pivot_root", "mount", "umount2", "move_mount", "fspick",
		"mount_setattr", "bind", "connect", "sendto", "sendmsg", "sendmmsg",
	};

	for (unsigned abi = 0; abi < LAF_ABIS; abi++) {
		for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
			int nr = audit_name_to_syscall(calls[i], abi ? MACH_X86 : MACH_86_64);

			assert_true(nr >= 0);
			if (!laf_shape_has_names(&shapes[abi * LAF_SHAPES + nr]))
				fail_msg("%s of ABI %u has no names", calls[i], abi);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_older),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_has_names),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_every_name),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
