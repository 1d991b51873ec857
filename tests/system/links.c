// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints, for each BPF program that is attached to a kernel function, the function's number in the kernel's BTF. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static void print_target(uint32_t id)
{
	union bpf_attr attr = { .link_id = id };
	struct bpf_link_info info = { 0 };
	int fd = bpf(BPF_LINK_GET_FD_BY_ID, &attr);

	if (fd < 0)
		return; /* it is gone */
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	if (!bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) && info.type == BPF_LINK_TYPE_TRACING && info.tracing.target_btf_id)
		printf("%u\n", info.tracing.target_btf_id);
	close(fd);
}

int main(void)
{
	union bpf_attr attr = { 0 };
	unsigned n = 0;

	while (!bpf(BPF_LINK_GET_NEXT_ID, &attr)) {
		uint32_t id = attr.next_id;

		print_target(id);
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
		n++;
	}
	return n ? 0 : 1;
}
