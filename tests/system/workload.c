// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs workload programs, each in a fresh folder and as its own login: `workload [-a AUID] [NAME…]`.
 *
 * The login id (AUID, by default 4242) marks every process of the workload and nothing else on the machine, so that rules
 * and comparisons can name them. Only the children have it. Exit status 1 when a step had not the result it must have. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *all[] = { "open", "names", "attr", "mount", "socket", "ipc", "process", "exec", "call_32" };

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path) && errno != ENOENT ? -1 : 0;
}

static int set_login(const char *auid)
{
	int fd = open("/proc/self/loginuid", O_WRONLY | O_CLOEXEC);
	int rc = fd < 0 || write(fd, auid, strlen(auid)) < 0;

	close(fd);
	return rc;
}

/* In the child: never returns. */
static void become(const char *program, const char *dir, const char *auid)
{
	char *argv[] = { (char *)program, NULL };
	char *envp[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL };

	if (chdir(dir) || (*auid && set_login(auid))) {
		fprintf(stderr, "workload: %s: login id %s: %m\n", dir, auid);
		_exit(126);
	}
	execve(program, argv, envp);
	fprintf(stderr, "workload: %s: %m\n", program);
	_exit(127);
}

static int run(const char *bin, const char *name, const char *auid)
{
	char dir[] = "/tmp/laf-workload-XXXXXX", program[PATH_MAX];
	int status = -1;
	pid_t pid;

	snprintf(program, sizeof(program), "%s/workload_%s", bin, name);
	if (!mkdtemp(dir) || chmod(dir, 0755)) {
		fprintf(stderr, "workload: %s: %m\n", dir);
		return 1;
	}
	pid = fork();
	if (!pid)
		become(program, dir, auid);
	waitpid(pid, &status, 0);
	if (status)
		fprintf(stderr, "workload: %s: status %x\n", name, status);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return status != 0;
}

int main(int argc, char **argv)
{
	const char *auid = "4242";
	char self[PATH_MAX] = "";
	int c, failed = 0;

	while ((c = getopt(argc, argv, "a:")) != -1) {
		if (c != 'a')
			return 2;
		auid = optarg;
	}
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	dirname(self);
	if (optind == argc)
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
			failed |= run(self, all[i], auid);
	for (; optind < argc; optind++)
		failed |= run(self, argv[optind], auid);
	return failed;
}
