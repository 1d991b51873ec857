/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon's configuration file: `name = value` lines, named as in auditd.conf where auditd has them. */
#ifndef LAF_CONFIG_H
#define LAF_CONFIG_H

#include <limits.h>
#include <stdint.h>

#include <laf/error.h>
#include <laf/record.h>

#include "../netlink/netlink.h"

#define LAF_CONFIG_FILE "/etc/laf/laf.conf"
#define LAF_CONFIG_RULES_MAX 64

enum laf_name_format {
	LAF_NAME_FORMAT_NONE,
	LAF_NAME_FORMAT_HOSTNAME,
	LAF_NAME_FORMAT_USER,
};

struct laf_config {
	char log_file[PATH_MAX];  /* log_file = /var/log/laf/audit.log */
	enum laf_format format;   /* log_format = RAW | ENRICHED */
	enum laf_name_format name_format; /* NONE | HOSTNAME | USER */
	char name[256];           /* name = …, for USER */
	char node[256];           /* what these two make of each record's node=; "" = none */
	char engine[32];          /* engine = auto | tracepoint; "" = auto */
	uint32_t ring_bytes;      /* ring_kib = 16384, of each processor */
	enum laf_netlink_mode kernel_records; /* kernel_records = auto | seat | multicast | no */
	char *rules[LAF_CONFIG_RULES_MAX]; /* rules_file = FILE, may be repeated */
	unsigned n_rules;
};

/* Fill with the defaults, then with what `path` says; NULL: LAF_CONFIG_FILE if it is there. The file must belong to root and be
 * writable by nobody else. Returns 0 or a negative errno with err filled; then nothing is owned. */
int laf_config_read(struct laf_config *config, const char *path, struct laf_error *err);
void laf_config_clear(struct laf_config *config);

#endif
