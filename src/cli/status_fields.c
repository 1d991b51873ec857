// SPDX-License-Identifier: GPL-2.0-or-later
/* THE TABLE of what `laf status` shows. */
#include <stddef.h>
#include <string.h>

#include "status_fields.h"

#define NUMBER LAF_STATUS_NUMBER
#define COUNTER LAF_STATUS_COUNTER
#define TEXT LAF_STATUS_TEXT

/* The first that fits counts. */
static const struct laf_status_field fields[] = {
	{ "engine", TEXT, "engine_info", NULL, "The engine in use." },
	{ "engine_reason", TEXT, "engine_reason_info", NULL, "Why it is this engine." },
	{ "kernel_records", TEXT, "kernel_records_info", NULL, "How the kernel's own records are taken." },
	{ "enabled", NUMBER, "enabled", NULL, "0 off, 1 on, 2 locked." },
	{ "failure", NUMBER, "failure_mode", NULL, "What -f says." },
	{ "pid", NUMBER, "pid", NULL, "The daemon's process." },
	{ "rate_limit", NUMBER, "rate_limit", NULL, "What -r says." },
	{ "backlog_limit", NUMBER, "backlog_limit", NULL, "What -b says." },
	{ "lost", NUMBER, "lost_since_reset", NULL, "Lost since --reset-lost." },
	{ "backlog", NUMBER, "backlog_events", NULL, "Events that wait in the rings." },
	{ "backlog_wait_time", NUMBER, "backlog_wait_time", NULL, "What --backlog_wait_time says." },
	{ "backlog_wait_time_actual", NUMBER, "backlog_wait_time_actual", NULL, "How long tasks waited for the kernel's audit." },
	{ "loginuid_immutable", NUMBER, "loginuid_immutable", NULL, "Whether a login's user can't be set again." },
	{ "loginuid_locked", NUMBER, "loginuid_locked", NULL, "Whether that is locked." },
	{ "rules", NUMBER, "rules", NULL, "Rules in the list." },
	{ "uptime_seconds", NUMBER, "uptime_seconds", NULL, "Since the daemon started." },
	{ "events_per_second", NUMBER, "events_per_second", NULL, "Events written a second, of the last ten seconds." },
	{ "records_per_second", NUMBER, "records_per_second", NULL, "Records written a second, of the last ten seconds." },
	{ "ring_bytes", NUMBER, "ring_bytes", NULL, "The size of each processor's ring." },
	{ "ring_fill_percent", NUMBER, "ring_fill_percent", NULL, "How full the fullest ring is." },
	{ "events", COUNTER, "events_total", NULL, "Events written." },
	{ "records", COUNTER, "records_total", NULL, "Records of these events." },
	{ "kernel_records_written", COUNTER, "kernel_records_total", NULL, "Records of the kernel's own that were written." },
	{ "partial", COUNTER, "partial_events_total", NULL, "Events written that lack a detail." },
	{ "lost_total", COUNTER, NULL, NULL, "Lost, of all causes." },
	{ "lost_by", COUNTER, "lost_events_total", "call_and_rule", "Events lost, by call and rule: the most of them." },
	{ "lost_", COUNTER, "lost_total", "cause", "Lost, by cause." },
	{ "balance", TEXT, "balance_info", NULL, "Whether all that was produced is written or counted as lost." },
	{ "unaccounted", NUMBER, "unaccounted_events", NULL, "Events produced that are neither written nor counted as lost." },
	{ "log_file", TEXT, "log_file_info", NULL, "The log." },
	{ "log_bytes", NUMBER, "log_bytes", NULL, "The size of the log file." },
	{ "log_rotations", COUNTER, "log_rotations_total", NULL, "How often the log got a new file." },
	{ "in_doubt", COUNTER, "in_doubt_events_total", NULL, "Events written that may be missing on the disk." },
	{ "log_state", TEXT, "log_state_info", NULL, "Whether the log is being written." },
	{ "plugins", NUMBER, "plugins", NULL, "Plugins that are configured and active." },
	{ "plugin_state", TEXT, "plugin_state_info", "plugin", "Whether a plugin runs." },
	{ "plugin_waiting", NUMBER, "plugin_waiting_records", "plugin", "Records in a plugin's queue." },
	{ "plugin_written", COUNTER, "plugin_records_total", "plugin", "Records that a plugin got." },
	{ "plugin_lost", COUNTER, "plugin_lost_records_total", "plugin", "Records that its queue had no room for." },
	{ "plugin_restarts", COUNTER, "plugin_restarts_total", "plugin", "How often a plugin was started again." },
	{ "last_error", TEXT, "last_error_info", NULL, "What last went wrong." },
};

static int fits(const struct laf_status_field *field, const char *name)
{
	size_t len = strlen(field->name);

	return field->name[len - 1] == '_' ? !strncmp(field->name, name, len) : !strcmp(field->name, name);
}

const struct laf_status_field *laf_status_field(const char *name)
{
	static const struct laf_status_field unknown = { "", NUMBER, NULL, NULL, "" };
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fits(&fields[i], name))
			return &fields[i];
	return &unknown;
}
