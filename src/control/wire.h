/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes over the control socket, a stream: a head, and behind it as many bytes as it says. */
#ifndef LAF_CONTROL_WIRE_H
#define LAF_CONTROL_WIRE_H

#include <stdint.h>
#include <stdio.h>
#include <sys/un.h>

#define LAF_CONTROL_MAGIC 0x3146414cu /* "LAF1" */

struct laf_control_head {
	uint32_t magic; /* 0 */
	uint32_t what;  /* 4 of a reply: its status */
	uint32_t bytes; /* 8 of the body; of a reply: of the text for standard output */
	uint32_t more;  /* 12 of a reply: of the text for standard error, which follows; else 0 */
};
_Static_assert(sizeof(struct laf_control_head) == 16, "laf_control_head");

/* The address of the socket in `folder`. Returns 0 or -ENAMETOOLONG. */
int laf_control_address(const char *folder, struct sockaddr_un *ret);

#endif
