/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File capabilities, where the kernel itself reads them without its audit: at an exec, of the program. */
#ifndef LAF_FCAPS_BPF_H
#define LAF_FCAPS_BPF_H

#include "maps.bpf.h"

#define SECURE_NOROOT 1u
#define VFS_CAP_REVISION_MASK 0xff000000u
#define VFS_CAP_REVISION_SHIFT 24
#define VFS_CAP_FLAGS_EFFECTIVE 1u
#define CAP_FULL ((1ull << 41) - 1) /* CAP_LAST_CAP is 40 since 5.9 */

#define READ_CAPS(to, cred, set) bpf_core_read(&(to).set, sizeof(u64), &(cred)->cap_##set)

static __always_inline void read_caps(struct laf_caps *to, const struct cred *cred)
{
	READ_CAPS(*to, cred, permitted);
	READ_CAPS(*to, cred, inheritable);
	READ_CAPS(*to, cred, effective);
	READ_CAPS(*to, cred, ambient);
}

/* What an exec starts from. */
static __always_inline void take_exec_caps(struct laf_context *c)
{
	struct task_struct *task = bpf_get_current_task_btf();

	__builtin_memset(&c->fcaps, 0, sizeof(c->fcaps));
	c->old_uid = loose(task)->cred->uid.val;
	read_caps(&c->old_caps, loose(task)->cred);
}

/* Who is root in the user namespace of these credentials (make_kuid(ns, 0)); most have one extent. */
static __always_inline u32 root_uid_of(const struct cred *cred)
{
	struct user_namespace *ns = BPF_CORE_READ(cred, user_ns);

	if (!BPF_CORE_READ(ns, parent))
		return 0;
	if (BPF_CORE_READ(ns, uid_map.nr_extents) > 5 || BPF_CORE_READ(ns, uid_map.extent[0].first))
		return ~0u;
	return BPF_CORE_READ(ns, uid_map.extent[0].lower_first);
}

static __always_inline bool exceeds(u64 set, u64 other)
{
	return set & ~other;
}

/* nonroot_raised_pE() of security/commoncap.c: the new program has capabilities that it does not have for being root's. */
static __always_inline bool raises_caps(const struct laf_context *c, const struct cred *cred, const struct laf_caps *now)
{
	u32 root = root_uid_of(cred), uid = cred->uid.val, euid = cred->euid.val;
	bool privileged = !(cred->securebits & SECURE_NOROOT), full = !exceeds(CAP_FULL, now->effective);

	if (exceeds(now->effective, now->ambient) && !(full && (euid == root || uid == root) && privileged))
		return true;
	if (privileged && uid != root && euid == root && !full)
		return true;
	return euid == c->old_uid && ((c->fcaps.ver && exceeds(now->permitted, c->old_caps.permitted)) ||
				      exceeds(now->ambient, c->old_caps.ambient));
}

#endif
