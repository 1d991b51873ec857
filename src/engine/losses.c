// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs' table of losses by policy, rule and call. */
#include <errno.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include "bpf.h"

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

int laf_bpf_losses(struct laf_engine *engine, uint32_t generation, bool forget, laf_loss_fn fn, void *arg)
{
	struct bpf_engine *t = engine->state;
	int fd = bpf_map__fd(t->bpf->maps.lost_by_rule);
	struct laf_wire_lost *keys = calloc(LAF_LOST_MAX, sizeof(*keys));
	uint64_t *values = calloc(t->n_cpus, sizeof(*values)), count;
	unsigned i, n = keys && values ? find(fd, generation, keys) : 0;
	int r = keys && values ? 0 : -ENOMEM;

	for (i = 0; i < n; i++) {
		if (!sum(fd, &keys[i], values, t->n_cpus, &count))
			fn(arg, &keys[i], count);
		if (forget)
			bpf_map_delete_elem(fd, &keys[i]);
	}
	free(keys);
	free(values);
	return r;
}
