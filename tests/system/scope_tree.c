// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of every kind, many and short-lived. Each makes marked calls and reports its pid and how many it made.
 *
 *   scope_tree tree REPORT TOKEN ROUNDS   the whole tree; ends with status 3, while some of it goes on for a second
 *   scope_tree marks REPORT TOKEN N       N marked calls, a report, the end
 *   scope_tree outside TOKEN              the same calls and forks all the time, until it is killed
 *
 * A marked call is getpgid(0) with the token in its second argument, which the kernel does not look at. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES 65536
#define CHAIN 40 /* generations of a chain of forks */
#define BURST 60 /* children alive at once */

static const char *report_file, *token_text, *self;
static unsigned long token;
static int report_fd = -1;
static pid_t main_pid;

static void die(const char *what)
{
	perror(what);
	_exit(99);
}

static void mark(unsigned n)
{
	while (n--)
		syscall(SYS_getpgid, 0, token, n);
}

/* One write to an O_APPEND file: reports never mix. */
static void report(pid_t pid, unsigned marks, const char *kind)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%d %u %s\n", pid, marks, kind);

	if (report_fd >= 0 && write(report_fd, line, n) != n)
		die("report");
}

static void mark_and_report(unsigned n, const char *kind)
{
	mark(n);
	report(syscall(SYS_getpid), n, kind);
}

static void child_end(unsigned n, const char *kind)
{
	mark_and_report(n, kind);
	_exit(0);
}

static void wait_for(pid_t pid)
{
	if (pid < 0)
		die("starting a process");
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
}

static void exec_marks(unsigned n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	execl(self, "scope_tree", "marks", report_file ? report_file : "", token_text, text, NULL);
	_exit(98);
}

static void by_fork(unsigned n)
{
	pid_t pid = fork();

	if (!pid)
		child_end(n, "fork");
	wait_for(pid);
}

static void by_vfork(unsigned n)
{
	pid_t pid = vfork();

	if (!pid)
		child_end(n, "vfork");
	wait_for(pid);
}

static void by_vfork_exec(unsigned n)
{
	pid_t pid = vfork();

	if (!pid)
		exec_marks(n);
	wait_for(pid);
}

static void by_fork_exec(unsigned n)
{
	pid_t pid = fork();

	if (!pid) {
		mark_and_report(n, "fork-exec");
		exec_marks(n + 1);
	}
	wait_for(pid);
}

/* By the call itself: glibc's fork() is clone() with more flags. */
static void by_raw_fork(unsigned n)
{
	pid_t pid = syscall(SYS_fork);

	if (!pid)
		child_end(n, "raw-fork");
	wait_for(pid);
}

static void by_clone3(unsigned n)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	pid_t pid = syscall(SYS_clone3, &args, sizeof(args));

	if (!pid)
		child_end(n, "clone3");
	wait_for(pid);
}

static int clone_body(void *arg)
{
	child_end((unsigned long)arg, "clone");
	return 0;
}

/* Shares the memory, has a stack of its own. */
static void by_clone_vm(unsigned n)
{
	char *stack = malloc(STACK_BYTES);

	wait_for(clone(clone_body, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)(unsigned long)n));
	free(stack);
}

/* A child that is its parent's brother: its parent is who started us, and that does not wait for it. */
static void by_clone_parent(unsigned n)
{
	struct clone_args args = { .flags = CLONE_PARENT };
	pid_t pid = syscall(SYS_clone3, &args, sizeof(args));

	if (!pid)
		child_end(n, "clone-parent");
	if (pid < 0)
		die("clone3");
}

/* In a pid namespace of its own it is 1: its parent reports the pid that the machine knows. */
static void by_namespace(unsigned n)
{
	struct clone_args args = { .exit_signal = SIGCHLD, .flags = CLONE_NEWPID };
	pid_t pid = syscall(SYS_clone3, &args, sizeof(args));

	if (!pid) {
		mark(n);
		_exit(0);
	}
	wait_for(pid);
	report(pid, n, "namespace");
}

static void by_session(unsigned n)
{
	pid_t pid = fork();

	if (!pid) {
		setsid();
		child_end(n, "session");
	}
	wait_for(pid);
}

/* Ends by a signal, not by exit(). */
static void by_signal(unsigned n)
{
	pid_t pid = fork();

	if (!pid) {
		mark_and_report(n, "killed");
		raise(SIGKILL);
	}
	wait_for(pid);
}

static void by_chain(unsigned n)
{
	pid_t pid = fork();

	if (!pid) {
		mark_and_report(n, "chain");
		if (n < CHAIN)
			by_chain(n + 1);
		_exit(0);
	}
	wait_for(pid);
}

static void by_burst(unsigned n)
{
	pid_t pids[BURST];

	for (unsigned i = 0; i < BURST; i++) {
		pids[i] = fork();
		if (!pids[i])
			child_end(n, "burst");
	}
	for (unsigned i = 0; i < BURST; i++)
		wait_for(pids[i]);
}

static void *thread_body(void *arg)
{
	mark_and_report((unsigned long)arg, "thread");
	return NULL;
}

static void *forking_thread(void *arg)
{
	by_fork((unsigned long)arg);
	return NULL;
}

static void *exec_thread(void *arg)
{
	mark_and_report((unsigned long)arg, "thread-exec");
	exec_marks((unsigned long)arg);
	return NULL;
}

static void start_thread(void *(*body)(void *), unsigned n, pthread_t *ret)
{
	if (pthread_create(ret, NULL, body, (void *)(unsigned long)n))
		die("pthread_create");
}

static void by_threads(unsigned n)
{
	pid_t pid = fork();
	pthread_t threads[5];

	if (!pid) {
		for (unsigned i = 0; i < 5; i++)
			start_thread(i < 4 ? thread_body : forking_thread, n, &threads[i]);
		for (unsigned i = 0; i < 5; i++)
			pthread_join(threads[i], NULL);
		_exit(0);
	}
	wait_for(pid);
}

/* A thread that is not the first starts a program: it takes over the process and its pid. */
static void by_exec_of_thread(unsigned n)
{
	pid_t pid = fork();
	pthread_t thread;

	if (!pid) {
		start_thread(exec_thread, n, &thread);
		for (;;)
			pause();
	}
	wait_for(pid);
}

static pthread_t first_thread;

static void *late_thread(void *arg)
{
	pthread_join(first_thread, NULL);
	mark_and_report((unsigned long)arg, "leaderless");
	return NULL;
}

/* A process whose first thread ends before the others. */
static void by_leaderless(unsigned n)
{
	pid_t pid = fork();
	pthread_t thread;

	if (!pid) {
		first_thread = pthread_self();
		start_thread(late_thread, n, &thread);
		mark_and_report(n, "leader");
		pthread_exit(NULL);
	}
	wait_for(pid);
}

static void wait_for_main(void)
{
	struct pollfd fd = { .fd = syscall(SYS_pidfd_open, main_pid, 0), .events = POLLIN };

	if (fd.fd >= 0)
		poll(&fd, 1, -1);
}

/* Its parent ends at once; it goes on for a second after the command has ended, and starts more of its kind. */
static void by_daemon(unsigned n)
{
	const struct timespec pause_ns = { .tv_nsec = 10000000 };
	pid_t pid = fork();

	if (pid) {
		wait_for(pid);
		return;
	}
	pid = fork();
	if (pid)
		child_end(n, "daemon-parent");
	setsid();
	wait_for_main();
	for (unsigned i = 0; i < 100; i++) {
		mark(1);
		if (i % 20 == 0)
			by_fork_exec(n);
		nanosleep(&pause_ns, NULL);
	}
	report(getpid(), 100, "daemon");
	_exit(0);
}

static void (*const kinds[])(unsigned n) = {
	by_fork, by_vfork, by_vfork_exec, by_fork_exec, by_raw_fork, by_clone3, by_clone_vm, by_clone_parent,
	by_namespace, by_session, by_signal, by_threads, by_exec_of_thread, by_leaderless,
};

static int tree(unsigned rounds)
{
	main_pid = getpid();
	by_daemon(3);
	for (unsigned i = 0; i < rounds; i++) {
		for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			kinds[k](1 + (i + k) % 9);
		mark_and_report(2, "main");
	}
	by_chain(1);
	by_burst(4);
	by_daemon(5);
	mark_and_report(1, "main");
	return 3;
}

static void outside(void)
{
	for (unsigned i = 0;; i++) {
		mark(200);
		kinds[i % (sizeof(kinds) / sizeof(kinds[0]))](2);
	}
}

int main(int argc, char **argv)
{
	self = "/proc/self/exe";
	if (argc < 3)
		return 97;
	signal(SIGCHLD, SIG_DFL);
	report_file = argc > 3 && argv[2][0] ? argv[2] : NULL;
	token_text = argv[argc > 3 ? 3 : 2];
	token = strtoul(token_text, NULL, 0);
	if (report_file)
		report_fd = open(report_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (report_file && report_fd < 0)
		die(report_file);
	if (!strcmp(argv[1], "outside"))
		outside();
	if (argc < 5)
		return 97;
	if (!strcmp(argv[1], "tree"))
		return tree(atoi(argv[4]));
	mark_and_report(atoi(argv[4]), "exec");
	return 0;
}
