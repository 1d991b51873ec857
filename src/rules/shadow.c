// SPDX-License-Identifier: GPL-2.0-or-later
/* Does one rule's match imply another's? Does a rule contradict itself? */
#include <errno.h>
#include <libaudit.h>
#include <string.h>

#include "field.h"
#include "shadow.h"

/* One field of a rule. */
struct test {
	uint32_t field, op, value;
	const char *text; /* of `value` bytes; NULL for a number */
};

/* A walk over the fields of a rule. */
struct walk {
	const struct audit_rule_data *data;
	unsigned next;
	size_t offset;
};

static bool next_test(struct walk *walk, struct test *ret)
{
	const struct audit_rule_data *data = walk->data;
	unsigned i = walk->next++;

	if (i >= data->field_count)
		return false;
	*ret = (struct test){ .field = data->fields[i], .op = data->fieldflags[i], .value = data->values[i] };
	if (laf_field_is_string(ret->field)) {
		ret->text = data->buf + walk->offset;
		walk->offset += ret->value;
	}
	return true;
}

static bool same_test(const struct test *a, const struct test *b)
{
	return a->field == b->field && a->op == b->op && a->value == b->value &&
	       (!a->text || !memcmp(a->text, b->text, a->value));
}

/* Fields of which an event has one value at most, compared as an unsigned number. A group is none: the kernel looks at the others of the
 * task, too. An event has many names. */
static bool is_number(const struct test *t)
{
	switch (t->field) {
	case AUDIT_PID: case AUDIT_PPID: case AUDIT_UID: case AUDIT_EUID: case AUDIT_SUID: case AUDIT_FSUID:
	case AUDIT_SGID: case AUDIT_FSGID: case AUDIT_LOGINUID: case AUDIT_SESSIONID: case AUDIT_PERS: case AUDIT_EXIT: case AUDIT_SUCCESS:
	case AUDIT_ARG0: case AUDIT_ARG1: case AUDIT_ARG2: case AUDIT_ARG3:
		return true;
	default:
		return false;
	}
}

/* A call that does not return has neither; no test of these matches it. */
static bool wants_return(uint32_t field)
{
	return field == AUDIT_EXIT || field == AUDIT_SUCCESS;
}

/* success= asks for one of two states. */
static uint32_t number_of(const struct test *t)
{
	return t->field == AUDIT_SUCCESS ? t->value ? 1 : 2 : t->value;
}

static bool holds(uint32_t op, uint32_t l, uint32_t r)
{
	switch (op) {
	case AUDIT_EQUAL: return l == r;
	case AUDIT_NOT_EQUAL: return l != r;
	case AUDIT_LESS_THAN: return l < r;
	case AUDIT_LESS_THAN_OR_EQUAL: return l <= r;
	case AUDIT_GREATER_THAN: return l > r;
	case AUDIT_GREATER_THAN_OR_EQUAL: return l >= r;
	case AUDIT_BIT_MASK: return l & r;
	default: return (l & r) == r;
	}
}

/* The values that a rule leaves to a field: none when low > high. */
struct range {
	uint64_t low, high;
};

static void narrow(struct range *range, uint32_t op, uint32_t value)
{
	uint64_t low = 0, high = UINT32_MAX;

	switch (op) {
	case AUDIT_EQUAL: low = high = value; break;
	case AUDIT_LESS_THAN: high = (uint64_t)value - 1; break;
	case AUDIT_LESS_THAN_OR_EQUAL: high = value; break;
	case AUDIT_GREATER_THAN: low = (uint64_t)value + 1; break;
	case AUDIT_GREATER_THAN_OR_EQUAL: low = value; break;
	}
	if (op == AUDIT_LESS_THAN && !value)
		low = 1, high = 0;
	range->low = low > range->low ? low : range->low;
	range->high = high < range->high ? high : range->high;
}

/* Where one value is left, every other test of it decides; != can also take an end away. */
static void sift(const struct audit_rule_data *data, uint32_t field, struct range *range)
{
	struct walk walk = { .data = data };
	struct test t;

	while (next_test(&walk, &t)) {
		if (t.field != field || !is_number(&t) || range->low > range->high)
			continue;
		if (range->low == range->high && !holds(t.op, range->low, number_of(&t)))
			*range = (struct range){ 1, 0 };
		else if (t.op == AUDIT_NOT_EQUAL && range->low == number_of(&t))
			range->low++;
		else if (t.op == AUDIT_NOT_EQUAL && range->high == number_of(&t))
			range->high--;
	}
}

static struct range range_of(const struct audit_rule_data *data, uint32_t field)
{
	struct range range = { 0, UINT32_MAX };
	struct walk walk = { .data = data };
	struct test t;

	if (field == AUDIT_SUCCESS)
		range = (struct range){ 1, 2 };
	while (next_test(&walk, &t))
		if (t.field == field && is_number(&t))
			narrow(&range, t.op, number_of(&t));
	sift(data, field, &range);
	sift(data, field, &range);
	return range;
}

static bool range_implies(const struct range *range, uint32_t op, uint32_t value)
{
	if (range->low == range->high)
		return holds(op, range->low, value);
	switch (op) {
	case AUDIT_NOT_EQUAL: return value < range->low || value > range->high;
	case AUDIT_LESS_THAN: return range->high < value;
	case AUDIT_LESS_THAN_OR_EQUAL: return range->high <= value;
	case AUDIT_GREATER_THAN: return range->low > value;
	case AUDIT_GREATER_THAN_OR_EQUAL: return range->low >= value;
	default: return false;
	}
}

/* b, of the rule whose match is given, against t, of the rule whose match is to follow. */
static bool test_implies(const struct test *b, const struct test *t)
{
	if (t->field == AUDIT_PERM && b->field == AUDIT_PERM && t->op == AUDIT_EQUAL && b->op == AUDIT_EQUAL)
		return !(b->value & ~t->value); /* any of them suffices */
	return same_test(b, t);
}

static bool rule_implies_test(const struct audit_rule_data *data, const struct test *t)
{
	struct walk walk = { .data = data };
	bool returns = false;
	struct range range;
	struct test b;

	while (next_test(&walk, &b)) {
		if (test_implies(&b, t))
			return true;
		returns |= wants_return(b.field);
	}
	if (!is_number(t) || (wants_return(t->field) && !returns))
		return false;
	range = range_of(data, t->field);
	return range_implies(&range, t->op, number_of(t));
}

/* Bit 0: calls of 64 bits, bit 1: of 32. */
static unsigned abis_of(const struct audit_rule_data *data)
{
	static const uint32_t archs[] = { AUDIT_ARCH_X86_64, AUDIT_ARCH_I386 };
	struct walk walk = { .data = data };
	unsigned abis = 3;
	struct test t;

	while (next_test(&walk, &t))
		for (unsigned i = 0; i < 2 && t.field == AUDIT_ARCH; i++)
			if (!holds(t.op, archs[i], t.value))
				abis &= ~(1u << i);
	return abis;
}

static bool calls_within(const struct audit_rule_data *data, const struct audit_rule_data *within)
{
	for (unsigned i = 0; i < AUDIT_BITMASK_SIZE; i++)
		if (data->mask[i] & ~within->mask[i])
			return false;
	return !(abis_of(data) & ~abis_of(within));
}

/* Does every event that `data` matches match `by`? */
static bool implies(const struct audit_rule_data *data, const struct audit_rule_data *by)
{
	struct walk walk = { .data = by };
	struct test t;

	if (!calls_within(data, by))
		return false;
	while (next_test(&walk, &t))
		if (t.field != AUDIT_FILTERKEY && t.field != AUDIT_ARCH && !rule_implies_test(data, &t))
			return false;
	return true;
}

static bool names_no_call(const struct audit_rule_data *data)
{
	for (unsigned i = 0; i < AUDIT_BITMASK_SIZE; i++)
		if (data->mask[i])
			return false;
	return true;
}

static bool contradicts_itself(const struct audit_rule_data *data, unsigned *ret_field)
{
	struct walk walk = { .data = data };
	struct test t;

	while (next_test(&walk, &t)) {
		struct range range;

		if (!is_number(&t))
			continue;
		range = range_of(data, t.field);
		*ret_field = t.field;
		if (range.low > range.high)
			return true;
	}
	return false;
}

static bool find_shadow(const struct laf_rules *rules, size_t index, size_t *ret)
{
	for (size_t i = 0; i < index; i++)
		if (rules->list[i].data->flags == AUDIT_FILTER_EXIT &&
		    implies(rules->list[index].data, rules->list[i].data)) {
			*ret = i;
			return true;
		}
	return false;
}

bool laf_rule_idle(const struct laf_rules *rules, size_t index, struct laf_idle *ret)
{
	const struct audit_rule_data *data = rules->list[index].data;
	struct laf_idle idle = { 0 };

	if (data->flags != AUDIT_FILTER_EXIT)
		return false;
	if (names_no_call(data))
		idle.cause = LAF_IDLE_CALLS;
	else if (!abis_of(data))
		idle.cause = LAF_IDLE_ARCH;
	else if (contradicts_itself(data, &idle.field))
		idle.cause = LAF_IDLE_FIELDS;
	else if (find_shadow(rules, index, &idle.by))
		idle.cause = LAF_IDLE_SHADOWED;
	else
		return false;
	*ret = idle;
	return true;
}
