/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of calls: what their arguments are. */
#ifndef LAF_CALLS_H
#define LAF_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "../bpf/policy.h"

/* The kernel's classes of calls. The first four are numbered as AUDIT_PERM_…. */
enum laf_call_class {
	LAF_CLASS_EXEC = 1,
	LAF_CLASS_WRITE = 2,
	LAF_CLASS_READ = 4,
	LAF_CLASS_ATTR = 8,
	LAF_CLASS_DIR_WRITE = 16,
	LAF_CLASS_SIGNAL = 32,
};

/* Fill `shapes[abi * LAF_SHAPES + nr]` for both ABIs; calls that are not in the table are LAF_KIND_PLAIN
 * with every argument LAF_ARG_NONE. An empty_flag of 0xffff with flags_arg LAF_ARG_NONE: an empty name is always good. */
void laf_calls_shapes(struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES]);

/* The same as they were on a kernel; without, as on the newest that is known. */
#define LAF_KERNEL(major, minor) ((uint32_t)(major) << 16 | (minor))
void laf_calls_shapes_of(uint32_t kernel, struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES]);

/* Fill `classes[abi * LAF_SHAPES + nr]` with LAF_CLASS_… bits. */
void laf_calls_classes(uint8_t classes[LAF_ABIS * LAF_SHAPES]);

/* Does this shape collect any name (or the file of a descriptor, or of a Unix socket's address)? Rules with
 * path= or dir= can match only such calls. */
bool laf_shape_has_names(const struct laf_call_shape *shape);

/* Is it of the family whose perm= goes by the access mode (open, openat, openat2)? */
bool laf_shape_is_open(const struct laf_call_shape *shape);

#endif
