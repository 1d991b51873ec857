/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mapped file in the run folder: memory that outlives the process. */
#ifndef LAF_STATEFILE_H
#define LAF_STATEFILE_H

#include <stddef.h>

/* Map `bytes` of a file that is ours alone, made where it is missing; what is new is 0. All of it has its pages: a file system that
 * becomes full does not kill us later. Returns 0 or a negative errno; munmap() ends it, and the file stays. */
int laf_statefile_map(const char *path, size_t bytes, void **ret);

#endif
