// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: programs started in every way, with every kind of argument list. */
#include "workload.h"

#include <libgen.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/xattr.h>

static char *empty_env[] = { NULL };

static void copy(const char *from, const char *to, mode_t mode)
{
	char buf[65536];
	ssize_t n;
	int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, n) != n)
			failures++;
	if (n < 0 || fchmod(out, mode))
		failures++;
	close(in);
	close(out);
}

/* Execute in a child that must end with status 0. */
static void run(const char *label, const char *path, char *const argv[], char *const envp[])
{
	set_label(label);
	pid_t pid = fork();

	if (!pid) {
		syscall(SYS_execve, path, argv, envp);
		_exit(1);
	}
	wait_child(pid);
}

static void run_at(const char *label, int fd, const char *path, int flags)
{
	char *argv[] = { "at", NULL };

	set_label(label);
	pid_t pid = fork();

	if (!pid) {
		syscall(SYS_execveat, fd, path, argv, empty_env, flags);
		_exit(1);
	}
	wait_child(pid);
}

#define RUN(label, path, ...) run(label, path, (char *[]){ __VA_ARGS__, NULL }, empty_env)

static void arguments(void)
{
	RUN("argv.one", "./true", "true");
	run("argv.zero", "./true", (char *[]){ NULL }, empty_env);
	run("argv.null", "./true", NULL, NULL);
	RUN("argv.empty", "./true", "", "", "");
	RUN("argv.plain", "./true", "true", "-l", "--option=value", "/etc/passwd");
	RUN("argv.quote", "./true", "true", "a\"b", "it's", "\"\"");
	RUN("argv.space", "./true", "true", "with space", " ", "tab\there");
	RUN("argv.newline", "./true", "true", "line\nbreak", "\n", "\r");
	RUN("argv.utf8", "./true", "true", "gr\303\274n", "\377\376");
	RUN("argv.control", "./true", "true", "\001\002\003", "\033[31m", "\177");
	RUN("argv.longname", "./true", "true", long_name(4000));
}

static void many(const char *label, int n, size_t each)
{
	char **argv = calloc(n + 1, sizeof(*argv));

	for (int i = 0; i < n; i++) {
		argv[i] = long_name(each + 12);
		snprintf(argv[i], each + 12, "%0*d", (int)(each ? each : 1), i);
	}
	run(label, "./true", argv, empty_env);
	free(argv);
}

/* Lists that need several records, and arguments that need several records each. */
static void long_arguments(void)
{
	size_t sizes[] = { 7300, 7390, 7400, 7404, 7405, 7450, 7480, 7490, 7496, 7500, 7501, 7600, 8000, 8192, 15000,
			   15001, 22500, 65536, 131000 };
	char label[16];

	many("argv.5000", 5000, 4);
	many("argv.300x100", 300, 100);
	many("argv.64x2048", 64, 2048);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		char *plain = long_name(sizes[i]), *odd = long_name(sizes[i]);

		odd[sizes[i] / 2] = ' ';
		snprintf(label, sizeof(label), "argv.l%zu", sizes[i]);
		RUN(label, "./true", "true", plain, "between", plain);
		snprintf(label, sizeof(label), "argv.h%zu", sizes[i]);
		RUN(label, "./true", "true", odd, "", odd);
		free(plain);
		free(odd);
	}
}

static void scripts(void)
{
	put_file("script", "#!./true one two\n", 0755);
	put_file("nested", "#!./script\n", 0755);
	put_file("badscript", "#!./missing\n", 0755);
	put_file("loopscript", "#!./loopscript\n", 0755);
	put_file("noexec", "#!./true\n", 0644);
	put_file("text", "just text\n", 0755);
	put_file("nothing", "", 0755);
	put_file("elf", "\177ELF broken", 0755);
	RUN("script", "./script", "script", "arg");
	RUN("script.nested", "./nested", "nested", "arg");
	put_file("chain5", "#!./true\n", 0755);
	put_file("chain4", "#!./chain5\n", 0755);
	put_file("chain3", "#!./chain4\n", 0755);
	put_file("chain2", "#!./chain3\n", 0755);
	put_file("chain1", "#!./chain2\n", 0755);
	RUN("script.chain", "./chain1", "chain1");
	RUN("script.odd", "./bin/..//script", "odd");
}

static void failing(void)
{
	char *argv[] = { "x", NULL }, *big[3] = { "x", long_name(200000), NULL };

	STEP("exec.enoent", ENOENT, execve, "./missing", argv, empty_env);
	STEP("exec.enoent2", ENOENT, execve, "missing/x", argv, empty_env);
	STEP("exec.interp", ENOENT, execve, "./badscript", argv, empty_env);
	STEP("exec.loop", ELOOP, execve, "./loopscript", argv, empty_env);
	STEP("exec.noexec", EACCES, execve, "./noexec", argv, empty_env);
	STEP("exec.text", ENOEXEC, execve, "./text", argv, empty_env);
	STEP("exec.nothing", ENOEXEC, execve, "./nothing", argv, empty_env);
	STEP("exec.elf", ENOEXEC, execve, "./elf", argv, empty_env);
	STEP("exec.dir", EACCES, execve, ".", argv, empty_env);
	STEP("exec.notdir", ENOTDIR, execve, "true/x", argv, empty_env);
	STEP("exec.empty", ENOENT, execve, "", argv, empty_env);
	STEP("exec.null", EFAULT, execve, NULL, argv, empty_env);
	STEP("exec.fault", EFAULT, execve, "./true", BAD_ADDRESS, empty_env);
	STEP("exec.e2big", E2BIG, execve, "./true", big, empty_env);
	STEP("execat.enoent", ENOENT, execveat, AT_FDCWD, "missing", argv, empty_env, 0);
	STEP("execat.ebadf", EBADF, execveat, BAD_FD, "true", argv, empty_env, 0);
	STEP("execat.empty", EBADF, execveat, BAD_FD, "", argv, empty_env, AT_EMPTY_PATH);
	STEP("execat.einval", EINVAL, execveat, AT_FDCWD, "true", argv, empty_env, 1);
	STEP("execat.nofoll", ELOOP, execveat, AT_FDCWD, "link", argv, empty_env, AT_SYMLINK_NOFOLLOW);
	int open_for_write = open("busy", O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	STEP("exec.txtbsy", ANY, execve, "./busy", argv, empty_env);
	close(open_for_write);
}

static void denied(void)
{
	char *argv[] = { "x", NULL };

	become_nobody();
	STEP("nobody.exec", EACCES, execve, "./private", argv, empty_env);
	STEP("nobody.execdir", EACCES, execve, "closed/true", argv, empty_env);
	RUN("nobody.ok", "./true", "true");
	RUN("nobody.setuid", "./setuid", "setuid");
}

static void descriptors(void)
{
	int dir = open("bin", O_RDONLY | O_CLOEXEC), file = open("true", O_RDONLY | O_CLOEXEC);
	int script = open("script", O_RDONLY), path = open("true", O_PATH | O_CLOEXEC);
	int memory = memfd_create("a memfd", MFD_CLOEXEC);
	char buf[65536];
	ssize_t n;

	while ((n = read(file, buf, sizeof(buf))) > 0)
		if (write(memory, buf, n) != n)
			failures++;
	run_at("execat.dirfd", dir, "inner", 0);
	run_at("execat.cwd", AT_FDCWD, "true", 0);
	run_at("execat.fd", file, "", AT_EMPTY_PATH);
	run_at("execat.path", path, "", AT_EMPTY_PATH);
	run_at("execat.script", script, "", AT_EMPTY_PATH);
	run_at("execat.memfd", memory, "", AT_EMPTY_PATH);
	run_at("execat.abs", BAD_FD, "/proc/self/cwd/true", 0);
	close(dir);
	close(file);
	close(path);
	close(script);
	close(memory);
}

/* This program again, its file deleted: exe= says so. */
static void deleted_file(void)
{
	copy("/proc/self/exe", "self", 0755);
	RUN("deleted.start", "./self", "self", "--deleted");
}

static void run_deleted(void)
{
	STEP("deleted.before", OK, open, "/dev/null", O_RDONLY);
	STEP("renamed.exe", OK, rename, "self", "its new name");
	STEP("renamed.after", OK, open, "/dev/null", O_RDONLY);
	STEP("deleted.unlink", OK, unlink, "its new name");
	STEP("deleted.after", OK, open, "/dev/null", O_RDONLY);
	STEP("deleted.miss", ENOENT, open, "/missing", O_RDONLY);
}

static void in_chroot(void)
{
	/* Only a static program can run there; the loader of a dynamic one is missing. */
	if (chroot("bin"))
		failures++;
	STEP("chroot.exec", ENOENT, execve, "/inner", (char *[2]) { 0 }, empty_env);
	STEP("chroot.exec2", ENOENT, execve, "./true", (char *[2]) { 0 }, empty_env);
}

static int exec_body(void *arg)
{
	set_label("thread.exec");
	syscall(SYS_execve, "./true", (char *[]){ "from", "thread", NULL }, empty_env);
	return 0;
}

/* An exec by a thread that is not the first: its id becomes the process's. The first waits (CLONE_VFORK). */
static void thread_exec(void)
{
	static char stack[65536] __attribute__((aligned(16)));

	clone(exec_body, stack + sizeof(stack), CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK, NULL);
	failures++; /* never reached */
}

/* Programs whose names are odd: comm and exe in hex. */
static void odd_programs(void)
{
	copy("true", "odd name", 0755);
	copy("true", "gr\303\274n", 0755);
	copy("true", "a-name-longer-than-fifteen-bytes", 0755);
	RUN("prog.space", "./odd name", "odd");
	RUN("prog.utf8", "./gr\303\274n", "green");
	RUN("prog.long", "./a-name-longer-than-fifteen-bytes", "long");
	RUN("prog.link", "./link", "link");
	RUN("prog.abs", "/proc/self/cwd/true", "abs");
	RUN("prog.dots", ".//bin/../true", "dots");
}

static void put_capabilities(const char *path, uint32_t magic, uint32_t permitted, uint32_t inheritable)
{
	const uint32_t caps[5] = { magic, permitted, inheritable }; /* struct vfs_cap_data */

	copy("true", path, 0755);
	if (setxattr(path, "security.capability", caps, sizeof(caps), 0))
		failures++;
}

static void run_capable(void)
{
	RUN("caps.effect", "./capable", "capable");
	RUN("caps.quiet", "./quiet", "quiet");
	RUN("caps.setuid", "./setuid", "setuid");
}

static void capable_nobody(void)
{
	become_nobody();
	run_capable();
}

/* Root that may not have everything, as in a container. */
static void bounded(void)
{
	prctl(PR_CAPBSET_DROP, 25 /* CAP_SYS_TIME */, 0, 0, 0);
	RUN("bounded.root", "./true", "true");
	RUN("bounded.caps", "./capable", "capable");
}

static void capabilities(void)
{
	put_capabilities("capable", 0x02000001, 1 << 10, 0);   /* version 2, effective; CAP_NET_BIND_SERVICE */
	put_capabilities("quiet", 0x02000000, 1 << 13, 1 << 5); /* CAP_NET_RAW, CAP_KILL */
	copy("true", "setuid", 04755);
	run_capable();
	in_child(capable_nobody);
	in_child(bounded);
}

static void prepare(void)
{
	char self[PATH_MAX] = "", from[PATH_MAX + 16];

	umask(022);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		failures++;
	snprintf(from, sizeof(from), "%s/workload_true", dirname(self));
	copy(from, "true", 0755);
	copy(from, "private", 0700);
	copy(from, "setuid", 04755);
	mkdir("bin", 0755);
	copy(from, "bin/inner", 0755);
	mkdir("closed", 0700);
	if (symlink("true", "link"))
		failures++;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--deleted")) {
		run_deleted();
		return failures != 0;
	}
	prepare();
	arguments();
	long_arguments();
	scripts();
	failing();
	descriptors();
	odd_programs();
	capabilities();
	in_child(denied);
	in_child(in_chroot);
	in_child(thread_exec);
	deleted_file();
	return failures != 0;
}
