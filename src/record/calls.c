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

char *laf_put_call(char *at, uint32_t arch, uint32_t nr)
{
	const char *name = laf_call_name(arch, nr);

	if (name)
		return put_short_name(at, name);
	at = put_literal(at, "unknown-syscall(");
	at = put_s32(at, nr);
	*at++ = ')';
	return at;
}
