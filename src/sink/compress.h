/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file to another, with zstd. */
#ifndef LAF_SINK_COMPRESS_H
#define LAF_SINK_COMPRESS_H

#include <stdatomic.h>
#include <stdbool.h>

struct laf_compress {
	int from; /* descriptors, owned by who fills this */
	int to;
	atomic_bool stop; /* set from another thread: give up */
};

/* Read all of `from`, write it compressed to `to`, and see to it that it is on the disk. A job of a laf_worker; arg: struct
 * laf_compress. Returns 0 or a negative errno. */
int laf_compress_run(void *arg);

#endif
