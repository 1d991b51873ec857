// SPDX-License-Identifier: GPL-2.0-or-later
/* Rule files, read as `auditctl -R` does. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "list.h"
#include "text.h"

#define LINE_BYTES_MAX 6143 /* auditctl takes what lies beyond for a line of its own; here it is an error */

struct reader {
	struct laf_rules staged; /* what the set will be, if all goes well */
	const char *path;
	laf_rules_line_fn fn;
	void *arg;
	struct laf_error *err; /* gets the first fault that counts */
	unsigned line;
	bool ignores_errors, reports_errors;
	bool locked;           /* -e 2 was met: the kernel would refuse any change */
	bool ignored_one;
	int result;            /* of the first fault that counts */
};

static int check_file(const char *path, int fd, struct laf_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return laf_error_set(err, -errno, "Error fstat'ing %s (%s)", path, strerror(errno));
	if (st.st_uid != 0)
		return laf_error_set(err, -EPERM, "Error - %s isn't owned by root", path);
	if (st.st_mode & S_IWOTH)
		return laf_error_set(err, -EPERM, "Error - %s is world writable", path);
	if (!S_ISREG(st.st_mode))
		return laf_error_set(err, -EINVAL, "Error - %s is not a regular file", path);
	return 0;
}

static int open_file(const char *path, FILE **ret, struct laf_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), r;

	if (fd < 0 && errno == ENOENT)
		return laf_error_set(err, -ENOENT, "audit rules file %s doesn't exist", path);
	if (fd < 0)
		return laf_error_set(err, -errno, "Error opening %s (%s)", path, strerror(errno));
	r = check_file(path, fd, err);
	if (!r) {
		*ret = fdopen(fd, "r");
		r = *ret ? 0 : -ENOMEM;
	}
	if (r)
		close(fd);
	return r;
}

/* What a locked audit system says to a command that would change something. */
static int check_locked(const struct reader *reader, const struct laf_command *command, struct laf_error *err)
{
	bool rule = command->kind == LAF_COMMAND_ADD || command->kind == LAF_COMMAND_DELETE;

	if (!reader->locked || (!rule && !command->changes_setting && command->kind != LAF_COMMAND_CLEAR))
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
	reader->locked |= command->locks;
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
		r = laf_rules_apply(&reader->staged, &command, reader->path, reader->line, err);
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

static int take_words(struct reader *reader, char *text, size_t bytes, bool *ret_control,
		      struct laf_error *err)
{
	struct laf_words words;
	char *copy;
	int r;

	if (bytes > LINE_BYTES_MAX) {
		err->column = LINE_BYTES_MAX + 1;
		return laf_error_set(err, -EINVAL, "the line is longer than %d bytes", LINE_BYTES_MAX);
	}
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	r = laf_words_split(copy, &words);
	if (!r) {
		r = take_command(reader, &words, ret_control, err);
		laf_words_free(&words);
	}
	free(copy);
	return r;
}

static bool says_nothing(const char *text)
{
	text += strspn(text, " ");
	return !*text || *text == '#';
}

/* Returns what ends the reading: -ENOMEM, or fn's own answer. */
static int take_line(struct reader *reader, char *text, size_t bytes)
{
	struct laf_error err = { .line = reader->line };
	bool control = false;
	int r;

	if (says_nothing(text))
		return 0;
	snprintf(err.file, sizeof(err.file), "%s", reader->path);
	r = take_words(reader, text, bytes, &control, &err);
	if (r == -ENOMEM)
		return r;
	if (r)
		note_fault(reader, r, &err);
	if (!reader->fn)
		return 0;
	return reader->fn(reader->arg, reader->path, reader->line, text, control, r ? &err : NULL);
}

static int read_lines(struct reader *reader, FILE *file)
{
	char *text = NULL;
	size_t allocated = 0;
	ssize_t n;
	int r = 0;

	errno = 0;
	while (!r && (n = getline(&text, &allocated, file)) >= 0) {
		reader->line++;
		text[strcspn(text, "\n")] = '\0'; /* as in auditctl, a NUL ends the line too */
		r = take_line(reader, text, strlen(text));
		if (!r && reader->result && !reader->fn)
			break;
		errno = 0;
	}
	if (!r && ferror(file))
		r = laf_error_set(reader->err, errno ? -errno : -EIO, "Error reading %s (%s)", reader->path,
				  strerror(errno ? errno : EIO));
	free(text);
	return r ? r : reader->result;
}

int laf_rules_read_file(struct laf_rules *rules, const char *path, laf_rules_line_fn fn, void *arg,
			struct laf_error *err)
{
	struct reader reader = { .path = path, .fn = fn, .arg = arg, .err = err };
	FILE *file = NULL;
	int r = open_file(path, &file, err);

	if (r)
		return r;
	r = laf_rules_copy(rules, &reader.staged);
	if (!r)
		r = read_lines(&reader, file);
	fclose(file);
	if (r) {
		laf_rules_clear(&reader.staged);
		return r;
	}
	laf_rules_clear(rules);
	*rules = reader.staged;
	return reader.reports_errors && reader.ignored_one;
}
