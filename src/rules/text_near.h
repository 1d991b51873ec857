/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name that was probably meant. */
#ifndef LAF_RULES_TEXT_NEAR_H
#define LAF_RULES_TEXT_NEAR_H

/* Each returns a name at most a third of its letters away from `word`, or NULL. Names live as long as the
 * program. */
const char *laf_near_field(const char *word);
const char *laf_near_call(const char *word, int machine); /* machine: a MACH_… of libaudit */
const char *laf_near_keyword(const char *word);           /* lists and actions */

#endif
