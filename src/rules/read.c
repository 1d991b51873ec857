// SPDX-License-Identifier: GPL-2.0-or-later
/* Rule files, read as `auditctl -R` does. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "list.h"

struct reader {
	struct laf_rules staged; /* what the set will be, if all goes well */
	const char *path;
	laf_rules_line_fn fn;
	void *arg;
	struct laf_error *err; /* gets the first fault that counts */
	bool ignores_errors, reports_errors;
	bool locked;           /* -e 2 was met: the kernel would refuse any change */
	bool ignored_one;
	int result;            /* of the first fault that counts */
};

/* What a locked audit system says to a command that would change something. */
static int check_locked(const struct reader *reader, const struct laf_command *command, struct laf_error *err)
{
	bool rule = command->kind == LAF_COMMAND_ADD || command->kind == LAF_COMMAND_DELETE;

	if (!reader->locked || (!rule && !command->n_settings && command->kind != LAF_COMMAND_CLEAR))
		return 0;
	err->column = command->column;
	laf_error_set(err, -EPERM, "Error sending %s request (%s)", rule ? "add rule data" : "change",
		      strerror(EPERM));
	snprintf(err->hint, sizeof(err->hint),
		 "a line before says -e 2, and nothing can be changed behind it");
	return -EPERM;
}

static void note_setting(struct reader *reader, const struct laf_command *command)
{
	reader->ignores_errors |= command->ignores_errors;
	reader->reports_errors |= command->reports_errors;
	for (unsigned i = 0; i < command->n_settings; i++)
		reader->locked |= command->settings[i].name == 'e' && command->settings[i].value == 2;
}

static int take_command(struct reader *reader, const struct laf_words *words, bool *ret_control,
			struct laf_error *err)
{
	struct laf_command command;
	int r = laf_command_parse(words, &command, err);

	*ret_control = command.kind != LAF_COMMAND_ADD;
	if (!r)
		r = check_locked(reader, &command, err);
	if (!r)
		r = laf_rules_apply(&reader->staged, &command, reader->path, err->line, err);
	if (!r)
		note_setting(reader, &command);
	laf_command_free(&command);
	return r;
}

static void note_fault(struct reader *reader, int code, const struct laf_error *err)
{
	reader->ignored_one |= reader->ignores_errors;
	if (reader->ignores_errors || reader->result)
		return;
	reader->result = code;
	if (reader->err)
		*reader->err = *err;
}

/* Returns what ends the reading: -ENOMEM, fn's own answer, or the fault where nobody wants to hear of more. */
static int take_line(void *arg, const struct laf_words *words, const char *text, struct laf_error *err)
{
	struct reader *reader = arg;
	bool control = false;
	int r = words ? take_command(reader, words, &control, err) : -EINVAL;

	if (r == -ENOMEM)
		return r;
	if (r)
		note_fault(reader, r, err);
	if (reader->fn)
		return reader->fn(reader->arg, reader->path, err->line, text, control, r ? err : NULL);
	return reader->result;
}

int laf_rules_read_file(struct laf_rules *rules, const char *path, laf_rules_line_fn fn, void *arg,
			struct laf_error *err)
{
	struct reader reader = { .path = path, .fn = fn, .arg = arg, .err = err };
	FILE *file = NULL;
	int r = laf_lines_open(path, &file, err);

	if (r)
		return r;
	r = laf_rules_copy(rules, &reader.staged);
	if (!r)
		r = laf_lines_read(file, path, false, take_line, &reader, err);
	fclose(file);
	if (!r)
		r = reader.result;
	if (r) {
		laf_rules_clear(&reader.staged);
		return r;
	}
	laf_rules_clear(rules);
	*rules = reader.staged;
	return reader.reports_errors && reader.ignored_one;
}
