// SPDX-License-Identifier: GPL-2.0-or-later
/* A pool of byte strings: hashing and growth. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_pool.h"

int policy_grow(void *list, size_t *allocated, size_t n, size_t size)
{
	void **at = list, *bigger;
	size_t room = *allocated ? *allocated : 16;

	if (n <= *allocated)
		return 0;
	while (room < n)
		room *= 2;
	bigger = reallocarray(*at, room, size);
	if (!bigger)
		return -ENOMEM;
	*at = bigger;
	*allocated = room;
	return 0;
}

/* The low bits of FNV-1a are weak for short strings. */
static size_t slot_of(const struct policy_pool *pool, uint32_t hash)
{
	return (hash ^ hash >> 15) & (pool->n_slots - 1);
}

static int rehash(struct policy_pool *pool)
{
	size_t n = pool->n_slots ? pool->n_slots * 2 : 64;
	uint32_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(pool->slots);
	pool->slots = slots;
	pool->n_slots = n;
	for (uint32_t id = 0; id < pool->n; id++) {
		size_t at = slot_of(pool, pool->items[id].hash);

		while (slots[at])
			at = (at + 1) & (n - 1);
		slots[at] = id + 1;
	}
	return 0;
}

uint32_t policy_pool_find(const struct policy_pool *pool, const void *bytes, uint32_t len, uint32_t hash)
{
	if (!pool->n_slots)
		return POOL_NONE;
	for (size_t at = slot_of(pool, hash); pool->slots[at]; at = (at + 1) & (pool->n_slots - 1)) {
		uint32_t id = pool->slots[at] - 1;
		const struct policy_pool_item *item = &pool->items[id];

		if (item->hash == hash && item->len == len && !memcmp(pool->bytes + item->at, bytes, len))
			return id;
	}
	return POOL_NONE;
}

int policy_pool_add(struct policy_pool *pool, const void *bytes, uint32_t len, uint32_t *ret_id)
{
	uint32_t hash = policy_hash(bytes, len), id = policy_pool_find(pool, bytes, len, hash);
	size_t whole = len ? ((size_t)len + 7) & ~(size_t)7 : 8,
	       at; /* never 0: `bytes` is there even for "" */

	if (id != POOL_NONE) {
		*ret_id = id;
		return 0;
	}
	if ((pool->n + 1) * 2 > pool->n_slots && rehash(pool))
		return -ENOMEM;
	if (policy_grow(&pool->items, &pool->allocated, pool->n + 1, sizeof(*pool->items)) ||
	    policy_grow(&pool->bytes, &pool->room, pool->used + whole, 1))
		return -ENOMEM;
	if (len)
		memcpy(pool->bytes + pool->used, bytes, len);
	pool->items[pool->n] = (struct policy_pool_item){ pool->used, len, hash };
	pool->used += whole;
	at = slot_of(pool, hash);
	while (pool->slots[at])
		at = (at + 1) & (pool->n_slots - 1);
	pool->slots[at] = pool->n + 1;
	*ret_id = pool->n++;
	return 0;
}

void policy_pool_clear(struct policy_pool *pool)
{
	free(pool->items);
	free(pool->bytes);
	free(pool->slots);
	memset(pool, 0, sizeof(*pool));
}
