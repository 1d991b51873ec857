// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of each processor, added up; losses by policy, rule and call. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <bpf/bpf.h>

#include "counts.h"

/* Those of one policy, or as many as there are room for. */
static unsigned find(int fd, uint32_t generation, struct laf_wire_lost keys[LAF_LOST_MAX])
{
	struct laf_wire_lost key, next;
	unsigned n = 0, seen;

	for (seen = 0; seen < 2 * LAF_LOST_MAX; seen++) { /* it may begin anew where keys come and go */
		if (bpf_map_get_next_key(fd, seen ? &key : NULL, &next))
			break;
		if (next.policy == generation && n < LAF_LOST_MAX)
			keys[n++] = next;
		key = next;
	}
	return n;
}

static int sum(int fd, const struct laf_wire_lost *key, uint64_t *values, unsigned n_cpus, uint64_t *ret)
{
	*ret = 0;
	if (bpf_map_lookup_elem(fd, key, values))
		return -errno;
	for (unsigned cpu = 0; cpu < n_cpus; cpu++)
		*ret += values[cpu];
	return 0;
}

int laf_counts_losses(int fd, unsigned n_cpus, uint32_t generation, bool forget, laf_loss_fn fn, void *arg)
{
	struct laf_wire_lost *keys = calloc(LAF_LOST_MAX, sizeof(*keys));
	uint64_t *values = calloc(n_cpus, sizeof(*values)), count;
	unsigned i, n = keys && values ? find(fd, generation, keys) : 0;
	int r = keys && values ? 0 : -ENOMEM;

	for (i = 0; i < n; i++) {
		if (!sum(fd, &keys[i], values, n_cpus, &count))
			fn(arg, &keys[i], count);
		if (forget)
			bpf_map_delete_elem(fd, &keys[i]);
	}
	free(keys);
	free(values);
	return r;
}

static int value_bytes(int fd, size_t *ret)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return -errno;
	*ret = info.value_size;
	return 0;
}

/* How many events the processors have had: the first member of each one's struct laf_scratch, of which nothing else is touched. */
static int add_numbered(int fd, unsigned n_cpus, struct laf_engine_stats *ret)
{
	const uint8_t *scratches;
	size_t bytes = 0;
	int r = value_bytes(fd, &bytes);

	if (r)
		return r;
	scratches = mmap(NULL, bytes * n_cpus, PROT_READ, MAP_SHARED, fd, 0);
	if (scratches == MAP_FAILED)
		return -errno;
	for (unsigned cpu = 0; cpu < n_cpus; cpu++)
		ret->produced += __atomic_load_n((const uint64_t *)(scratches + bytes * cpu), __ATOMIC_RELAXED);
	munmap((void *)scratches, bytes * n_cpus);
	return 0;
}

static int add_lost(int fd, unsigned n_cpus, struct laf_engine_stats *ret)
{
	struct laf_wire_count *counts = calloc(n_cpus, sizeof(*counts));
	uint32_t first = 0;
	int r = counts ? 0 : -ENOMEM;

	if (!r && bpf_map_lookup_elem(fd, &first, counts))
		r = -errno;
	for (unsigned cpu = 0; !r && cpu < n_cpus; cpu++)
		for (unsigned cause = 0; cause < LAF_LOSS_CAUSES; cause++)
			ret->lost[cause] += counts[cpu].lost[cause];
	free(counts);
	return r;
}

int laf_counts_add(int counts_fd, int scratches_fd, unsigned n_cpus, struct laf_engine_stats *ret)
{
	int r = add_lost(counts_fd, n_cpus, ret);

	ret->produced += ret->lost[LAF_LOSS_NO_CONTEXT];
	return r ? r : add_numbered(scratches_fd, n_cpus, ret);
}

int laf_counts_rings(int rings_fd, unsigned n_cpus, int *ret_fds, uint32_t *ret_bytes)
{
	struct bpf_map_info info = { 0 };
	uint32_t i, id, size = sizeof(info);
	int r = 0;

	for (i = 0; !r && i < n_cpus; i++) {
		r = bpf_map_lookup_elem(rings_fd, &i, &id);
		if (r)
			break;
		ret_fds[i] = bpf_map_get_fd_by_id(id);
		r = ret_fds[i] < 0 ? ret_fds[i] : bpf_obj_get_info_by_fd(ret_fds[i], &info, &size);
	}
	if (!r)
		*ret_bytes = info.max_entries;
	return r;
}
