/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watched paths by their text, and what deciding by text needs to know of each rule. */
#ifndef LAF_POLICY_TEXTS_H
#define LAF_POLICY_TEXTS_H

#include "policy_build.h"

#define TEXT_NONE UINT32_MAX

/* A rule that watches a text; the rules of one text stand in list order. */
struct text_rule {
	uint32_t rule; /* in `rules` */
	uint32_t next; /* in `links`, or TEXT_NONE */
};

struct text_chain {
	uint32_t first, last; /* in `links`, or TEXT_NONE */
};

struct laf_policy_texts {
	struct policy_pool texts; /* absolute, no trailing slash; "/" is "" */
	struct text_chain *chains; /* by text */
	size_t chains_room;
	struct text_rule *links;
	size_t n_links, links_room;
	struct policy_rule *rules; /* those that can decide something, in list order */
	size_t n_rules;
	uint8_t *actions;          /* by number of the rule: 1 = always */
	struct policy_pool sets, cond_lists;
	uint32_t call_conds[LAF_CALLS];
};

/* Make an absolute path plain in place: one slash between components, no "." and "..", no slash at
 * the end; "/" becomes "". Returns its new length. */
size_t policy_text_plain(char *text, size_t len);

#endif
