// SPDX-License-Identifier: GPL-2.0-or-later
/* A line of a rule file to words, each with its place in the line. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static bool escaped(const char *s)
{
	return s[0] == '\\' && (s[1] == ' ' || s[1] == '\\');
}

/* Ends the word that starts at `s`, resolving its escapes; returns where to look for the next. */
static char *take_word(char *s)
{
	char *out = s;

	while (*s && *s != ' ') {
		if (escaped(s))
			s++;
		*out++ = *s++;
	}
	if (*s)
		s++;
	*out = '\0';
	return s;
}

static unsigned count_words(const char *line)
{
	unsigned n = 0;

	for (; *line; line++)
		n += *line != ' ' && (line[1] == ' ' || !line[1]);
	return n;
}

int laf_words_split(char *line, struct laf_words *ret)
{
	struct laf_words words = { .list = calloc(count_words(line) + 1, sizeof(*words.list)) };
	char *s = line;

	if (!words.list)
		return -ENOMEM;
	for (;;) {
		s += strspn(s, " ");
		if (!*s)
			break;
		words.list[words.n].text = s;
		words.list[words.n].column = s - line + 1;
		s = take_word(s);
		words.n++;
	}
	*ret = words;
	return 0;
}

int laf_words_from_argv(int argc, char *const argv[], struct laf_words *ret)
{
	struct laf_words words = { .list = calloc(argc + 1, sizeof(*words.list)), .n = argc };
	unsigned column = 1;

	if (!words.list)
		return -ENOMEM;
	for (int i = 0; i < argc; i++) {
		words.list[i].text = argv[i];
		words.list[i].column = column;
		column += strlen(argv[i]) + 1;
	}
	*ret = words;
	return 0;
}

void laf_words_free(struct laf_words *words)
{
	free(words->list);
	words->list = NULL;
	words->n = 0;
}
