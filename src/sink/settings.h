/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the log files are kept; names, values and meaning are those of auditd.conf(5). */
#ifndef LAF_SINK_SETTINGS_H
#define LAF_SINK_SETTINGS_H

#include <limits.h>
#include <sys/types.h>

enum laf_flush {
	LAF_FLUSH_NONE,
	LAF_FLUSH_INCREMENTAL,       /* fsync() after `freq` records */
	LAF_FLUSH_INCREMENTAL_ASYNC, /* the same, beside the writing */
	LAF_FLUSH_DATA,              /* O_DSYNC */
	LAF_FLUSH_SYNC,              /* O_SYNC */
};

enum laf_action {
	LAF_ACTION_IGNORE,
	LAF_ACTION_SYSLOG,
	LAF_ACTION_ROTATE,
	LAF_ACTION_EMAIL,
	LAF_ACTION_EXEC,
	LAF_ACTION_SUSPEND,
	LAF_ACTION_SINGLE,
	LAF_ACTION_HALT,
	LAF_ACTION_KEEP_LOGS, /* for max_log_file_action alone: rotate, and remove nothing */
};

struct laf_reaction {
	unsigned action; /* enum laf_action */
	char exe[PATH_MAX]; /* for LAF_ACTION_EXEC */
};

/* A limit of free space. */
struct laf_space {
	unsigned mib;
	unsigned percent; /* of the file system, where it is not 0: instead of mib */
};

struct laf_log_settings {
	char file[PATH_MAX];
	unsigned write_logs;     /* 0: to plugins only */
	gid_t group;             /* who may read the files beside root; 0: nobody */
	unsigned flush;          /* enum laf_flush */
	unsigned freq;           /* records */
	unsigned num_logs;       /* files, with the current one; below 2 nothing is rotated */
	unsigned max_log_mib;
	unsigned max_log_action; /* enum laf_action */
	unsigned max_log_age_s;  /* rotate what is older; 0: never */
	unsigned compress_from;  /* rotated logs of this number and above are compressed; 0: none */
	struct laf_space space_left;
	struct laf_reaction space_left_action;
	struct laf_space admin_space_left;
	struct laf_reaction admin_space_left_action;
	struct laf_reaction disk_full_action;
	struct laf_reaction disk_error_action;
	char mail_account[256];
	char mail_command[PATH_MAX]; /* as sendmail(8) */
	char init_command[PATH_MAX]; /* is run with 1 for single-user mode, 0 to halt */
};

#endif
