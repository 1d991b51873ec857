// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of architectures and calls, from libaudit's tables, as auditd writes them. */
#include <libaudit.h>
#include <string.h>

#include "calls.h"
#include "put.h"

/* Cut, should a name ever be longer than the room that everyone counts with. */
static char *put_short_name(char *at, const char *name)
{
	return put_bytes(at, name, strnlen(name, CALL_NAME_MAX));
}

char *laf_put_arch(char *at, uint32_t arch)
{
	int machine = audit_elf_to_machine(arch);
	const char *name = machine < 0 ? NULL : audit_machine_to_name(machine);

	if (name)
		return put_short_name(at, name);
	at = put_literal(at, "unknown-elf-type(");
	at = put_hex(at, arch);
	*at++ = ')';
	return at;
}

const char *laf_call_name(uint32_t arch, uint32_t nr)
{
	int machine = audit_elf_to_machine(arch);

	return machine < 0 ? NULL : audit_syscall_to_name(nr, machine);
}

/* By argument 0: SYS_… of linux/net.h, and SEMOP and so on of linux/ipc.h. */
static const char *const socket_calls[] = {
	[1] = "socket", "bind", "connect", "listen", "accept", "getsockname", "getpeername", "socketpair", "send",
	"recv", "sendto", "recvfrom", "shutdown", "setsockopt", "getsockopt", "sendmsg", "recvmsg", "accept4",
	"recvmmsg", "sendmmsg",
};
static const char *const ipc_calls[] = {
	[1] = "semop", "semget", "semctl", "semtimedop",
	[11] = "msgsnd", "msgrcv", "msgget", "msgctl",
	[21] = "shmat", "shmdt", "shmget", "shmctl",
};

/* The call within a call that stands for many, or NULL. */
static const char *inner_name(const char *name, uint64_t a0)
{
	if (!strcmp(name, "socketcall"))
		return a0 < sizeof(socket_calls) / sizeof(*socket_calls) ? socket_calls[a0] : NULL;
	if (!strcmp(name, "ipc"))
		return a0 < sizeof(ipc_calls) / sizeof(*ipc_calls) ? ipc_calls[a0] : NULL;
	return NULL;
}

char *laf_put_call(char *at, uint32_t arch, uint32_t nr, uint64_t a0)
{
	const char *name = laf_call_name(arch, nr), *inner;

	if (name) {
		at = put_short_name(at, name);
		inner = inner_name(name, a0);
		if (!inner)
			return at;
		*at++ = '(';
		at = put_bytes(at, inner, strlen(inner));
		*at++ = ')';
		return at;
	}
	at = put_literal(at, "unknown-syscall(");
	at = put_s32(at, nr);
	*at++ = ')';
	return at;
}
