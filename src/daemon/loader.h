/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name by which a program asks for its loader (ELF's PT_INTERP), as the kernel looks it up. */
#ifndef LAF_LOADER_H
#define LAF_LOADER_H

#include <stdint.h>

#include <laf/event.h>

#define LAF_LOADERS_CACHED 256
#define LAF_LOADERS_KNOWN 8
#define LAF_LOADER_MAX 256

struct laf_loader {
	uint64_t ino;
	uint32_t dev;
	uint32_t len; /* 0 = the entry is free, or the name could not be found out */
	char text[LAF_LOADER_MAX];
	struct laf_wire_name wire;
};

/* A small cache by the program's inode. Zero-initialised is empty. */
struct laf_loaders {
	struct laf_loader list[LAF_LOADERS_CACHED];
	struct laf_loader by_loader[LAF_LOADERS_KNOWN]; /* for programs that are gone before they can be read */
};

/* Give the loader of a new program the name the program asks for it by. Where that can't be found out it keeps the
 * path of its file. */
void laf_loaders_name(struct laf_loaders *loaders, struct laf_event *event);

#endif
