// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing a compiled policy into maps: two batches, whatever its size. */
#include <errno.h>
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

static int make_inodes(const struct laf_policy *policy)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_NO_PREALLOC);
	uint32_t n = policy->n_inodes, i;
	struct laf_inode_rules *rules = malloc((n + 1) * sizeof(*rules));
	struct laf_inode_key *keys = malloc((n + 1) * sizeof(*keys));
	int fd, r = -ENOMEM;

	fd = bpf_map_create(BPF_MAP_TYPE_HASH, "laf_inodes", sizeof(*keys), sizeof(*rules), n ? n : 1, &options);
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

int laf_policymaps_load(const struct laf_policy *policy, int codes_fd, int inodes_fd, uint32_t slot,
			struct laf_error *err)
{
	const char *step = "making the policy's map";
	int code = make_code(policy), inodes = -1, r = code;

	if (r >= 0) {
		step = "making the map of inodes";
		r = inodes = make_inodes(policy);
	}
	if (r >= 0) {
		step = "putting the policy in its slot";
		r = bpf_map_update_elem(codes_fd, &slot, &code, 0);
	}
	if (r >= 0) {
		step = "putting the inodes in their slot";
		r = bpf_map_update_elem(inodes_fd, &slot, &inodes, 0);
	}
	if (code >= 0)
		close(code);
	if (inodes >= 0)
		close(inodes);
	if (r < 0)
		return laf_error_set(err, r, "engine: %s (%u policy entries, %u inodes): %s", step, policy->n_code,
				     policy->n_inodes, strerror(-r));
	return 0;
}
