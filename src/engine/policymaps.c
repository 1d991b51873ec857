// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing a compiled policy into maps: a batch each, whatever its size. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

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

int laf_policymaps_load(const struct laf_policy *policy, const struct laf_policymaps *maps, uint32_t slot,
			struct laf_error *err)
{
	int fds[N_PARTS], r = 0;
	unsigned made, put = 0;

	for (made = 0; made < N_PARTS && r >= 0; made++)
		r = fds[made] = parts[made].make(policy);
	for (; r >= 0 && put < N_PARTS; put++)
		r = bpf_map_update_elem(*(const int *)((const char *)maps + parts[put].slots), &slot, &fds[put], 0);
	if (r < 0)
		r = laf_error_set(err, r, "engine: making the maps: %s (%u policy entries, %u inodes, %u names): %s",
				  parts[(put ? put : made) - 1].what, policy->n_code, policy->n_inodes,
				  policy->n_watches, strerror(-r));
	while (made)
		if (fds[--made] >= 0)
			close(fds[made]);
	return r < 0 ? r : 0;
}
