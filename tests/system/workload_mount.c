// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: mounts, roots, swap, accounting, quotas and watchers. All of it in mount and pid namespaces of its own. */
#include "workload.h"

#include <linux/mount.h>
#include <sched.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>

static char buf[4096];

static void mounts(void)
{
	STEP("mount.tmpfs", OK, mount, "none", "mnt", "tmpfs", 0, "size=1m");
	STEP("mount.tmpfsn", OK, mount, NULL, "mnt2", "tmpfs", 0, NULL);
	STEP("mount.bind", OK, mount, "dir", "mnt/../bound", NULL, MS_BIND, NULL);
	STEP("bound.chdir", OK, chdir, "bound");
	close(STEP("bound.open", OK, open, "inner", O_RDONLY));
	close(STEP("bound.creat", OK, open, "through", O_WRONLY | O_CREAT, 0600));
	close(STEP("bound.up", OK, open, "../file", O_RDONLY));
	STEP("bound.back", OK, chdir, "..");
	STEP("mount.remount", OK, mount, NULL, "mnt", NULL, MS_REMOUNT | MS_RDONLY, NULL);
	STEP("mount.erofs", EROFS, open, "mnt/x", O_WRONLY | O_CREAT, 0600);
	STEP("mount.erofs2", EROFS, mkdir, "mnt/x", 0755);
	STEP("mount.enoent", ENOENT, mount, "none", "missing", "tmpfs", 0, NULL);
	STEP("mount.src", ENOENT, mount, "missing", "mnt", NULL, MS_BIND, NULL);
	STEP("mount.blk", ENOTBLK, mount, "file", "mnt", "ext4", 0, NULL);
	STEP("mount.nofs", ENODEV, mount, "none", "mnt", "nosuchfs", 0, NULL);
	STEP("mount.null", EFAULT, mount, "none", NULL, "tmpfs", 0, NULL);
	STEP("mount.fault", EFAULT, mount, "none", "mnt", BAD_ADDRESS, 0, NULL);
	STEP("mount.notdir", ENOTDIR, mount, "none", "file", "tmpfs", 0, NULL);
	STEP("mount.open", OK, open, "mnt2/file", O_WRONLY | O_CREAT, 0600);
	STEP("umount.busy", EBUSY, umount2, "mnt2", 0);
	STEP("umount.detach", OK, umount2, "mnt2", 2);
	STEP("umount", OK, umount2, "bound", 0);
	STEP("umount.einval", EINVAL, umount2, "dir", 0);
	STEP("umount.enoent", ENOENT, umount2, "missing", 0);
	STEP("umount.flags", EINVAL, umount2, "mnt", 0x100);
	STEP("umount.null", EFAULT, umount2, NULL, 0);
	STEP("umount.nofoll", EINVAL, umount2, "link", 8);
}

static void new_mounts(void)
{
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };
	int fs, mnt, tree;

	fs = STEP("fsopen", ANY, fsopen, "tmpfs", 0);
	STEP("fsopen.nofs", ANY, fsopen, "nosuchfs", 0);
	STEP("fsconfig.size", ANY, fsconfig, fs, FSCONFIG_SET_STRING, "size", "1m", 0);
	STEP("fsconfig.path", ANY, fsconfig, fs, FSCONFIG_SET_PATH, "source", "dir", AT_FDCWD);
	STEP("fsconfig.create", ANY, fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0);
	STEP("fsconfig.bad", EBADF, fsconfig, BAD_FD, FSCONFIG_SET_STRING, "size", "1m", 0);
	mnt = STEP("fsmount", ANY, fsmount, fs, 0, 0);
	STEP("move_mount", ANY, move_mount, mnt, "", AT_FDCWD, "mnt2", MOVE_MOUNT_F_EMPTY_PATH);
	STEP("move_mount.bad", EBADF, move_mount, BAD_FD, "x", AT_FDCWD, "mnt2", 0);
	STEP("move_mount.miss", ENOENT, move_mount, AT_FDCWD, "missing", AT_FDCWD, "mnt2", 0);
	STEP("move_mount.mis2", ENOENT, move_mount, AT_FDCWD, "mnt2", AT_FDCWD, "missing", 0);
	tree = STEP("open_tree", ANY, open_tree, AT_FDCWD, "dir", 1 /* clone */);
	STEP("open_tree.path", ANY, open_tree, AT_FDCWD, "dir", 0);
	STEP("open_tree.miss", ENOENT, open_tree, AT_FDCWD, "missing", 0);
	STEP("open_tree.flag", EINVAL, open_tree, AT_FDCWD, "dir", 0x40000000);
	STEP("mount_setattr", ANY, mount_setattr, AT_FDCWD, "mnt2", 0, &attr, sizeof(attr));
	STEP("mount_seta.fd", ANY, mount_setattr, tree, "", AT_EMPTY_PATH, &attr, sizeof(attr));
	STEP("mount_seta.miss", ENOENT, mount_setattr, AT_FDCWD, "missing", 0, &attr, sizeof(attr));
	STEP("mount_seta.size", EINVAL, mount_setattr, AT_FDCWD, "mnt2", 0, &attr, 8);
	STEP("fspick", ANY, fspick, AT_FDCWD, "mnt2", 0);
	STEP("fspick.miss", ENOENT, fspick, AT_FDCWD, "missing", 0);
	STEP("fspick.einval", EINVAL, fspick, AT_FDCWD, "dir", 0x100);
}

static void swap_file(const char *path)
{
	char page[4096] = "";
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	*(uint32_t *)(page + 1024) = 1; /* version */
	*(uint32_t *)(page + 1028) = 9; /* last page */
	memcpy(page + 4086, "SWAPSPACE2", 10);
	for (int i = 0; i < 10; i++) {
		if (write(fd, page, sizeof(page)) != sizeof(page))
			failures++;
		memset(page, 0, sizeof(page));
	}
	fsync(fd);
	close(fd);
}

static void machine(void)
{
	swap_file("swap");
	STEP("swapon", ANY, swapon, "swap", 0);
	STEP("swapoff", ANY, swapoff, "swap");
	STEP("swapon.einval", ANY, swapon, "file", 0);
	STEP("swapon.enoent", ENOENT, swapon, "missing", 0);
	STEP("swapon.null", EFAULT, swapon, NULL, 0);
	STEP("swapon.flags", EINVAL, swapon, "swap", 0x7f000000);
	STEP("swapoff.enoent", ENOENT, swapoff, "missing");
	STEP("swapoff.einval", EINVAL, swapoff, "file");
	STEP("acct", ANY, acct, "file");
	STEP("acct.off", ANY, acct, NULL);
	STEP("acct.enoent", ENOENT, acct, "missing");
	STEP("acct.isdir", ANY, acct, "dir");
	STEP("quotactl", ANY, quotactl, 0x800007 << 8, "/dev/vda", 0, buf);
	STEP("quotactl.enoent", ANY, quotactl, 0x800007 << 8, "missing", 0, buf);
	STEP("quotactl.notblk", ANY, quotactl, 0x800007 << 8, "file", 0, buf);
	STEP("quotactl.null", ANY, quotactl, 0x800007 << 8, NULL, 0, buf);
	STEP("quotactl.on", ANY, quotactl, 0x800002 << 8, "/dev/vda", 1, "file");
	STEP("sysfs", ANY, sysfs, 1, "tmpfs");
}

static void watchers(void)
{
	int in = inotify_init1(IN_NONBLOCK), fan = syscall(SYS_fanotify_init, FAN_CLASS_NOTIF, O_RDONLY);
	int dir = open("dir", O_RDONLY);

	STEP("inotify", OK, inotify_add_watch, in, "dir", IN_CREATE);
	STEP("inotify.enoent", ENOENT, inotify_add_watch, in, "missing", IN_CREATE);
	STEP("inotify.notdir", ENOTDIR, inotify_add_watch, in, "file", IN_CREATE | IN_ONLYDIR);
	STEP("inotify.ebadf", EBADF, inotify_add_watch, BAD_FD, "dir", IN_CREATE);
	STEP("inotify.einval", EINVAL, inotify_add_watch, in, "dir", 0);
	STEP("inotify.null", EFAULT, inotify_add_watch, in, NULL, IN_CREATE);
	STEP("fanotify", ANY, fanotify_mark, fan, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "dir");
	STEP("fanotify.dirfd", ANY, fanotify_mark, fan, FAN_MARK_ADD, FAN_OPEN, dir, NULL);
	STEP("fanotify.miss", ANY, fanotify_mark, fan, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "missing");
	STEP("fanotify.ebadf", EBADF, fanotify_mark, BAD_FD, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "dir");
	STEP("fanotify.einval", EINVAL, fanotify_mark, fan, 0, FAN_OPEN, AT_FDCWD, "dir");
	close(in);
	close(fan);
	close(dir);
}

static void chroots(void)
{
	STEP("chroot.enoent", ENOENT, chroot, "missing");
	STEP("chroot.enotdir", ENOTDIR, chroot, "file");
	STEP("chroot.null", EFAULT, chroot, NULL);
	STEP("chroot", OK, chroot, "dir");
	STEP("chroot.outside", OK, open, "file", O_RDONLY);
	STEP("chroot.outcreat", OK, open, "outside", O_WRONLY | O_CREAT, 0600);
	STEP("chroot.abs", OK, open, "/inner", O_RDONLY);
	STEP("chroot.outcwd", ANY, getcwd, buf, sizeof(buf));
	STEP("chroot.outmk", OK, mkdir, "outmade", 0755);
	STEP("chroot.chdir", OK, chdir, "/");
	STEP("chroot.in", OK, open, "inner", O_RDONLY);
	STEP("chroot.creat", OK, open, "innew", O_WRONLY | O_CREAT, 0600);
	STEP("chroot.missing", ENOENT, open, "/etc/passwd", O_RDONLY);
	STEP("chroot.up", OK, open, "../inner", O_RDONLY);
	STEP("chroot.deep", OK, chdir, "/deep/er");
	STEP("chroot.deepop", OK, open, "x", O_WRONLY | O_CREAT, 0600);
}

static void pivot(void)
{
	STEP("pivot.enoent", ENOENT, pivot_root, "missing", "x");
	STEP("pivot.enoent2", ENOENT, pivot_root, "dir", "missing");
	STEP("pivot.same", ANY, pivot_root, "dir", "dir");
	STEP("pivot.null", EFAULT, pivot_root, NULL, "x");
	STEP("pivot.mount", OK, mount, "none", "mnt", "tmpfs", 0, NULL);
	STEP("pivot.mkdir", OK, mkdir, "mnt/old", 0755);
	STEP("pivot", ANY, pivot_root, "mnt", "mnt/old");
	STEP("pivot.open", ENOENT, open, "/etc/passwd", O_RDONLY);
	STEP("pivot.old", ANY, open, "/old/etc/passwd", O_RDONLY);
	STEP("pivot.rel", ANY, open, "file", O_RDONLY);
	STEP("pivot.umount", ANY, umount2, "/old", 2);
	STEP("pivot.rel2", ANY, open, "file", O_RDONLY);
	STEP("pivot.cwd", ANY, getcwd, buf, sizeof(buf));
}

static void denied(void)
{
	become_nobody();
	STEP("nobody.mount", EPERM, mount, "none", "mnt", "tmpfs", 0, NULL);
	STEP("nobody.umount", EPERM, umount2, "mnt", 0);
	STEP("nobody.chroot", EPERM, chroot, "dir");
	STEP("nobody.swapon", EPERM, swapon, "swap", 0);
	STEP("nobody.swapoff", EPERM, swapoff, "swap");
	STEP("nobody.acct", EPERM, acct, "file");
	STEP("nobody.pivot", EPERM, pivot_root, "mnt", "mnt");
	STEP("nobody.quota", ANY, quotactl, 0x800007 << 8, "/dev/vda", 0, buf);
}

/* Inside the namespaces; process accounting and mounts end with them. */
static void inside(void)
{
	if (syscall(SYS_mount, "none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		failures++;
	mounts();
	new_mounts();
	machine();
	watchers();
	in_child(denied);
	in_child(chroots);
	in_child(pivot);
}

static void unshared(void)
{
	if (unshare(CLONE_NEWNS | CLONE_NEWPID)) {
		fprintf(stderr, "workload: unshare: %m\n");
		failures++;
		return;
	}
	in_child(inside);
}

int main(void)
{
	umask(022);
	put_file("file", "hello\n", 0644);
	mkdir("dir", 0755);
	put_file("dir/inner", "inner\n", 0644);
	mkdir("dir/deep", 0755);
	mkdir("dir/deep/er", 0755);
	mkdir("mnt", 0755);
	mkdir("mnt2", 0755);
	mkdir("bound", 0755);
	if (symlink("mnt", "link"))
		failures++;
	in_child(unshared);
	return failures != 0;
}
