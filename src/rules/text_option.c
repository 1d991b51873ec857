// SPDX-License-Identifier: GPL-2.0-or-later
/* The next option of a command: "-a b", "-ab", "--name value", "--name=value", abbreviated long names. */
#include <stddef.h>
#include <string.h>

#include "text_option.h"

static const char with_value[] = "CefrbaAdSFmRwWkpq";
static const char without_value[] = "hicslDvt";

static const struct long_option {
	const char *text;
	int name;
	bool takes_value;
} long_options[] = {
	{ "loginuid-immutable",             LAF_OPTION_LOGINUID_IMMUTABLE, false },
	{ "backlog_wait_time",              LAF_OPTION_BACKLOG_WAIT_TIME,  true },
	{ "reset-lost",                     LAF_OPTION_RESET_LOST,         false },
	{ "reset_backlog_wait_time_actual", LAF_OPTION_RESET_WAIT_ACTUAL,  false },
	{ "signal",                         LAF_OPTION_SIGNAL,             true },
};

/* The option of that name, or the only one that starts with it. */
static const struct long_option *find_long(const char *name, size_t len)
{
	const struct long_option *found = NULL;

	for (size_t i = 0; i < sizeof(long_options) / sizeof(long_options[0]); i++) {
		const struct long_option *o = &long_options[i];

		if (strncmp(o->text, name, len))
			continue;
		if (!o->text[len])
			return o;
		if (found)
			return NULL;
		found = o;
	}
	return found;
}

/* The value is the next word, whatever that looks like. */
static bool take_next_word(struct laf_options *options, struct laf_option *ret)
{
	const struct laf_word *word;

	if (options->next >= options->words->n)
		return false;
	word = &options->words->list[options->next++];
	ret->value = word->text;
	ret->column = word->column;
	return true;
}

static void take_long(struct laf_options *options, const struct laf_word *word, struct laf_option *ret)
{
	char *equals = strchr(word->text, '=');
	size_t len = equals ? (size_t)(equals - word->text) : strlen(word->text);
	const struct long_option *o = find_long(word->text + 2, len - 2);

	if (!o || (equals && !o->takes_value))
		return;
	if (equals) {
		ret->value = equals + 1;
		ret->column = word->column + len + 1;
	} else if (o->takes_value && !take_next_word(options, ret)) {
		return;
	}
	ret->name = o->name;
}

/* options->cluster points at the letter, behind '-' or further letters. */
static void take_letter(struct laf_options *options, const struct laf_word *word, struct laf_option *ret)
{
	const char *letter = options->cluster;
	size_t at = letter - word->text;

	options->cluster = letter[1] ? letter + 1 : NULL;
	if (!options->cluster)
		options->next++;
	if (strchr(without_value, *letter)) {
		ret->name = *letter;
		return;
	}
	if (!strchr(with_value, *letter))
		return;
	if (options->cluster) {
		ret->value = word->text + at + 1;
		ret->column = word->column + at + 1;
		options->cluster = NULL;
		options->next++;
	} else if (!take_next_word(options, ret)) {
		return;
	}
	ret->name = *letter;
}

/* Step over words that are no options, as getopt does. False: no option is left. */
static bool find_option(struct laf_options *options)
{
	const struct laf_words *words = options->words;

	for (; options->next < words->n; options->next++) {
		const struct laf_word *word = &words->list[options->next];

		if (!options->ended && word->text[0] == '-' && word->text[1]) {
			if (strcmp(word->text, "--"))
				return true;
			options->ended = true;
		} else if (!options->extra) {
			options->extra = word->column;
		}
	}
	return false;
}

bool laf_options_next(struct laf_options *options, struct laf_option *ret)
{
	const struct laf_word *word;

	if (!options->cluster && !find_option(options))
		return false;
	word = &options->words->list[options->next];
	*ret = (struct laf_option){ .name = LAF_OPTION_BAD, .word = word->text, .column = word->column,
				    .own_column = word->column };
	if (options->cluster) {
		take_letter(options, word, ret);
	} else if (word->text[1] == '-') {
		options->next++;
		take_long(options, word, ret);
	} else {
		options->cluster = word->text + 1;
		take_letter(options, word, ret);
	}
	return true;
}
