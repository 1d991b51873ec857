// SPDX-License-Identifier: GPL-2.0-or-later
/* laf status: how the running daemon is, for people, as JSON, or for Prometheus. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../control/control.h"
#include "cli.h"
#include "quote.h"
#include "status_fields.h"
#include "values.h"

static const char help[] =
"usage: laf status [--json | --prometheus]\n"
"\n"
"Prints how the running daemon is: engine and why, settings, rules, rates, what was written and what was lost, and why, plugins.\n"
"\n"
"  --json         as one JSON object\n"
"  --prometheus   as metrics, for the textfile collector of Prometheus' node_exporter\n"
"\n"
"Exit status: 0, or 1 where no daemon answers.\n";

struct form {
	void (*print)(const struct laf_value *line, const struct laf_value *before); /* before: NULL for the first */
	void (*end)(const struct laf_value *last);
};

/* "log_file" is "log file" to people. */
static void print_text(const struct laf_value *line, const struct laf_value *before)
{
	char name[320];

	snprintf(name, sizeof(name), "%s%s%s", line->name, line->which ? " " : "", line->which ? line->which : "");
	for (char *s = name; *s && (size_t)(s - name) < strlen(line->name); s++)
		if (*s == '_')
			*s = ' ';
	printf("%-24s %s\n", name, *line->value ? line->value : "-");
}

static void end_text(const struct laf_value *last)
{
}

/* Several with one name are an object in the object. */
static void print_json(const struct laf_value *line, const struct laf_value *before)
{
	bool inside = before && before->which && line->which && !strcmp(before->name, line->name);

	if (before && before->which && !inside)
		fputs("\n  }", stdout);
	fputs(before ? "," : "{", stdout);
	if (!inside) {
		fputs("\n  ", stdout);
		laf_quote(line->name, stdout);
		fputs(line->which ? ": {" : ": ", stdout);
	}
	if (line->which) {
		fputs("\n    ", stdout);
		laf_quote(line->which, stdout);
		fputs(": ", stdout);
	}
	if (laf_status_field(line->name)->kind == LAF_STATUS_TEXT)
		laf_quote(line->value, stdout);
	else
		fputs(line->value, stdout);
}

static void end_json(const struct laf_value *last)
{
	puts(last->which ? "\n  }\n}" : "\n}");
}

static void print_label(const char *name, const char *value, bool first)
{
	printf("%s%s=", first ? "{" : ",", name);
	laf_quote(value, stdout);
}

static void print_metric(const struct laf_value *line)
{
	const struct laf_status_field *field = laf_status_field(line->name);
	const char *which = line->which ? line->which : line->name + strlen(field->name);

	printf("laf_%s", field->metric);
	if (field->label)
		print_label(field->label, which, true);
	if (field->kind == LAF_STATUS_TEXT)
		print_label(field->name, line->value, !field->label);
	if (field->label || field->kind == LAF_STATUS_TEXT)
		putchar('}');
	printf(" %s\n", field->kind == LAF_STATUS_TEXT ? "1" : line->value);
}

/* A text is a label of a metric that is always 1. */
static void print_prometheus(const struct laf_value *line, const struct laf_value *before)
{
	const struct laf_status_field *field = laf_status_field(line->name);

	if (!field->metric)
		return;
	if (!before || laf_status_field(before->name) != field)
		printf("# HELP laf_%s %s\n# TYPE laf_%s %s\n", field->metric, field->help, field->metric,
		       field->kind == LAF_STATUS_COUNTER ? "counter" : "gauge");
	print_metric(line);
}

static void print_status(char *text, const struct form *form)
{
	struct laf_value lines[2];
	const struct laf_value *before = NULL;
	unsigned n = 0;

	while (laf_value_next(&text, &lines[n & 1])) {
		form->print(&lines[n & 1], before);
		before = &lines[n++ & 1];
	}
	if (before)
		form->end(before);
}

static const struct form *find_form(int argc, char **argv)
{
	static const struct form text = { print_text, end_text }, json = { print_json, end_json },
				 prometheus = { print_prometheus, end_text };

	if (argc == 1)
		return &text;
	if (argc > 2)
		return NULL;
	return !strcmp(argv[1], "--json") ? &json : !strcmp(argv[1], "--prometheus") ? &prometheus : NULL;
}

int laf_cmd_status(int argc, char **argv)
{
	const struct form *form = find_form(argc, argv);
	struct laf_control_reply reply;
	struct laf_error err = { 0 };
	int r;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (!form) {
		fprintf(stderr, "laf: status: it takes --json or --prometheus and nothing else; see 'laf status --help'\n");
		return 1;
	}
	r = laf_control_status(NULL, &reply, &err);
	if (r)
		return laf_cli_fail(r, &err);
	print_status(reply.out, form);
	laf_control_reply_clear(&reply);
	return 0;
}
