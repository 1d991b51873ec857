// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: a 32-bit program, its calls once by int 0x80 and once by the vdso's entry (sysenter or syscall). */
static long call_32(long nr, long a, long b, long c, long d, long e, long f);
#define CALL call_32
#include "workload.h"

#include <elf.h>
#include <linux/net.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/un.h>

static void *entry; /* NULL: int 0x80 */
static char buf[4096];

#define LOAD_REGISTERS \
	"push %%ebp\n\tpush %%ebx\n\tpushl 24(%2)\n\tmov %2, %%ebp\n\tmov (%%ebp), %%ebx\n\t" \
	"mov 4(%%ebp), %%ecx\n\tmov 8(%%ebp), %%edx\n\tmov 12(%%ebp), %%esi\n\t" \
	"mov 16(%%ebp), %%edi\n\tmov 20(%%ebp), %%ebp\n\t"
#define RESTORE_REGISTERS "\n\tadd $4, %%esp\n\tpop %%ebx\n\tpop %%ebp"

/* args: six arguments, then the vdso's entry. They and the number fill every register, so the entry goes over the stack. */
static __attribute__((noinline)) long raw_call(long nr, long *args)
{
	long rc;

	if (args[6])
		__asm__ volatile(LOAD_REGISTERS "call *(%%esp)" RESTORE_REGISTERS
				 : "=a"(rc) : "0"(nr), "d"(args) : "ecx", "esi", "edi", "memory");
	else
		__asm__ volatile(LOAD_REGISTERS "int $0x80" RESTORE_REGISTERS
				 : "=a"(rc) : "0"(nr), "d"(args) : "ecx", "esi", "edi", "memory");
	return rc;
}

static long call_32(long nr, long a, long b, long c, long d, long e, long f)
{
	long args[7] = { a, b, c, d, e, f, (long)entry }, rc = raw_call(nr, args);

	if ((unsigned long)rc < -4095UL)
		return rc;
	errno = -rc;
	return -1;
}

static void files(void)
{
	int dir;

	STEP("32.open", OK, open, "file", O_RDONLY);
	STEP("32.open-new", OK, open, "new", O_WRONLY | O_CREAT, 0600);
	STEP("32.open-miss", ENOENT, open, "missing", O_RDONLY);
	STEP("32.open-null", EFAULT, open, NULL, O_RDONLY);
	STEP("32.open-high", EFAULT, open, 0xfffff000, O_RDONLY);
	dir = STEP("32.openat", OK, openat, AT_FDCWD, "dir", O_RDONLY);
	STEP("32.openat-dir", OK, openat, dir, "inner", O_RDONLY);
	STEP("32.openat-miss", ENOENT, openat, dir, "missing", O_RDONLY);
	STEP("32.creat", OK, creat, "cnew", 0600);
	STEP("32.stat64", OK, stat64, "file", buf);
	STEP("32.stat64-miss", ENOENT, stat64, "missing", buf);
	STEP("32.oldstat", ANY, oldstat, "file", buf);
	STEP("32.stat", OK, stat, "file", buf);
	STEP("32.lstat64", OK, lstat64, "link", buf);
	STEP("32.fstatat64", OK, fstatat64, dir, "inner", buf, 0);
	STEP("32.statx", OK, statx, dir, "inner", 0, 0x7ff, buf);
	STEP("32.access", OK, access, "file", R_OK);
	STEP("32.faccessat", ENOENT, faccessat, dir, "missing", R_OK);
	STEP("32.chmod", OK, chmod, "file", 0644);
	STEP("32.fchmod", OK, fchmod, dir, 0755);
	STEP("32.chown16", OK, chown, "file", 1, 2);
	STEP("32.chown32", OK, chown32, "file", 0, 0);
	STEP("32.lchown16", OK, lchown, "link", 1, 2);
	STEP("32.lchown32", ENOENT, lchown32, "missing", 1, 2);
	STEP("32.fchown16", OK, fchown, dir, 0, 0);
	STEP("32.fchown32", OK, fchown32, dir, 0, 0);
	STEP("32.trunc", OK, truncate, "new", 3);
	STEP("32.trunc64", OK, truncate64, "new", 3, 0);
	STEP("32.statfs64", OK, statfs64, "file", 84, buf);
	STEP("32.statfs", OK, statfs, "file", buf);
	STEP("32.utimes", OK, utimes, "file", NULL);
	STEP("32.utime", ENOENT, utime, "missing", NULL);
	STEP("32.utimensat", OK, utimensat, dir, "inner", NULL, 0);
	STEP("32.utimens64", OK, utimensat_time64, dir, "inner", NULL, 0);
	STEP("32.futimesat", OK, futimesat, dir, "inner", NULL);
	STEP("32.setxattr", ANY, setxattr, "file", "user.x", "1", 1, 0);
	STEP("32.getxattr", ANY, getxattr, "file", "user.x", buf, 10);
}

static void folders(void)
{
	STEP("32.mkdir", OK, mkdir, "made", 0755);
	STEP("32.mkdir-old", EEXIST, mkdir, "made", 0755);
	STEP("32.chdir", OK, chdir, "made");
	STEP("32.chdir-up", OK, chdir, "..");
	STEP("32.rmdir", OK, rmdir, "made");
	STEP("32.rename", OK, rename, "new", "newer");
	STEP("32.rename-miss", ENOENT, rename, "missing", "x");
	STEP("32.link", OK, link, "newer", "hard");
	STEP("32.symlink", OK, symlink, "target", "sym");
	STEP("32.readlink", OK, readlink, "sym", buf, 100);
	STEP("32.mknod", OK, mknod, "fifo", S_IFIFO | 0600, 0);
	STEP("32.unlink", OK, unlink, "hard");
	STEP("32.unlinkat", OK, unlinkat, AT_FDCWD, "sym", 0);
	STEP("32.unlink-fifo", OK, unlink, "fifo");
	STEP("32.unlink-new", OK, unlink, "newer");
	STEP("32.mount", ANY, mount, "none", "missing", "tmpfs", 0, NULL);
	STEP("32.umount", ANY, umount, "missing");
	STEP("32.umount2", ANY, umount2, "missing", 0);
	STEP("32.chroot", ENOENT, chroot, "missing");
	STEP("32.uselib", ANY, uselib, "missing");
	STEP("32.swapon", ENOENT, swapon, "missing", 0);
	STEP("32.acct", ANY, acct, "missing");
	STEP("32.mq-unlink", ANY, mq_unlink, "missing");
}

static void sockets(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un u = { .sun_family = AF_UNIX, .sun_path = "missing" };
	struct sockaddr_storage got;
	socklen_t n = sizeof(got);
	struct iovec iov = { buf, 1 };
	struct msghdr m = { .msg_name = &u, .msg_namelen = sizeof(u), .msg_iov = &iov, .msg_iovlen = 1 };
	long s = STEP("32.socket", OK, socket, AF_INET, SOCK_STREAM, 0);
	long d = STEP("32.sockdgram", OK, socket, AF_UNIX, SOCK_DGRAM, 0);

	STEP("32.bind", OK, bind, s, &a, sizeof(a));
	STEP("32.sockname", OK, getsockname, s, &got, &n);
	STEP("32.connect", ENOENT, connect, d, &u, sizeof(u));
	STEP("32.connect-bad", EBADF, connect, BAD_FD, &u, sizeof(u));
	STEP("32.sendto", ENOENT, sendto, d, buf, 1, 0, &u, sizeof(u));
	STEP("32.sendmsg", ENOENT, sendmsg, d, &m, 0);
	STEP("32.recvmsg", EAGAIN, recvmsg, d, &m, MSG_DONTWAIT);
	long sc_socket[] = { AF_INET, SOCK_STREAM, 0 }, sc_bind[] = { 0, (long)&a, sizeof(a) };
	long sc_connect[] = { d, (long)&u, sizeof(u) }, sc_name[] = { s, (long)&got, (long)&n };
	long sc_send[] = { d, (long)buf, 1, 0, (long)&u, sizeof(u) };

	sc_bind[0] = STEP("32.sc-socket", OK, socketcall, SYS_SOCKET, sc_socket);
	STEP("32.sc-bind", OK, socketcall, SYS_BIND, sc_bind);
	STEP("32.sc-connect", ENOENT, socketcall, SYS_CONNECT, sc_connect);
	STEP("32.sc-name", OK, socketcall, SYS_GETSOCKNAME, sc_name);
	STEP("32.sc-sendto", ENOENT, socketcall, SYS_SENDTO, sc_send);
	STEP("32.sc-fault", EFAULT, socketcall, SYS_CONNECT, NULL);
	STEP("32.ipc-shmget", ANY, ipc, 23, 0x1af1af, 4096, 0, 0, 0);
	STEP("32.ipc-semget", ANY, ipc, 2, 0x1af1af, 1, 0, 0, 0);
	STEP("32.ipc-einval", ANY, ipc, 99, 0, 0, 0, 0, 0);
	STEP("32.sc-einval", EINVAL, socketcall, 99, sc_connect);
}

static void processes(void)
{
	char *envp[] = { NULL }, *missing[] = { "x", NULL }, *again[] = { "self", "--again", "an \"arg\"", NULL };
	long pid;

	STEP("32.getppid", OK, getppid);
	STEP("32.negative", ANY, lseek, 0, -1, 0xffffffff);
	STEP("32.mmap2", OK, mmap2, 0, 4096, 1, 0x22, -1, 0);
	STEP("32.restart", EINTR, restart_syscall);
	do_step("32.nosuch", ENOSYS, 9999, 1, 2, 3, -4, 5, 6);
	pid = STEP("32.fork", OK, fork);
	if (!pid)
		call_32(SYS_exit, 0, 0, 0, 0, 0, 0);
	wait_child(pid);
	pid = STEP("32.clone", OK, clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid)
		call_32(SYS_exit_group, 0, 0, 0, 0, 0, 0);
	wait_child(pid);
	pid = STEP("32.fork-exec", OK, fork);
	if (!pid) {
		STEP("32.exec-miss", ENOENT, execve, "./missing", missing, envp);
		STEP("32.exec", OK, execve, "/proc/self/exe", again, envp);
		_exit(1);
	}
	wait_child(pid);
	STEP("32.setuid16", OK, setuid, 0);
	STEP("32.setuid32", OK, setuid32, 0);
}

static void round_of_calls(void)
{
	files();
	folders();
	sockets();
	processes();
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return 0;
	umask(022);
	put_file("file", "hello\n", 0644);
	mkdir("dir", 0755);
	put_file("dir/inner", "inner\n", 0644);
	if (symlink("file", "link"))
		failures++;
	round_of_calls();
	entry = (void *)getauxval(AT_SYSINFO);
	if (!entry) {
		fprintf(stderr, "workload: no vdso entry\n");
		failures++;
		return 1;
	}
	unlink("cnew");
	set_label("32.vdso");
	round_of_calls();
	return failures != 0;
}
