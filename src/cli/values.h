/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines in which the daemon tells of itself: "name=value", or, of several, "name{which}=value". */
#ifndef LAF_VALUES_H
#define LAF_VALUES_H

#include <stdbool.h>

struct laf_value {
	const char *name, *value;
	const char *which; /* NULL: there is one only */
};

/* Take the next line off *text, which is changed, and is NULL after the last; lines that are none are passed over. Returns whether there is one. */
bool laf_value_next(char **text, struct laf_value *ret);

#endif
