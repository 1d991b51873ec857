/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a call was about, for the readable line: paths, an address, a command line. */
#ifndef LAF_RECORD_OBJECTS_H
#define LAF_RECORD_OBJECTS_H

#include <stddef.h>

#include <laf/event.h>

/* Each object with a space before it; `at` has room for laf_objects_max(). */
size_t laf_objects_max(const struct laf_event *e);
char *laf_put_objects(char *at, const struct laf_event *e);

#endif
