// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: what can happen to a watched file or folder. The names under `d/` are watched (sets watch-… of oracle.sh), those
 * under `o/` are other names on the same file system. Each step follows right after the one before; where there is a file `pause`,
 * a while after it, for an engine that must look which file has a name now. */
#include "workload.h"

#include <linux/fs.h>
#include <sched.h>
#include <sys/mount.h>

#define PAUSE_US 300000

static char buf[4096];
static bool pausing;

/* Is it seen under this name? */
static void look(const char *label, int want, const char *path)
{
	if (pausing)
		usleep(PAUSE_US);
	close(STEP(label, want, open, path, O_RDONLY));
}

/* Now, and after as long as whoever follows the name by looking may need to notice. */
static void look_longer(const char *label, int want, const char *path)
{
	for (int i = 0; i < (pausing ? 1 : 12); i++) {
		look(label, want, path);
		usleep(20000);
	}
}

static void write_new(const char *label, const char *path)
{
	close(STEP(label, OK, open, path, O_WRONLY | O_CREAT | O_EXCL, 0600));
}

static void hard_links(void)
{
	STEP("hard.link", OK, link, "d/hard", "o/hard");
	look("hard.other", OK, "o/hard");
	look("hard.name", OK, "d/hard");
	STEP("hard.chmod", OK, chmod, "o/hard", 0640);
	STEP("hard.unlink", OK, unlink, "d/hard");
	look("hard.gone", OK, "o/hard");
	STEP("hard.back", OK, link, "o/hard", "d/hard");
	look_longer("hard.again", OK, "o/hard");
	STEP("hard.link2", OK, link, "d/hard", "o/hard2");
	STEP("hard.unlink2", OK, unlink, "o/hard");
	look("hard.third", OK, "o/hard2");
}

static void symlinks(void)
{
	STEP("soft.make", OK, symlink, "../d/soft", "o/soft");
	look("soft.through", OK, "o/soft");
	STEP("soft.readlink", OK, readlink, "o/soft", buf, 100);
	STEP("soft.lstat", OK, lstat, "o/soft", buf);
	STEP("soft.stat", OK, stat, "o/soft", buf);
	STEP("soft.unlink", OK, unlink, "o/soft");
	look("link.through", OK, "d/link");
	STEP("link.readlink", OK, readlink, "d/link", buf, 100);
	STEP("link.lstat", OK, lstat, "d/link", buf);
	STEP("link.nofollow", OK, open, "d/link", O_PATH | O_NOFOLLOW);
	look("link.target", OK, "o/target");
	STEP("link.unlink", OK, unlink, "d/link");
	STEP("link.again", OK, symlink, "../o/target", "d/link");
	STEP("link.lstat2", OK, lstat, "d/link", buf);
}

static void renames(void)
{
	STEP("ren.away", OK, rename, "d/ren", "d/ren2");
	look("ren.other", OK, "d/ren2");
	look("ren.gone", ENOENT, "d/ren");
	STEP("ren.back", OK, rename, "d/ren2", "d/ren");
	look_longer("ren.again", OK, "d/ren");
	STEP("ren.out", OK, rename, "d/ren", "o/ren");
	look("ren.outside", OK, "o/ren");
	STEP("ren.in", OK, rename, "o/ren", "d/ren");
	look("ren.inside", OK, "d/ren");
	STEP("ren.link", OK, link, "d/ren", "o/ren2");
	look("ren.linked", OK, "o/ren2");
}

/* A new file takes the watched name; the old one lives on under another. */
static void replacements(void)
{
	STEP("rep.old", OK, link, "d/rep", "o/old");
	write_new("rep.new", "d/rep.tmp");
	look("rep.before", OK, "d/rep.tmp");
	STEP("rep.rename", OK, rename, "d/rep.tmp", "d/rep");
	STEP("rep.link", OK, link, "d/rep", "o/rep");
	look("rep.other", OK, "o/rep");
	look("rep.name", OK, "d/rep");
	look_longer("rep.oldfile", OK, "o/old");
	look("rep.after", OK, "o/rep");
	write_new("rep.elsewhere", "o/rep3");
	STEP("rep.linked", OK, link, "o/rep3", "o/rep4");
	STEP("rep.movein", OK, rename, "o/rep3", "d/rep");
	look("rep.moved", OK, "o/rep4");
	look_longer("rep.former", OK, "o/rep");
}

static void replacements_in_a_row(void)
{
	for (int i = 0; i < (pausing ? 2 : 30); i++) {
		unlink("o/row");
		write_new("row.new", "o/row.tmp");
		STEP("row.link", OK, link, "o/row.tmp", "o/row");
		look("row.before", OK, "o/row");
		STEP("row.rename", OK, rename, "o/row.tmp", "d/row");
		look("row.after", OK, "o/row");
	}
}

static void exchanges(void)
{
	write_new("swap.new", "o/swap");
	STEP("swap.link", OK, link, "o/swap", "o/swap2");
	STEP("swap.links", OK, link, "d/swap", "o/swap3");
	STEP("swap", OK, renameat2, AT_FDCWD, "d/swap", AT_FDCWD, "o/swap", RENAME_EXCHANGE);
	look("swap.new2", OK, "o/swap2");
	look_longer("swap.old", OK, "o/swap3");
	STEP("swap.noreplc", EEXIST, renameat2, AT_FDCWD, "o/swap2", AT_FDCWD, "d/swap", RENAME_NOREPLACE);
	look("swap.same", OK, "d/swap");
	STEP("swap.reverse", OK, renameat2, AT_FDCWD, "o/swap", AT_FDCWD, "d/swap", RENAME_EXCHANGE);
	usleep(300000); /* for who follows names by looking; the kernel has lost its watch */
	look("swap.lost", OK, "d/swap");
}

/* As vim, emacs and sed -i save. */
static void editors(void)
{
	STEP("vim.away", OK, rename, "d/vim", "d/vim~");
	write_new("vim.write", "d/vim");
	STEP("vim.chmod", OK, chmod, "d/vim", 0644);
	look("vim.backup", OK, "d/vim~");
	STEP("vim.unlink", OK, unlink, "d/vim~");
	look("vim.read", OK, "d/vim");
	STEP("emacs.backup", OK, link, "d/emacs", "d/emacs~");
	write_new("emacs.write", "d/emacs#");
	STEP("emacs.rename", OK, rename, "d/emacs#", "d/emacs");
	look("emacs.backup2", OK, "d/emacs~");
	look("emacs.read", OK, "d/emacs");
	write_new("sed.write", "d/sedXXXX");
	STEP("sed.chmod", OK, chmod, "d/sedXXXX", 0644);
	STEP("sed.rename", OK, rename, "d/sedXXXX", "d/sed");
	look("sed.read", OK, "d/sed");
}

static void deletions(void)
{
	STEP("del.link", OK, link, "d/del", "o/del");
	STEP("del.unlink", OK, unlink, "d/del");
	look("del.other", OK, "o/del");
	look("del.missing", ENOENT, "d/del");
	write_new("del.create", "d/del");
	look("del.read", OK, "d/del");
	STEP("del.link2", OK, link, "d/del", "o/del2");
	look("del.new", OK, "o/del2");
	look_longer("del.old", OK, "o/del");
	STEP("del.unlink2", OK, unlink, "d/del");
	STEP("del.mkdir", OK, mkdir, "d/del", 0755);
	close(STEP("del.opendir", OK, open, "d/del", O_RDONLY | O_DIRECTORY));
	write_new("del.inside", "d/del/x");
	look("del.below", OK, "d/del/x");
	STEP("del.unlink3", OK, unlink, "d/del/x");
	STEP("del.rmdir", OK, rmdir, "d/del");
	STEP("del.mknod", OK, mknod, "d/del", S_IFIFO | 0600, 0);
	STEP("del.stat", OK, stat, "d/del", buf);
	STEP("del.rename", OK, rename, "d/del", "o/fifo");
	STEP("del.stat2", OK, stat, "o/fifo", buf);
}

static void not_there_yet(void)
{
	look("late.missing", ENOENT, "d/late");
	STEP("late.unlink", ENOENT, unlink, "d/late");
	write_new("late.create", "d/late");
	STEP("late.link", OK, link, "d/late", "o/late");
	look("late.other", OK, "o/late");
	look("late.read", OK, "d/late");
	STEP("late.link2", OK, link, "o/target", "d/late2");
	look_longer("late.linked", OK, "o/target");
	STEP("late.unlink2", OK, unlink, "d/late2");
	look("late.no", OK, "o/target");
	STEP("late.symlink", OK, symlink, "../o/target", "d/late2");
	STEP("late.lstat", OK, lstat, "d/late2", buf);
	look("late.through", OK, "d/late2");
}

static void on_a_folder(void)
{
	close(STEP("path.open", OK, open, "d/folder", O_RDONLY | O_DIRECTORY));
	look("path.inside", OK, "d/folder/in");
	look("path.deeper", OK, "d/folder/sub/in");
	write_new("path.create", "d/folder/new");
	STEP("path.unlink", OK, unlink, "d/folder/new");
	STEP("path.mkdir", OK, mkdir, "d/folder/dir", 0755);
	STEP("path.rmdir", OK, rmdir, "d/folder/dir");
	STEP("path.chmod", OK, chmod, "d/folder", 0750);
	STEP("path.movein", OK, rename, "d/path.x", "d/folder/x");
	STEP("path.sub", OK, mkdir, "d/folder/sub/dir", 0755);
	STEP("path.chdir", OK, chdir, "d/folder");
	look("path.relative", OK, "in");
	STEP("path.chdir2", OK, chdir, "../..");
	STEP("path.rename", OK, rename, "d/folder", "d/folder2");
	write_new("path.create2", "d/folder2/y");
}

static void tree(void)
{
	look("tree.file", OK, "d/tree/a");
	look("tree.deep", OK, "d/tree/sub/sub/b");
	STEP("tree.root", OK, stat, "d/tree", buf);
	STEP("tree.mkdir", OK, mkdir, "d/tree/new", 0755);
	write_new("tree.create", "d/tree/new/c");
	look("tree.read", OK, "d/tree/new/c");
	look("tree.missing", ENOENT, "d/tree/new/d");
	STEP("tree.link", OK, link, "d/tree/a", "o/tree.a");
	look("tree.linked", OK, "o/tree.a");
	STEP("tree.movein", OK, rename, "o/dir", "d/tree/dir");
	look("tree.moved", OK, "d/tree/dir/in");
	STEP("tree.moveout", OK, rename, "d/tree/sub", "o/sub");
	look("tree.outside", OK, "o/sub/sub/b");
	look("tree.outside2", OK, "o/sub/c");
	STEP("tree.chdir", OK, chdir, "d/tree/new");
	look("tree.relative", OK, "c");
	look("tree.up", OK, "../../../o/target");
	STEP("tree.chdir2", OK, chdir, "../../..");
	STEP("tree.symlink", OK, symlink, "../d/tree/a", "o/tree.s");
	look("tree.through", OK, "o/tree.s");
	STEP("tree.symlink2", OK, symlink, "../../o/target", "d/tree/s");
	look("tree.leadout", OK, "d/tree/s");
	STEP("tree.unlink", OK, unlink, "d/tree/new/c");
	STEP("tree.rmdir", OK, rmdir, "d/tree/new");
	look("tree.similar", OK, "d/tree2/a");
	look("mnt.before", OK, "d/tree/mnt/in");
}

/* A bind mount is the same inode; what is mounted in a watched folder after the rule was made is outside of it. */
static void mounts(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		fprintf(stderr, "workload: no mounts here: %m\n");
		return;
	}
	STEP("bind.folder", OK, mount, "d/bind", "o/bound", NULL, MS_BIND, NULL);
	look("bind.in", OK, "o/bound/f");
	STEP("bind.unlink", OK, unlink, "o/bound/f");
	write_new("bind.create", "o/bound/f");
	look("bind.again", OK, "d/bind/f");
	look("bind.again2", OK, "o/bound/f");
	STEP("bind.file", OK, mount, "d/bind/f", "o/file", NULL, MS_BIND, NULL);
	look("bind.asfile", OK, "o/file");
	STEP("bind.over", OK, mount, "o/target", "d/bind/f", NULL, MS_BIND, NULL);
	look("bind.covered", OK, "d/bind/f");
	look("bind.below", OK, "o/bound/f");
	STEP("bind.tree", OK, mount, "d/tree", "o/bound2", NULL, MS_BIND, NULL);
	look("bind.treefile", OK, "o/bound2/a");
	STEP("bind.inside", OK, mount, "o/outer", "d/tree/mnt2", NULL, MS_BIND, NULL);
	look("bind.mounted", OK, "d/tree/mnt2/in");
	look("bind.source", OK, "o/outer/in");
	STEP("bind.tmpfs", OK, mount, "none", "d/tree/mnt2", "tmpfs", 0, NULL);
	write_new("bind.intmpfs", "d/tree/mnt2/x");
}

/* The rule of a watched file goes with its folder as long as the folder's own name stays. */
static void folders_above(void)
{
	look("above.before", OK, "d/above/p/f");
	STEP("above.rename", OK, rename, "d/above", "d/above2");
	look_longer("above.moved", OK, "d/above2/p/f");
	STEP("above.link", OK, link, "d/above2/p/f", "o/above");
	look("above.linked", OK, "o/above");
	STEP("above.unlink", OK, unlink, "d/above2/p/f");
	write_new("above.create", "d/above2/p/f");
	look_longer("above.new", OK, "d/above2/p/f");
	STEP("root.rename", OK, rename, "d/root", "d/root2");
	look_longer("root.moved", OK, "d/root2/in");
	write_new("root.create", "d/root2/new");
}

/* The kernel drops the rule when the watched name's own folder is moved, and the rule of a tree that is gone. */
static void folders_of_their_own(void)
{
	STEP("own.rename", OK, rename, "d/own", "d/own2");
	look("own.moved", OK, "d/own2/f");
	STEP("own.mkdir", OK, mkdir, "d/own", 0755);
	usleep(200000); /* for who follows names by looking; the kernel's rule is gone */
	write_new("own.create", "d/own/f");
	look("own.new", OK, "d/own/f");
}

static void objects(void)
{
	int fd;

	look("obj.uid", OK, "o/obj");
	STEP("obj.chown", OK, chown, "o/obj", 3, 4);
	look("obj.gid", OK, "o/obj");
	close(STEP("obj.null", OK, open, "/dev/null", O_RDONLY));
	STEP("obj.stat", OK, stat, "/dev/zero", buf);
	STEP("obj.fifo", OK, mknod, "o/obj.fifo", S_IFIFO | 0600, 0);
	STEP("obj.mknod", ANY, mknod, "o/obj.dev", S_IFCHR | 0600, 0x105);
	fd = STEP("obj.open", OK, open, "o/inode", O_RDONLY);
	STEP("obj.fchmod", OK, fchmod, fd, 0600);
	close(fd);
	STEP("obj.rename", OK, rename, "o/inode", "o/inode2");
	look("obj.inode", OK, "o/inode2");
	STEP("obj.unlink", OK, unlink, "o/inode2");
	STEP("obj.missing", ENOENT, stat, "o/missing", buf);
}

int main(void)
{
	umask(022);
	pausing = !access("pause", F_OK);
	hard_links();
	symlinks();
	renames();
	replacements();
	replacements_in_a_row();
	exchanges();
	editors();
	deletions();
	not_there_yet();
	on_a_folder();
	tree();
	objects();
	in_child(mounts);
	folders_above();
	folders_of_their_own();
	umount2("d/tree/mnt", MNT_DETACH); /* made by the test */
	return failures != 0;
}
