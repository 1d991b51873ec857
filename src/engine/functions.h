/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel function that carries out a call. */
#ifndef LAF_FUNCTIONS_H
#define LAF_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct btf;

struct laf_function {
	int32_t btf_id;
	uint32_t proto; /* its prototype in BTF: one for functions that use their registers, one for those that do not */
	char name[64];
};

/* Find the function of call `nr` in ABI `abi` (0 x86-64, 1 i386) in the kernel's BTF. Returns 0, or -ENOENT where the kernel does not
 * implement the call. */
int laf_function_find(const struct btf *btf, uint32_t abi, uint32_t nr, struct laf_function *ret);

#endif
