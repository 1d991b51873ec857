/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stays in the kernel when the daemon ends: maps, rings and attached programs, by names in a BPF file system. */
#ifndef LAF_PINS_H
#define LAF_PINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/libbpf.h>

#include <laf/error.h>

#define LAF_PINS_SET "layout-" /* the names of all sets begin so */

/* One set: what one daemon keeps, or goes on with. Sets of several versions may lie beside each other in one folder. */
struct laf_pins {
	char folder[248]; /* of the set; "" = nothing is pinned */
	char layout[48];  /* its name */
	bool found;       /* a daemon before us left what fits our programs */
};

/* Use a set in `folder`, which is made where it is missing; a BPF file system is mounted on it where it is on none. The set's name is its
 * layout: LAF_WIRE_LAYOUT and a hash of the engine's name and the BPF object (`object`: its bytes). If it is there and whole it is to go on with.
 * What a start left that did not come to laf_pins_complete() is taken away.
 * Returns 0, -ESTALE with err filled if there is a set of another LAF_WIRE_LAYOUT, or another negative errno with err filled. */
int laf_pins_open(struct laf_pins *pins, const char *folder, const char *engine, const void *object, size_t bytes,
		  struct laf_error *err);

/* The first of the whole sets of our LAF_WIRE_LAYOUT but the one called `than`. Returns how many they are, or a negative errno. */
int laf_pins_find_other(const char *folder, const char *than, struct laf_pins *ret);

/* The set of this name, whether it is there or not. Returns 0 or -ENAMETOOLONG. */
int laf_pins_name(struct laf_pins *pins, const char *folder, const char *layout);

/* Make the folder ready. Returns 0, or a negative errno: nothing can be pinned there. */
int laf_pins_prepare(const char *folder);

/* Before the object is loaded: its maps are those of the folder, or will be. Returns 0 or a negative errno. */
int laf_pins_use_maps(const struct laf_pins *pins, struct bpf_object *object);

/* The link of this name that lies there already: 0, -ENOENT, or another negative errno. Names are cleaned of what a BPF file
 * system does not take. */
int laf_pins_find_link(const struct laf_pins *pins, const char *name, struct bpf_link **ret);

/* The same, as a descriptor. */
int laf_pins_find_fd(const struct laf_pins *pins, const char *name);

/* A map of the set. Returns a descriptor, or a negative errno. */
int laf_pins_find_map(const struct laf_pins *pins, const char *name);

/* Call fn for each link until it does not return 0; `fd` is closed behind it. Returns that, or a negative errno. */
int laf_pins_each_link(const struct laf_pins *pins, int (*fn)(void *arg, const char *name, int fd), void *arg);

/* Keep it beyond our end. Returns 0 or a negative errno. */
int laf_pins_keep_link(const struct laf_pins *pins, const char *name, struct bpf_link *link);
int laf_pins_keep_fd(const struct laf_pins *pins, const char *name, int fd);

/* Do not keep it any longer: it detaches when its last handle is closed. */
void laf_pins_drop_link(const struct laf_pins *pins, const char *name);

/* All is there that another daemon needs to go on. Returns 0 or a negative errno. */
int laf_pins_complete(const struct laf_pins *pins);

/* Take the set away. Returns 0 or a negative errno. */
int laf_pins_close(const struct laf_pins *pins);

/* Take all sets away. Returns how many pins there were, or a negative errno. */
int laf_pins_remove(const char *folder);

#endif
