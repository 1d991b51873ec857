// SPDX-License-Identifier: GPL-2.0-or-later
/* -S: system calls, or operations of io_uring, by name or number. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "text_near.h"
#include "uring.h"

/* Lists whose rules have no calls. Only a list given before -S is looked at, as in auditctl. */
static int refuse_list(struct laf_parse *p, const struct laf_option *o)
{
	static const struct { int list; const char *name; } lists[] = {
		{ AUDIT_FILTER_TASK, "task" },
		{ AUDIT_FILTER_USER, "user" },
		{ AUDIT_FILTER_FS, "filesystem" },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (p->add == lists[i].list || p->del == lists[i].list ||
		    p->add == (lists[i].list | AUDIT_FILTER_PREPEND))
			return laf_parse_fail(p, o->own_column,
					      "Error: syscall auditing being added to %s list",
					      lists[i].name);
	if (p->excludes)
		return laf_parse_fail(p, o->own_column,
				      "Error: syscall auditing cannot be put on exclude list");
	return 0;
}

#define MASK_BYTES (AUDIT_BITMASK_SIZE * sizeof(uint32_t))

/* Add one call to the mask. False: there is none of that number. */
static bool add_number(uint32_t *mask, int number)
{
	if (number < 0 || AUDIT_WORD(number) >= AUDIT_BITMASK_SIZE)
		return false;
	mask[AUDIT_WORD(number)] |= AUDIT_BIT(number);
	return true;
}

static bool add_name(uint32_t *mask, const char *name, int machine)
{
	int number;

	if (!strcmp(name, "all")) {
		memset(mask, 0xff, MASK_BYTES);
		return true;
	}
	number = machine == LAF_MACHINE_URING ? laf_uring_number(name) : audit_name_to_syscall(name, machine);
	if (number < 0 && isdigit((unsigned char)name[0]))
		number = strtol(name, NULL, 0);
	return add_number(mask, number);
}

static int fail_name(struct laf_parse *p, const char *name, unsigned column, int machine)
{
	int other = machine == MACH_86_64 ? MACH_X86 : MACH_86_64;

	if (machine == LAF_MACHINE_URING)
		return laf_parse_fail(p, column, "io_uring op unknown: %s", name);
	laf_parse_fail(p, column, "Syscall name unknown: %s", name);
	if (audit_name_to_syscall(name, other) >= 0)
		laf_parse_hint(p, "there is such a call in arch=%s only", other == MACH_X86 ? "b32" : "b64");
	else if (laf_near_call(name, machine))
		laf_parse_hint(p, "did you mean %s?", laf_near_call(name, machine));
	return -EINVAL;
}

/* A list of names; empty ones between commas count for nothing. */
static int add_names(struct laf_parse *p, const struct laf_option *o, int machine)
{
	char *copy = strdup(o->value), *save = NULL;
	uint32_t *mask = p->command->rule->mask;
	int r = 0;

	if (!copy)
		return -ENOMEM;
	if (!strchr(copy, ','))
		r = add_name(mask, copy, machine) ? 0 : fail_name(p, copy, o->column, machine);
	else
		for (char *s = strtok_r(copy, ",", &save); s && !r; s = strtok_r(NULL, ",", &save))
			r = add_name(mask, s, machine) ? 0 : fail_name(p, s, o->column + (s - copy), machine);
	free(copy);
	return r;
}

/* auditctl warns where names mean other calls in the 32-bit ABI, as far as it looks: at the first 512 calls. */
static int warn_mismatch(struct laf_parse *p, const struct laf_option *o)
{
	uint32_t mask[AUDIT_BITMASK_SIZE] = { 0 };
	unsigned line = p->err ? p->err->line : 0;
	char *copy = strdup(o->value), *save = NULL;

	if (!copy)
		return -ENOMEM;
	for (char *s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save))
		add_name(mask, s, MACH_X86);
	free(copy);
	if (!memcmp(mask, p->command->rule->mask, 512 / 8))
		return 0;
	if (line)
		laf_parse_say(p, "WARNING - 32/64 bit syscall mismatch in line %u, you should specify an arch", line);
	else
		laf_parse_say(p, "WARNING - 32/64 bit syscall mismatch, you should specify an arch");
	return 0;
}

int laf_parse_call(struct laf_parse *p, const struct laf_option *o)
{
	int machine = LAF_MACHINE_URING;
	bool no_arch = !p->arch;
	int r;

	if (laf_parse_list(p) != AUDIT_FILTER_URING_EXIT) {
		r = refuse_list(p, o);
		if (r)
			return r;
		if (!p->arch)
			p->arch = audit_machine_to_elf(audit_detect_machine());
		machine = audit_elf_to_machine(p->arch);
		if (machine < 0)
			return laf_parse_fail(p, o->column, "Elf type unknown: 0x%x", p->arch);
	}
	r = add_names(p, o, machine);
	p->has_call |= !r;
	if (!r && no_arch && p->add != LAF_LIST_UNSET && machine == MACH_86_64)
		r = warn_mismatch(p, o);
	return r;
}
