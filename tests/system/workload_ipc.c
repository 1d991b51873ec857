// SPDX-License-Identifier: GPL-2.0-or-later
/* Workload: calls with records of their own (message queues, System V IPC, pipes, mappings) and files without a folder. */
#include "workload.h"

#include <linux/bpf.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

static char buf[8192];

static void queues(void)
{
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 64 };
	struct timespec past = { 0 };
	int q;

	q = STEP("mq.open-new", ANY, mq_open, "laf-oracle", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &attr);
	STEP("mq.open-old", ANY, mq_open, "laf-oracle", O_RDONLY, 0, NULL);
	STEP("mq.open-excl", ANY, mq_open, "laf-oracle", O_RDWR | O_CREAT | O_EXCL, 0600, NULL);
	STEP("mq.open-miss", ANY, mq_open, "laf-missing", O_RDONLY, 0, NULL);
	STEP("mq.open-null", ANY, mq_open, NULL, O_RDONLY, 0, NULL);
	STEP("mq.open-slash", ANY, mq_open, "a/b", O_RDWR | O_CREAT, 0600, NULL);
	STEP("mq.send", ANY, mq_timedsend, q, "hello", 5, 1, &past);
	STEP("mq.send-bad", EBADF, mq_timedsend, BAD_FD, "hello", 5, 1, NULL);
	STEP("mq.receive", ANY, mq_timedreceive, q, buf, sizeof(buf), NULL, NULL);
	STEP("mq.notify", ANY, mq_notify, q, NULL);
	STEP("mq.getset", ANY, mq_getsetattr, q, NULL, &attr);
	STEP("mq.setattr", ANY, mq_getsetattr, q, &attr, NULL);
	STEP("mq.unlink", ANY, mq_unlink, "laf-oracle");
	STEP("mq.unlink-miss", ANY, mq_unlink, "laf-oracle");
	STEP("mq.unlink-null", ANY, mq_unlink, NULL);
	close(q);
}

static void system_v(void)
{
	struct msqid_ds mds = { .msg_perm = { .uid = 1, .gid = 1, .mode = 0600 }, .msg_qbytes = 1024 };
	int msg, sem, shm;

	msg = STEP("msgget", ANY, msgget, IPC_PRIVATE, 0600);
	STEP("msgctl.stat", ANY, msgctl, msg, IPC_STAT, buf);
	STEP("msgctl.set", ANY, msgctl, msg, IPC_SET, &mds);
	STEP("msgctl.rmid", ANY, msgctl, msg, IPC_RMID, NULL);
	STEP("msgctl.einval", EINVAL, msgctl, -1, IPC_STAT, buf);
	sem = STEP("semget", ANY, semget, IPC_PRIVATE, 1, 0600);
	STEP("semctl.stat", ANY, semctl, sem, 0, IPC_STAT, buf);
	STEP("semctl.rmid", ANY, semctl, sem, 0, IPC_RMID, NULL);
	shm = STEP("shmget", ANY, shmget, IPC_PRIVATE, 4096, 0600);
	STEP("shmat", ANY, shmat, shm, NULL, 0);
	STEP("shmctl.rmid", ANY, shmctl, shm, IPC_RMID, NULL);
	STEP("shmget.enoent", ENOENT, shmget, 0x1af1af, 4096, 0);
}

static void nameless(void)
{
	int pair[2], file = open("/dev/zero", O_RDWR), memfd;

	STEP("pipe", OK, pipe, pair);
	STEP("pipe2", OK, pipe2, pair, O_CLOEXEC);
	STEP("pipe2.einval", EINVAL, pipe2, pair, 1);
	STEP("pipe.fault", EFAULT, pipe, NULL);
	STEP("mmap.file", OK, mmap, NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
	STEP("mmap.anon", OK, mmap, NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	STEP("mmap.ebadf", EBADF, mmap, NULL, 4096, PROT_READ, MAP_PRIVATE, BAD_FD, 0);
	memfd = STEP("memfd", OK, memfd_create, "a name", 0);
	STEP("memfd.null", EFAULT, memfd_create, NULL, 0);
	STEP("memfd.einval", EINVAL, memfd_create, "x", 0x1000);
	STEP("memfd.chmod", OK, fchmod, memfd, 0600);
	STEP("memfd.chown", OK, fchown, memfd, 0, 0);
	STEP("pipe.chmod", OK, fchmod, pair[0], 0600);
	snprintf(buf, sizeof(buf), "/proc/self/fd/%d", memfd);
	STEP("memfd.proc", OK, open, buf, O_RDONLY);
	snprintf(buf, sizeof(buf), "/dev/fd/%d", pair[0]);
	STEP("pipe.proc", OK, open, buf, O_RDONLY | O_NONBLOCK);
	STEP("deleted.make", OK, open, "doomed", O_RDWR | O_CREAT, 0600);
	STEP("deleted.rm", OK, unlink, "doomed");
	STEP("eventfd", OK, eventfd2, 0, 0);
	STEP("epoll", OK, epoll_create1, 0);
}

/* Long-lived shapes of numbers: negative, wide, unknown. */
static void numbers(void)
{
	set_label("number.unknown");
	syscall(9999, 1, 2, 3, 4);
	set_label("number.x32");
	syscall(0x40000000 | 39);
	set_label("number.x32name");
	syscall(0x40000000 | SYS_access, "file", 0);
	set_label("number.gap");
	syscall(400, "file", -1, 0xffffffffffffffffL, 0x8000000000000000L);
	set_label("number.wide");
	syscall(SYS_getppid, -1, 0xdeadbeefcafef00dL, 1L << 40, -2);
	set_label("number.minus");
	syscall(-1);
	set_label("number.open");
	syscall(SYS_openat, 0x1234567800000000L | (unsigned)AT_FDCWD, "/dev/null", 0xffffffff00000000L);
}

static void loaded(void)
{
	struct bpf_insn nothing[] = { { .code = 0xb7 /* r0 = 0 */ }, { .code = 0x95 /* exit */ } };
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = 2,
				.insns = (uintptr_t)nothing, .license = (uintptr_t)"GPL" };

	STEP("bpf.load", ANY, bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	STEP("bpf.einval", EINVAL, bpf, 9999, &attr, sizeof(attr));
	STEP("init_module", ANY, init_module, "nonsense", 8, "");
	STEP("delete_module", ANY, delete_module, "laf_no_such", 0);
	STEP("finit_module", ANY, finit_module, BAD_FD, "", 0);
}

int main(void)
{
	loaded();
	queues();
	system_v();
	nameless();
	numbers();
	return failures != 0;
}
