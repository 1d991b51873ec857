// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: every way of opening a file, well and badly. */
#include "workload.h"

#include <linux/openat2.h>
#include <sys/sysmacros.h>

static void plain(void)
{
	STEP("open.read", OK, open, "file", O_RDONLY);
	STEP("open.rdwr", OK, open, "file", O_RDWR);
	STEP("open.cloexec", OK, open, "file", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	STEP("open.creat-new", OK, open, "new", O_WRONLY | O_CREAT, 0640);
	STEP("open.creat-old", OK, open, "new", O_WRONLY | O_CREAT, 0640);
	STEP("open.excl-old", EEXIST, open, "new", O_WRONLY | O_CREAT | O_EXCL, 0640);
	STEP("open.excl-new", OK, open, "new2", O_WRONLY | O_CREAT | O_EXCL, 0640);
	STEP("open.trunc", OK, open, "new", O_WRONLY | O_TRUNC);
	STEP("open.append", OK, open, "new", O_WRONLY | O_APPEND);
	STEP("open.tmpfile", ANY, open, ".", O_RDWR | O_TMPFILE, 0600);
	STEP("open.tmpf-ro", EINVAL, open, ".", O_RDONLY | O_TMPFILE, 0600);
	STEP("open.tmpf-nodir", ENOTDIR, open, "file", O_RDWR | O_TMPFILE, 0600);
	STEP("open.path", OK, open, "file", O_PATH);
	STEP("open.dir", OK, open, "dir", O_RDONLY | O_DIRECTORY);
	STEP("open.dot", OK, open, ".", O_RDONLY);
	STEP("open.root", OK, open, "/", O_RDONLY);
	STEP("open.dev", OK, open, "/dev/null", O_RDWR);
	STEP("open.devcreat", OK, open, "/dev/null", O_RDWR | O_CREAT, 0666);
	STEP("open.proc", OK, open, "/proc/self/status", O_RDONLY);
	STEP("open.procexe", OK, open, "/proc/self/exe", O_RDONLY);
	STEP("open.accmode3", OK, open, "/dev/null", 3);
}

static void links(void)
{
	STEP("open.symlink", OK, open, "link", O_RDONLY);
	STEP("open.linkdir", OK, open, "linkdir/inner", O_RDONLY);
	STEP("open.nofollow", ELOOP, open, "link", O_RDONLY | O_NOFOLLOW);
	STEP("open.pathlink", OK, open, "link", O_PATH | O_NOFOLLOW);
	STEP("open.dangling", ENOENT, open, "dangling", O_RDONLY);
	STEP("open.danglcreat", OK, open, "dangling", O_WRONLY | O_CREAT, 0600);
	STEP("open.danglexcl", EEXIST, open, "dangling", O_WRONLY | O_CREAT | O_EXCL, 0600);
	STEP("open.loop", ELOOP, open, "loop", O_RDONLY);
	STEP("open.loopcreat", ELOOP, open, "loop", O_WRONLY | O_CREAT, 0600);
	STEP("open.abslink", OK, open, "abslink", O_RDONLY);
}

static void missing(void)
{
	STEP("open.enoent", ENOENT, open, "missing", O_RDONLY);
	STEP("open.enoent2", ENOENT, open, "missing/file", O_RDONLY);
	STEP("open.creatnodir", ENOENT, open, "missing/file", O_WRONLY | O_CREAT, 0600);
	STEP("open.enotdir", ENOTDIR, open, "file/x", O_RDONLY);
	STEP("open.enotdir2", ENOTDIR, open, "file", O_RDONLY | O_DIRECTORY);
	STEP("open.creatnotd", ENOTDIR, open, "file/x", O_WRONLY | O_CREAT, 0600);
	STEP("open.eisdir", EISDIR, open, "dir", O_WRONLY);
	STEP("open.creatdir", EISDIR, open, "dir", O_WRONLY | O_CREAT, 0600);
	STEP("open.creatslash", EISDIR, open, "nodir/", O_WRONLY | O_CREAT, 0600);
	STEP("open.slashfile", ENOTDIR, open, "file/", O_RDONLY);
	STEP("open.einval", EINVAL, open, "dir", O_RDONLY | O_DIRECTORY | O_CREAT, 0600);
	STEP("open.longname", ENAMETOOLONG, open, long_name(256), O_RDONLY);
	STEP("open.longcreat", ENAMETOOLONG, open, long_name(256), O_WRONLY | O_CREAT, 0600);
	STEP("open.longpath", ENAMETOOLONG, open, long_path(PATH_MAX), O_RDONLY);
	STEP("open.maxpath", ENOENT, open, long_path(PATH_MAX - 1), O_RDONLY);
	STEP("open.maxname", OK, open, long_name(255), O_WRONLY | O_CREAT, 0600);
	STEP("open.empty", ENOENT, open, "", O_RDONLY);
	STEP("open.emptycreat", ENOENT, open, "", O_WRONLY | O_CREAT, 0600);
	STEP("open.null", EFAULT, open, NULL, O_RDONLY);
	STEP("open.fault", EFAULT, open, BAD_ADDRESS, O_RDONLY);
	STEP("open.fifo", ENXIO, open, "fifo", O_WRONLY | O_NONBLOCK);
	STEP("open.fiforead", OK, open, "fifo", O_RDONLY | O_NONBLOCK);
	STEP("open.nodev", ENXIO, open, "nodevice", O_RDONLY);
	STEP("open.txtbsy", ETXTBSY, open, "/proc/self/exe", O_WRONLY);
}

static void names(void)
{
	int dir = open("dir", O_RDONLY | O_DIRECTORY);

	STEP("open.space", OK, open, "with space", O_WRONLY | O_CREAT, 0600);
	STEP("open.newline", OK, open, "line\nbreak", O_WRONLY | O_CREAT, 0600);
	STEP("open.tab", OK, open, "tab\there", O_WRONLY | O_CREAT, 0600);
	STEP("open.esc", OK, open, "\033[31mred\007", O_WRONLY | O_CREAT, 0600);
	STEP("open.quote", OK, open, "a\"quote'", O_WRONLY | O_CREAT, 0600);
	STEP("open.utf8", OK, open, "gr\303\274n", O_WRONLY | O_CREAT, 0600);
	STEP("open.high", OK, open, "\377\376\200", O_WRONLY | O_CREAT, 0600);
	STEP("open.del", OK, open, "del\177", O_WRONLY | O_CREAT, 0600);
	STEP("open.ctrlmiss", ENOENT, open, "miss\001ing\n", O_RDONLY);
	STEP("open.paren", OK, open, "(null)", O_WRONLY | O_CREAT, 0600);
	STEP("open.hexlike", OK, open, "ABCDEF", O_WRONLY | O_CREAT, 0600);
	STEP("open.backslash", OK, open, "back\\slash", O_WRONLY | O_CREAT, 0600);
	STEP("open.dotslash", OK, open, "./file", O_RDONLY);
	STEP("open.dotdot", OK, open, "dir/../file", O_RDONLY);
	STEP("open.slashes", OK, open, "dir//inner", O_RDONLY);
	STEP("open.slashes3", OK, open, "///dev///null", O_RDONLY);
	STEP("open.updir", OK, open, "..", O_RDONLY);
	STEP("open.creatup", OK, open, "dir/../upnew", O_WRONLY | O_CREAT, 0600);
	STEP("open.creatdd", OK, open, ".//dir//ddnew", O_WRONLY | O_CREAT, 0600);
	STEP("openat.dirfd", OK, openat, dir, "inner", O_RDONLY);
	STEP("openat.creat", OK, openat, dir, "atnew", O_WRONLY | O_CREAT, 0600);
	STEP("openat.creatold", OK, openat, dir, "atnew", O_WRONLY | O_CREAT, 0600);
	STEP("openat.up", OK, openat, dir, "../file", O_RDONLY);
	STEP("openat.dot", OK, openat, dir, ".", O_RDONLY);
	STEP("openat.enoent", ENOENT, openat, dir, "missing", O_RDONLY);
	STEP("openat.abs", OK, openat, dir, "/dev/null", O_RDONLY);
	close(dir);
}

static void at(void)
{
	int file = open("file", O_RDONLY);

	STEP("openat.cwd", OK, openat, AT_FDCWD, "file", O_RDONLY);
	STEP("openat.ebadf", EBADF, openat, BAD_FD, "file", O_RDONLY);
	STEP("openat.neg", EBADF, openat, -1, "file", O_RDONLY);
	STEP("openat.absbad", OK, openat, BAD_FD, "/dev/null", O_RDONLY);
	STEP("openat.enotdir", ENOTDIR, openat, file, "x", O_RDONLY);
	STEP("openat.creatnd", ENOTDIR, openat, file, "x", O_WRONLY | O_CREAT, 0600);
	STEP("openat.creatbf", EBADF, openat, BAD_FD, "x", O_WRONLY | O_CREAT, 0600);
	STEP("openat.empty", ENOENT, openat, file, "", O_RDONLY);
	STEP("openat.null", EFAULT, openat, AT_FDCWD, NULL, O_RDONLY);
	STEP("openat.einval", EINVAL, openat, AT_FDCWD, "dir", O_DIRECTORY | O_CREAT, 0600);
	close(file);
}

static void two(void)
{
	struct { struct open_how how; long more; } big = { { .flags = O_RDONLY }, 1 };
	struct open_how h = { .flags = O_RDONLY };
	struct open_how creat = { .flags = O_WRONLY | O_CREAT, .mode = 0600 };
	struct open_how badmode = { .flags = O_RDONLY, .mode = 0600 };
	struct open_how badflag = { .flags = 1ull << 40 };
	struct open_how badres = { .flags = O_RDONLY, .resolve = 1ull << 40 };
	struct open_how beneath = { .flags = O_RDONLY, .resolve = RESOLVE_BENEATH };
	struct open_how nolink = { .flags = O_RDONLY, .resolve = RESOLVE_NO_SYMLINKS };
	struct open_how inroot = { .flags = O_RDONLY, .resolve = RESOLVE_IN_ROOT };
	struct open_how cached = { .flags = O_RDONLY, .resolve = RESOLVE_CACHED };
	int dir = open("dir", O_RDONLY | O_DIRECTORY);

	STEP("openat2.read", OK, openat2, AT_FDCWD, "file", &h, sizeof(h));
	STEP("openat2.creat", OK, openat2, dir, "two", &creat, sizeof(creat));
	STEP("openat2.enoent", ENOENT, openat2, AT_FDCWD, "missing", &h, sizeof(h));
	STEP("openat2.badmode", EINVAL, openat2, AT_FDCWD, "file", &badmode, sizeof(h));
	STEP("openat2.badflag", EINVAL, openat2, AT_FDCWD, "file", &badflag, sizeof(h));
	STEP("openat2.badres", EINVAL, openat2, AT_FDCWD, "file", &badres, sizeof(h));
	STEP("openat2.size", EINVAL, openat2, AT_FDCWD, "file", &h, 8);
	STEP("openat2.e2big", E2BIG, openat2, AT_FDCWD, "file", &big, sizeof(big));
	STEP("openat2.hownull", EFAULT, openat2, AT_FDCWD, "file", NULL, sizeof(h));
	STEP("openat2.null", EFAULT, openat2, AT_FDCWD, NULL, &h, sizeof(h));
	STEP("openat2.ebadf", EBADF, openat2, BAD_FD, "file", &h, sizeof(h));
	STEP("openat2.exdev", EXDEV, openat2, dir, "../file", &beneath, sizeof(h));
	STEP("openat2.eloop", ELOOP, openat2, AT_FDCWD, "link", &nolink, sizeof(h));
	STEP("openat2.inroot", OK, openat2, dir, "/inner", &inroot, sizeof(h));
	STEP("openat2.cached", ANY, openat2, AT_FDCWD, "file", &cached, sizeof(h));
	close(dir);
}

static void creat_calls(void)
{
	STEP("creat.new", OK, creat, "cnew", 0600);
	STEP("creat.old", OK, creat, "cnew", 0600);
	STEP("creat.dir", EISDIR, creat, "dir", 0600);
	STEP("creat.nodir", ENOENT, creat, "missing/x", 0600);
	STEP("creat.null", EFAULT, creat, NULL, 0600);
	STEP("creat.link", OK, creat, "link", 0600);
}

static void handles(void)
{
	struct { struct file_handle h; char room[MAX_HANDLE_SZ]; } fh = { .h.handle_bytes = MAX_HANDLE_SZ };
	struct { struct file_handle h; char room[8]; } small = { .h.handle_bytes = 0 };
	int id, dir = open(".", O_RDONLY);

	STEP("handle.name", ANY, name_to_handle_at, AT_FDCWD, "file", &fh, &id, 0);
	STEP("handle.open", ANY, open_by_handle_at, dir, &fh, O_RDONLY);
	STEP("handle.small", ANY, name_to_handle_at, AT_FDCWD, "file", &small, &id, 0);
	STEP("handle.enoent", ENOENT, name_to_handle_at, AT_FDCWD, "missing", &fh, &id, 0);
	STEP("handle.einval", EINVAL, name_to_handle_at, AT_FDCWD, "file", &fh, &id, 0x40000000);
	STEP("handle.badfd", EBADF, open_by_handle_at, BAD_FD, &fh, O_RDONLY);
	close(dir);
}

static void denied(void)
{
	become_nobody();
	STEP("nobody.eacces", EACCES, open, "secret", O_RDONLY);
	STEP("nobody.write", EACCES, open, "file", O_WRONLY);
	STEP("nobody.read", OK, open, "file", O_RDONLY);
	STEP("nobody.creat", EACCES, open, "mine", O_WRONLY | O_CREAT, 0600);
	STEP("nobody.creatold", EACCES, open, "secret", O_WRONLY | O_CREAT, 0600);
	STEP("nobody.search", EACCES, open, "closed/inner", O_RDONLY);
	STEP("nobody.srchmiss", EACCES, open, "closed/missing", O_RDONLY);
	STEP("nobody.srchcrea", EACCES, open, "closed/new", O_WRONLY | O_CREAT, 0600);
	STEP("nobody.tmpfile", EACCES, open, ".", O_RDWR | O_TMPFILE, 0600);
	STEP("nobody.trunc", EACCES, open, "file", O_RDONLY | O_TRUNC);
	STEP("nobody.noatime", EPERM, open, "file", O_RDONLY | O_NOATIME);
	STEP("nobody.path", OK, open, "secret", O_PATH);
	STEP("nobody.creatfn", EACCES, creat, "secret", 0600);
	STEP("nobody.openat2", EACCES, openat2, AT_FDCWD, "secret", &(struct open_how){ 0 }, sizeof(struct open_how));
	STEP("nobody.handle", EPERM, open_by_handle_at, AT_FDCWD, &(struct file_handle){ .handle_bytes = 8 }, 0);
	STEP("nobody.own", OK, open, "sticky/mine", O_WRONLY | O_CREAT, 0600);
}

static void prepare(void)
{
	char cwd[PATH_MAX], path[PATH_MAX + 8];

	umask(022);
	put_file("file", "hello\n", 0644);
	put_file("secret", "hush\n", 0600);
	mkdir("dir", 0755);
	put_file("dir/inner", "inner\n", 0644);
	mkdir("closed", 0700);
	mkdir("sticky", 0777);
	chmod("sticky", 01777);
	put_file("closed/inner", "inner\n", 0644);
	if (symlink("file", "link") || symlink("dir", "linkdir") || symlink("target", "dangling") ||
	    symlink("loop", "loop") || mkfifo("fifo", 0600))
		failures++;
	if (!getcwd(cwd, sizeof(cwd)))
		failures++;
	snprintf(path, sizeof(path), "%s/file", cwd);
	if (symlink(path, "abslink"))
		failures++;
	if (mknod("nodevice", S_IFCHR | 0600, makedev(3999, 7) /* nobody's number */))
		failures++;
}

int main(void)
{
	prepare();
	plain();
	links();
	missing();
	names();
	at();
	two();
	creat_calls();
	handles();
#ifdef SYS_uselib
	STEP("uselib", ANY, uselib, "file");
	STEP("uselib.enoent", ANY, uselib, "missing");
#endif
	in_child(denied);
	return failures != 0;
}
