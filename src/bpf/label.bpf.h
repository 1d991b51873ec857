/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The security label of a task, as AppArmor has it: "unconfined", the name of its profile, or of several that are stacked. */
#ifndef LAF_LABEL_BPF_H
#define LAF_LABEL_BPF_H

#include "maps.bpf.h"

const volatile __u64 apparmor_sizes = 0; /* where the kernel has its apparmor_blob_sizes; 0 = AppArmor is not active */

/* The current task's, or NULL. */
static __always_inline struct aa_label *label_of_task(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 blob = (u64)loose(task)->cred->security, label = 0;
	u32 offset = 0;

	bpf_probe_read_kernel(&offset, sizeof(offset), (void *)apparmor_sizes); /* lbs_cred comes first */
	if (bpf_probe_read_kernel(&label, sizeof(label), (void *)(blob + offset)))
		return NULL;
	return (void *)label;
}

#define PROFILES_MAX 8    /* of a label: profiles can be stacked */
#define LABEL_PART 256    /* more than the name of a stacked one has bytes, with its NUL */
#define LABEL_FULL (LAF_LABEL_MAX - LABEL_PART)
#define LABEL_ROOT 6      /* "root//", with which the kernel begins the full name of each namespace but the first */

static __always_inline u32 put_char(char *to, u32 at, char c)
{
	if (at < LABEL_FULL)
		to[at++] = c;
	return at;
}

/* One text behind another. Returns where the next one goes; LABEL_FULL for what finds no room. */
static __always_inline u32 put_part(char *to, u32 at, const char *from)
{
	long n = at < LABEL_FULL ? bpf_probe_read_kernel_str(to + at, LABEL_PART, from) : 0;

	return n > 0 && n < LABEL_PART ? at + n - 1 : LABEL_FULL;
}

/* security/apparmor/label.c, aa_profile_snxprint(): ":NAMESPACE:NAME" where the namespace is not the first, nor that of the profile before. */
static __always_inline u32 put_profile(char *to, u32 at, struct aa_profile *profile, struct aa_ns **last)
{
	struct aa_ns *ns = BPF_CORE_READ(profile, ns);

	if (ns != *last && BPF_CORE_READ(ns, parent)) {
		*last = ns;
		at = put_char(to, at, ':');
		at = put_part(to, at, BPF_CORE_READ(ns, base.hname) + LABEL_ROOT);
		at = put_char(to, at, ':');
	}
	return put_part(to, at, BPF_CORE_READ(profile, base.hname));
}

/* All or none. */
static __always_inline long read_profiles(char *to, struct aa_label *label, u32 n)
{
	struct aa_ns *last = NULL;
	u32 at = 0, i;

	if (n > PROFILES_MAX)
		return 0;
	for (i = 0; i < PROFILES_MAX && i < n; i++) {
		if (i) {
			at = put_char(to, at, '/');
			at = put_char(to, at, '/');
			at = put_char(to, at, '&');
		}
		at = put_profile(to, at, BPF_CORE_READ(label, vec[i]), &last);
	}
	return at < LABEL_FULL ? at + 1 : 0;
}

/* The label's text to `to`; its length with the NUL, or what is not above 0. */
static __always_inline long read_label(char *to)
{
	struct aa_label *label = label_of_task();
	u32 n;

	if (!label)
		return 0;
	n = BPF_CORE_READ(label, size);
	if (n > 1 || BPF_CORE_READ(label, vec[0], ns, parent))
		return read_profiles(to, label, n);
	return bpf_probe_read_kernel_str(to, LAF_LABEL_MAX, BPF_CORE_READ(label, hname));
}

/* Is this the text, ended by a NUL, in the policy's entries from `at` on? */
static __always_inline bool is_text(void *code, u32 at, const u64 *text)
{
	const u64 *word;
	u32 i, entry;

	for (i = 0; i < LAF_ROLE_MAX / sizeof(struct laf_insn); i++) {
		entry = at + i;
		word = bpf_map_lookup_elem(code, &entry);
		if (!word || word[0] != text[2 * i] || word[1] != text[2 * i + 1])
			return false;
		if (!(word[1] >> 56))
			return true;
	}
	return false;
}

/* aa_label_is_subset(): is one of the task's profiles, of the first namespace, that of the name in the policy? */
VERIFIED_ALONE int has_profile(struct laf_scratch *s, u32 at)
{
	struct aa_label *label = label_of_task();
	u64 vec, profile;
	u32 i, slot, size;
	void *code;

	if (!s || !label)
		return 0;
	slot = s->run.slot;
	code = bpf_map_lookup_elem(&codes, &slot);
	if (!code)
		return 0;
	size = BPF_CORE_READ(label, size);
	vec = (u64)label + bpf_core_field_offset(struct aa_label, vec);
	for (i = 0; i < PROFILES_MAX && i < size; i++) {
		profile = 0;
		bpf_probe_read_kernel(&profile, sizeof(profile), (void *)(vec + i * sizeof(profile)));
		if (!profile || BPF_CORE_READ((struct aa_profile *)profile, ns, parent))
			continue;
		__builtin_memset(s->body, 0, LAF_ROLE_MAX);
		bpf_probe_read_kernel_str(s->body, LAF_ROLE_MAX, BPF_CORE_READ((struct aa_profile *)profile, base.hname));
		if (is_text(code, at, (u64 *)s->body))
			return 1;
	}
	return 0;
}

/* Without labels neither = nor != holds. */
static __always_inline int test_role(struct laf_scratch *s, u32 op, u32 at)
{
	return apparmor_sizes && has_profile(s, at) == (op == LAF_EQ);
}

#endif
