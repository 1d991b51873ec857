// SPDX-License-Identifier: GPL-2.0-or-later
/* struct laf_error: filling it and reading it out. */
#include <stdarg.h>
#include <stdio.h>

#include <laf/error.h>

static void set_text(struct laf_error *err, const char *format, va_list args)
{
	vsnprintf(err->text, sizeof(err->text), format, args);
	err->hint[0] = '\0';
}

int laf_error_set(struct laf_error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	set_text(err, format, args);
	va_end(args);
	return code;
}

int laf_error_at(struct laf_error *err, int code, unsigned line, unsigned column,
		 const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	err->line = line;
	err->column = column;
	va_start(args, format);
	set_text(err, format, args);
	va_end(args);
	return code;
}

int laf_error_string(const struct laf_error *err, char *buf, size_t size)
{
	char place[300] = "";
	int n = 0;

	if (err->file[0])
		n = snprintf(place, sizeof(place), "%s:", err->file);
	if (err->line)
		n += snprintf(place + n, sizeof(place) - n, "%u:", err->line);
	if (err->column)
		n += snprintf(place + n, sizeof(place) - n, "%u:", err->column);
	return snprintf(buf, size, "%s%s%s%s%s", place, n ? " " : "", err->text, err->hint[0] ? "; " : "", err->hint);
}
