/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Security labels: what of the running kernel the programs must be told. */
#ifndef LAF_ENGINE_LABEL_H
#define LAF_ENGINE_LABEL_H

#include <stdbool.h>
#include <stdint.h>

/* The address of the kernel's apparmor_blob_sizes; 0 where AppArmor is not active or the kernel does not tell. */
uint64_t laf_label_apparmor_sizes(void);

#endif
