// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: the calls that look at, make, move and remove names. */
#include "workload.h"

#include <linux/fs.h>
#include <linux/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

static char buf[8192];

static void looks(void)
{
	int file = open("file", O_RDONLY), dir = open("dir", O_RDONLY);

	STEP("stat", OK, stat, "file", buf);
	STEP("stat.enoent", ENOENT, stat, "missing", buf);
	STEP("stat.enotdir", ENOTDIR, stat, "file/x", buf);
	STEP("stat.null", EFAULT, stat, NULL, buf);
	STEP("stat.badbuf", EFAULT, stat, "file", NULL);
	STEP("stat.loop", ELOOP, stat, "loop", buf);
	STEP("stat.long", ENAMETOOLONG, stat, long_path(PATH_MAX), buf);
	STEP("stat.empty", ENOENT, stat, "", buf);
	STEP("stat.link", OK, stat, "link", buf);
	STEP("stat.slash", OK, stat, "dir/", buf);
	STEP("lstat", OK, lstat, "link", buf);
	STEP("lstat.enoent", ENOENT, lstat, "missing", buf);
	STEP("fstat", OK, fstat, file, buf);
	STEP("fstat.ebadf", EBADF, fstat, BAD_FD, buf);
	STEP("fstatat", OK, newfstatat, dir, "inner", buf, 0);
	STEP("fstatat.enoent", ENOENT, newfstatat, dir, "missing", buf, 0);
	STEP("fstatat.empty", OK, newfstatat, file, "", buf, AT_EMPTY_PATH);
	STEP("fstatat.emptyc", OK, newfstatat, AT_FDCWD, "", buf, AT_EMPTY_PATH);
	STEP("fstatat.nullep", ANY, newfstatat, file, NULL, buf, AT_EMPTY_PATH);
	STEP("fstatat.nofoll", OK, newfstatat, AT_FDCWD, "link", buf, AT_SYMLINK_NOFOLLOW);
	STEP("fstatat.ebadf", EBADF, newfstatat, BAD_FD, "x", buf, 0);
	STEP("fstatat.ebadfe", EBADF, newfstatat, BAD_FD, "", buf, AT_EMPTY_PATH);
	STEP("fstatat.einval", EINVAL, newfstatat, AT_FDCWD, "file", buf, 0x800000);
	STEP("statx", OK, statx, AT_FDCWD, "file", 0, STATX_BASIC_STATS, buf);
	STEP("statx.enoent", ENOENT, statx, AT_FDCWD, "missing", 0, STATX_BASIC_STATS, buf);
	STEP("statx.empty", OK, statx, file, "", AT_EMPTY_PATH, STATX_BASIC_STATS, buf);
	STEP("statx.einval", EINVAL, statx, AT_FDCWD, "file", 0, STATX__RESERVED, buf);
	STEP("statx.null", EFAULT, statx, AT_FDCWD, NULL, 0, STATX_BASIC_STATS, buf);
	close(file);
	close(dir);
}

static void more_looks(void)
{
	int dir = open("dir", O_RDONLY), link = open("link", O_PATH | O_NOFOLLOW);

	STEP("access", OK, access, "file", R_OK);
	STEP("access.enoent", ENOENT, access, "missing", R_OK);
	STEP("access.einval", EINVAL, access, "file", 0x100);
	STEP("access.eacces", EACCES, access, "file", X_OK);
	STEP("faccessat", OK, faccessat, dir, "inner", R_OK);
	STEP("faccessat.miss", ENOENT, faccessat, dir, "missing", R_OK);
	STEP("faccessat2", OK, faccessat2, dir, "inner", R_OK, AT_EACCESS);
	STEP("faccessat2.mis", ENOENT, faccessat2, dir, "missing", R_OK, 0);
	STEP("faccessat2.inv", EINVAL, faccessat2, dir, "inner", R_OK, 0x800000);
	STEP("faccessat2.emp", OK, faccessat2, dir, "", R_OK, AT_EMPTY_PATH);
	STEP("readlink", OK, readlink, "link", buf, sizeof(buf));
	STEP("readlink.einv", EINVAL, readlink, "file", buf, sizeof(buf));
	STEP("readlink.enoen", ENOENT, readlink, "missing", buf, sizeof(buf));
	STEP("readlink.size", EINVAL, readlink, "link", buf, 0);
	STEP("readlink.fault", EFAULT, readlink, "link", NULL, 100);
	STEP("readlinkat", OK, readlinkat, AT_FDCWD, "link", buf, sizeof(buf));
	STEP("readlinkat.emp", OK, readlinkat, link, "", buf, sizeof(buf));
	STEP("readlinkat.bad", EBADF, readlinkat, BAD_FD, "link", buf, sizeof(buf));
	STEP("statfs", OK, statfs, "file", buf);
	STEP("statfs.enoent", ENOENT, statfs, "missing", buf);
	STEP("fstatfs", OK, fstatfs, dir, buf);
	STEP("getcwd", OK, getcwd, buf, sizeof(buf));
	STEP("getcwd.erange", ERANGE, getcwd, buf, 1);
	STEP("getdents", OK, getdents64, dir, buf, sizeof(buf));
	close(dir);
	close(link);
}

static void folders(void)
{
	int dir = open("dir", O_RDONLY), file = open("file", O_RDONLY);

	STEP("mkdir", OK, mkdir, "made", 0755);
	STEP("mkdir.eexist", EEXIST, mkdir, "made", 0755);
	STEP("mkdir.enoent", ENOENT, mkdir, "missing/x", 0755);
	STEP("mkdir.enotdir", ENOTDIR, mkdir, "file/x", 0755);
	STEP("mkdir.slash", OK, mkdir, "slashed/", 0755);
	STEP("mkdir.slashold", EEXIST, mkdir, "slashed/", 0755);
	STEP("mkdir.dot", EEXIST, mkdir, ".", 0755);
	STEP("mkdir.root", EEXIST, mkdir, "/", 0755);
	STEP("mkdir.overfile", EEXIST, mkdir, "file", 0755);
	STEP("mkdir.null", EFAULT, mkdir, NULL, 0755);
	STEP("mkdir.empty", ENOENT, mkdir, "", 0755);
	STEP("mkdir.long", ENAMETOOLONG, mkdir, long_name(256), 0755);
	STEP("mkdir.deep", OK, mkdir, "made/deep", 0755);
	STEP("mkdirat", OK, mkdirat, dir, "made", 0755);
	STEP("mkdirat.exist", EEXIST, mkdirat, dir, "made", 0755);
	STEP("mkdirat.slash", OK, mkdirat, dir, "made2//", 0755);
	STEP("mkdirat.ebadf", EBADF, mkdirat, BAD_FD, "x", 0755);
	STEP("mkdirat.notdir", ENOTDIR, mkdirat, file, "x", 0755);
	STEP("rmdir.notempty", ENOTEMPTY, rmdir, "made");
	STEP("rmdir", OK, rmdir, "made/deep");
	STEP("rmdir.slash", OK, rmdir, "slashed/");
	STEP("rmdir.enoent", ENOENT, rmdir, "missing");
	STEP("rmdir.enoent2", ENOENT, rmdir, "missing/x");
	STEP("rmdir.enotdir", ENOTDIR, rmdir, "file");
	STEP("rmdir.dot", EINVAL, rmdir, ".");
	STEP("rmdir.dotdot", ENOTEMPTY, rmdir, "..");
	STEP("rmdir.root", EBUSY, rmdir, "/");
	STEP("rmdir.null", EFAULT, rmdir, NULL);
	STEP("rmdir.at", OK, unlinkat, dir, "made", AT_REMOVEDIR);
	STEP("rmdir.atnd", ENOTDIR, unlinkat, dir, "inner", AT_REMOVEDIR);
	close(dir);
	close(file);
}

static void unlinks(void)
{
	int dir = open("dir", O_RDONLY);

	put_file("gone", "x", 0600);
	put_file("dir/gone", "x", 0600);
	STEP("unlink", OK, unlink, "gone");
	STEP("unlink.enoent", ENOENT, unlink, "gone");
	STEP("unlink.enoent2", ENOENT, unlink, "missing/x");
	STEP("unlink.eisdir", EISDIR, unlink, "dir");
	STEP("unlink.enotdir", ENOTDIR, unlink, "file/x");
	STEP("unlink.slash", ENOTDIR, unlink, "file/");
	STEP("unlink.dot", EISDIR, unlink, ".");
	STEP("unlink.empty", ENOENT, unlink, "");
	STEP("unlink.null", EFAULT, unlink, NULL);
	STEP("unlink.dangl", OK, unlink, "dangling2");
	STEP("unlinkat", OK, unlinkat, dir, "gone", 0);
	STEP("unlinkat.enoen", ENOENT, unlinkat, dir, "gone", 0);
	STEP("unlinkat.einva", EINVAL, unlinkat, dir, "inner", 1);
	STEP("unlinkat.ebadf", EBADF, unlinkat, BAD_FD, "x", 0);
	STEP("unlinkat.isdir", EISDIR, unlinkat, AT_FDCWD, "dir", 0);
	close(dir);
}

static void renames(void)
{
	int dir = open("dir", O_RDONLY);

	put_file("r1", "x", 0600);
	put_file("r2", "x", 0600);
	put_file("dir/r3", "x", 0600);
	mkdir("rd", 0755);
	mkdir("rd2", 0755);
	STEP("rename", OK, rename, "r1", "r1new");
	STEP("rename.over", OK, rename, "r1new", "r2");
	STEP("rename.same", OK, rename, "r2", "r2");
	STEP("rename.enoent", ENOENT, rename, "missing", "x");
	STEP("rename.enoent2", ENOENT, rename, "r2", "missing/x");
	STEP("rename.enoent3", ENOENT, rename, "missing/y", "missing/x");
	STEP("rename.isdir", EISDIR, rename, "r2", "rd");
	STEP("rename.notdir", ENOTDIR, rename, "rd", "r2");
	STEP("rename.notdir2", ENOTDIR, rename, "file/x", "x");
	STEP("rename.notempt", ENOTEMPTY, rename, "rd", "dir");
	STEP("rename.intoself", EINVAL, rename, "rd", "rd/x");
	STEP("rename.dot", EBUSY, rename, ".", "x");
	STEP("rename.dir", OK, rename, "rd", "rd3");
	STEP("rename.dirover", OK, rename, "rd3", "rd2");
	STEP("rename.slash", OK, rename, "rd2/", "rd4/");
	STEP("rename.across", OK, rename, "r2", "dir/r2");
	STEP("rename.exdev", EXDEV, rename, "file", "/proc/x");
	STEP("rename.null", EFAULT, rename, NULL, "x");
	STEP("rename.null2", EFAULT, rename, "file", NULL);
	STEP("rename.empty", ENOENT, rename, "", "x");
	STEP("rename.empty2", ENOENT, rename, "file", "");
	STEP("rename.long", ENAMETOOLONG, rename, "file", long_name(256));
	STEP("renameat", OK, renameat, dir, "r2", AT_FDCWD, "r2");
	STEP("renameat.ebadf", EBADF, renameat, BAD_FD, "r2", AT_FDCWD, "x");
	STEP("renameat.ebad2", EBADF, renameat, AT_FDCWD, "r2", BAD_FD, "x");
	STEP("renameat2.nore", EEXIST, renameat2, AT_FDCWD, "r2", dir, "r3", RENAME_NOREPLACE);
	STEP("renameat2.nor2", OK, renameat2, AT_FDCWD, "r2", dir, "r4", RENAME_NOREPLACE);
	STEP("renameat2.exch", OK, renameat2, dir, "r3", dir, "r4", RENAME_EXCHANGE);
	STEP("renameat2.exc2", ENOENT, renameat2, dir, "r3", dir, "missing", RENAME_EXCHANGE);
	STEP("renameat2.whit", ANY, renameat2, dir, "r3", dir, "r5", RENAME_WHITEOUT);
	STEP("renameat2.inva", EINVAL, renameat2, dir, "r4", dir, "r6", 0x100);
	close(dir);
}

static void links(void)
{
	int dir = open("dir", O_RDONLY), file = open("file", O_RDONLY);

	STEP("link", OK, link, "file", "hard");
	STEP("link.eexist", EEXIST, link, "file", "hard");
	STEP("link.enoent", ENOENT, link, "missing", "x");
	STEP("link.enoent2", ENOENT, link, "file", "missing/x");
	STEP("link.eperm", EPERM, link, "dir", "x");
	STEP("link.exdev", EXDEV, link, "/proc/self/status", "x");
	STEP("link.null", EFAULT, link, NULL, "x");
	STEP("link.null2", EFAULT, link, "file", NULL);
	STEP("link.ofsymlink", OK, link, "link", "hardsym");
	STEP("linkat", OK, linkat, AT_FDCWD, "file", dir, "hard", 0);
	STEP("linkat.follow", OK, linkat, AT_FDCWD, "link", dir, "hard2", AT_SYMLINK_FOLLOW);
	STEP("linkat.empty", OK, linkat, file, "", dir, "hard3", AT_EMPTY_PATH);
	STEP("linkat.einval", EINVAL, linkat, AT_FDCWD, "file", dir, "x", 0x1);
	STEP("linkat.ebadf", EBADF, linkat, BAD_FD, "file", dir, "x", 0);
	STEP("symlink", OK, symlink, "target", "sym");
	STEP("symlink.eexist", EEXIST, symlink, "target", "sym");
	STEP("symlink.enoent", ENOENT, symlink, "target", "missing/x");
	STEP("symlink.empty", ENOENT, symlink, "", "x");
	STEP("symlink.null", EFAULT, symlink, NULL, "x");
	STEP("symlink.null2", EFAULT, symlink, "target", NULL);
	STEP("symlink.ctrl", OK, symlink, "tar get\n", "sym\tlink");
	STEP("symlinkat", OK, symlinkat, "target", dir, "sym");
	STEP("symlinkat.bad", EBADF, symlinkat, "target", BAD_FD, "sym");
	close(dir);
	close(file);
}

static void nodes(void)
{
	int dir = open("dir", O_RDONLY);

	STEP("mknod.fifo", OK, mknod, "nfifo", S_IFIFO | 0600, 0);
	STEP("mknod.file", OK, mknod, "nfile", S_IFREG | 0600, 0);
	STEP("mknod.sock", OK, mknod, "nsock", S_IFSOCK | 0600, 0);
	STEP("mknod.dev", OK, mknod, "ndev", S_IFCHR | 0600, makedev(1, 3));
	STEP("mknod.eexist", EEXIST, mknod, "nfifo", S_IFIFO | 0600, 0);
	STEP("mknod.dir", EPERM, mknod, "x", S_IFDIR | 0600, 0);
	STEP("mknod.einval", EINVAL, mknod, "x", S_IFLNK | 0600, 0);
	STEP("mknod.enoent", ENOENT, mknod, "missing/x", S_IFIFO | 0600, 0);
	STEP("mknod.null", EFAULT, mknod, NULL, S_IFIFO | 0600, 0);
	STEP("mknodat", OK, mknodat, dir, "nfifo", S_IFIFO | 0600, 0);
	STEP("mknodat.ebadf", EBADF, mknodat, BAD_FD, "x", S_IFIFO | 0600, 0);
	STEP("stat.dev", OK, stat, "ndev", buf);
	STEP("stat.fifo", OK, stat, "nfifo", buf);
	STEP("open.dev2", OK, open, "ndev", O_RDWR);
	close(dir);
}

static void moves(void)
{
	int dir = open("dir", O_RDONLY), file = open("file", O_RDONLY), top = open(".", O_RDONLY);

	STEP("chdir", OK, chdir, "dir");
	STEP("chdir.rel", OK, open, "inner", O_RDONLY);
	STEP("chdir.up", OK, chdir, "..");
	STEP("chdir.enoent", ENOENT, chdir, "missing");
	STEP("chdir.enotdir", ENOTDIR, chdir, "file");
	STEP("chdir.null", EFAULT, chdir, NULL);
	STEP("chdir.empty", ENOENT, chdir, "");
	STEP("fchdir", OK, fchdir, dir);
	STEP("fchdir.ebadf", EBADF, fchdir, BAD_FD);
	STEP("fchdir.enotdir", ENOTDIR, fchdir, file);
	STEP("fchdir.back", OK, fchdir, top);
	close(dir);
	close(file);
	close(top);
}

static void truncates(void)
{
	int file = open("cut", O_RDWR | O_CREAT, 0600);

	STEP("truncate", OK, truncate, "cut", 100);
	STEP("truncate.enoen", ENOENT, truncate, "missing", 0);
	STEP("truncate.isdir", EISDIR, truncate, "dir", 0);
	STEP("truncate.inval", EINVAL, truncate, "cut", -1);
	STEP("truncate.null", EFAULT, truncate, NULL, 0);
	STEP("ftruncate", OK, ftruncate, file, 10);
	STEP("ftruncate.bad", EBADF, ftruncate, BAD_FD, 0);
	STEP("fallocate", ANY, fallocate, file, 0, 0, 4096);
	close(file);
}

static void deleted_cwd(void)
{
	mkdir("doomed", 0755);
	if (chdir("doomed"))
		failures++;
	rmdir("../doomed");
	STEP("doomed.getcwd", ENOENT, getcwd, buf, sizeof(buf));
	STEP("doomed.open", ENOENT, open, "file", O_RDONLY);
	STEP("doomed.creat", ENOENT, open, "file", O_WRONLY | O_CREAT, 0600);
	STEP("doomed.up", ANY, open, "../file", O_RDONLY);
	STEP("doomed.dot", OK, open, ".", O_RDONLY);
	STEP("doomed.mkdir", ENOENT, mkdir, "x", 0755);
	STEP("doomed.abs", OK, open, "/dev/null", O_RDONLY);
}

/* Working directories that are deep (many short names) and long (over PATH_MAX in all). */
static void deep_cwd(void)
{
	char *name = long_name(200);

	for (int i = 0; i < 100; i++)
		if (mkdir("d", 0755) || chdir("d"))
			failures++;
	STEP("deep.open", ENOENT, open, "x", O_RDONLY);
	STEP("deep.creat", OK, open, "x", O_WRONLY | O_CREAT, 0600);
	for (int i = 0; i < 20; i++)
		if (mkdir(name, 0755) || chdir(name))
			failures++;
	STEP("long.open", ENOENT, open, "x", O_RDONLY);
	STEP("long.creat", OK, open, "x", O_WRONLY | O_CREAT, 0600);
	STEP("long.mkdir", OK, mkdir, "y", 0755);
	free(name);
}

/* As long as the kernel takes: paths of 4,095 bytes, components of 255, any number of slashes. */
static void longest(void)
{
	char *path = long_path(PATH_MAX - 1), *other = strdup(path), *name = long_name(255), *slashes = long_name(400);

	other[PATH_MAX - 2] = 'o';
	STEP("long.path.mkdir", OK, mkdir, path, 0755);
	STEP("long.path.mkdi2", EEXIST, mkdir, path, 0755);
	STEP("long.path.move", OK, rename, path, other);
	STEP("long.path.stat", OK, stat, other, buf);
	STEP("long.path.rmdir", OK, rmdir, other);
	STEP("long.path.link", OK, link, "file", path);
	STEP("long.path.chmod", OK, chmod, path, 0644);
	STEP("long.path.creat", OK, creat, path, 0644);
	STEP("long.path.exch", OK, renameat2, AT_FDCWD, path, AT_FDCWD, "file", RENAME_EXCHANGE);
	STEP("long.path.unlin", OK, unlink, path);
	STEP("long.path.syml", ANY, symlink, path, "longlink");
	STEP("long.path.readl", ANY, readlink, "longlink", buf, sizeof(buf));
	STEP("long.path.loop", ENOENT, open, "longlink", O_RDONLY);
	STEP("long.path.unli2", ANY, unlink, "longlink");
	STEP("long.name.mkdir", OK, mkdir, name, 0755);
	name[254] = 'm';
	STEP("long.name.miss", ENOENT, rmdir, name);
	STEP("long.name.link", OK, symlink, name, name);
	STEP("long.name.unlin", OK, unlink, name);
	name[254] = 'n';
	STEP("long.name.rmdir", OK, rmdir, name);
	memset(slashes + 1, '/', 399);
	STEP("long.slas.mkdir", OK, mkdir, slashes, 0755);
	STEP("long.slas.stat", OK, stat, slashes, buf);
	STEP("long.slas.rmdir", OK, rmdir, slashes);
}

static void denied(void)
{
	become_nobody();
	STEP("nobody.stat", EACCES, stat, "closed/inner", buf);
	STEP("nobody.access", EACCES, access, "secret", R_OK);
	STEP("nobody.mkdir", EACCES, mkdir, "x", 0755);
	STEP("nobody.rmdir", EACCES, rmdir, "rd4");
	STEP("nobody.unlink", EACCES, unlink, "file");
	STEP("nobody.unlink2", EACCES, unlink, "closed/inner");
	STEP("nobody.unlinks", EPERM, unlink, "sticky/root");
	STEP("nobody.rename", EACCES, rename, "file", "x");
	STEP("nobody.rename2", EPERM, rename, "sticky/root", "sticky/x");
	STEP("nobody.link", ANY, link, "file", "x");
	STEP("nobody.linksec", ANY, link, "secret", "sticky/x2");
	STEP("nobody.symlink", EACCES, symlink, "file", "x");
	STEP("nobody.mknod", EPERM, mknod, "sticky/dev", S_IFCHR | 0600, makedev(1, 3));
	STEP("nobody.mkfifo", OK, mknod, "sticky/fifo", S_IFIFO | 0600, 0);
	STEP("nobody.trunc", EACCES, truncate, "file", 0);
	STEP("nobody.chdir", EACCES, chdir, "closed");
	STEP("nobody.readlnk", EACCES, readlink, "closed/inner", buf, 100);
	STEP("nobody.statfs", EACCES, statfs, "closed/inner", buf);
}

static void prepare(void)
{
	umask(022);
	put_file("file", "hello\n", 0644);
	put_file("secret", "hush\n", 0600);
	mkdir("dir", 0755);
	put_file("dir/inner", "inner\n", 0644);
	mkdir("closed", 0700);
	put_file("closed/inner", "inner\n", 0644);
	mkdir("sticky", 0777);
	chmod("sticky", 01777);
	put_file("sticky/root", "x", 0644);
	if (symlink("file", "link") || symlink("target", "dangling2") || symlink("loop", "loop"))
		failures++;
}

int main(void)
{
	prepare();
	looks();
	more_looks();
	folders();
	unlinks();
	renames();
	links();
	nodes();
	moves();
	truncates();
	longest();
	in_child(deleted_cwd);
	in_child(deep_cwd);
	in_child(denied);
	return failures != 0;
}
