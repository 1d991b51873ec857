/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the daemon is, as "name=value" lines. */
#ifndef LAF_STATUS_H
#define LAF_STATUS_H

#include <stdio.h>

#include "../sink/log.h"
#include "force.h"

void laf_status_write(struct laf_force *force, const struct laf_log *log, FILE *to);

#endif
