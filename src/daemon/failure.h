/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of it when events are lost, beyond the counters and the log: auditctl's -f. */
#ifndef LAF_FAILURE_H
#define LAF_FAILURE_H

#include <stdint.h>

#include "recorder.h"

struct laf_failure {
	uint32_t mode;    /* 0 silent, 1 told to the system log, 2 panic */
	uint64_t heeded;  /* losses up to here are dealt with */
	uint64_t told_ms; /* CLOCK_MONOTONIC */
	int sysrq_fd;     /* -1 = not open */
};

/* `mode` holds from now on, for what is lost beyond `lost`. Says on the system log if the machine can't be made to panic. */
void laf_failure_set(struct laf_failure *failure, uint32_t mode, uint64_t lost);

/* So much is lost by now. Of a panic everything but the sink's buffer is the kernel's business. */
void laf_failure_heed(struct laf_failure *failure, const struct laf_recorder_loss *loss, struct laf_sink *sink);

void laf_failure_close(struct laf_failure *failure);

#endif
