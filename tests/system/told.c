// SPDX-License-Identifier: GPL-2.0-or-later
/* Everything that changes where a task stands and what it runs, in every way. After each change it makes two marked calls and
 * says what the kernel shows of it in /proc: "NAME FOLDER PROGRAM".
 *
 *   told FOLDER    an empty folder, to work in */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int proc_fd;
static const char *top;

static void check(int r, const char *what)
{
	if (r >= 0)
		return;
	perror(what);
	exit(1);
}
#define DO(call) check(call, #call)

/* By thread: what is shared is changed by others. */
static void mark(const char *what)
{
	static _Atomic unsigned n;
	char name[96], link[64], cwd[PATH_MAX] = "", exe[PATH_MAX] = "";
	int i;

	snprintf(name, sizeof(name), "mark-%u-%s", n++ + (unsigned)getpid() * 10000, what);
	snprintf(link, sizeof(link), "%d/task/%d/cwd", getpid(), gettid());
	DO(readlinkat(proc_fd, link, cwd, sizeof(cwd) - 1));
	snprintf(link, sizeof(link), "%d/exe", getpid());
	DO(readlinkat(proc_fd, link, exe, sizeof(exe) - 1));
	for (i = 0; i < 2; i++)
		if (open(name, O_RDONLY) >= 0)
			exit(1);
	printf("%s\t%s\t%s\n", name, cwd, exe);
	fflush(stdout);
}

static void renames(void)
{
	DO(mkdir("a", 0755));
	DO(chdir("a"));
	mark("folder");
	DO(rename("../a", "../b"));
	mark("renamed");
	DO(mkdir("c", 0755));
	DO(mkdir("c/d", 0755));
	DO(mkdir("c/d/e", 0755));
	DO(chdir("c/d/e"));
	mark("deep");
	DO(rename("../../../../b", "../../../../f"));
	mark("ancestor-renamed");
	DO(mkdir("../../../other", 0755));
	DO(rename("../../d", "../../../other/d"));
	mark("moved");
	DO(mkdir("../../x", 0755));
	DO(mkdir("../../x/y", 0755));
	DO(renameat2(AT_FDCWD, "../../x", AT_FDCWD, "../../d", RENAME_EXCHANGE));
	mark("exchanged");
	DO(rmdir("../e"));
	mark("deleted");
	DO(chdir(top));
	mark("back");
}

/* The next folder may well be given the address of the last. */
static void reuse(void)
{
	char name[32];
	int i;

	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "n%02d", i);
		DO(mkdir(name, 0755));
		DO(chdir(name));
		mark("reuse");
		DO(chdir(".."));
		DO(rmdir(name));
	}
}

static void *move(void *arg)
{
	DO(chdir(arg));
	mark("thread");
	return NULL;
}

static void *move_alone(void *arg)
{
	DO(unshare(CLONE_FS));
	DO(chdir(arg));
	mark("unshared");
	return NULL;
}

static void threads(void)
{
	pthread_t thread;

	DO(mkdir("t", 0755));
	mark("before-thread");
	DO(-pthread_create(&thread, NULL, move, "t"));
	pthread_join(thread, NULL);
	mark("after-thread");
	DO(-pthread_create(&thread, NULL, move_alone, ".."));
	pthread_join(thread, NULL);
	mark("after-unshared");
	DO(chdir(top));
}

static void mounts(void)
{
	DO(mkdir("m", 0755));
	DO(mkdir("o", 0755));
	DO(mkdir("o/n", 0755));
	DO(mount("none", "m", "tmpfs", 0, NULL));
	DO(mkdir("m/q", 0755));
	DO(chdir("m/q"));
	mark("mounted");
	DO(mount("../../m", "../../o/n", NULL, MS_MOVE, NULL));
	mark("mount-moved");
	DO(rename("../../../o", "../../../p"));
	mark("mount-renamed");
	DO(chdir(".."));
	mark("mount-root");
	DO(rename("../../p", "../../r"));
	mark("mount-root-renamed");
	DO(chdir(top));
}

static void processors(void)
{
	cpu_set_t all, one;
	int i;

	DO(sched_getaffinity(0, sizeof(all), &all));
	for (i = 0; i < 8; i++) {
		CPU_ZERO(&one);
		CPU_SET(i % 2, &one);
		sched_setaffinity(0, sizeof(one), &one);
		mark("processor");
	}
	DO(sched_setaffinity(0, sizeof(all), &all));
}

/* More tasks than the reader's table has slots, each with a folder of its own. */
static void tasks(void)
{
	char name[32];
	pid_t pid;
	int i;

	for (i = 0; i < 600; i++) {
		pid = fork();
		DO(pid);
		if (!pid) {
			snprintf(name, sizeof(name), "k%d", i);
			if (i % 20)
				_exit(open("/nothing/there", O_RDONLY) >= 0);
			DO(mkdir(name, 0755));
			DO(chdir(name));
			mark("child");
			_exit(0);
		}
		DO(waitpid(pid, NULL, 0));
	}
	mark("after-children");
}

static void roots(void)
{
	DO(mkdir("root", 0755));
	DO(mkdir("root/in", 0755));
	DO(chdir("root/in"));
	mark("before-chroot");
	DO(chroot(".."));
	mark("chroot");
}

/* A copy of the program, under names of its own. */
static void programs(char **argv)
{
	DO(rename("copy", "other"));
	mark("program-renamed");
	DO(unlink("other"));
	mark("program-deleted");
	tasks();
	mounts();
	roots();
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	top = argv[1];
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY);
	DO(proc_fd);
	DO(chdir(top));
	mark(argc > 2 ? "again" : "start");
	if (argc > 2) {
		programs(argv);
		return 0;
	}
	renames();
	reuse();
	threads();
	processors();
	DO(unshare(CLONE_NEWNS));
	DO(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	mark("namespace");
	execl("./copy", "copy", top, "again", NULL);
	perror("copy");
	return 1;
}
