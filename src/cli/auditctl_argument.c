// SPDX-License-Identifier: GPL-2.0-or-later
/* auditctl -l -i: what the number of an argument means, by the tables of libauparse. */
#include <auparse.h>
#include <stdio.h>
#include <string.h>

#include "auditctl.h"

/* The record of a call with these arguments: libauparse interprets what stands in records. */
static void make_record(const struct laf_arguments *a, char *buf, size_t size)
{
	char arch[32] = "";

	if (a->elf)
		snprintf(arch, sizeof(arch), "arch=%x ", a->elf);
	snprintf(buf, size, "type=SYSCALL msg=audit(1.000:1): %ssyscall=%u a0=%x a1=%x a2=%x a3=%x\n", arch, a->call,
		 a->values[0], a->values[1], a->values[2], a->values[3]);
}

static const char *interpret(auparse_state_t *au, unsigned argument)
{
	const char name[] = { 'a', '0' + argument, '\0' };

	auparse_set_escape_mode(au, AUPARSE_ESC_TTY);
	if (auparse_first_record(au) <= 0 || !auparse_find_field(au, name))
		return NULL;
	return auparse_interpret_field(au);
}

int laf_auditctl_argument(const struct laf_arguments *arguments, unsigned argument, char *buf, size_t size)
{
	const char *word = NULL;
	auparse_state_t *au;
	char record[256];

	make_record(arguments, record, sizeof(record));
	au = auparse_init(AUSOURCE_BUFFER, record);
	if (au)
		word = interpret(au, argument);
	if (word)
		snprintf(buf, size, "%s", word);
	if (au)
		auparse_destroy(au);
	return word ? 0 : -1;
}
