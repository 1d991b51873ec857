/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that takes long, done beside the reading of events. */
#ifndef LAF_ASIDE_H
#define LAF_ASIDE_H

#include "recorder.h"

/* Do the work in a thread of its own, and keep the rings from filling up until it is done. It must leave the recorder alone, but may
 * look at what a change of the rules changes. Where there can be no thread it is done all the same. */
void laf_aside(struct laf_recorder *recorder, void (*work)(void *arg), void *arg);

#endif
