/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command under the name auditctl: the language, the texts and the exit statuses of auditctl 3.0.9. */
#ifndef LAF_CLI_AUDITCTL_H
#define LAF_CLI_AUDITCTL_H

#include <stddef.h>

#include "../rules/list.h"

#define LAF_AUDITCTL_VERSION "3.0.9"

int laf_auditctl(int argc, char **argv);

/* A word for an argument of a call, as ausearch -i shows it. Returns 0, or -1 where it has none. */
int laf_auditctl_argument(const struct laf_arguments *arguments, unsigned argument, char *buf, size_t size);

#endif
