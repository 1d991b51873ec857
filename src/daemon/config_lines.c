// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading lines, and who else could have written them. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config_lines.h"

#define LINE_MAX_HERE 8192

/* Cut the blanks off both ends, in place. */
static char *trim(char *text)
{
	char *end;

	text += strspn(text, " \t");
	end = text + strlen(text);
	while (end > text && strchr(" \t\r\n", end[-1]))
		*--end = 0;
	return text;
}

/* Cut after the first word, in place. Returns the rest, "" where there is none. */
static char *split(char *text)
{
	text += strcspn(text, " \t");
	if (*text)
		*text++ = 0;
	return trim(text);
}

static int take_line(laf_config_set_fn set, void *arg, char *text, unsigned line, struct laf_error *err)
{
	char *name = trim(text), *value = strchr(name, '='), *option;
	unsigned column = name - text + 1;
	const char *wants;
	int r;

	if (!*name || *name == '#')
		return 0;
	if (!value)
		return laf_error_at(err, -EINVAL, line, column, "a setting is 'name = value'");
	*value++ = 0;
	value = trim(value);
	name = trim(name);
	option = split(value);
	if (!*name || !*value)
		return laf_error_at(err, -EINVAL, line, column, "a setting is 'name = value'");
	r = set(arg, name, value, option, &wants);
	if (r == -ENOENT)
		return laf_error_at(err, -EINVAL, line, column, "there is no setting '%s'", name);
	if (r)
		return laf_error_at(err, -EINVAL, line, value - text + 1, "%s is %s, not '%s%s%s'", name, wants, value,
				    *option ? " " : "", option);
	return 0;
}

int laf_config_read_lines(FILE *f, laf_config_set_fn set, void *arg, struct laf_error *err)
{
	size_t room = 0;
	char *text = NULL;
	unsigned line = 0;
	ssize_t n;
	int r = 0;

	while (!r && (n = getline(&text, &room, f)) >= 0) {
		line++;
		if (n > LINE_MAX_HERE)
			r = laf_error_at(err, -EINVAL, line, LINE_MAX_HERE, "the line is longer than %d bytes",
					 LINE_MAX_HERE - 1);
		else if (strlen(text) != (size_t)n)
			r = laf_error_at(err, -EINVAL, line, strlen(text) + 1, "this is no text: there is a NUL");
		else
			r = take_line(set, arg, text, line, err);
	}
	if (!r && ferror(f))
		r = laf_error_set(err, -EIO, "config: reading it failed");
	free(text);
	return r;
}

/* Who can write a folder can put another file in the place of the one that is there; not in one that is sticky. */
static int check_folders(const char *file, struct laf_error *err)
{
	char path[PATH_MAX];
	struct stat st;
	char *slash;

	snprintf(path, sizeof(path), "%s", file);
	while ((slash = strrchr(path, '/'))) {
		slash[slash == path] = 0;
		if (stat(path, &st))
			return laf_error_set(err, -errno, "config: its folder %s: %s", path, strerror(errno));
		if ((st.st_uid && st.st_uid != geteuid()) ||
		    (st.st_mode & (S_IWGRP | S_IWOTH) && !(st.st_mode & S_ISVTX)))
			return laf_error_set(err, -EPERM, "config: others could replace this file: %s is theirs to write", path);
		if (slash == path)
			return 0;
	}
	return 0;
}

static int check_owner(FILE *f, struct laf_error *err)
{
	char link[64], path[PATH_MAX];
	struct stat st;
	ssize_t n;

	if (fstat(fileno(f), &st))
		return laf_error_set(err, -errno, "config: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return laf_error_set(err, -EINVAL, "config: this is not a regular file");
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return laf_error_set(err, -EPERM, "config: the file must belong to root");
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return laf_error_set(err, -EPERM, "config: others can write this file; chmod go-w it");
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(f));
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return laf_error_set(err, -errno, "config: finding its folder: %s", strerror(errno));
	path[n] = 0;
	return check_folders(path, err);
}

/* Without O_NONBLOCK a FIFO would keep us waiting for a writer. */
static int open_file(const char *path, FILE **ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	*ret = fdopen(fd, "r");
	if (*ret)
		return 0;
	close(fd);
	return -ENOMEM;
}

int laf_config_open(const char *path, FILE **ret, struct laf_error *err)
{
	FILE *f = NULL;
	int r = open_file(path, &f);

	if (r)
		return laf_error_set(err, r, "config: %s", strerror(-r));
	r = check_owner(f, err);
	if (r)
		fclose(f);
	else
		*ret = f;
	return r;
}
