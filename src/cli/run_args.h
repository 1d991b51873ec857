/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of `laf run`. */
#ifndef LAF_RUN_ARGS_H
#define LAF_RUN_ARGS_H

#include <stdbool.h>

#include <laf/error.h>
#include <laf/record.h>
#include <laf/rules.h>

struct run_args {
	struct laf_rules rules;
	enum laf_format format;
	const char *output; /* NULL = stderr */
	const char *engine; /* NULL = the best */
	unsigned ring_bytes;
	bool quiet; /* no closing line */
	char **command; /* NULL-terminated, in argv */
};

/* Returns 0, 1 where help was asked for, or a negative errno with err filled. */
int run_args_parse(int argc, char **argv, struct run_args *ret, struct laf_error *err);
void run_args_clear(struct run_args *args);

#endif
