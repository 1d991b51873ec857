// SPDX-License-Identifier: GPL-2.0-or-later
/* Capabilities that are kept, each with its reason. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include <cap-ng.h>

#include "power.h"

static const unsigned kept[] = {
	CAP_BPF, CAP_PERFMON,  /* other rules: maps are written, programs loaded and attached */
	CAP_AUDIT_CONTROL,     /* the kernel's audit: rules in it, its settings, the end */
	CAP_DAC_READ_SEARCH,   /* watched names lie in folders of anybody's */
	CAP_SYS_PTRACE,        /* /proc/PID/exe of who has capabilities that we lack */
	CAP_CHOWN,             /* log_group, of each new log file */
	CAP_SYS_NICE,          /* priority_boost */
	CAP_SYS_RESOURCE,      /* the last blocks of a file system */
};

static bool is_kept(unsigned capability)
{
	for (unsigned i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (kept[i] == capability)
			return true;
	return false;
}

static bool runs_program(const struct laf_reaction *reaction)
{
	return reaction->action == LAF_ACTION_EMAIL || reaction->action == LAF_ACTION_EXEC ||
	       reaction->action == LAF_ACTION_SINGLE || reaction->action == LAF_ACTION_HALT;
}

/* sendmail(8) is often one that wants more rights than its caller's. */
static bool runs_programs(const struct laf_config *config)
{
	const struct laf_log_settings *log = &config->log;

	return runs_program(&log->space_left_action) || runs_program(&log->admin_space_left_action) ||
	       runs_program(&log->disk_full_action) || runs_program(&log->disk_error_action);
}

int laf_power_drop(const struct laf_config *config, bool plugins, struct laf_error *err)
{
	if (capng_get_caps_process())
		return laf_error_set(err, -EIO, "daemon: reading its capabilities failed");
	for (unsigned i = 0; i <= CAP_LAST_CAP; i++)
		if (!is_kept(i) && !(plugins && i == CAP_KILL)) /* SIGHUP and SIGTERM for them */
			capng_update(CAPNG_DROP, CAPNG_EFFECTIVE | CAPNG_PERMITTED | CAPNG_INHERITABLE, i);
	if (capng_apply(CAPNG_SELECT_CAPS))
		return laf_error_set(err, -EPERM, "daemon: giving up capabilities failed");
	if (!runs_programs(config) && !plugins && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return laf_error_set(err, -errno, "daemon: no new privileges: %s", strerror(errno));
	return 0;
}
