/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of calls: what their arguments are. */
#ifndef LAF_CALLS_H
#define LAF_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "../bpf/policy.h"

/* Fill `shapes[abi * LAF_SHAPES + nr]` for both ABIs; calls that are not in the table are LAF_KIND_PLAIN
 * with every argument LAF_ARG_NONE. */
void laf_calls_shapes(struct laf_call_shape shapes[LAF_ABIS * LAF_SHAPES]);

/* Does this shape collect any name (or the file of a descriptor)? Rules with path= or dir= can match only such calls. */
bool laf_shape_has_names(const struct laf_call_shape *shape);

#endif
