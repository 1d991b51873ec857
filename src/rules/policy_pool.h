/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pool of byte strings: equal ones are kept once and known by a number. Strings of one length that is a
 * multiple of 8 stand in a row, as an array does. */
#ifndef LAF_POLICY_POOL_H
#define LAF_POLICY_POOL_H

#include <stddef.h>
#include <stdint.h>

#define POOL_NONE UINT32_MAX

struct policy_pool_item {
	size_t at; /* in bytes, a multiple of 8 */
	uint32_t len;
	uint32_t hash;
};

/* Zeroed = empty. */
struct policy_pool {
	struct policy_pool_item *items;
	size_t n, allocated;
	char *bytes;
	size_t used, room;
	uint32_t *slots; /* number + 1, 0 = free */
	size_t n_slots;  /* a power of two */
};

/* Find `len` bytes or add them; numbers go up from 0. Returns 0 or -ENOMEM. */
int policy_pool_add(struct policy_pool *pool, const void *bytes, uint32_t len, uint32_t *ret_id);

/* Find only, by the hash that policy_hash() gives. POOL_NONE = not there. */
uint32_t policy_pool_find(const struct policy_pool *pool, const void *bytes, uint32_t len, uint32_t hash);

void policy_pool_clear(struct policy_pool *pool);

/* Valid until the next add. */
static inline const void *policy_pool_get(const struct policy_pool *pool, uint32_t id)
{
	return pool->bytes + pool->items[id].at;
}

static inline uint32_t policy_pool_len(const struct policy_pool *pool, uint32_t id)
{
	return pool->items[id].len;
}

/* FNV-1a, so that the hash of every prefix comes out on the way. */
#define POLICY_HASH_START 2166136261u
static inline uint32_t policy_hash_byte(uint32_t hash, uint8_t byte)
{
	return (hash ^ byte) * 16777619u;
}
static inline uint32_t policy_hash(const void *bytes, size_t len)
{
	uint32_t hash = POLICY_HASH_START;

	for (size_t i = 0; i < len; i++)
		hash = policy_hash_byte(hash, ((const uint8_t *)bytes)[i]);
	return hash;
}

/* Make room for `n` items of `size` bytes in *list (a pointer to a pointer). Returns 0 or -ENOMEM. */
int policy_grow(void *list, size_t *allocated, size_t n, size_t size);

#endif
