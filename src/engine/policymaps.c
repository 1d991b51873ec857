// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing a compiled policy into maps: a batch each, whatever its size. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "../worker.h"
#include "policymaps.h"

static int write_batch(int fd, const void *keys, const void *values, uint32_t n)
{
	LIBBPF_OPTS(bpf_map_batch_opts, options);
	uint32_t done = n;

	if (!n)
		return 0;
	return bpf_map_update_batch(fd, keys, values, &done, &options);
}

static int make_code(const struct laf_policy *policy)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_INNER_MAP);
	uint32_t *keys, i;
	int fd, r;

	keys = malloc(policy->n_code * sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	for (i = 0; i < policy->n_code; i++)
		keys[i] = i;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "laf_code", sizeof(uint32_t), sizeof(struct laf_insn),
			    policy->n_code, &options);
	r = fd < 0 ? fd : write_batch(fd, keys, policy->code, policy->n_code);
	free(keys);
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}

/* With room for files that come under watched names. */
static int make_inodes(const struct laf_policy *policy)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_NO_PREALLOC);
	uint32_t n = policy->n_inodes, i, room = n + policy->n_watches;
	struct laf_inode_rules *rules = malloc((n + 1) * sizeof(*rules));
	struct laf_inode_key *keys = malloc((n + 1) * sizeof(*keys));
	int fd, r = -ENOMEM;

	fd = bpf_map_create(BPF_MAP_TYPE_HASH, "laf_inodes", sizeof(*keys), sizeof(*rules), room ? room : 1, &options);
	if (fd < 0)
		r = fd;
	else if (keys && rules) {
		for (i = 0; i < n; i++) {
			keys[i] = policy->inodes[i].key;
			rules[i] = policy->inodes[i].rules;
		}
		r = write_batch(fd, keys, rules, n);
	}
	free(keys);
	free(rules);
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}

static int make_watches(const struct laf_policy *policy)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_NO_PREALLOC);
	uint32_t n = policy->n_watches, i;
	struct laf_watch_key *keys = malloc((n + 1) * sizeof(*keys));
	struct laf_watch *watches = malloc((n + 1) * sizeof(*watches));
	int fd, r = -ENOMEM;

	fd = bpf_map_create(BPF_MAP_TYPE_HASH, "laf_watches", sizeof(*keys), sizeof(*watches), n ? n : 1, &options);
	if (fd < 0)
		r = fd;
	else if (keys && watches) {
		for (i = 0; i < n; i++) {
			keys[i] = policy->watches[i].key;
			watches[i] = policy->watches[i].watch;
		}
		r = write_batch(fd, keys, watches, n);
	}
	free(keys);
	free(watches);
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}

/* The parts of a policy: each a map, put in its slot of a map of maps. */
static const struct {
	const char *what;
	int (*make)(const struct laf_policy *policy);
	size_t slots; /* in struct laf_policymaps */
} parts[] = {
	{ "rules", make_code, offsetof(struct laf_policymaps, codes_fd) },
	{ "inodes", make_inodes, offsetof(struct laf_policymaps, inodes_fd) },
	{ "watched names", make_watches, offsetof(struct laf_policymaps, watches_fd) },
};
#define N_PARTS (sizeof(parts) / sizeof(*parts))

struct put {
	struct laf_worker worker;
	int slots_fd, fd;
	uint32_t slot;
};

static int put_part(void *arg)
{
	struct put *put = arg;

	return bpf_map_update_elem(put->slots_fd, &put->slot, &put->fd, 0);
}

/* All at the same time: the kernel ends each with a grace period of RCU, some 15 ms, and so they share one. Returns the number of the
 * first that failed, or N_PARTS. */
static unsigned put_parts(const struct laf_policymaps *maps, uint32_t slot, const int *fds, int *ret_error)
{
	struct put puts[N_PARTS];
	unsigned i, failed = N_PARTS;
	int r;

	for (i = 0; i < N_PARTS; i++) {
		puts[i] = (struct put){
			.slots_fd = *(const int *)((const char *)maps + parts[i].slots), .fd = fds[i], .slot = slot,
		};
		laf_worker_start(&puts[i].worker, put_part, &puts[i]);
	}
	for (i = 0; i < N_PARTS; i++) {
		if (!laf_worker_collect(&puts[i].worker, true, &r))
			r = put_part(&puts[i]);
		if (r < 0 && failed == N_PARTS) {
			failed = i;
			*ret_error = r;
		}
	}
	return failed;
}

int laf_policymaps_load(const struct laf_policy *policy, const struct laf_policymaps *maps, uint32_t slot,
			struct laf_error *err)
{
	unsigned made, failed = N_PARTS;
	int fds[N_PARTS], r = 0;

	for (made = 0; made < N_PARTS && failed == N_PARTS; made++) {
		fds[made] = parts[made].make(policy);
		if (fds[made] < 0) {
			failed = made;
			r = fds[made];
		}
	}
	if (failed == N_PARTS)
		failed = put_parts(maps, slot, fds, &r);
	if (failed < N_PARTS)
		laf_error_set(err, r, "engine: making the maps: %s (%u policy entries, %u inodes, %u names): %s",
			      parts[failed].what, policy->n_code, policy->n_inodes, policy->n_watches, strerror(-r));
	while (made)
		if (fds[--made] >= 0)
			close(fds[made]);
	return r;
}
