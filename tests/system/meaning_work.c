// SPDX-License-Identifier: GPL-2.0-or-later
/* Some 200 calls that differ in what rules can ask: their files, arguments, results, and who makes them. Whatever is made is
 * taken away again, and no name changes that a rule can watch. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "meaning.h"

#define NOBODY 65534

const char work_calls[] =
	"open,openat,openat2,creat,stat,lstat,newfstatat,statx,access,faccessat,readlink,chmod,fchmod,fchmodat,chown,lchown,"
	"fchown,truncate,ftruncate,mkdir,rmdir,unlink,rename,link,symlink,mknod,setxattr,getxattr,listxattr,removexattr,"
	"statfs,chdir,execve,socket,bind,connect,sendto,getsockname,pipe,pipe2,socketpair,read,write,close,mmap,getpid,"
	"personality,setresuid,setresgid,setgroups,uname,umask,clone,wait4,exit_group";
const char work_calls_32[] = "open,stat,mkdir,rmdir,socketcall,getpid,chmod,access,close,unlink";

static char *path(const char *folder, const char *name)
{
	static char buf[8][160];
	static unsigned next;
	char *to = buf[next++ % 8];

	snprintf(to, sizeof(buf[0]), "%s/%s", folder, name);
	return to;
}

static void make_file(const char *file, unsigned owner, unsigned mode)
{
	int fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, "text\n", 5) != 5 || fchmod(fd, mode) || fchown(fd, owner, owner)) {
		perror(file);
		exit(1);
	}
	close(fd);
}

static void make_socket(const char *file)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", file);
	if (bind(fd, (void *)&a, sizeof(a)))
		perror(file);
	close(fd);
}

static void note_inode(struct place *p, const char *file)
{
	struct stat st;

	if (!lstat(file, &st)) {
		p->dev_major = major(st.st_dev);
		p->dev_minor = minor(st.st_dev);
		p->inodes[p->n_inodes++] = st.st_ino;
	}
}

void work_prepare(struct place *p)
{
	struct statfs fs;

	snprintf(p->work, sizeof(p->work), "/tmp/laf-meaning-XXXXXX");
	snprintf(p->memory, sizeof(p->memory), "/dev/shm/laf-meaning-XXXXXX");
	if (!mkdtemp(p->work) || !mkdtemp(p->memory) || statfs(p->work, &fs)) {
		perror("laf-meaning");
		exit(1);
	}
	p->disk_type = fs.f_type;
	chmod(p->work, 0755);
	chmod(p->memory, 0755);
	mkdir(path(p->work, "dir"), 0755);
	mkdir(path(p->work, "dir/below"), 0755);
	mkdir(path(p->work, "made"), 0777);
	mkdir(path(p->work, "closed"), 0700);
	make_file(path(p->work, "file"), 0, 0644);
	make_file(path(p->work, "nobodys"), NOBODY, 0600);
	make_file(path(p->work, "dir/file"), 202, 0644);
	make_file(path(p->work, "dir/below/file"), 0, 0600);
	make_file(path(p->memory, "file"), 0, 0644);
	mkfifo(path(p->work, "fifo"), 0666);
	mknod(path(p->work, "null"), S_IFCHR | 0666, makedev(1, 3));
	make_socket(path(p->work, "socket"));
	if (link(path(p->work, "file"), path(p->work, "hard")) || symlink("file", path(p->work, "soft")))
		perror("links");
	note_inode(p, path(p->work, "file"));
	note_inode(p, path(p->work, "dir/file"));
	note_inode(p, path(p->work, "made"));
	note_inode(p, path(p->work, "null"));
}

void work_clear(const struct place *p)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -rf %s %s", p->work, p->memory);
	if (system(command))
		perror(command);
}

#define CALL(name, ...) syscall(SYS_##name, ##__VA_ARGS__)

static void try_open(const char *file, int flags)
{
	long fd = CALL(open, file, flags, 0640);

	if (fd >= 0)
		CALL(close, fd);
	fd = CALL(openat, AT_FDCWD, file, flags & ~O_EXCL, 0600);
	if (fd >= 0)
		CALL(close, fd);
}

static void open_files(const struct place *p)
{
	struct open_how how = { .flags = O_RDWR | O_CLOEXEC };
	long fd;

	try_open(path(p->work, "file"), O_RDONLY);
	try_open(path(p->work, "file"), O_WRONLY | O_CLOEXEC);
	try_open(path(p->work, "hard"), O_RDWR | O_TRUNC);
	try_open(path(p->work, "soft"), O_RDONLY);
	try_open(path(p->work, "nobodys"), O_RDONLY);
	try_open(path(p->work, "dir"), O_RDONLY | O_DIRECTORY);
	try_open(path(p->work, "dir/file"), O_RDWR | O_APPEND);
	try_open(path(p->work, "dir/below/file"), O_RDONLY);
	try_open(path(p->work, "fifo"), O_RDWR | O_NONBLOCK);
	try_open(path(p->work, "null"), O_WRONLY);
	try_open(path(p->work, "absent"), O_RDONLY);
	try_open(path(p->work, "file/below"), O_RDONLY);
	try_open(path(p->work, "made/new"), O_RDWR | O_CREAT | O_EXCL);
	try_open(path(p->memory, "file"), O_RDONLY);
	try_open("/proc/self/status", O_RDONLY);
	try_open("/dev/null", O_RDWR);
	CALL(unlink, path(p->work, "made/new"));
	fd = CALL(creat, path(p->memory, "new"), 0600);
	CALL(close, fd);
	CALL(unlink, path(p->memory, "new"));
	fd = CALL(openat2, AT_FDCWD, path(p->work, "dir/file"), &how, sizeof(how));
	CALL(close, fd);
}

static void name_files(const struct place *p)
{
	char text[256];
	long fd;

	CALL(stat, path(p->work, "file"), text);
	CALL(lstat, path(p->work, "soft"), text);
	CALL(newfstatat, AT_FDCWD, path(p->work, "dir/file"), text, 0);
	CALL(stat, path(p->work, "absent"), text);
	CALL(access, path(p->work, "nobodys"), R_OK);
	CALL(access, path(p->work, "dir/below"), W_OK);
	CALL(faccessat, AT_FDCWD, path(p->memory, "file"), R_OK);
	CALL(readlink, path(p->work, "soft"), text, sizeof(text));
	CALL(readlink, path(p->work, "file"), text, sizeof(text));
	CALL(mkdir, path(p->work, "made/dir"), 0755);
	CALL(mkdir, path(p->work, "made/dir"), 0700);
	CALL(rename, path(p->work, "made/dir"), path(p->work, "made/moved"));
	CALL(rmdir, path(p->work, "made/moved"));
	CALL(rmdir, path(p->work, "dir"));
	CALL(link, path(p->work, "dir/file"), path(p->work, "made/hard"));
	CALL(chmod, path(p->work, "made/hard"), 0600);
	CALL(chmod, path(p->work, "made/hard"), 0644);
	CALL(unlink, path(p->work, "made/hard"));
	CALL(symlink, "nowhere", path(p->work, "made/soft"));
	CALL(lchown, path(p->work, "made/soft"), 202, 202);
	CALL(unlink, path(p->work, "made/soft"));
	CALL(mknod, path(p->work, "made/fifo"), S_IFIFO | 0600, 0);
	CALL(chown, path(p->work, "made/fifo"), NOBODY, 104);
	CALL(unlink, path(p->work, "made/fifo"));
	CALL(unlink, path(p->work, "absent"));
	CALL(truncate, path(p->work, "dir/below/file"), 5);
	CALL(truncate, path(p->work, "dir"), 5);
	CALL(setxattr, path(p->work, "file"), "user.x", "1", 1, 0);
	CALL(getxattr, path(p->work, "file"), "user.x", text, sizeof(text));
	CALL(listxattr, path(p->work, "file"), text, sizeof(text));
	CALL(removexattr, path(p->work, "file"), "user.x");
	CALL(getxattr, path(p->work, "file"), "user.x", text, sizeof(text));
	CALL(statfs, p->memory, text);
	CALL(chdir, path(p->work, "dir"));
	try_open("file", O_RDONLY);
	try_open("../file", O_RDONLY);
	CALL(chdir, "/");
	fd = open(path(p->work, "dir/file"), O_RDWR | O_CLOEXEC);
	CALL(fchmod, fd, 0644);
	CALL(fchown, fd, 202, 202);
	CALL(ftruncate, fd, 5);
	CALL(mmap, 0, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	CALL(read, fd, text, 5);
	CALL(write, fd, "text\n", 5);
	CALL(ftruncate, fd, 5);
	CALL(close, fd);
	CALL(fchmod, 999, 0644);
	CALL(read, 999, text, 1);
}

static void use_sockets(const struct place *p)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(9) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
	socklen_t len = sizeof(in);
	int fds[2];
	long fd;

	fd = CALL(socket, AF_UNIX, SOCK_DGRAM, 0);
	snprintf(un.sun_path, sizeof(un.sun_path), "%s", path(p->work, "made/socket"));
	CALL(bind, fd, &un, sizeof(un));
	CALL(unlink, un.sun_path);
	snprintf(un.sun_path, sizeof(un.sun_path), "%s", path(p->work, "socket"));
	CALL(connect, fd, &un, sizeof(un));
	CALL(sendto, fd, "x", 1, 0, &un, sizeof(un));
	CALL(close, fd);
	fd = CALL(socket, AF_INET, SOCK_DGRAM, 0);
	CALL(connect, fd, &in, sizeof(in));
	CALL(getsockname, fd, &in, &len);
	CALL(bind, fd, &in6, sizeof(in6));
	CALL(connect, 999, &in, sizeof(in));
	CALL(close, fd);
	CALL(socket, 45, 77, 3);
	CALL(pipe, fds);
	CALL(close, fds[0]);
	CALL(close, fds[1]);
	CALL(pipe2, fds, O_CLOEXEC);
	CALL(close, fds[0]);
	CALL(close, fds[1]);
	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, fds);
	CALL(close, fds[0]);
	CALL(close, fds[1]);
}

/* The rest of the registers is empty: the kernel's audit logs their upper halves, too. */
static long call_32(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(0L), "D"(0L)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

static void call_other_abi(const struct place *p)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	char *file = low, *text = low + 1024;
	unsigned *args = (void *)(low + 2048);
	long fd;

	if (low == MAP_FAILED)
		return;
	strcpy(file, path(p->work, "file"));
	fd = call_32(5, (long)file, O_RDONLY, 0);
	call_32(6, fd, 0, 0);
	fd = call_32(5, (long)file, O_RDWR, 0);
	call_32(6, fd, 0, 0);
	call_32(33, (long)file, R_OK, 0);
	call_32(106, (long)file, (long)text, 0);
	call_32(20, 0, 0, 0);
	strcpy(file, path(p->work, "absent"));
	call_32(5, (long)file, O_RDONLY, 0);
	call_32(15, (long)file, 0600, 0);
	strcpy(file, path(p->work, "made/dir"));
	call_32(39, (long)file, 0755, 0);
	call_32(40, (long)file, 0, 0);
	args[0] = AF_INET;
	args[1] = SOCK_DGRAM;
	args[2] = 0;
	fd = call_32(102, 1, (long)args, 0);
	args[0] = fd;
	args[1] = (unsigned long)text;
	args[2] = sizeof(struct sockaddr_in);
	memset(text, 0, 64);
	text[0] = AF_INET;
	call_32(102, 2, (long)args, 0);
	call_32(6, fd, 0, 0);
	args[0] = AF_UNIX;
	args[1] = SOCK_DGRAM;
	args[2] = 0;
	fd = call_32(102, 1, (long)args, 0);
	args[0] = fd;
	args[1] = (unsigned long)text;
	args[2] = sizeof(struct sockaddr_un);
	text[0] = AF_UNIX;
	strcpy(text + 2, path(p->work, "socket"));
	call_32(102, 3, (long)args, 0);
	call_32(6, fd, 0, 0);
	munmap(low, 4096);
}

static void some_calls(const struct place *p)
{
	char text[512];

	try_open(path(p->work, "file"), O_RDONLY);
	try_open(path(p->work, "nobodys"), O_RDWR);
	try_open(path(p->work, "dir/below/file"), O_RDONLY);
	CALL(stat, path(p->work, "closed/x"), text);
	CALL(access, path(p->work, "nobodys"), R_OK);
	CALL(chmod, path(p->work, "file"), 0777);
	CALL(mkdir, path(p->work, "closed/dir"), 0700);
	CALL(uname, text);
	CALL(getpid);
}

/* Run in a process of its own. */
static void apart(void (*run)(const struct place *p), const struct place *p)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		run(p);
		_exit(0);
	}
	waitpid(pid, &status, 0);
}

static void as_others(const struct place *p)
{
	static const gid_t groups[] = { 20, 104, 4321 };

	CALL(setgroups, 3, groups);
	CALL(setresgid, 101, 102, 103);
	CALL(setresuid, 201, 202, 203);
	some_calls(p);
	apart(some_calls, p);
}

static void as_nobody(const struct place *p)
{
	CALL(setresgid, NOBODY, NOBODY, NOBODY);
	CALL(setresuid, 0, NOBODY, 0);
	some_calls(p);
	CALL(setresuid, NOBODY, NOBODY, NOBODY);
	some_calls(p);
	apart(some_calls, p);
}

static void as_persona(const struct place *p)
{
	CALL(personality, ADDR_NO_RANDOMIZE);
	some_calls(p);
	CALL(personality, PER_LINUX32);
	some_calls(p);
}

static void start_program(const struct place *p)
{
	char *argv[] = { (char *)p->other, "one", NULL }, *envp[] = { NULL };

	CALL(execve, path(p->work, "absent"), argv, envp);
	CALL(execve, path(p->work, "file"), argv, envp);
	CALL(execve, p->other, argv, envp);
}

void work_run(const struct place *p)
{
	open_files(p);
	name_files(p);
	use_sockets(p);
	call_other_abi(p);
	CALL(umask, 022);
	apart(as_others, p);
	apart(as_nobody, p);
	apart(as_persona, p);
	apart(start_program, p);
}
