// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: processes, threads, ids, names, signals: what the SYSCALL record says of who did it. */
#include "workload.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <time.h>

static char stack[65536] __attribute__((aligned(16)));

static void exits(void)
{
	pid_t pid;

	set_label("exit");
	pid = fork();
	if (!pid)
		syscall(SYS_exit, 3);
	waitpid(pid, NULL, 0);
	set_label("exit_group");
	pid = fork();
	if (!pid)
		syscall(SYS_exit_group, -1);
	waitpid(pid, NULL, 0);
	set_label("killed");
	pid = fork();
	if (!pid)
		for (;;)
			pause();
	wait_asleep(pid);
	STEP("kill", OK, kill, pid, SIGKILL);
	waitpid(pid, NULL, 0);
	set_label("segv");
	pid = fork();
	if (!pid)
		raise(SIGSEGV);
	waitpid(pid, NULL, 0);
}

static int child_body(void *arg)
{
	STEP("clone.child", OK, getppid);
	return 0;
}

/* vfork and clone3 by hand: glibc has no wrapper, or one that does more. */
static pid_t raw_vfork(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	return pid;
}

static void forks(void)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	struct clone_args wrong = { .flags = 0xffffffff00000000ull };
	pid_t pid;

	pid = STEP("fork.raw", OK, fork);
	if (!pid)
		_exit(0);
	wait_child(pid);
	set_label("vfork");
	wait_child(raw_vfork());
	set_label("clone");
	wait_child(clone(child_body, stack + sizeof(stack), SIGCHLD, NULL));
	set_label("clone.vm");
	wait_child(clone(child_body, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
	set_label("clone.parent");
	pid = clone(child_body, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD, NULL);
	pid = STEP("clone3", OK, clone3, &args, sizeof(args));
	if (!pid)
		_exit(0);
	wait_child(pid);
	STEP("clone3.einval", EINVAL, clone3, &wrong, sizeof(wrong));
	STEP("clone3.size", EINVAL, clone3, &args, 8);
	STEP("clone3.fault", EFAULT, clone3, NULL, sizeof(args));
	STEP("clone.einval", EINVAL, clone, CLONE_THREAD, 0, 0, 0, 0);
	STEP("unshare.inval", EINVAL, unshare, 0xff);
}

/* The child's parent dies first: ppid= changes under its feet, but in no call that is under way, save the read that waits for it. */
static void orphan(void)
{
	int wake[2], done[2], ready[2];
	char c;

	if (pipe(wake) || pipe(done) || pipe(ready))
		failures++;
	set_label("orphan.parent");
	pid_t pid = fork();

	if (!pid) {
		pid_t child = fork();

		if (!child) {
			close(wake[1]);
			close(done[0]);
			STEP("orphan.before", OK, open, "/dev/null", O_RDONLY);
			if (write(ready[1], "r", 1) != 1)
				failures++;
			if (read(wake[0], &c, 1)) /* end of file: the parent is gone */
				failures++;
			while (getppid() == 0)
				;
			STEP("orphan.after", OK, open, "/dev/null", O_RDONLY);
			_exit(0);
		}
		if (read(ready[0], &c, 1) != 1)
			failures++;
		wait_asleep(child);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	close(wake[1]);
	close(done[1]);
	if (read(done[0], &c, 1)) /* end of file: the orphan is gone */
		failures++;
}

static int thread_body(void *arg)
{
	set_label(arg);
	syscall(SYS_open, "/dev/null", O_RDONLY);
	syscall(SYS_open, "/missing", O_RDONLY);
	syscall(SYS_getpid);
	return 0;
}

/* CLONE_VFORK: the first thread waits for the second's end, so that the order of their calls is no matter of luck. */
static void threads(void)
{
	char *labels[] = { "thread.one", "thread.two" };
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_VFORK;

	for (int i = 0; i < 2; i++)
		if (clone(thread_body, stack + sizeof(stack), flags, labels[i]) < 0)
			failures++;
}

static void names(void)
{
	set_label("name.main");
	prctl(PR_SET_NAME, "gr\303\274n");
	syscall(SYS_open, "/dev/null", O_RDONLY);
	prctl(PR_SET_NAME, "with space");
	syscall(SYS_open, "/dev/null", O_RDONLY);
	prctl(PR_SET_NAME, "quo\"te");
	syscall(SYS_open, "/dev/null", O_RDONLY);
	prctl(PR_SET_NAME, "new\nline\001");
	syscall(SYS_open, "/dev/null", O_RDONLY);
	prctl(PR_SET_NAME, "");
	syscall(SYS_open, "/dev/null", O_RDONLY);
	prctl(PR_SET_NAME, "fifteen-bytes-x and more");
	syscall(SYS_open, "/dev/null", O_RDONLY);
	prctl(PR_SET_NAME, "equals=key=x");
	syscall(SYS_open, "/dev/null", O_RDONLY);
}

static void ids(void)
{
	gid_t groups[] = { 10, 20, 30 };

	STEP("setgroups", OK, setgroups, 3, groups);
	STEP("ids.groups", OK, access, "/dev/null", R_OK);
	STEP("setresgid", OK, setresgid, 101, 102, 103);
	STEP("ids.gid", OK, access, "/dev/null", R_OK);
	STEP("setfsgid", OK, setfsgid, 104);
	STEP("ids.gids", OK, open, "/dev/null", O_RDONLY);
	STEP("setresuid", OK, setresuid, 201, 202, 0);
	STEP("setfsuid", OK, setfsuid, 204);
	STEP("ids.uids", OK, open, "/dev/null", O_RDONLY);
	STEP("ids.creat", OK, open, "open/ids", O_WRONLY | O_CREAT, 0600);
	STEP("setuid", OK, setresuid, 202, 202, 202);
	STEP("ids.suid", OK, access, "/dev/null", R_OK);
	STEP("setuid.eperm", EPERM, setuid, 0);
	STEP("setgid.eperm", EPERM, setgid, 0);
	STEP("setreuid.eperm", EPERM, setreuid, 0, 0);
	STEP("setregid", ANY, setregid, 103, 103);
	STEP("ids.after", OK, open, "/dev/null", O_RDONLY);
}

static void sessions(void)
{
	STEP("setsid", OK, setsid);
	STEP("setpgid.eperm", EPERM, setpgid, 0, 0);
	STEP("personality", OK, personality, ADDR_NO_RANDOMIZE);
	STEP("pers.open", OK, open, "/dev/null", O_RDONLY);
	STEP("pers.32", OK, personality, PER_LINUX32 | ADDR_NO_RANDOMIZE);
	STEP("pers.32open", OK, open, "/dev/null", O_RDONLY);
	STEP("pers.back", OK, personality, 0);
}

static void capabilities(void)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct d[2] = { 0 };

	STEP("capget", OK, capget, &h, d);
	STEP("capset", OK, capset, &h, d);
	STEP("capset.fault", EFAULT, capset, &h, NULL);
	h.pid = 1; /* a task sets its own alone, whatever it may do */
	STEP("capset.eperm", EPERM, capset, &h, d);
}

/* Calls that seccomp lets through with a record, refuses before their start, or ends the process for. */
static void filtered(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgrp, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_LOG),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOTEMPTY),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rmdir, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(rules) / sizeof(*rules), rules };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	STEP("seccomp", OK, seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
	STEP("seccomp.log", OK, getpgrp);
	STEP("seccomp.errno", ENOTEMPTY, mkdir, "never", 0755);
	STEP("seccomp.after", OK, open, "/dev/null", O_RDONLY);
	pid_t pid = fork();

	if (!pid)
		STEP("seccomp.kill", OK, rmdir, "never");
	waitpid(pid, NULL, 0);
	STEP("seccomp.end", OK, open, "/dev/null", O_RDONLY);
}

/* A terminal of one's own: tty=. */
static void terminal(void)
{
	int master, zero = 0, n = -1;
	char path[64];

	set_label("tty.ptmx");
	master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	if (master < 0 || ioctl(master, TIOCSPTLCK, &zero) || ioctl(master, TIOCGPTN, &n))
		return; /* a machine without */
	snprintf(path, sizeof(path), "/dev/pts/%d", n);
	STEP("tty.setsid", OK, setsid);
	STEP("tty.open", OK, open, path, O_RDWR);
	STEP("tty.after", OK, open, "/dev/null", O_RDONLY);
	STEP("tty.miss", ENOENT, open, "/missing", O_RDONLY);
}

/* Ids are those of the first user namespace, whatever the process thinks. */
static void user_namespace(void)
{
	become_nobody();
	STEP("userns", ANY, unshare, CLONE_NEWUSER);
	STEP("userns.open", OK, open, "/dev/null", O_RDONLY);
	STEP("userns.setuid", ANY, setuid, 0);
	STEP("userns.creat", OK, open, "open/userns", O_WRONLY | O_CREAT, 0600);
}

static void on_signal(int sig) {}

/* A call that a signal breaks, with and without restart. */
static void interrupted(void)
{
	struct itimerval soon = { .it_value = { 0, 30000 } };
	struct itimerval again = { { 0, 30000 }, { 0, 30000 } }; /* the first may come before the call */
	struct timespec shortly = { 0, 100000000 }, second = { 1, 0 };
	struct sigaction sa = { .sa_handler = on_signal };
	int pair[2];
	char c;

	if (pipe(pair))
		failures++;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &again, NULL);
	STEP("eintr.read", EINTR, read, pair[0], &c, 1);
	STEP("eintr.sleep", EINTR, nanosleep, &second, NULL);
	STEP("eintr.pause", EINTR, pause);
	sa.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	set_label("restart.wait");
	pid_t pid = fork();

	if (!pid) {
		struct timespec t = { 0, 60000000 };

		nanosleep(&t, NULL);
		_exit(0);
	}
	wait_child(pid);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	STEP("restart.ignore", OK, nanosleep, &shortly, NULL);
}

/* Stop and go on: the kernel restarts the sleep by restart_syscall(2). */
static void stopped(void)
{
	pid_t self = getpid(), pid;
	int status;

	set_label("stopped");
	pid = fork();
	if (!pid) {
		struct timespec t = { 0, 20000000 };

		nanosleep(&t, NULL);
		kill(self, SIGSTOP);
		nanosleep(&t, NULL);
		kill(self, SIGCONT);
		_exit(0);
	}
	STEP("stopped.sleep", OK, nanosleep, &(struct timespec){ .tv_nsec = 80000000 }, NULL);
	waitpid(pid, &status, 0);
}

static void traced(void)
{
	pid_t pid;
	int status;

	set_label("ptrace");
	pid = fork();
	if (!pid)
		for (;;)
			pause();
	wait_asleep(pid);
	STEP("ptrace.attach", ANY, ptrace, PTRACE_ATTACH, pid, 0, 0);
	waitpid(pid, &status, 0);
	STEP("ptrace.detach", ANY, ptrace, PTRACE_DETACH, pid, 0, 0);
	STEP("ptrace.esrch", ESRCH, ptrace, PTRACE_ATTACH, 4194303, 0, 0);
	STEP("kill.zero", OK, kill, pid, 0);
	STEP("kill.tgkill", OK, tgkill, pid, pid, SIGKILL);
	waitpid(pid, &status, 0);
	STEP("kill.esrch", ESRCH, kill, 4194303, SIGTERM);
	STEP("kill.einval", EINVAL, kill, getpid(), 999);
}

int main(int argc, char **argv)
{
	umask(022);
	mkdir("open", 0777);
	chmod("open", 0777);
	exits();
	forks();
	orphan();
	threads();
	names();
	in_child(ids);
	in_child(sessions);
	in_child(capabilities);
	in_child(filtered);
	in_child(terminal);
	in_child(user_namespace);
	interrupted();
	in_child(stopped);
	traced();
	set_label("title.change");
	memset(argv[0], 0, strlen(argv[0]));
	strcpy(argv[0], "o\nd");
	STEP("title.control", OK, open, "/dev/null", O_RDONLY);
	prctl(PR_SET_MM, PR_SET_MM_ARG_END, (unsigned long)argv[0], 0, 0);
	STEP("title.empty", OK, open, "/dev/null", O_RDONLY);
	return failures != 0;
}
