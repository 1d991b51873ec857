/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The security label of a task, as AppArmor has it: "unconfined", or the name of its profile. */
#ifndef LAF_LABEL_BPF_H
#define LAF_LABEL_BPF_H

#include "maps.bpf.h"

const volatile __u64 apparmor_sizes = 0; /* where the kernel has its apparmor_blob_sizes; 0 = AppArmor is not active */

/* The label's text to `to`; its length with the NUL, or what is not above 0. */
static __always_inline long read_label(char *to)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 blob = (u64)task->cred->security, label = 0;
	u32 offset = 0;

	bpf_probe_read_kernel(&offset, sizeof(offset), (void *)apparmor_sizes); /* lbs_cred comes first */
	if (bpf_probe_read_kernel(&label, sizeof(label), (void *)(blob + offset)) || !label)
		return 0;
	return bpf_probe_read_kernel_str(to, LAF_LABEL_MAX, BPF_CORE_READ((struct aa_label *)label, hname));
}

#endif
