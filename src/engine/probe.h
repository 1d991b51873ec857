/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trying what the kernel allows. */
#ifndef LAF_PROBE_H
#define LAF_PROBE_H

/* May the program of the tracepoint engine be loaded? Returns 0 or a negative errno. */
int laf_probe_tracepoint(void);

/* Does it take programs at the end of functions, that read its memory as ours do? Returns 0 or a negative errno. */
int laf_probe_fexit(void);

#endif
