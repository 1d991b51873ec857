/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a command, as auditctl's rule files separate them. */
#ifndef LAF_RULES_TEXT_H
#define LAF_RULES_TEXT_H

struct laf_word {
	char *text;
	unsigned column; /* 1-based, in bytes, in the line as it was written */
};

struct laf_words {
	struct laf_word *list;
	unsigned n;
};

/* Cut `line` into words, in place: the words point into it. Only spaces separate; backslash-space is a space
 * in a word and two backslashes are one. Returns 0 or -ENOMEM. */
int laf_words_split(char *line, struct laf_words *ret);

/* Words that are cut already; columns as if joined by single spaces. They point at argv's own. */
int laf_words_from_argv(int argc, char *const argv[], struct laf_words *ret);

void laf_words_free(struct laf_words *words);

#endif
