/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Argument lists of many shapes, the same on every run. golden/execve.txt has what the kernel made of them. */
#ifndef LAF_ARGUMENT_LISTS_H
#define LAF_ARGUMENT_LISTS_H

#include <stddef.h>

struct argument_list {
	char name[64];
	unsigned argc; /* as the kernel counts: an empty list has one, empty argument */
	int none;      /* the list was empty */
	char *text;    /* the arguments, each ended by NUL */
	size_t bytes;
};

/* Make list number `n`. Returns 0, or -1 when there is none. Free the text with free(). */
int argument_list_make(unsigned n, struct argument_list *ret);

#endif
