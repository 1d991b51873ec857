// SPDX-License-Identifier: GPL-2.0-or-later
/* laf under the name auditctl: asks the daemon instead of the kernel, in the same words, with the same answers. */
#include <errno.h>
#include <libaudit.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <syslog.h>
#include <unistd.h>

#include "../control/control.h"
#include "../rules/lines.h"
#include "auditctl.h"
#include "cli.h"

#define FAILED 255 /* auditctl returns -1 */

static const char help[] =
"usage: auditctl OPTION...\n"
"\n"
"Rules:\n"
"  -a LIST,ACTION      add a rule at the end of a list (task, exit, user, exclude, filesystem, io_uring);\n"
"                      the action is always or never\n"
"  -A LIST,ACTION      add it at the beginning\n"
"  -d LIST,ACTION      delete the rule that is equal\n"
"  -S CALL[,CALL...]   its system calls\n"
"  -F FIELD OP VALUE   its fields, in one word; OP is one of = != < > <= >= & &=\n"
"  -C FIELD OP FIELD   two fields to compare, by = or !=\n"
"  -k KEY              its key\n"
"  -w PATH, -W PATH    add, delete a watch\n"
"  -p PERMISSIONS      what is watched: r, w, x, a\n"
"  -D [-k KEY]         delete all rules\n"
"  -l [-i | -k KEY]    list them\n"
"  -R FILE             read rules from a file; in it, -i goes on behind faults, and -c tells of them in the end\n"
"\n"
"Settings:\n"
"  -s [-i]             show the status\n"
"  -e 0|1|2            off, on, locked until the machine is booted anew\n"
"  -f 0|1|2            when events are lost: silent, a line in the system log, a panic\n"
"  -b NUMBER           how many records may wait, 0 for as many as there is room for\n"
"  -r NUMBER           how many records a second, 0 for any\n"
"  --backlog_wait_time NUMBER\n"
"                      kept and shown, but without effect in laf\n"
"  --reset-lost, --reset_backlog_wait_time_actual\n"
"                      reset a counter and show it\n"
"  --loginuid-immutable\n"
"                      login ids can't be changed any more\n"
"\n"
"Others:\n"
"  -m TEXT             a message into the log\n"
"  --signal SIGNAL     send TERM, HUP, USR1, USR2 or CONT to the daemon\n"
"  -q MOUNT,FOLDER, -t without effect in laf\n"
"  -v                  the version of auditctl that this one is like\n"
"  -h                  this text\n";

/* auditctl tells faults of a file to the system log, where they outlast the start of the machine. */
static bool to_syslog;

__attribute__((format(printf, 2, 3)))
static void say(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (to_syslog) {
		vsyslog(priority, format, args);
	} else {
		vfprintf(stderr, format, args);
		fputc('\n', stderr);
	}
	va_end(args);
}

/* Nothing that scripts read: to the system log, and to a person. */
static void say_aside(const char *text)
{
	syslog(LOG_NOTICE, "%s", text);
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "%s\n", text);
}

/* auditctl has nothing to compare it with. The exit status is that of a kernel that can't be asked. */
static int no_answer(const struct laf_error *err)
{
	if (to_syslog)
		syslog(LOG_ERR, "%s", err->text);
	fprintf(stderr, "%s\n", err->text);
	return 1;
}

static bool may_control(int argc, char **argv)
{
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return true;
	return audit_can_control();
}

/* One of the daemon's numbers. */
static int ask_number(const char *name, unsigned *ret, struct laf_error *err)
{
	struct laf_control_reply reply;
	size_t len = strlen(name);
	int r = laf_control_status(NULL, &reply, err);
	char *line, *rest;

	if (r)
		return r;
	*ret = 0;
	for (rest = reply.out; (line = strsep(&rest, "\n")); )
		if (!strncmp(line, name, len) && line[len] == '=')
			*ret = strtoul(line + len + 1, NULL, 10);
	laf_control_reply_clear(&reply);
	return 0;
}

/* Returns 1 when rules can't be changed any more; else 0 or a negative errno. */
static int check_lock(struct laf_error *err)
{
	unsigned enabled;
	int r = ask_number("enabled", &enabled, err);

	return r ? r : enabled == 2;
}

static int tell_locked(void)
{
	say(LOG_ERR, "The audit system is in immutable mode, no rule changes allowed");
	return 0;
}

/* The daemon marks lines that auditctl writes to the system log. */
static int print_reply(const struct laf_control_reply *reply)
{
	char *rest = reply->err, *line;

	fwrite(reply->out, 1, reply->out_bytes, stdout);
	while ((line = strsep(&rest, "\n")) && rest) {
		if (to_syslog && *line == LAF_CONTROL_TO_SYSLOG)
			syslog(LOG_ERR, "%s", line + 1);
		else
			fprintf(stderr, "%s\n", line);
	}
	return reply->status;
}

static int send_words(int argc, char **argv)
{
	struct laf_error err = { 0 };
	struct laf_control_reply reply;
	int r = laf_control_command(NULL, LAF_CONTROL_AUDITCTL, argc, argv, &reply, &err);

	if (r)
		return no_answer(&err);
	r = print_reply(&reply);
	laf_control_reply_clear(&reply);
	return r;
}

/* What has no meaning here is taken, for those who count on that, and told. */
static const struct idle_option {
	int option;
	const char *word;
} idle_options[] = {
	{ 'q', "-q" }, { 't', "-t" },
	{ LAF_OPTION_BACKLOG_WAIT_TIME, "--backlog_wait_time" },
};

#define N_IDLE_OPTIONS (sizeof(idle_options) / sizeof(idle_options[0]))

static bool uses(const struct laf_command *command, int option)
{
	for (unsigned i = 0; i < command->n_settings; i++)
		if (command->settings[i].name == option)
			return true;
	return command->act == option;
}

/* Bits by the place in the table. */
static unsigned idle_in(const struct laf_command *command)
{
	unsigned found = 0;

	for (unsigned i = 0; i < N_IDLE_OPTIONS; i++)
		found |= (unsigned)uses(command, idle_options[i].option) << i;
	return found;
}

static void tell_idle(unsigned found)
{
	char text[160] = "laf: without effect here:";

	for (unsigned i = 0; i < N_IDLE_OPTIONS; i++)
		if (found & 1u << i)
			strcat(strcat(text, " "), idle_options[i].word);
	if (found)
		say_aside(strcat(text, "; laf-auditctl(8) says why"));
}

static int look_for_idle(void *arg, const struct laf_words *words, const char *text, struct laf_error *err)
{
	struct laf_command command;
	unsigned *found = arg;

	if (laf_command_parse(words, &command, err) != -ENOMEM)
		*found |= idle_in(&command);
	laf_command_free(&command);
	return 0;
}

static void tell_idle_in_file(const char *path)
{
	struct laf_error err = { 0 };
	unsigned found = 0;
	FILE *file;

	if (laf_lines_open(path, &file, &err))
		return;
	laf_lines_read(file, path, true, look_for_idle, &found, &err);
	fclose(file);
	tell_idle(found);
}

static int load_file(const char *file)
{
	struct laf_control_reply reply;
	struct laf_error err = { 0 };
	int r;

	to_syslog = true;
	r = check_lock(&err);
	if (r)
		return r < 0 ? no_answer(&err) : tell_locked();
	r = laf_control_file(NULL, LAF_CONTROL_AUDITCTL, file, &reply, &err);
	if (r) {
		say(LOG_ERR, "%s", err.text);
		return 1;
	}
	r = print_reply(&reply);
	laf_control_reply_clear(&reply);
	tell_idle_in_file(file);
	return r;
}

static int list_in_words(void)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };

	if (laf_control_rules(NULL, &rules, &err))
		return no_answer(&err);
	laf_rules_write_words(&rules, "", laf_auditctl_argument, stdout);
	laf_rules_clear(&rules);
	return 0;
}

/* A record that the kernel makes of it, for whoever takes the kernel's records. */
static int send_message(const char *message)
{
	char *text;
	int fd, r;

	set_aumessage_mode(MSG_STDERR, DBG_NO);
	fd = audit_open();
	if (fd < 0) {
		say(LOG_ERR, "Cannot open netlink audit socket");
		return 1;
	}
	r = asprintf(&text, "text=%s", message);
	if (r >= 0) {
		r = audit_log_user_message(fd, AUDIT_USER, text, NULL, NULL, NULL, 1);
		free(text);
	}
	audit_close(fd);
	return r > 0 ? 0 : FAILED;
}

static int signal_number(const char *name)
{
	static const struct { const char *name, *later_name; int number; } names[] = {
		{ "TERM", "stop", SIGTERM },
		{ "HUP", "reload", SIGHUP },
		{ "USR1", "rotate", SIGUSR1 },
		{ "USR2", "resume", SIGUSR2 },
		{ "CONT", "state", SIGCONT },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcasecmp(name, names[i].name) || !strcasecmp(name, names[i].later_name))
			return names[i].number;
	return 0;
}

static int send_signal(const char *name)
{
	struct laf_error err = { 0 };
	unsigned pid;
	int r = ask_number("pid", &pid, &err);

	if (r == -ENOENT || r == -ECONNREFUSED) {
		say(LOG_INFO, "Auditd is not running");
		return 0;
	}
	if (r)
		return no_answer(&err);
	if (!kill(pid, signal_number(name)))
		return 0;
	say(LOG_WARNING, "Failed sending signal to auditd (%s)", strerror(errno));
	return FAILED;
}

static int print_version(void)
{
	puts("auditctl version " LAF_AUDITCTL_VERSION);
	say_aside("this is laf " LAF_VERSION ", called as auditctl");
	return 0;
}

/* What the daemon need not be asked for, or not in these words. */
static int obey(const struct laf_command *command, int argc, char **argv)
{
	int r;

	if (command->n_settings && (command->act == 'm' || command->act == 'v')) {
		r = send_words(argc, argv);
		if (r)
			return r;
	}
	switch (command->act) {
	case 'm':
		return send_message(command->text);
	case 'v':
		return print_version();
	case LAF_OPTION_SIGNAL:
		return send_signal(command->text);
	case 'l':
		if (command->interpret)
			return list_in_words();
	}
	r = send_words(argc, argv);
	if (!r)
		tell_idle(idle_in(command));
	return r;
}

/* Has it asked for something of the daemon before it failed? */
static bool wants_daemon(const struct laf_command *command)
{
	return command->n_settings || (command->act && strchr("Dls", command->act));
}

/* A command that can't be read to its end. */
static int fail_at_once(const struct laf_command *command)
{
	if (command->act == 'h')
		fputs(help, stdout);
	else if (command->act == 'v')
		print_version();
	else if (command->act == LAF_OPTION_SIGNAL)
		send_signal(command->text);
	for (unsigned i = 0; i < command->n_said; i++)
		say(LOG_ERR, "%s", command->said[i].text);
	return FAILED;
}

/* A rule that can't be sent any more. auditctl comes to a setting before its list first, and ends when that is refused; one behind the
 * list is refused, too, but is not its last word; nor is a fault. */
static int refuse_rule(const struct laf_command *command, int argc, char **argv)
{
	int r = command->n_settings ? send_words(argc, argv) : 0;

	return command->sets_first ? r : tell_locked();
}

static int run_command(const struct laf_command *command, int code, int argc, char **argv)
{
	struct laf_error err = { 0 };
	bool rule = command->kind == LAF_COMMAND_ADD || command->kind == LAF_COMMAND_DELETE;
	int r = 0;

	if (code && !wants_daemon(command))
		r = fail_at_once(command);
	if (rule)
		switch (check_lock(&err)) {
		case 0:
			break;
		case 1:
			return refuse_rule(command, argc, argv);
		default:
			return r ? r : no_answer(&err);
		}
	return r ? r : code ? send_words(argc, argv) : obey(command, argc, argv);
}

static int one_command(int argc, char **argv)
{
	struct laf_error err = { 0 };
	struct laf_command command;
	struct laf_words words;
	int r = laf_words_from_argv(argc, argv, &words);

	if (!r)
		r = laf_command_parse(&words, &command, &err);
	if (r != -ENOMEM) {
		r = run_command(&command, r, argc, argv);
		laf_command_free(&command);
	} else {
		say(LOG_ERR, "Out of memory");
		r = FAILED;
	}
	laf_words_free(&words);
	return r;
}

int laf_auditctl(int argc, char **argv)
{
	if (argc == 1) {
		fputs(help, stdout);
		return 1;
	}
	if (!may_control(argc, argv)) {
		say(LOG_WARNING, "You must be root to run this program.");
		return 4;
	}
	if (argc == 3 && !strcmp(argv[1], "-R"))
		return load_file(argv[2]);
	return one_command(argc - 1, argv + 1);
}
