/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs count, read by their maps: our own, or those of another version. */
#ifndef LAF_COUNTS_H
#define LAF_COUNTS_H

#include <stdint.h>

#include <laf/engine.h>

/* Add what was lost, and what was produced, by the maps `counts` and `scratches`. Returns 0 or a negative errno. */
int laf_counts_add(int counts_fd, int scratches_fd, unsigned n_cpus, struct laf_engine_stats *ret);

/* laf_engine_losses(), by the map `lost_by_rule`. */
int laf_counts_losses(int fd, unsigned n_cpus, uint32_t generation, bool forget, laf_loss_fn fn, void *arg);

/* The rings that are in the map `rings`, and the size of each. Returns 0 or a negative errno; the caller closes what is not -1. */
int laf_counts_rings(int rings_fd, unsigned n_cpus, int *ret_fds, uint32_t *ret_bytes);

#endif
