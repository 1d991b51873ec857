// SPDX-License-Identifier: GPL-2.0-or-later
/* Taking the daemon's lines apart. */
#include <stddef.h>
#include <string.h>

#include "values.h"

static bool split(char *line, struct laf_value *ret)
{
	char *brace = strchr(line, '{'), *equals = strchr(line, '='), *next;
	bool several = equals && brace && brace < equals;

	/* which may hold any character, the value does not hold these two */
	for (next = several ? strstr(brace, "}=") : NULL; next; next = strstr(next + 1, "}="))
		equals = next + 1;
	if (!equals)
		return false;
	*equals = 0;
	*ret = (struct laf_value){ .name = line, .value = equals + 1 };
	if (several) {
		*brace = equals[-1] = 0;
		ret->which = brace + 1;
	}
	return true;
}

bool laf_value_next(char **text, struct laf_value *ret)
{
	char *line;

	while ((line = strsep(text, "\n")))
		if (split(line, ret))
			return true;
	return false;
}
