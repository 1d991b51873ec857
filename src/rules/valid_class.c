// SPDX-License-Identifier: GPL-2.0-or-later
/* The mask of a rule: its last 16 bits are no calls but classes of them, which the kernel spells out and
 * takes off. */
#include "calls.h"
#include "valid.h"

#define FIRST_CLASS_BIT (AUDIT_BITMASK_SIZE * 32 - 1) /* class 0; the others below it */

/* AUDIT_CLASS_…: even ones are of native calls, odd ones the same of 32-bit calls. */
static const uint8_t classes[] = { LAF_CLASS_DIR_WRITE, LAF_CLASS_ATTR, LAF_CLASS_READ, LAF_CLASS_WRITE,
				   LAF_CLASS_SIGNAL };

static bool has_bit(const struct audit_rule_data *rule, unsigned bit)
{
	return rule->mask[AUDIT_WORD(bit)] & AUDIT_BIT(bit);
}

static void add_class(struct audit_rule_data *rule, uint8_t class, const uint8_t *classes_of_calls)
{
	for (unsigned nr = 0; nr < LAF_SHAPES; nr++)
		if (classes_of_calls[nr] & class)
			rule->mask[AUDIT_WORD(nr)] |= AUDIT_BIT(nr);
}

static bool names_all(const struct audit_rule_data *rule)
{
	for (unsigned i = 0; i < AUDIT_BITMASK_SIZE; i++)
		if (rule->mask[i] != ~0u)
			return false;
	return true;
}

void laf_rule_spell_classes(struct audit_rule_data *rule)
{
	uint8_t classes_of_calls[LAF_ABIS * LAF_SHAPES];

	if (rule->mask[AUDIT_BITMASK_SIZE - 1] >> 16 && !names_all(rule)) {
		laf_calls_classes(classes_of_calls);
		for (unsigned i = 0; i < 2 * sizeof(classes); i++)
			if (has_bit(rule, FIRST_CLASS_BIT - i))
				add_class(rule, classes[i / 2], classes_of_calls + (i & 1) * LAF_SHAPES);
	}
	rule->mask[AUDIT_BITMASK_SIZE - 1] &= 0x0000ffff;
}
