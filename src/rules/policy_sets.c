// SPDX-License-Identifier: GPL-2.0-or-later
/* Which calls a rule names: its mask, arch= and the classes behind perm=. */
#include <string.h>

#include "calls.h"
#include "policy_build.h"

#define SOCKETCALL_I386 102
#define CLASSES 16 /* AUDIT_SYSCALL_CLASSES: bits at the end of a mask that stand for a class */

static const uint32_t archs[LAF_ABIS] = { AUDIT_ARCH_X86_64, AUDIT_ARCH_I386 };

void policy_groups_fill(struct policy_build *b)
{
	static const struct laf_call_shape plain = {
		.name = { LAF_ARG_NONE, LAF_ARG_NONE }, .fd = LAF_ARG_NONE, .open_flags = LAF_ARG_NONE,
	};
	struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES];
	uint8_t classes[LAF_ABIS * LAF_SHAPES];

	laf_calls_shapes(shapes);
	laf_calls_classes(classes);
	memset(b->groups, 0, sizeof(b->groups));
	for (unsigned call = 0; call < LAF_CALLS; call++) {
		unsigned abi = call / LAF_ABI_CALLS, nr = call % LAF_ABI_CALLS;
		const struct laf_call_shape *shape =
			nr < LAF_SHAPES ? &shapes[abi * LAF_SHAPES + nr] : &plain;
		uint8_t class = nr < LAF_SHAPES ? classes[abi * LAF_SHAPES + nr] : 0;

		set_put(&b->groups[GROUP_ALL], call);
		if (laf_shape_is_open(shape))
			set_put(&b->groups[GROUP_OPEN], call);
		if (abi == 1 && nr == SOCKETCALL_I386)
			set_put(&b->groups[GROUP_SOCKETCALL], call);
		if (laf_shape_has_names(shape))
			set_put(&b->groups[GROUP_NAMES], call);
		if (shape->saddr_kind != LAF_SADDR_NONE || shape->special == LAF_SPECIAL_SOCKETCALL)
			set_put(&b->groups[GROUP_ADDRESS], call);
		if (shape->kind != LAF_KIND_EXIT)
			set_put(&b->groups[GROUP_RETURNS], call);
		if (abi == 0)
			set_put(&b->groups[GROUP_ABI], call);
		for (unsigned i = 0; i <= GROUP_LAST - GROUP_CLASS; i++)
			if (class >> i & 1)
				set_put(&b->groups[GROUP_CLASS + i], call);
	}
}

/* The group behind a class bit of a mask, or -1. Odd ones are the 32-bit tables of the same. */
static int mask_class(unsigned i)
{
	switch (i / 2) {
	case 0: return GROUP_CLASS + 4; /* AUDIT_CLASS_DIR_WRITE */
	case 1: return GROUP_CLASS + 3; /* AUDIT_CLASS_CHATTR */
	case 2: return GROUP_CLASS + 2; /* AUDIT_CLASS_READ */
	case 3: return GROUP_CLASS + 1; /* AUDIT_CLASS_WRITE */
	case 4: return GROUP_CLASS + 5; /* AUDIT_CLASS_SIGNAL */
	}
	return -1;
}

/* The mask by number, for one ABI and the other alike, with class bits spelled out as the kernel does. */
static void mask_numbers(const struct policy_build *b, const struct audit_rule_data *data,
			 uint64_t ret_numbers[SET_WORDS / 2])
{
	const unsigned last = SET_WORDS / 2 - 1;
	uint64_t top;

	for (unsigned i = 0; i <= last; i++)
		ret_numbers[i] = data->mask[2 * i] | (uint64_t)data->mask[2 * i + 1] << 32;
	top = ret_numbers[last] >> (64 - CLASSES);
	ret_numbers[last] &= UINT64_MAX >> CLASSES;
	for (unsigned i = 0; i < CLASSES; i++) {
		int group = mask_class(i);

		if (group < 0 || !(top >> (CLASSES - 1 - i) & 1))
			continue;
		for (unsigned word = 0; word <= last; word++)
			ret_numbers[word] |= b->groups[group].words[word + (i & 1 ? SET_WORDS / 2 : 0)];
	}
}

bool policy_compare(uint32_t left, uint32_t op, uint32_t right)
{
	switch (op) {
	case LAF_EQ: return left == right;
	case LAF_NE: return left != right;
	case LAF_LT: return left < right;
	case LAF_LE: return left <= right;
	case LAF_GT: return left > right;
	case LAF_GE: return left >= right;
	case LAF_MASK: return left & right;
	case LAF_TEST: return (left & right) == right;
	}
	return false;
}

int policy_op(uint32_t fieldflags)
{
	switch (fieldflags) {
	case AUDIT_EQUAL: return LAF_EQ;
	case AUDIT_NOT_EQUAL: return LAF_NE;
	case AUDIT_LESS_THAN: return LAF_LT;
	case AUDIT_LESS_THAN_OR_EQUAL: return LAF_LE;
	case AUDIT_GREATER_THAN: return LAF_GT;
	case AUDIT_GREATER_THAN_OR_EQUAL: return LAF_GE;
	case AUDIT_BIT_MASK: return LAF_MASK;
	case AUDIT_BIT_TEST: return LAF_TEST;
	}
	return -1;
}

static void narrow_arch(const struct policy_build *b, struct call_set *set, uint32_t op, uint32_t val)
{
	if (!policy_compare(archs[0], op, val))
		set_and_not(set, &b->groups[GROUP_ABI]);
	if (!policy_compare(archs[1], op, val))
		set_and(set, &b->groups[GROUP_ABI]);
}

/* audit_match_perm(). The open family goes by a test, and so does socketcall where it can be bind. Every
 * access mode holds reading or writing, none holds more. */
static void narrow_perm(const struct policy_build *b, struct call_set *set, uint32_t op, uint32_t val)
{
	const uint32_t modes = AUDIT_PERM_READ | AUDIT_PERM_WRITE;
	struct call_set good = { 0 }, tested = { 0 };

	for (unsigned i = 0; i < 4; i++) /* LAF_CLASS_EXEC to LAF_CLASS_ATTR are the bits of perm= */
		if (val >> i & 1)
			set_or(&good, &b->groups[GROUP_CLASS + i]);
	if (op == LAF_NE) {
		struct call_set matched = good;

		good = b->groups[GROUP_ALL];
		set_and_not(&good, &matched);
		set_and_not(&good, &b->groups[GROUP_OPEN]);
	}
	if (op == LAF_EQ ? val & modes : (val & modes) != modes)
		set_or(&tested, &b->groups[GROUP_OPEN]);
	if (val & AUDIT_PERM_WRITE)
		set_or(&tested, &b->groups[GROUP_SOCKETCALL]);
	set_or(&good, &tested);
	set_and(set, &good);
}

/* Calls that the field can't match, whatever its value. */
static void narrow_field(const struct policy_build *b, struct call_set *set, uint32_t field, uint32_t op,
			 uint32_t val)
{
	switch (field) {
	case AUDIT_ARCH:
		narrow_arch(b, set, op, val);
		break;
	case AUDIT_PERM:
		narrow_perm(b, set, op, val);
		break;
	case AUDIT_EXIT: case AUDIT_SUCCESS:
		set_and(set, &b->groups[GROUP_RETURNS]);
		break;
	case AUDIT_SADDR_FAM:
		set_and(set, &b->groups[GROUP_ADDRESS]);
		break;
	case AUDIT_FILETYPE: /* filetype!= holds where there is no name */
		if (op == LAF_EQ)
			set_and(set, &b->groups[GROUP_NAMES]);
		break;
	case AUDIT_FIELD_COMPARE:
		if (val > AUDIT_COMPARE_FSGID_TO_OBJ_GID) /* those before compare with an owner */
			break;
		/* fall through */
	case AUDIT_WATCH: case AUDIT_DIR: case AUDIT_INODE: case AUDIT_DEVMAJOR: case AUDIT_DEVMINOR:
	case AUDIT_OBJ_UID: case AUDIT_OBJ_GID:
		set_and(set, &b->groups[GROUP_NAMES]);
		break;
	}
}

void policy_rule_calls(const struct policy_build *b, const struct audit_rule_data *data,
		       struct call_set *ret_set)
{
	uint64_t numbers[SET_WORDS / 2];

	mask_numbers(b, data, numbers);
	for (unsigned abi = 0; abi < LAF_ABIS; abi++)
		memcpy(ret_set->words + abi * SET_WORDS / 2, numbers, sizeof(numbers));
	for (uint32_t i = 0; i < data->field_count; i++)
		narrow_field(b, ret_set, data->fields[i], policy_op(data->fieldflags[i]), data->values[i]);
}
