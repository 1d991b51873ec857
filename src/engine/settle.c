// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting for programs that are at work. */
#include <stdint.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <laf/engine.h>

/* The kernel answers a change of a map of maps when every program that ran meanwhile has ended (kernel/bpf/syscall.c,
 * maybe_wait_bpf_programs(): a grace period of RCU). */
void laf_engine_settle(void)
{
	int inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "laf_settle", sizeof(uint32_t), sizeof(uint32_t), 1, NULL);
	LIBBPF_OPTS(bpf_map_create_opts, options, .inner_map_fd = inner);
	uint32_t key = 0;
	int outer;

	if (inner < 0)
		return;
	outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "laf_settle", sizeof(key), sizeof(inner), 1, &options);
	if (outer >= 0) {
		bpf_map_update_elem(outer, &key, &inner, 0);
		close(outer);
	}
	close(inner);
}
