// SPDX-License-Identifier: GPL-2.0-or-later
/* Rule files: what is a file of rules, what is a line. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lines.h"

#define LINE_BYTES_MAX 6143

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

int laf_lines_open(const char *path, FILE **ret, struct laf_error *err)
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

static bool says_nothing(const char *text)
{
	text += strspn(text, " ");
	return !*text || *text == '#';
}

static int take_line(const char *text, bool as_auditctl, laf_lines_fn fn, void *arg, struct laf_error *err)
{
	struct laf_words words;
	char *copy;
	int r;

	if (strlen(text) > LINE_BYTES_MAX) {
		err->column = LINE_BYTES_MAX + 1;
		laf_error_set(err, -EINVAL, "the line is longer than %d bytes", LINE_BYTES_MAX);
		return fn(arg, NULL, text, err);
	}
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	r = laf_words_split(copy, &words);
	if (!r) {
		if (as_auditctl && words.n > strlen(text) / 3 + 1)
			words.n = strlen(text) / 3 + 1;
		r = fn(arg, &words, text, err);
		laf_words_free(&words);
	}
	free(copy);
	return r;
}

/* The next line into *text, which is the caller's to free. */
static bool next_line(FILE *file, char **text, size_t *allocated, bool as_auditctl)
{
	if (!as_auditctl)
		return getline(text, allocated, file) >= 0;
	if (!*text)
		*text = malloc(LINE_BYTES_MAX + 1);
	return *text && fgets(*text, LINE_BYTES_MAX + 1, file);
}

int laf_lines_read(FILE *file, const char *path, bool as_auditctl, laf_lines_fn fn, void *arg,
		   struct laf_error *err)
{
	size_t allocated = 0;
	char *text = NULL;
	unsigned line = 0;
	int r = 0;

	errno = 0;
	while (!r && next_line(file, &text, &allocated, as_auditctl)) {
		struct laf_error place = { .line = ++line };

		text[strcspn(text, "\n")] = '\0'; /* as in auditctl, a NUL ends the line too */
		snprintf(place.file, sizeof(place.file), "%s", path);
		if (!says_nothing(text))
			r = take_line(text, as_auditctl, fn, arg, &place);
		errno = 0;
	}
	if (!r && ferror(file))
		r = laf_error_set(err, errno ? -errno : -EIO, "Error reading %s (%s)", path,
				  strerror(errno ? errno : EIO));
	free(text);
	return r;
}
