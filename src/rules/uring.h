/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of io_uring operations, which libaudit knows from 3.1 on only. */
#ifndef LAF_RULES_URING_H
#define LAF_RULES_URING_H

#define LAF_MACHINE_URING 1000 /* beside the MACH_… of libaudit */

int laf_uring_number(const char *name);  /* -1 = no such operation */
const char *laf_uring_name(int number);  /* NULL = none that is audited */

#endif
