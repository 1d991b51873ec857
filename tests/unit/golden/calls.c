// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls for capture_log.sh to record: of every kind of record something ordinary and something odd. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void open_one(const char *name, int flags)
{
	int fd = open(name, flags, 0640);

	if (fd >= 0)
		close(fd);
}

static void names(void)
{
	static const char *const odd[] = {
		"/etc/passwd", "nope", "sp ace", "\xc3\xa9t\xc3\xa9", "tab\there", "quo\"te", "del\x7f",
		"new\nline",
		"", ".", "..", "/", "//etc///passwd", "a/b/", "///",
	};
	char longest[4096];
	int fd;

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		open_one(odd[i], O_RDONLY);
	memset(longest, 'x', sizeof(longest));
	for (size_t i = 0; i < sizeof(longest); i += 200)
		longest[i] = '/';
	longest[4095] = 0;
	open_one(longest, O_RDONLY);
	longest[5] = ' ';
	open_one(longest, O_RDONLY);
	open_one("made", O_CREAT | O_RDWR);
	open_one("./made", O_CREAT | O_RDWR);
	open_one("/dev/null", O_RDWR);
	open_one("/dev/tty", O_RDWR);
	mkdir("folder/", 0755);
	mkdir("folder/in", 01777);
	mkdir("sp ace", 0755);
	mkdir("sp ace/deeper", 0755);
	mkdir("missing/deeper", 0755);
	mknod("fifo", S_IFIFO | 0644, 0);
	mknod("device", S_IFBLK | 0600, 259 << 20 | 4095);
	rename("made", "moved");
	rename("moved", "sp ace/moved");
	link("sp ace/moved", "linked");
	symlink("anywhere at all", "symbolic");
	chmod("linked", 06755);
	fd = open("linked", O_RDONLY);
	fchown(fd, 33, 65534);
	fchown(fd, 54321, 54322);
	fchmod(fd, 0);
	fchown(fd, 4294967294u, 4294967294u);
	close(fd);
	unlink("linked");
	rmdir("folder/in//");
	unlink("nope");
}

static void folders(void)
{
	mkdir("gone", 0755);
	chdir("gone");
	rmdir("../gone");
	open_one("nope", O_RDONLY);
	chdir("/");
	open_one("nope", O_RDONLY);
}

static void connect_to(int family, const void *address, size_t len)
{
	int fd = socket(family, SOCK_DGRAM, 0);

	if (fd < 0)
		fd = socket(AF_INET, SOCK_DGRAM, 0);
	connect(fd, address, len);
	close(fd);
}

static void addresses(void)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(65535) };
	static const size_t lengths[] = { 1, 2, 3, 4, 6, 8, 11, 12, 15, 16, 20, 27, 28, 40 };
	unsigned char raw[128] = { 0 };

	connect_to(AF_INET, "\2\0\0\65\1\2\3\4\0\0\0\0\0\0\0", 16);
	connect_to(AF_INET6, &in6, sizeof(in6));
	in6.sin6_addr.s6_addr[15] = 1;
	connect_to(AF_INET6, &in6, sizeof(in6));
	memcpy(&in6.sin6_addr, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\2", 16);
	in6.sin6_scope_id = 7;
	connect_to(AF_INET6, &in6, sizeof(in6));
	memcpy(&in6.sin6_addr, "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\2", 16);
	in6.sin6_scope_id = 1;
	connect_to(AF_INET6, &in6, sizeof(in6));
	in6.sin6_scope_id = 0;
	memcpy(&in6.sin6_addr, "\0\0\0\0\0\0\0\0\0\0\xff\xff\1\2\3\4", 16);
	connect_to(AF_INET6, &in6, sizeof(in6));
	connect_to(AF_UNIX, "\1\0/run/none", 12);
	connect_to(AF_UNIX, "\1\0/run/none at\tall", 19);
	connect_to(AF_UNIX, "\1\0\0abstract\0name", 16);
	connect_to(AF_UNIX, "\1\0rel\"\xc3\xa9", 8);
	memset(raw, 'u', sizeof(raw));
	raw[0] = 1;
	raw[1] = 0;
	connect_to(AF_UNIX, raw, 110);
	raw[2] = 0;
	connect_to(AF_UNIX, raw, 110);
	connect_to(AF_NETLINK, "\20\0\0\0\143\0\0\0\7\0\0\0", 12);
	for (int family = 0; family < 50; family++) {
		for (int i = 2; i < 128; i++)
			raw[i] = 'A' + i % 26;
		raw[0] = family;
		raw[1] = 0;
		for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
			int known = family <= AF_INET || family == AF_INET6 || family == AF_NETLINK;

			if (lengths[i] == 28 || known)
				connect_to(AF_INET, raw, lengths[i]);
		}
	}
	memset(raw + 4, 0, 3);
	raw[0] = AF_AX25;
	connect_to(AF_INET, raw, 28);
	raw[1] = 1;
	connect_to(AF_INET, raw, 16);
}

static void run(const char *program, char *const argv[], void (*before)(void))
{
	pid_t child = fork();

	if (!child) {
		if (before)
			before();
		execv(program, argv);
		_exit(7);
	}
	waitpid(child, NULL, 0);
}

static void become_www(void)
{
	setgroups(0, NULL);
	setresgid(33, 65534, 33);
	setresuid(33, 65534, 33);
}

static void become_nobody_known(void)
{
	setresgid(54322, 54323, 54324);
	setresuid(54321, 54325, 54326);
}

static void log_in(void)
{
	int fd = open("/proc/self/loginuid", O_WRONLY);

	write(fd, "33", 2);
	close(fd);
}

static void take_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;

	grantpt(master);
	unlockpt(master);
	setsid();
	slave = open(ptsname(master), O_RDWR);
	ioctl(slave, TIOCSCTTY, 0);
}

static void change_personality(void)
{
	personality(ADDR_NO_RANDOMIZE | 8);
}

static void odd_comm(void)
{
	prctl(PR_SET_NAME, "odd \"comm\"");
	open_one("nope", O_RDONLY);
	prctl(PR_SET_NAME, "");
	open_one("nope", O_RDONLY);
}

static void copy_to(int to)
{
	char buf[65536];
	int from = open("/bin/true", O_RDONLY);
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0)
		write(to, buf, n);
	close(from);
}

/* Programs whose file is gone, or never had a name. */
static void run_deleted(void)
{
	int fd = open("/proc/self/exe", O_RDONLY), to = memfd_create("mem file", 0);

	copy_to(to);
	if (!fork()) {
		syscall(SYS_execveat, to, "", (char *[]){ "memory", NULL }, NULL, AT_EMPTY_PATH);
		_exit(7);
	}
	wait(NULL);
	close(to);
	to = open("copy", O_CREAT | O_WRONLY, 0755);
	copy_to(to);
	close(to);
	if (!fork()) {
		to = open("copy", O_RDONLY);
		unlink("copy");
		syscall(SYS_execveat, to, "", (char *[]){ "copied", NULL }, NULL, AT_EMPTY_PATH);
		_exit(7);
	}
	wait(NULL);
	close(fd);
}

static void programs(void)
{
	static char twelve[200];
	char *const plain[] = { "true", NULL }, *const two[] = { "true", "a b", "", NULL };
	char *const none[] = { NULL }, *const empty[] = { "", NULL };
	char *const control[] = { "\n\t", NULL }, *const tail[] = { "x \xc3\n\t", NULL };
	char *const longer[] = { "true", twelve, NULL };

	memset(twelve, 'p', sizeof(twelve) - 1);
	run("/bin/true", plain, NULL);
	run("/bin/true", two, NULL);
	run("/bin/true", none, NULL);
	run("/bin/true", empty, NULL);
	run("/bin/true", control, NULL);
	run("/bin/true", tail, NULL);
	run("/bin/true", longer, NULL);
	run("/bin/missing", two, NULL);
	run("/bin/true", plain, become_www);
	run("/bin/true", plain, become_nobody_known);
	run("/bin/true", plain, log_in);
	run("/bin/true", plain, take_terminal);
	run("/bin/true", plain, change_personality);
	run("/bin/missing", plain, odd_comm);
	run_deleted();
}

/* Calls of the 32-bit ABI from a 64-bit program: open of a name below 4 GiB, and numbers that no call has. */
static void ia32(void)
{
	char *low = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	long result;

	strcpy(low, "/etc/passwd");
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(5L), "b"(low), "c"(0L), "d"(0L) : "memory");
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(5L), "b"(low + 1), "c"(-1L), "d"(-1L) : "memory");
}

int main(void)
{
	names();
	folders();
	if (chdir("/tmp/laf-golden"))
		return 1;
	addresses();
	programs();
	ia32();
	return 0;
}
