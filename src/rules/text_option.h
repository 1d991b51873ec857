/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options out of words, by getopt_long's rules, but without its global state. */
#ifndef LAF_RULES_TEXT_OPTION_H
#define LAF_RULES_TEXT_OPTION_H

#include <stdbool.h>

#include "text.h"

/* Options are known by their letter; the long ones by these. */
enum {
	LAF_OPTION_LOGINUID_IMMUTABLE = 1,
	LAF_OPTION_BACKLOG_WAIT_TIME,
	LAF_OPTION_RESET_LOST,
	LAF_OPTION_RESET_WAIT_ACTUAL,
	LAF_OPTION_SIGNAL,
	LAF_OPTION_BAD = '?', /* auditctl has no such option, or its value is missing */
};

struct laf_option {
	int name;
	const char *word;    /* as written, for messages */
	char *value;         /* NULL: takes none */
	unsigned column;     /* of the value; of the option where there is none */
	unsigned own_column; /* of the option */
};

/* Zero it and set `words` before the first call. */
struct laf_options {
	const struct laf_words *words;
	unsigned next;       /* the word to look at next */
	const char *cluster; /* what is left of "-ab" */
	unsigned extra;      /* column of the first word that belongs to no option; 0 = none so far */
	bool ended;          /* a lone "--" was met */
};

/* Returns false when there is no further option. */
bool laf_options_next(struct laf_options *options, struct laf_option *ret);

#endif
