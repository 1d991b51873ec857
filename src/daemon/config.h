/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon's configuration file: `name = value` lines, named as in auditd.conf where auditd has them. */
#ifndef LAF_CONFIG_H
#define LAF_CONFIG_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include <laf/error.h>
#include <laf/record.h>

#include "../netlink/netlink.h"
#include "../sink/plugin.h"
#include "../sink/settings.h"

#define LAF_CONFIG_FILE "/etc/laf/laf.conf"
#define LAF_CONFIG_RULES_MAX 64

enum laf_name_format {
	LAF_NAME_FORMAT_NONE,
	LAF_NAME_FORMAT_HOSTNAME,
	LAF_NAME_FORMAT_FQD,
	LAF_NAME_FORMAT_NUMERIC,
	LAF_NAME_FORMAT_USER,
};

struct laf_plugin_settings {
	char folder[PATH_MAX];  /* plugin_dir */
	unsigned q_depth;       /* records */
	unsigned overflow_action; /* enum laf_plugin_overflow */
	unsigned max_restarts;
};

struct laf_config {
	struct laf_log_settings log;
	struct laf_plugin_settings plugins;
	unsigned format;          /* log_format: enum laf_format */
	unsigned name_format;     /* enum laf_name_format */
	char name[256];           /* name = …, for USER */
	char node[256];           /* what these two make of each record's node=; "" = none */
	unsigned priority_boost;
	unsigned verify_email;    /* does action_mail_acct have to look like an address? */
	char state_file[PATH_MAX]; /* written on SIGCONT; "" = state, in the folder of the control socket */
	char engine[32];          /* engine = auto | tracepoint; "" = auto */
	unsigned ring_kib;        /* of each processor's ring; 0 = the engine's default */
	unsigned kernel_records;  /* enum laf_netlink_mode */
	char *rules[LAF_CONFIG_RULES_MAX]; /* rules_file = FILE, may be repeated */
	unsigned n_rules;
};

/* Fill with the defaults, then with what `path` says; NULL: LAF_CONFIG_FILE if it is there. Nobody but root may be able to write or
 * replace the file. Returns 0 or a negative errno with err filled; then nothing is owned. */
int laf_config_read(struct laf_config *config, const char *path, struct laf_error *err);

/* The same from an open stream, whoever may write it, without looking up the name for `node`. */
int laf_config_read_stream(struct laf_config *config, FILE *f, struct laf_error *err);

void laf_config_clear(struct laf_config *config);

#endif
