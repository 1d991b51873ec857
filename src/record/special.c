// SPDX-License-Identifier: GPL-2.0-or-later
/* The records that some calls have of their own: numbers by a table of formats. */
#include <libaudit.h>

#include "formatter.h"

enum number { SIGNED, HEX, HEX_0X, OCTAL_0, CAPABILITIES };

struct field {
	const char *label; /* with the blank before it; NULL = "aN", counted */
	enum number number;
};

/* As audit_log_exit() and show_special() of the kernel write them. */
static const struct special {
	unsigned type;
	const char *line; /* "type=T " */
	struct field fields[LAF_SPECIAL_VALUES];
} specials[] = {
	{ AUDIT_SOCKETCALL, "type=SOCKETCALL ", {
		{ "nargs=", SIGNED }, { " a0=", HEX }, { " a1=", HEX }, { " a2=", HEX }, { " a3=", HEX },
		{ " a4=", HEX }, { " a5=", HEX } } },
	{ AUDIT_FD_PAIR, "type=FD_PAIR ", { { "fd0=", SIGNED }, { " fd1=", SIGNED } } },
	{ AUDIT_MMAP, "type=MMAP ", { { "fd=", SIGNED }, { " flags=", HEX_0X } } },
	{ AUDIT_OPENAT2, "type=OPENAT2 ", {
		{ "oflag=", OCTAL_0 }, { " mode=", OCTAL_0 }, { " resolve=", HEX_0X } } },
	{ AUDIT_BPRM_FCAPS, "type=BPRM_FCAPS ", {
		{ "fver=", HEX }, { " fp=", CAPABILITIES }, { " fi=", CAPABILITIES }, { " fe=", SIGNED },
		{ " old_pp=", CAPABILITIES }, { " old_pi=", CAPABILITIES }, { " old_pe=", CAPABILITIES },
		{ " old_pa=", CAPABILITIES }, { " pp=", CAPABILITIES }, { " pi=", CAPABILITIES },
		{ " pe=", CAPABILITIES }, { " pa=", CAPABILITIES }, { " frootid=", SIGNED } } },
	{ AUDIT_CAPSET, "type=CAPSET ", {
		{ "pid=", SIGNED }, { " cap_pi=", CAPABILITIES }, { " cap_pp=", CAPABILITIES },
		{ " cap_pe=", CAPABILITIES }, { " cap_pa=", CAPABILITIES } } },
};

#define FIELD_MAX (16 + 24)

static char *put_octal(char *at, uint64_t n)
{
	int digits = n ? (66 - __builtin_clzll(n)) / 3 : 1;

	for (int i = digits - 1; i >= 0; i--, n >>= 3)
		at[i] = '0' + (n & 7);
	return at + digits;
}

static char *put_number(char *at, enum number number, uint64_t n)
{
	switch (number) {
	case SIGNED: return put_s32(at, n);
	case HEX: return put_hex(at, n);
	case HEX_0X: return put_hex(put_literal(at, "0x"), n);
	case OCTAL_0: return put_octal(put_literal(at, "0"), n);
	case CAPABILITIES: return put_capabilities(at, n);
	}
	return at;
}

static const struct special *find(unsigned type)
{
	for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++)
		if (specials[i].type == type)
			return &specials[i];
	return NULL;
}

int laf_record_special(struct laf_formatter *f, const struct laf_wire_special *special)
{
	const struct special *known = find(special->type);
	int err = 0;
	char *at;

	if (!known)
		return 0;
	at = laf_record_begin(f, known->line, strlen(known->line), LAF_SPECIAL_VALUES * FIELD_MAX, &err);
	if (!at)
		return err;
	for (unsigned i = 0; i < special->n && known->fields[i].label; i++) {
		at = put_bytes(at, known->fields[i].label, strlen(known->fields[i].label));
		at = put_number(at, known->fields[i].number, special->value[i]);
	}
	record_end(f, at);
	return 0;
}
