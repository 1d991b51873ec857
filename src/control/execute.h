/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carrying out auditctl's commands on a copy of what is in force, with the texts and exit statuses that auditctl and the kernel have
 * for them. Putting the copy in force is the caller's. */
#ifndef LAF_CONTROL_EXECUTE_H
#define LAF_CONTROL_EXECUTE_H

#include <libaudit.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <laf/rules.h>

#include "../rules/parse.h"
#include "control.h"

/* What -e, -f, -r, -b and --backlog_wait_time say. */
struct laf_settings {
	uint32_t enabled; /* 0, 1, 2 = locked */
	uint32_t failure;
	uint32_t rate_limit;
	uint32_t backlog_limit;
	uint32_t backlog_wait_time; /* ticks */
};

/* As the kernel starts. */
#define LAF_SETTINGS_INIT { .enabled = 1, .failure = 1, .backlog_limit = 64, .backlog_wait_time = 60 * 250 }

/* The rest of what auditctl -s shows. */
struct laf_live {
	uint32_t pid;
	uint32_t lost;    /* since --reset-lost */
	uint32_t backlog;
	uint32_t backlog_wait_time_actual;
	bool loginuid_immutable, loginuid_locked;
};

/* Who asks, as records name him. */
struct laf_who {
	pid_t pid;
	uint32_t uid, auid, ses;
	char subj[256]; /* "" = there is none */
};

/* The process as /proc shows it; what it doesn't show is unset. */
void laf_who_read(pid_t pid, struct laf_who *ret);

struct laf_execution {
	struct laf_rules rules;       /* the copy */
	struct laf_settings settings; /* the copy */
	bool changes_rules;
	bool resets_lost;
	bool sets_loginuid;           /* --loginuid-immutable: for the kernel to do */
	const struct laf_who *who;
	const struct laf_live *live;
	FILE *out, *err;              /* what auditctl would print */
	FILE *changes, *refusals;     /* bodies of CONFIG_CHANGE records, a line each */
	bool places;                  /* errors as "file:line:column: text; hint" */
	bool auditctl;                /* LAF_CONTROL_AUDITCTL */
	bool file;                    /* it is a file that is carried out */
	bool sent;                    /* a rule was sent, as auditctl would see it */
	/* while a file is read: */
	bool ignores_errors, reports_errors; /* as -i and -c say */
	unsigned left_out;                   /* lines that these let pass */
};

#define LAF_EXECUTE_REFUSED 255

/* One command. Returns auditctl's exit status: 0, or 255; or -ENOMEM. */
int laf_execute_command(struct laf_execution *x, const struct laf_words *words, struct laf_error *err);

/* A rule file, as auditctl -R does. Returns 0, 1 for one that says -c and has bad lines, or -EINVAL with err filled for a bad line that
 * ended it, or another negative errno. */
int laf_execute_file(struct laf_execution *x, FILE *f, const char *name, struct laf_error *err);

/* Either kind of request. Returns auditctl's exit status, 0, 1 or 255. *ret_commit: the copy is to come in force. */
int laf_execute_request(struct laf_execution *x, const struct laf_control_request *request, bool *ret_commit);

#endif
