// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs workload programs, each in a fresh folder: `workload [-a AUID | -g GID] [-d DIR] [NAME…]`.
 *
 * A login id (AUID, by default 4242) or a group marks every process of the workload and nothing else on the machine, so that
 * rules and comparisons can name them. Only the children have it. The folders are DIR/NAME; they may be there, empty, before.
 * Exit status 1 when a step had not the result it must have. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *all[] = { "open", "names", "attr", "mount", "socket", "ipc", "process", "exec", "call_32" };

struct options {
	const char *auid, *gid, *dir;
};

/* Level by level with descriptors: the workload leaves paths that are longer than the kernel takes. */
static void empty_folder(int fd)
{
	DIR *dir = fdopendir(fd);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		int below;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !unlinkat(fd, e->d_name, 0))
			continue;
		below = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (below >= 0)
			empty_folder(below);
		if (unlinkat(fd, e->d_name, AT_REMOVEDIR))
			fprintf(stderr, "workload: remove %s: %m\n", e->d_name);
	}
	closedir(dir);
}

static void remove_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		empty_folder(fd);
	if (rmdir(path))
		fprintf(stderr, "workload: remove %s: %m\n", path);
}

static int set_login(const char *auid)
{
	int fd = open("/proc/self/loginuid", O_WRONLY | O_CLOEXEC);
	int rc = fd < 0 || write(fd, auid, strlen(auid)) < 0;

	close(fd);
	return rc;
}

static int mark(const struct options *o)
{
	gid_t gid = o->gid ? atoi(o->gid) : 0;

	if (o->gid)
		return setresgid(gid, gid, gid);
	return set_login(o->auid);
}

/* In the child: never returns. The marked process has a child of its own to do the work, because the kernel wrote the
 * change of the login id, and with it remembers things of this task (its command line). */
static void become(const char *program, const char *dir, const struct options *o)
{
	char *argv[] = { (char *)program, NULL };
	char *envp[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL };
	int status = -1;
	pid_t pid;

	if (chdir(dir) || mark(o)) {
		fprintf(stderr, "workload: %s: marking the process: %m\n", dir);
		_exit(126);
	}
	pid = fork();
	if (pid) {
		waitpid(pid, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	execve(program, argv, envp);
	fprintf(stderr, "workload: %s: %m\n", program);
	_exit(127);
}

static int run(const char *bin, const char *name, const struct options *o)
{
	char dir[PATH_MAX], program[PATH_MAX];
	int status = -1;
	pid_t pid;

	snprintf(program, sizeof(program), "%s/workload_%s", bin, name);
	snprintf(dir, sizeof(dir), "%s/%s", o->dir, name);
	if ((mkdir(dir, 0755) && errno != EEXIST) || chmod(dir, 0755)) {
		fprintf(stderr, "workload: %s: %m\n", dir);
		return 1;
	}
	pid = fork();
	if (!pid)
		become(program, dir, o);
	waitpid(pid, &status, 0);
	if (status)
		fprintf(stderr, "workload: %s: status %x\n", name, status);
	remove_folder(dir);
	return status != 0;
}

int main(int argc, char **argv)
{
	char self[PATH_MAX] = "", own_dir[] = "/tmp/laf-workload-XXXXXX";
	struct options o = { .auid = "4242" };
	int c, failed = 0;

	while ((c = getopt(argc, argv, "a:g:d:")) != -1) {
		switch (c) {
		case 'a': o.auid = optarg; break;
		case 'g': o.gid = optarg; break;
		case 'd': o.dir = optarg; break;
		default: return 2;
		}
	}
	if (!o.dir && (!(o.dir = mkdtemp(own_dir)) || chmod(o.dir, 0755)))
		return 1;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	dirname(self);
	if (optind == argc)
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
			failed |= run(self, all[i], &o);
	for (; optind < argc; optind++)
		failed |= run(self, argv[optind], &o);
	if (o.dir == own_dir)
		rmdir(own_dir);
	return failed;
}
