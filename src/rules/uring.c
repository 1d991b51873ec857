// SPDX-License-Identifier: GPL-2.0-or-later
/* The io_uring operations that the kernel audits (io_uring/opdef.c: those without audit_skip), up to 6.18. */
#include <stddef.h>
#include <string.h>

#include "uring.h"

/* Numbers are those of <linux/io_uring.h>, an ABI. */
static const char *const names[] = {
	[9] = "sendmsg", [10] = "recvmsg", [13] = "accept", [16] = "connect",
	[17] = "fallocate", [18] = "openat", [19] = "close", [28] = "openat2",
	[34] = "shutdown", [35] = "renameat", [36] = "unlinkat", [37] = "mkdirat",
	[38] = "symlinkat", [39] = "linkat", [40] = "msg_ring", [41] = "fsetxattr",
	[42] = "setxattr", [43] = "fgetxattr", [44] = "getxattr", [46] = "uring_cmd",
	[48] = "sendmsg_zc", [50] = "waitid", [51] = "futex_wait", [52] = "futex_wake",
	[53] = "futex_waitv", [54] = "fixed_fd_install", [55] = "ftruncate", [56] = "bind",
	[57] = "listen",
};

int laf_uring_number(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] && !strcmp(names[i], name))
			return i;
	return -1;
}

const char *laf_uring_name(int number)
{
	return number >= 0 && (size_t)number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}
