// SPDX-License-Identifier: GPL-2.0-or-later
/* Open addressing with linear steps; at most half of the table is in use, and what is removed leaves no gap. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "index.h"

struct laf_index_entry {
	const struct audit_rule_data *data; /* NULL = free */
	uint32_t hash;
};

static uint32_t hash_words(uint32_t hash, const uint32_t *words, size_t n)
{
	while (n--)
		hash = (hash ^ *words++) * 0x9e3779b1u;
	return hash ^ hash >> 15;
}

uint32_t laf_rule_hash(const struct audit_rule_data *data)
{
	uint32_t hash = hash_words(2166136261u, data->values, data->field_count);

	hash = hash_words(hash, data->fields, data->field_count);
	hash = hash_words(hash, data->mask, AUDIT_BITMASK_SIZE);
	for (uint32_t i = 0; i < data->buflen; i++)
		hash = (hash ^ (unsigned char)data->buf[i]) * 16777619u;
	return hash;
}

bool laf_rule_equal(const struct audit_rule_data *a, const struct audit_rule_data *b)
{
	size_t words = a->field_count * sizeof(uint32_t);

	return a->flags == b->flags && a->action == b->action && a->field_count == b->field_count &&
	       a->buflen == b->buflen && !memcmp(a->fields, b->fields, words) &&
	       !memcmp(a->fieldflags, b->fieldflags, words) && !memcmp(a->values, b->values, words) &&
	       !memcmp(a->mask, b->mask, sizeof(a->mask)) && !memcmp(a->buf, b->buf, a->buflen);
}

static size_t next(const struct laf_rules *rules, size_t i)
{
	return (i + 1) & (rules->index_size - 1);
}

bool laf_index_has(const struct laf_rules *rules, const struct audit_rule_data *data)
{
	uint32_t hash = laf_rule_hash(data);
	size_t i = hash & (rules->index_size - 1);

	if (!rules->index_size)
		return false;
	for (; rules->index[i].data; i = next(rules, i))
		if (rules->index[i].hash == hash && laf_rule_equal(rules->index[i].data, data))
			return true;
	return false;
}

static void put(struct laf_rules *rules, struct laf_index_entry entry)
{
	size_t i = entry.hash & (rules->index_size - 1);

	while (rules->index[i].data)
		i = next(rules, i);
	rules->index[i] = entry;
}

static int grow(struct laf_rules *rules)
{
	struct laf_index_entry *old = rules->index;
	size_t old_size = rules->index_size, size = old_size ? old_size * 2 : 64, i;
	struct laf_index_entry *larger = calloc(size, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	rules->index = larger;
	rules->index_size = size;
	for (i = 0; i < old_size; i++)
		if (old[i].data)
			put(rules, old[i]);
	free(old);
	return 0;
}

int laf_index_add(struct laf_rules *rules, const struct audit_rule_data *data, uint32_t hash)
{
	if (rules->n * 2 >= rules->index_size && grow(rules))
		return -ENOMEM;
	put(rules, (struct laf_index_entry){ data, hash });
	return 0;
}

void laf_index_remove(struct laf_rules *rules, const struct audit_rule_data *data, uint32_t hash)
{
	size_t mask = rules->index_size - 1, i = hash & mask, hole;

	while (rules->index[i].data != data)
		i = next(rules, i);
	hole = i;
	for (i = next(rules, i); rules->index[i].data; i = next(rules, i)) {
		/* may it move back to the hole without coming before its own place? */
		if (((i - rules->index[i].hash) & mask) < ((i - hole) & mask))
			continue;
		rules->index[hole] = rules->index[i];
		hole = i;
	}
	rules->index[hole].data = NULL;
}
