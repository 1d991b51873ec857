/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that two sets of programs have recorded, because both were attached when they ended: which ones are there already? */
#ifndef LAF_TWINS_H
#define LAF_TWINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/event.h>

#define LAF_TWINS_APART_NS 25000000ull /* the two look at the clock one after the other, and may be interrupted in between */

/* The events of the one set; zero-initialised is empty. They are no more than its rings can hold. */
struct laf_twins {
	struct laf_twin *list;
	size_t n, room;
	struct laf_twin_thread *threads; /* a hash table by tid */
	size_t n_threads, slots;         /* a power of two */
	uint64_t until_ns;               /* later ones of the other set have no twin; 0 = that is not known yet */
};

/* Remember one, in order of time. Returns 0 or -ENOMEM: then it may be there twice. */
int laf_twins_add(struct laf_twins *twins, const struct laf_wire_event *event);

/* Is this one, of the other set, also in order of time, the same call as one that is remembered? That one has no other twin then. */
bool laf_twins_take(struct laf_twins *twins, const struct laf_wire_event *event);

void laf_twins_clear(struct laf_twins *twins);

#endif
