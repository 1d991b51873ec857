// SPDX-License-Identifier: GPL-2.0-or-later
/* map_add FILE KEY N: adds N to the first number of an entry of a pinned BPF map (of the first processor's, where each has one). */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

int main(int argc, char **argv)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info), key;
	uint64_t *value;
	int fd;

	if (argc != 4)
		return 2;
	fd = bpf_obj_get(argv[1]);
	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &bytes)) {
		perror(argv[1]);
		return 1;
	}
	key = atoi(argv[2]);
	value = calloc(libbpf_num_possible_cpus(), (info.value_size + 7) & ~7u);
	if (!value || bpf_map_lookup_elem(fd, &key, value)) {
		perror("the entry");
		return 1;
	}
	value[0] += strtoll(argv[3], NULL, 10);
	if (bpf_map_update_elem(fd, &key, value, BPF_EXIST)) {
		perror("changing it");
		return 1;
	}
	return 0;
}
