// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: modes, owners, times and extended attributes. */
#include "workload.h"

#include <sys/time.h>
#include <utime.h>

static char buf[4096];

static void modes(void)
{
	int file = open("file", O_RDONLY), dir = open("dir", O_RDONLY), path = open("file", O_PATH);

	STEP("chmod", OK, chmod, "file", 0640);
	STEP("chmod.enoent", ENOENT, chmod, "missing", 0640);
	STEP("chmod.null", EFAULT, chmod, NULL, 0640);
	STEP("chmod.link", OK, chmod, "link", 0640);
	STEP("fchmod", OK, fchmod, file, 0600);
	STEP("fchmod.ebadf", EBADF, fchmod, BAD_FD, 0600);
	STEP("fchmod.path", EBADF, fchmod, path, 0600);
	STEP("fchmod.dir", OK, fchmod, dir, 0750);
	STEP("fchmodat", OK, fchmodat, dir, "inner", 0640);
	STEP("fchmodat.enoen", ENOENT, fchmodat, dir, "missing", 0640);
	STEP("fchmodat.ebadf", EBADF, fchmodat, BAD_FD, "inner", 0640);
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
	STEP("fchmodat2", OK, fchmodat2, dir, "inner", 0640, 0);
	STEP("fchmodat2.link", EOPNOTSUPP, fchmodat2, AT_FDCWD, "link", 0640, AT_SYMLINK_NOFOLLOW);
	STEP("fchmodat2.inva", EINVAL, fchmodat2, dir, "inner", 0640, 0x1);
	STEP("fchmodat2.empt", OK, fchmodat2, file, "", 0640, AT_EMPTY_PATH);
	close(file);
	close(dir);
	close(path);
}

static void owners(void)
{
	int file = open("file", O_RDONLY), dir = open("dir", O_RDONLY);

	STEP("chown", OK, chown, "file", 1, 2);
	STEP("chown.same", OK, chown, "file", -1, -1);
	STEP("chown.enoent", ENOENT, chown, "missing", 1, 2);
	STEP("chown.null", EFAULT, chown, NULL, 1, 2);
	STEP("lchown", OK, lchown, "link", 3, 4);
	STEP("lchown.enoent", ENOENT, lchown, "missing", 3, 4);
	STEP("fchown", OK, fchown, file, 5, 6);
	STEP("fchown.ebadf", EBADF, fchown, BAD_FD, 5, 6);
	STEP("fchownat", OK, fchownat, dir, "inner", 7, 8, 0);
	STEP("fchownat.nofol", OK, fchownat, AT_FDCWD, "link", 7, 8, AT_SYMLINK_NOFOLLOW);
	STEP("fchownat.empty", OK, fchownat, file, "", 7, 8, AT_EMPTY_PATH);
	STEP("fchownat.enoen", ENOENT, fchownat, dir, "missing", 7, 8, 0);
	STEP("fchownat.inval", EINVAL, fchownat, dir, "inner", 7, 8, 1);
	STEP("chown.back", OK, chown, "file", 0, 0);
	close(file);
	close(dir);
}

static void times(void)
{
	struct utimbuf ub = { 1000, 2000 };
	struct timeval tv[2] = { { 1000, 0 }, { 2000, 0 } }, badtv[2] = { { 0, 2000000 }, { 0, 0 } };
	struct timespec ts[2] = { { 1000, 0 }, { 2000, 0 } };
	int file = open("file", O_RDONLY), dir = open("dir", O_RDONLY);

	STEP("utime", OK, utime, "file", &ub);
	STEP("utime.enoent", ENOENT, utime, "missing", &ub);
	STEP("utime.null", EFAULT, utime, NULL, &ub);
	STEP("utime.fault", EFAULT, utime, "file", BAD_ADDRESS);
	STEP("utimes", OK, utimes, "file", tv);
	STEP("utimes.enoent", ENOENT, utimes, "missing", tv);
	STEP("utimes.einval", EINVAL, utimes, "file", badtv);
	STEP("futimesat", OK, futimesat, dir, "inner", tv);
	STEP("futimesat.mis", ENOENT, futimesat, dir, "missing", tv);
	STEP("futimesat.null", OK, futimesat, file, NULL, tv);
	STEP("utimensat", OK, utimensat, dir, "inner", ts, 0);
	STEP("utimensat.now", OK, utimensat, dir, "inner", NULL, 0);
	STEP("utimensat.miss", ENOENT, utimensat, dir, "missing", ts, 0);
	STEP("utimensat.null", OK, utimensat, file, NULL, ts, 0);
	STEP("utimensat.nul2", EBADF, utimensat, BAD_FD, NULL, ts, 0);
	STEP("utimensat.inva", EINVAL, utimensat, dir, "inner", ts, 1);
	close(file);
	close(dir);
}

static void sets(void)
{
	int file = open("file", O_RDONLY);

	STEP("setxattr", ANY, setxattr, "file", "user.one", "1", 1, 0);
	STEP("setxattr.excl", ANY, setxattr, "file", "user.one", "1", 1, 1);
	STEP("setxattr.none", ANY, setxattr, "file", "user.two", "1", 1, 2);
	STEP("setxattr.miss", ENOENT, setxattr, "missing", "user.one", "1", 1, 0);
	STEP("setxattr.bad", EOPNOTSUPP, setxattr, "file", "nonsense", "1", 1, 0);
	STEP("setxattr.null", EFAULT, setxattr, NULL, "user.one", "1", 1, 0);
	STEP("setxattr.nnull", EFAULT, setxattr, "file", NULL, "1", 1, 0);
	STEP("setxattr.inval", EINVAL, setxattr, "file", "user.one", "1", 1, 0x100);
	STEP("setxattr.range", ERANGE, setxattr, "file", "", "1", 1, 0);
	STEP("lsetxattr", ANY, lsetxattr, "link", "trusted.one", "1", 1, 0);
	STEP("lsetxattr.miss", ENOENT, lsetxattr, "missing", "user.one", "1", 1, 0);
	STEP("fsetxattr", ANY, fsetxattr, file, "user.three", "3", 1, 0);
	STEP("fsetxattr.bad", EBADF, fsetxattr, BAD_FD, "user.three", "3", 1, 0);
	STEP("fsetxattr.inv", EINVAL, fsetxattr, file, "user.three", "3", 1, 0x100);
	close(file);
}

static void gets(void)
{
	int file = open("file", O_RDONLY);

	STEP("getxattr", ANY, getxattr, "file", "user.one", buf, sizeof(buf));
	STEP("getxattr.data", ANY, getxattr, "file", "user.none", buf, sizeof(buf));
	STEP("getxattr.miss", ENOENT, getxattr, "missing", "user.one", buf, sizeof(buf));
	STEP("getxattr.range", ANY, getxattr, "file", "user.one", buf, 0);
	STEP("getxattr.nnull", EFAULT, getxattr, "file", NULL, buf, sizeof(buf));
	STEP("lgetxattr", ANY, lgetxattr, "link", "trusted.one", buf, sizeof(buf));
	STEP("lgetxattr.miss", ENOENT, lgetxattr, "missing", "user.one", buf, sizeof(buf));
	STEP("fgetxattr", ANY, fgetxattr, file, "user.three", buf, sizeof(buf));
	STEP("fgetxattr.bad", EBADF, fgetxattr, BAD_FD, "user.three", buf, sizeof(buf));
	STEP("listxattr", OK, listxattr, "file", buf, sizeof(buf));
	STEP("listxattr.miss", ENOENT, listxattr, "missing", buf, sizeof(buf));
	STEP("llistxattr", OK, llistxattr, "link", buf, sizeof(buf));
	STEP("llistxatt.miss", ENOENT, llistxattr, "missing", buf, sizeof(buf));
	STEP("flistxattr", OK, flistxattr, file, buf, sizeof(buf));
	STEP("flistxattr.bad", EBADF, flistxattr, BAD_FD, buf, sizeof(buf));
	close(file);
}

static void removes(void)
{
	int file = open("file", O_RDONLY);

	STEP("rmxattr", ANY, removexattr, "file", "user.one");
	STEP("rmxattr.nodata", ANY, removexattr, "file", "user.one");
	STEP("rmxattr.miss", ENOENT, removexattr, "missing", "user.one");
	STEP("rmxattr.nnull", EFAULT, removexattr, "file", NULL);
	STEP("lrmxattr", ANY, lremovexattr, "link", "trusted.one");
	STEP("lrmxattr.miss", ENOENT, lremovexattr, "missing", "user.one");
	STEP("frmxattr", ANY, fremovexattr, file, "user.three");
	STEP("frmxattr.bad", EBADF, fremovexattr, BAD_FD, "user.three");
	close(file);
}

/* Calls of 6.13 and later; older kernels say ENOSYS, and even that is an event. */
static void xattrat(void)
{
	struct { uint64_t value; uint32_t size, flags; } a = { (uintptr_t)"1", 1, 0 };
	int dir = open("dir", O_RDONLY);

	do_step("setxattrat", ANY, 463, STEP_ARGS(0, dir, "inner", 0, "user.one", &a, sizeof(a), 0));
	do_step("setxattrat.mis", ANY, 463, STEP_ARGS(0, dir, "missing", 0, "user.one", &a, sizeof(a), 0));
	do_step("getxattrat", ANY, 464, STEP_ARGS(0, dir, "inner", 0, "user.one", &a, sizeof(a), 0));
	do_step("listxattrat", ANY, 465, STEP_ARGS(0, dir, "inner", 0, buf, sizeof(buf), 0, 0));
	do_step("rmxattrat", ANY, 466, STEP_ARGS(0, dir, "inner", 0, "user.one", 0, 0, 0));
	do_step("rmxattrat.mis", ANY, 466, STEP_ARGS(0, dir, "missing", 0, "user.one", 0, 0, 0));
	do_step("file_getattr", ANY, 468, STEP_ARGS(0, dir, "inner", buf, 24, 0, 0, 0));
	do_step("file_setattr", ANY, 469, STEP_ARGS(0, dir, "missing", buf, 24, 0, 0, 0));
	close(dir);
}

static void denied(void)
{
	struct timeval tv[2] = { { 1, 0 }, { 2, 0 } };
	int file = open("file", O_RDONLY);

	become_nobody();
	STEP("nobody.chmod", EPERM, chmod, "file", 0777);
	STEP("nobody.chmod2", EACCES, chmod, "closed/inner", 0777);
	STEP("nobody.fchmod", EPERM, fchmod, file, 0777);
	STEP("nobody.chown", EPERM, chown, "file", NOBODY, NOBODY);
	STEP("nobody.fchown", EPERM, fchown, file, NOBODY, NOBODY);
	STEP("nobody.utimes", EPERM, utimes, "file", tv);
	STEP("nobody.utimnow", EACCES, utimensat, AT_FDCWD, "file", NULL, 0);
	STEP("nobody.setxatt", ANY, setxattr, "file", "user.mine", "1", 1, 0);
	STEP("nobody.trusted", ANY, setxattr, "file", "trusted.mine", "1", 1, 0);
	STEP("nobody.getxatt", ANY, getxattr, "closed/inner", "user.mine", buf, 10);
	STEP("nobody.fsetxat", ANY, fsetxattr, file, "user.mine", "1", 1, 0);
	STEP("nobody.rmxattr", ANY, removexattr, "file", "user.mine");
	close(file);
}

int main(void)
{
	umask(022);
	put_file("file", "hello\n", 0644);
	mkdir("dir", 0755);
	put_file("dir/inner", "inner\n", 0644);
	mkdir("closed", 0700);
	put_file("closed/inner", "inner\n", 0644);
	if (symlink("file", "link"))
		failures++;
	modes();
	owners();
	times();
	sets();
	gets();
	removes();
	xattrat();
	in_child(denied);
	return failures != 0;
}
