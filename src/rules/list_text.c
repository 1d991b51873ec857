// SPDX-License-Identifier: GPL-2.0-or-later
/* A rule as `auditctl -l` of 3.0.9 prints it. Compliance tools match on this text, so its oddities stay. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "field.h"
#include "list.h"
#include "uring.h"

/* snprintf's contract over many pieces. */
struct out {
	char *buf;
	size_t size, len;
};

__attribute__((format(printf, 2, 3)))
static void put(struct out *out, const char *format, ...)
{
	bool fits = out->len < out->size;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(fits ? out->buf + out->len : NULL, fits ? out->size - out->len : 0, format, args);
	va_end(args);
	out->len += n;
}

struct printer {
	struct out out;
	const struct audit_rule_data *data;
	bool watch;    /* -w … -p … -k … */
	size_t offset; /* of the next string */
	laf_argument_fn words; /* with -i; else NULL */
	struct laf_arguments arguments;
	unsigned n_calls;
};

/* Every bit but those of the last word, which the kernel takes for classes in part. */
static bool has_all_calls(const struct audit_rule_data *data)
{
	for (unsigned i = 0; i < AUDIT_BITMASK_SIZE - 1; i++)
		if (data->mask[i] != ~0u)
			return false;
	return true;
}

static bool has_calls(const struct audit_rule_data *data)
{
	unsigned list = data->flags & AUDIT_FILTER_MASK;

	return list == AUDIT_FILTER_EXIT || list == AUDIT_FILTER_URING_EXIT;
}

/* Nothing but a place, permissions and keys. Permissions alone suffice for auditctl. */
static bool is_watch(const struct audit_rule_data *data)
{
	bool perm = false;

	for (unsigned i = 0; i < data->field_count; i++) {
		unsigned field = data->fields[i];

		perm |= field == AUDIT_PERM;
		if (field != AUDIT_PERM && field != AUDIT_FILTERKEY && field != AUDIT_DIR &&
		    field != AUDIT_WATCH)
			return false;
	}
	return perm && (!has_calls(data) || has_all_calls(data));
}

static void put_arch(struct printer *p, unsigned elf, unsigned op)
{
	const char *symbol = audit_operator_to_symbol(op);
	int machine = audit_elf_to_machine(elf);

	p->arguments.elf = elf;
	if (machine < 0)
		put(&p->out, " -F arch%s0x%X", symbol, elf);
	else if (p->words)
		put(&p->out, " -F arch%s%s", symbol, audit_machine_to_name(machine));
	else
		put(&p->out, " -F arch%s%s", symbol, elf & __AUDIT_ARCH_64BIT ? "b64" : "b32");
}

/* The machine whose names the calls have: that of the last arch=. */
static int put_arches(struct printer *p)
{
	int machine = audit_detect_machine();

	for (unsigned i = 0; i < p->data->field_count; i++) {
		if (p->data->fields[i] != AUDIT_ARCH)
			continue;
		put_arch(p, p->data->values[i], p->data->fieldflags[i]);
		machine = audit_elf_to_machine(p->data->values[i]);
	}
	return (p->data->flags & AUDIT_FILTER_MASK) == AUDIT_FILTER_URING_EXIT ? LAF_MACHINE_URING : machine;
}

static const char *call_name(unsigned call, int machine)
{
	if (machine == LAF_MACHINE_URING)
		return laf_uring_name(call);
	return machine < 0 ? NULL : audit_syscall_to_name(call, machine);
}

static void put_calls(struct printer *p, int machine)
{
	const char *before = " -S ";

	if (!has_calls(p->data))
		return;
	if (has_all_calls(p->data)) {
		put(&p->out, " -S all");
		p->n_calls = AUDIT_BITMASK_SIZE - 1;
		return;
	}
	for (unsigned call = 0; call < AUDIT_BITMASK_SIZE * 32; call++) {
		const char *name;

		if (!(p->data->mask[AUDIT_WORD(call)] & AUDIT_BIT(call)))
			continue;
		name = call_name(call, machine);
		if (name)
			put(&p->out, "%s%s", before, name);
		else
			put(&p->out, "%s%u", before, call);
		before = ",";
		p->n_calls++;
		p->arguments.call = call;
	}
}

static void put_keys(struct printer *p, const char *keys, size_t len)
{
	while (len) {
		const char *end = memchr(keys, AUDIT_KEY_SEPARATOR, len);
		size_t n = end ? (size_t)(end - keys) : len;

		if (n)
			put(&p->out, " %s%.*s", p->watch ? "-k " : "-F key=", (int)n, keys);
		keys += end ? n + 1 : n;
		len -= end ? n + 1 : n;
	}
}

static void put_string(struct printer *p, unsigned i, const char *name, const char *symbol)
{
	const char *text = p->data->buf + p->offset;
	unsigned field = p->data->fields[i], len = p->data->values[i];

	p->offset += len;
	if (field == AUDIT_FILTERKEY)
		put_keys(p, text, len);
	else if (p->watch)
		put(&p->out, "-w %.*s", (int)len, text);
	else /* auditctl shows exe!= as exe= */
		put(&p->out, " -F %s%s%.*s", name, field == AUDIT_EXE ? "=" : symbol, (int)len, text);
}

static void put_perm(struct printer *p, unsigned perm)
{
	put(&p->out, " %s%s%s%s%s", p->watch ? "-p " : "-F perm=", perm & AUDIT_PERM_READ ? "r" : "",
	    perm & AUDIT_PERM_WRITE ? "w" : "", perm & AUDIT_PERM_EXEC ? "x" : "",
	    perm & AUDIT_PERM_ATTR ? "a" : "");
}

/* The fields of -C, by the kernel's number for the pair. */
static void put_comparison(struct printer *p, unsigned pair, const char *symbol)
{
	static const char *const names[][2] = {
		[AUDIT_COMPARE_UID_TO_OBJ_UID] = { "uid", "obj_uid" },
		[AUDIT_COMPARE_GID_TO_OBJ_GID] = { "gid", "obj_gid" },
		[AUDIT_COMPARE_EUID_TO_OBJ_UID] = { "euid", "obj_uid" },
		[AUDIT_COMPARE_EGID_TO_OBJ_GID] = { "egid", "obj_gid" },
		[AUDIT_COMPARE_AUID_TO_OBJ_UID] = { "auid", "obj_uid" },
		[AUDIT_COMPARE_SUID_TO_OBJ_UID] = { "suid", "obj_uid" },
		[AUDIT_COMPARE_SGID_TO_OBJ_GID] = { "sgid", "obj_gid" },
		[AUDIT_COMPARE_FSUID_TO_OBJ_UID] = { "fsuid", "obj_uid" },
		[AUDIT_COMPARE_FSGID_TO_OBJ_GID] = { "fsgid", "obj_gid" },
		[AUDIT_COMPARE_UID_TO_AUID] = { "uid", "auid" },
		[AUDIT_COMPARE_UID_TO_EUID] = { "uid", "euid" },
		[AUDIT_COMPARE_UID_TO_FSUID] = { "uid", "fsuid" },
		[AUDIT_COMPARE_UID_TO_SUID] = { "uid", "suid" },
		[AUDIT_COMPARE_AUID_TO_FSUID] = { "auid", "fsuid" },
		[AUDIT_COMPARE_AUID_TO_SUID] = { "auid", "suid" },
		[AUDIT_COMPARE_AUID_TO_EUID] = { "auid", "euid" },
		[AUDIT_COMPARE_EUID_TO_SUID] = { "euid", "suid" },
		[AUDIT_COMPARE_EUID_TO_FSUID] = { "euid", "fsuid" },
		[AUDIT_COMPARE_SUID_TO_FSUID] = { "suid", "fsuid" },
		[AUDIT_COMPARE_GID_TO_EGID] = { "gid", "egid" },
		[AUDIT_COMPARE_GID_TO_FSGID] = { "gid", "fsgid" },
		[AUDIT_COMPARE_GID_TO_SGID] = { "gid", "sgid" },
		[AUDIT_COMPARE_EGID_TO_FSGID] = { "egid", "fsgid" },
		[AUDIT_COMPARE_EGID_TO_SGID] = { "egid", "sgid" },
		[AUDIT_COMPARE_SGID_TO_FSGID] = { "sgid", "fsgid" },
	};

	if (pair < sizeof(names) / sizeof(names[0]) && names[pair][0])
		put(&p->out, " -C %s%s%s", names[pair][0], symbol, names[pair][1]);
}

/* The word for the value, where the field has words. */
static const char *value_name(unsigned field, unsigned value)
{
	if (field == AUDIT_MSGTYPE)
		return audit_msg_type_to_name(value);
	if (field == AUDIT_FSTYPE)
		return audit_fstype_to_name(value);
	return NULL;
}

/* With -i a word, where the rule is about one call. */
static void put_argument(struct printer *p, unsigned argument, unsigned value, const char *name, const char *symbol)
{
	char word[256];

	p->arguments.values[argument] = value;
	if (p->words && p->n_calls <= 1 && !p->words(&p->arguments, argument, word, sizeof(word)))
		put(&p->out, " -F %s%s%s", name, symbol, word);
	else
		put(&p->out, " -F %s%s0x%X", name, symbol, value);
}

static void put_number(struct printer *p, unsigned i, const char *name, const char *symbol)
{
	unsigned field = p->data->fields[i], value = p->data->values[i];

	if (value_name(field, value))
		put(&p->out, " -F %s%s%s", name, symbol, value_name(field, value));
	else if (field == AUDIT_EXIT && (int)value < 0 && audit_errno_to_name(-value))
		put(&p->out, " -F %s%s-%s", name, symbol, audit_errno_to_name(-value));
	else if (field >= AUDIT_ARG0 && field <= AUDIT_ARG3)
		put_argument(p, field - AUDIT_ARG0, value, name, symbol);
	else if ((field == AUDIT_LOGINUID || field == AUDIT_SESSIONID) && value == -1u && p->words)
		put(&p->out, " -F %s%sunset", name, symbol);
	else if (field == AUDIT_INODE)
		put(&p->out, " -F %s%s%u", name, symbol, value);
	else
		put(&p->out, " -F %s%s%d", name, symbol, (int)value);
}

static void put_field(struct printer *p, unsigned i)
{
	unsigned field = p->data->fields[i];
	const char *symbol = audit_operator_to_symbol(p->data->fieldflags[i]);
	const char *name = audit_field_to_name(field);

	if (field == AUDIT_ARCH)
		return; /* stands in front */
	if (laf_field_is_string(field))
		put_string(p, i, name, symbol);
	else if (field == AUDIT_PERM)
		put_perm(p, p->data->values[i]);
	else if (field == AUDIT_FIELD_COMPARE)
		put_comparison(p, p->data->values[i], symbol);
	else
		put_number(p, i, name, symbol);
}

static const char *list_name(unsigned list)
{
	return list == AUDIT_FILTER_URING_EXIT ? "io_uring" : audit_flag_to_name(list);
}

int laf_rule_string(const struct laf_rule *rule, char *buf, size_t size)
{
	return laf_rule_words(rule, NULL, buf, size);
}

int laf_rule_words(const struct laf_rule *rule, laf_argument_fn words, char *buf, size_t size)
{
	struct printer p = { .out = { .buf = buf, .size = size },
			     .data = rule->data,
			     .watch = is_watch(rule->data),
			     .words = words };

	if (size)
		buf[0] = '\0';
	if (!p.watch) {
		put(&p.out, "-a %s,%s", audit_action_to_name(rule->data->action),
		    list_name(rule->data->flags & AUDIT_FILTER_MASK));
		put_calls(&p, put_arches(&p));
	}
	for (unsigned i = 0; i < rule->data->field_count; i++)
		put_field(&p, i);
	return p.out.len;
}

void laf_rules_write(const struct laf_rules *rules, const char *key, FILE *to)
{
	laf_rules_write_words(rules, key, NULL, to);
}

/* Lists in the kernel's order; a set keeps all of them in one. */
void laf_rules_write_words(const struct laf_rules *rules, const char *key, laf_argument_fn words, FILE *to)
{
	char text[16384];

	for (unsigned list = 0; list <= AUDIT_FILTER_MASK; list++)
		for (size_t i = 0; i < rules->n; i++) {
			if (rules->list[i].data->flags != list || !laf_rule_has_key(&rules->list[i], key))
				continue;
			laf_rule_words(&rules->list[i], words, text, sizeof(text));
			fprintf(to, "%s\n", text);
		}
	if (!rules->n)
		fputs("No rules\n", to);
}
