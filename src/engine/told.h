/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the events of one ring told of their tasks, for later events to refer to; and the same as of a moment before, in a file
 * that outlives us. */
#ifndef LAF_TOLD_H
#define LAF_TOLD_H

#include <stdbool.h>
#include <stdint.h>

#include <laf/error.h>
#include <laf/event.h>

struct laf_told {
	struct laf_told_slot *slots;  /* LAF_TOLD_SLOTS */
	struct laf_told_saved *saved; /* the same in the file; NULL = there is none */
};

/* Returns 0 or a negative errno. */
int laf_told_open(struct laf_told *told);
void laf_told_close(struct laf_told *told);

/* What the event (`bytes`: of its message) tells of its task takes the place of what was in its slot, whole or not. */
void laf_told_keep(struct laf_told *told, const struct laf_wire_event *e, size_t bytes);

/* What the event refers to, or NULL if it is not there. */
const struct laf_event_task *laf_told_find(const struct laf_told *told, const struct laf_wire_event *e);

/* Have a file beside the table, which is emptied where it is not to be gone on from. Returns 0 or a negative errno. */
int laf_told_open_file(struct laf_told *told, const char *path, bool go_on);

/* Begin with what the file holds. */
void laf_told_load(struct laf_told *told);

/* laf_told_keep(), in the file. */
void laf_told_save(struct laf_told *told, const struct laf_wire_event *e, size_t bytes);

#endif
