// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands on rules and settings: what comes of each, what is said about it, and what the log will say. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../record/put.h"
#include "../rules/lines.h"
#include "../rules/list.h"
#include "../rules/store.h"
#include "../rules/valid.h"
#include "execute.h"

#define REFUSED LAF_EXECUTE_REFUSED
#define ENABLED_LOCKED 2

static const struct setting {
	int option;
	const char *name;    /* in records */
	const char *request; /* in auditctl's message */
	size_t offset;
} settings[] = {
	{ 'e', "audit_enabled", "enable", offsetof(struct laf_settings, enabled) },
	{ 'f', "audit_failure", "failure mode", offsetof(struct laf_settings, failure) },
	{ 'r', "audit_rate_limit", "rate limit", offsetof(struct laf_settings, rate_limit) },
	{ 'b', "audit_backlog_limit", "backlog limit", offsetof(struct laf_settings, backlog_limit) },
	{ LAF_OPTION_BACKLOG_WAIT_TIME, "audit_backlog_wait_time", "backlog limit",
	  offsetof(struct laf_settings, backlog_wait_time) },
};

/* auditctl tells the faults of a file to the system log, until it has sent a rule. */
__attribute__((format(printf, 3, 4)))
static void say(struct laf_execution *x, bool direct, const char *format, ...)
{
	va_list args;

	if (x->auditctl && x->file && !x->sent && !direct)
		fputc(LAF_CONTROL_TO_SYSLOG, x->err);
	va_start(args, format);
	vfprintf(x->err, format, args);
	va_end(args);
	fputc('\n', x->err);
}

static bool locked(const struct laf_execution *x)
{
	return x->settings.enabled == ENABLED_LOCKED;
}

/* "auid=0 ses=1", as the kernel has it in each of these records. */
static void put_session(FILE *to, const struct laf_who *who)
{
	fprintf(to, "auid=%u ses=%u%s%s", who->auid, who->ses, who->subj[0] ? " subj=" : "", who->subj);
}

static FILE *record_to(struct laf_execution *x, bool done)
{
	return done ? x->changes : x->refusals;
}

/* kernel/audit.c: audit_log_config_change() */
static void note_setting(struct laf_execution *x, const char *name, uint32_t value, uint32_t old, bool done)
{
	FILE *to = record_to(x, done);

	fprintf(to, "op=set %s=%u old=%u ", name, value, old);
	put_session(to, x->who);
	fprintf(to, " res=%d\n", done);
}

static void put_key(FILE *to, const struct audit_rule_data *data)
{
	char text[PUT_UNTRUSTED_MAX(AUDIT_MAX_KEY_LEN)];
	struct laf_rule rule = { .data = (struct audit_rule_data *)data };
	size_t len;
	const char *key = laf_rule_key(&rule, &len);

	if (key && len <= AUDIT_MAX_KEY_LEN)
		fprintf(to, " key=%.*s", (int)(put_untrusted(text, key, len) - text), text);
	else
		fputs(" key=(null)", to);
}

/* kernel/auditfilter.c: audit_log_rule_change() */
static void note_rule(struct laf_execution *x, const char *op, const struct audit_rule_data *data, bool done)
{
	FILE *to = record_to(x, done);

	if (!x->settings.enabled)
		return;
	put_session(to, x->who);
	fprintf(to, " op=%s", op);
	put_key(to, data);
	fprintf(to, " list=%u res=%d\n", data->flags & AUDIT_FILTER_MASK, done);
}

/* kernel/audit.c: audit_receive_msg() on a rule while it is locked */
static void note_locked(struct laf_execution *x, const char *op)
{
	fprintf(x->refusals, "pid=%d uid=%u ", x->who->pid, x->who->uid);
	put_session(x->refusals, x->who);
	fprintf(x->refusals, " op=%s audit_enabled=%u res=0\n", op, x->settings.enabled);
}

static int refuse(const struct laf_command *command, int code, struct laf_error *err, const char *request)
{
	err->column = command->column;
	laf_error_set(err, code, "Error sending %s request (%s)", request, strerror(-code));
	if (code == -EPERM)
		snprintf(err->hint, sizeof(err->hint), "-e 2 locked it: nothing changes before the next boot");
	return REFUSED;
}

static int set(struct laf_execution *x, const struct laf_command *command, const struct laf_command_setting *s,
	       struct laf_error *err)
{
	const struct setting *setting = settings;
	uint32_t *value, old;

	while (setting->option != s->name)
		setting++;
	value = (uint32_t *)((char *)&x->settings + setting->offset);
	old = *value;
	if (x->settings.enabled)
		note_setting(x, setting->name, s->value, old, !locked(x));
	if (locked(x))
		return refuse(command, -EPERM, err, setting->request);
	*value = s->value;
	x->changes_rules |= s->name == 'e' && !old != !s->value;
	return 0;
}

static int change_rule(struct laf_execution *x, struct laf_command *command, struct laf_error *err)
{
	bool adds = command->kind == LAF_COMMAND_ADD;
	const char *op = adds ? "add_rule" : "remove_rule";
	struct audit_rule_data *data = NULL;
	struct laf_fault fault;
	int r;

	x->sent = true;
	if (locked(x)) {
		note_locked(x, op);
		return refuse(command, -EPERM, err, adds ? "add rule data" : "delete rule data");
	}
	/* what the kernel can't make a rule of, it says nothing about */
	if (!laf_rule_valid(command->rule, &fault)) {
		size_t bytes = sizeof(*data) + command->rule->buflen;

		data = malloc(bytes);
		if (!data)
			return -ENOMEM;
		memcpy(data, command->rule, bytes);
	}
	r = laf_rules_apply(&x->rules, command, err->file[0] ? err->file : NULL, err->line, err);
	if (data)
		note_rule(x, op, data, !r);
	free(data);
	x->changes_rules |= !r;
	return r && r != -ENOMEM ? REFUSED : r;
}

/* auditctl's -D -k then goes on as if the key were that of a rule. */
static int refuse_clearing(struct laf_execution *x, const struct laf_command *command, struct laf_error *err)
{
	note_locked(x, "remove_rule");
	err->column = command->column;
	laf_error_set(err, -EPERM, "Error deleting rule (%s)", strerror(EPERM));
	if (x->auditctl && command->key[0]) {
		say(x, false, "%s", err->text);
		laf_error_set(err, -EPERM, "Key field needs a watch, syscall or exe path given prior to it");
	}
	return REFUSED;
}

/* -D: auditctl takes out one rule after the other, and shows what is left. */
static int clear_rules(struct laf_execution *x, struct laf_command *command, struct laf_error *err)
{
	size_t i, n = 0;

	for (unsigned list = 0; list <= AUDIT_FILTER_MASK; list++)
		for (i = 0; i < x->rules.n; i++) {
			const struct laf_rule *rule = &x->rules.list[i];

			if (rule->data->flags != list || !laf_rule_has_key(rule, command->key))
				continue;
			if (locked(x))
				return refuse_clearing(x, command, err);
			note_rule(x, "remove_rule", rule->data, true);
			n++;
		}
	x->changes_rules |= n != 0;
	laf_rules_apply(&x->rules, command, NULL, 0, err);
	laf_rules_write(&x->rules, command->key, x->out);
	return 0;
}

static void write_status(struct laf_execution *x, const struct laf_settings *s, bool interpret)
{
	static const char *const enabled[] = { "disable", "enabled", "enabled+immutable" };
	static const char *const failure[] = { "silent", "printk", "panic" };
	const struct laf_live *live = x->live;

	if (interpret)
		fprintf(x->out, "enabled %s\nfailure %s\n", enabled[s->enabled % 3], failure[s->failure % 3]);
	else
		fprintf(x->out, "enabled %u\nfailure %u\n", s->enabled, s->failure);
	fprintf(x->out, "pid %u\nrate_limit %u\nbacklog_limit %u\nlost %u\nbacklog %u\nbacklog_wait_time %u\n"
		"backlog_wait_time_actual %u\n", live->pid, s->rate_limit, s->backlog_limit,
		x->resets_lost ? 0 : live->lost, live->backlog, s->backlog_wait_time, live->backlog_wait_time_actual);
}

static void write_features(struct laf_execution *x)
{
	fprintf(x->out, "loginuid_immutable %d %s\n", x->live->loginuid_immutable || x->sets_loginuid,
		x->live->loginuid_locked || x->sets_loginuid ? "locked" : "unlocked");
}

/* The kernel allows it under a lock, too, and logs it even where audit is off. */
static int reset_lost(struct laf_execution *x)
{
	uint32_t old = x->resets_lost ? 0 : x->live->lost;

	say(x, false, "lost: %u", old);
	note_setting(x, "lost", 0, old, true);
	x->resets_lost = true;
	return 0;
}

/* Nobody waits in laf, so there is nothing to reset. */
static int reset_wait_actual(struct laf_execution *x)
{
	say(x, false, "backlog_wait_time_actual: %u", x->live->backlog_wait_time_actual);
	note_setting(x, "backlog_wait_time_actual", 0, x->live->backlog_wait_time_actual, true);
	return 0;
}

static int act(struct laf_execution *x, struct laf_command *command, struct laf_error *err)
{
	switch (command->act) {
	case 'D':
		return clear_rules(x, command, err);
	case 'l':
		laf_rules_write(&x->rules, command->key, x->out);
		return 0;
	case 's':
		write_status(x, &x->settings, command->interpret);
		write_features(x);
		return 0;
	case 'i': case 'c':
		x->ignores_errors = true;
		x->reports_errors |= command->act == 'c';
		return 0;
	case LAF_OPTION_RESET_LOST:
		return reset_lost(x);
	case LAF_OPTION_RESET_WAIT_ACTUAL:
		return reset_wait_actual(x);
	case LAF_OPTION_LOGINUID_IMMUTABLE:
		x->sets_loginuid = true;
		return 0;
	default: /* -m, -q, -t, -v and --signal are nothing that this daemon does */
		return 0;
	}
}

/* auditctl asks for the status behind each setting, and prints the first answer. */
static int set_all(struct laf_execution *x, const struct laf_command *command, struct laf_settings *ret_shown,
		   struct laf_error *err)
{
	int r = 0;

	for (unsigned i = 0; i < command->n_settings && !r; i++) {
		r = set(x, command, &command->settings[i], err);
		if (!i)
			*ret_shown = x->settings;
	}
	return r;
}

static int execute(struct laf_execution *x, struct laf_command *command, struct laf_error *err)
{
	struct laf_settings shown;
	int r = set_all(x, command, &shown, err);

	if (r)
		return r;
	if (command->act)
		return act(x, command, err);
	if (command->kind == LAF_COMMAND_ADD || command->kind == LAF_COMMAND_DELETE)
		return change_rule(x, command, err);
	if (command->n_settings)
		write_status(x, &shown, false);
	return 0;
}

/* auditctl's own lines are warnings, or for a command that can't be read the fault, which needs no saying again. */
static void write_said(struct laf_execution *x, const struct laf_command *command, bool good, struct laf_error *err)
{
	if (x->places && !good)
		return;
	for (unsigned i = 0; i < command->n_said; i++)
		say(x, command->said[i].direct, "%s", command->said[i].text);
	if (!good)
		err->text[0] = '\0';
}

/* A command that can't be read to its end: auditctl has done by then what it had read. */
static int fail_late(struct laf_execution *x, struct laf_command *command, struct laf_error *err)
{
	struct laf_error fault = *err;
	struct laf_settings shown;

	if (set_all(x, command, &shown, &fault) || (command->act && act(x, command, &fault)))
		*err = fault;
	else
		write_said(x, command, false, err);
	return REFUSED;
}

int laf_execute_command(struct laf_execution *x, const struct laf_words *words, struct laf_error *err)
{
	struct laf_command command;
	int r = laf_command_parse(words, &command, err);

	if (r && r != -ENOMEM && x->auditctl)
		r = fail_late(x, &command, err);
	else if (!command.sets_first || !locked(x)) /* else it is refused before anything is said */
		write_said(x, &command, !r, err);
	if (!r)
		r = execute(x, &command, err);
	else if (r != -ENOMEM)
		r = REFUSED;
	laf_command_free(&command);
	return r;
}

static void write_error(struct laf_execution *x, const struct laf_error *err)
{
	char text[1024];

	if (x->places) {
		laf_error_string(err, text, sizeof(text));
		fprintf(x->err, "%s\n", text);
		return;
	}
	if (err->text[0])
		say(x, false, "%s", err->text);
	if (err->line)
		say(x, false, "There was an error in line %u of %s", err->line, err->file);
}

struct file {
	struct laf_execution *x;
	struct laf_error *err;
};

static int take_line(void *arg, const struct laf_words *words, const char *text, struct laf_error *err)
{
	struct file *file = arg;
	struct laf_execution *x = file->x;
	int r = words ? laf_execute_command(x, words, err) : REFUSED;

	if (r <= 0)
		return r;
	write_error(x, err);
	if (x->ignores_errors) {
		x->left_out++;
		return 0;
	}
	*file->err = *err;
	return -EINVAL;
}

int laf_execute_file(struct laf_execution *x, FILE *f, const char *name, struct laf_error *err)
{
	struct file file = { .x = x, .err = err };
	int r = laf_lines_read(f, name, x->auditctl, take_line, &file, err);

	return r ? r : x->reports_errors && x->left_out;
}

static int execute_file(struct laf_execution *x, const struct laf_control_request *request, bool *ret_commit)
{
	size_t name = strnlen(request->body, request->bytes) + 1;
	struct laf_error err = { 0 };
	FILE *f;
	int r;

	if (name > request->bytes)
		return -EINVAL;
	*ret_commit = true;
	if (name == request->bytes)
		return 0; /* an empty file */
	f = fmemopen(request->body + name, request->bytes - name, "r");
	if (!f)
		return -errno;
	r = laf_execute_file(x, f, request->body, &err);
	fclose(f);
	*ret_commit = r >= 0 || (x->auditctl && r == -EINVAL);
	return r == -EINVAL ? 1 : r;
}

static int count_words(const struct laf_control_request *request)
{
	int n = 0;

	for (size_t i = 0; i < request->bytes; i++)
		n += !request->body[i];
	return n;
}

static int execute_words(struct laf_execution *x, const struct laf_control_request *request)
{
	int n = count_words(request), i, r;
	char **argv = calloc(n + 1, sizeof(*argv));
	struct laf_error err = { 0 };
	struct laf_words words;
	char *word = request->body;

	if (!argv)
		return -ENOMEM;
	for (i = 0; i < n; i++, word += strlen(word) + 1)
		argv[i] = word;
	r = laf_words_from_argv(n, argv, &words);
	if (!r) {
		r = laf_execute_command(x, &words, &err);
		laf_words_free(&words);
	}
	err.column = 0; /* of which line? */
	if (r > 0)
		write_error(x, &err);
	free(argv);
	return r;
}

int laf_execute_request(struct laf_execution *x, const struct laf_control_request *request, bool *ret_commit)
{
	int r;

	*ret_commit = false;
	x->places = request->what & LAF_CONTROL_PLACES;
	x->auditctl = request->what & LAF_CONTROL_AUDITCTL;
	switch (request->what & ~(LAF_CONTROL_PLACES | LAF_CONTROL_AUDITCTL)) {
	case LAF_CONTROL_COMMAND:
		r = execute_words(x, request);
		*ret_commit = !r || (x->auditctl && r > 0);
		break;
	case LAF_CONTROL_FILE:
		x->file = true;
		r = execute_file(x, request, ret_commit);
		break;
	case LAF_CONTROL_RULES:
		r = laf_rules_store(&x->rules, x->out);
		break;
	default:
		r = -EINVAL;
	}
	if (r >= 0)
		return r;
	fprintf(x->err, "control: %s\n", strerror(-r));
	return REFUSED;
}
