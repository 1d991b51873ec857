// SPDX-License-Identifier: GPL-2.0-or-later
/* When the disk is nearly full, full, or fails. */
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <syslog.h>

#include "command.h"
#include "log_files.h"

#define FULL_BLOCKS 5            /* fewer than these: full, as auditd has it */
#define ERRORS_TOLD 5            /* to syslog, without a write that went well between */
#define ROTATE_BYTES (1u << 20)  /* a smaller file is not rotated for room again: all older ones would soon be gone */

static const struct laf_reaction *reaction(const struct laf_log *log, enum laf_log_trouble trouble)
{
	switch (trouble) {
	case LAF_LOG_LOW:
		return &log->settings.space_left_action;
	case LAF_LOG_VERY_LOW:
		return &log->settings.admin_space_left_action;
	case LAF_LOG_FULL:
		return &log->settings.disk_full_action;
	case LAF_LOG_FAILED:
		break;
	}
	return &log->settings.disk_error_action;
}

static void run(struct laf_log *log, const char *program, const char *argument)
{
	int r = laf_command_run(program, argument);

	if (r)
		laf_log_say(log, LOG_ALERT, "running %s: %s", program, strerror(-r));
}

static void send_mail(struct laf_log *log, bool very_low)
{
	const struct laf_log_settings *s = &log->settings;
	int r = laf_command_mail(s->mail_command, s->mail_account,
				 very_low ? "Audit: very little room for the log" : "Audit: little room for the log",
				 very_low ? "The disk of the audit log is nearly full: act now, or records will be lost." :
				 "The disk of the audit log is filling up.");

	if (r)
		laf_log_say(log, LOG_ALERT, "sending a mail by %s: %s", s->mail_command, strerror(-r));
}

static void change_system(struct laf_log *log, bool halt, const char *what, const char *colon, const char *why)
{
	laf_log_say(log, LOG_ALERT, "%s%s%s: the system %s", what, colon, why,
		    halt ? "is halted" : "changes to single-user mode");
	run(log, log->settings.init_command, halt ? "0" : "1");
}

bool laf_log_react(struct laf_log *log, enum laf_log_trouble trouble, const char *what, int error)
{
	const struct laf_reaction *how = reaction(log, trouble);
	const char *colon = error ? ": " : "", *why = error ? strerror(error) : "";

	switch (how->action) {
	case LAF_ACTION_IGNORE:
		break;
	case LAF_ACTION_SYSLOG:
		if (trouble != LAF_LOG_FAILED || log->errors++ < ERRORS_TOLD)
			laf_log_say(log, LOG_ALERT, "%s%s%s", what, colon, why);
		break;
	case LAF_ACTION_ROTATE:
		laf_log_say(log, LOG_NOTICE, "%s%s%s: it is rotated", what, colon, why);
		return !laf_log_rotate(log);
	case LAF_ACTION_EMAIL:
		laf_log_say(log, LOG_ALERT, "%s%s%s", what, colon, why);
		send_mail(log, trouble == LAF_LOG_VERY_LOW);
		break;
	case LAF_ACTION_EXEC:
		laf_log_say(log, LOG_ALERT, "%s%s%s: writing is suspended, %s is run", what, colon, why, how->exe);
		laf_log_suspend(log);
		run(log, how->exe, NULL);
		break;
	case LAF_ACTION_SUSPEND:
		laf_log_say(log, LOG_ALERT, "%s%s%s: writing is suspended", what, colon, why);
		laf_log_suspend(log);
		break;
	case LAF_ACTION_SINGLE:
	case LAF_ACTION_HALT:
		if (trouble != LAF_LOG_FAILED || !log->errors++) /* a write that fails is tried many times a second */
			change_system(log, how->action == LAF_ACTION_HALT, what, colon, why);
		break;
	}
	return false;
}

static bool is_below(const struct statvfs *st, const struct laf_space *limit)
{
	uint64_t left = (uint64_t)st->f_bavail * st->f_frsize;

	if (limit->percent)
		return left < (uint64_t)st->f_blocks * st->f_frsize / 100 * limit->percent;
	return left < (uint64_t)limit->mib << 20;
}

/* Tell once, and again when there was room between. What suspended the log or changed the system is for a person to end. */
static void check_limit(struct laf_log *log, const struct statvfs *st, const struct laf_space *limit,
			enum laf_log_trouble trouble, bool *told, const char *what)
{
	unsigned action = reaction(log, trouble)->action;

	if (!is_below(st, limit)) {
		if (action == LAF_ACTION_SYSLOG || action == LAF_ACTION_ROTATE)
			*told = false;
		return;
	}
	if (*told && (action != LAF_ACTION_ROTATE || log->size < ROTATE_BYTES))
		return;
	*told = true;
	laf_log_react(log, trouble, what, 0);
}

void laf_log_check_space(struct laf_log *log)
{
	struct statvfs st;

	if (!log->settings.write_logs || log->sink.fd < 0 || fstatvfs(log->sink.fd, &st))
		return;
	if (st.f_bavail >= FULL_BLOCKS) {
		log->told_full = false;
	} else if (!log->told_full) {
		log->told_full = true;
		laf_log_react(log, LAF_LOG_FULL, "there is no room left on its disk", 0);
		return;
	}
	check_limit(log, &st, &log->settings.space_left, LAF_LOG_LOW, &log->told_space, "little room is left on its disk");
	if (log->sink.fd >= 0)
		check_limit(log, &st, &log->settings.admin_space_left, LAF_LOG_VERY_LOW, &log->told_admin_space,
			    "very little room is left on its disk");
}
