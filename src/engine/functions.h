/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel functions that carry out calls, from its BTF. */
#ifndef LAF_FUNCTIONS_H
#define LAF_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

struct btf;

struct laf_function {
	const char *name; /* the BTF's */
	int32_t btf_id;
	uint32_t proto; /* its prototype in BTF: one for functions that use their registers, one for those that do not */
};

struct laf_functions {
	struct btf *btf;
	struct laf_function *list; /* by name */
	size_t n, room;
	uint32_t bare_proto; /* of calls without arguments */
};

/* Read the running kernel's BTF. Returns 0 or a negative errno. */
int laf_functions_open(struct laf_functions *functions);
void laf_functions_close(struct laf_functions *functions);

/* The function of call `nr` in ABI `abi` (0 x86-64, 1 i386), or NULL where the kernel does not implement the call. */
const struct laf_function *laf_function_find(const struct laf_functions *functions, uint32_t abi, uint32_t nr);

/* By its own name, or NULL. */
const struct laf_function *laf_function_named(const struct laf_functions *functions, const char *name);

#endif
