/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One command of auditctl's language: its words to what they ask for. */
#ifndef LAF_RULES_PARSE_H
#define LAF_RULES_PARSE_H

#include <libaudit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/error.h>

#include "text.h"
#include "text_option.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 0x07 /* kernel 5.16; absent from older headers */
#endif

enum laf_command_kind {
	LAF_COMMAND_SETTING, /* nothing about rules: -b, -e, -s, …, or an action that auditctl swallows */
	LAF_COMMAND_ADD,
	LAF_COMMAND_DELETE,
	LAF_COMMAND_CLEAR,
};

#define LAF_COMMAND_SETTINGS_MAX 16 /* in one command */

/* -e, -f, -r, -b or --backlog_wait_time, by the option's name, and its value. */
struct laf_command_setting {
	int name;
	uint32_t value;
};

/* A line that auditctl prints while it reads a command: a warning or a fault. */
struct laf_said {
	char *text;
	bool direct; /* to standard error, whatever else goes to the system log */
};

struct laf_command {
	enum laf_command_kind kind;
	struct laf_said *said;        /* in the order in which it is said */
	unsigned n_said;
	struct laf_command_setting settings[LAF_COMMAND_SETTINGS_MAX]; /* in the order of the words */
	unsigned n_settings;
	bool sets_first;             /* one of them stands before the rule's list */
	int act;                     /* an option that asks for something at once: -l, -s, -D, -m, …; 0 = none */
	const char *text;            /* what -m, -q or --signal is about; one of the words */
	bool interpret;              /* -i behind -l or -s */
	struct audit_rule_data *rule; /* ADD and DELETE; flags: the list, with AUDIT_FILTER_PREPEND for -A */
	unsigned columns[AUDIT_MAX_FIELDS];  /* where each field of the rule was written */
	unsigned column;                     /* where the command starts */
	char key[AUDIT_MAX_KEY_LEN + 1];     /* CLEAR, -l: only rules whose key holds this; "" = all */
	bool swallowed;                      /* the action "possible": accepted, and nothing comes of it */
	bool ignores_errors;                 /* -i, -c: go on behind a bad line */
	bool reports_errors;                 /* -c: but tell in the end */
};

/* Returns 0, -EINVAL with err filled (column and text), -ENOENT for an absent user of -q, or -ENOMEM. What
 * the kernel would say to the rule is not asked here. err->line is the line's number, 0 for none. To be freed in
 * any case: on failure there is no rule, but ret->kind tells what it would have been, and `said` what auditctl says. */
int laf_command_parse(const struct laf_words *words, struct laf_command *ret, struct laf_error *err);
void laf_command_free(struct laf_command *command);

/* ---- For the files of this stage that know one group of options each ---- */

#define LAF_LIST_UNSET AUDIT_FILTER_UNSET

/* The state of auditctl while it walks over one command. */
struct laf_parse {
	struct laf_command *command;
	struct laf_error *err;
	struct laf_options options;
	unsigned n_words;
	int add, del;   /* filter list, or LAF_LIST_UNSET */
	int action;     /* -1 = not said */
	bool list_given; /* by -a, -A or -d: only one of them */
	bool excludes;
	uint32_t arch;  /* 0 = not said, and no call named either */
	bool has_call, has_perm, has_exe, has_fstype; /* a key needs one of them */
	bool listed;    /* -l was met: -k belongs to it */
	char key[AUDIT_MAX_KEY_LEN + 1];
	unsigned key_column;
	bool any_option; /* was met */
	bool direct;     /* what is said goes to standard error in any case: so it is with -F and -C */
	bool stop;      /* nothing more is looked at */
	bool stop_clean; /* nor does auditctl mind what follows */
	bool send;      /* a rule is complete enough to be sent */
};

/* The list that a field would go to. */
static inline int laf_parse_list(const struct laf_parse *p)
{
	int list = p->add != LAF_LIST_UNSET ? p->add : p->del;

	return list == LAF_LIST_UNSET ? list : list & AUDIT_FILTER_MASK;
}

/* Fill p->err, and say so; returns -EINVAL. */
__attribute__((format(printf, 3, 4)))
int laf_parse_fail(struct laf_parse *p, unsigned column, const char *format, ...);
/* The same where auditctl says nothing, or something else. */
__attribute__((format(printf, 3, 4)))
int laf_parse_fail_unsaid(struct laf_parse *p, unsigned column, const char *format, ...);
__attribute__((format(printf, 2, 3)))
void laf_parse_say(struct laf_parse *p, const char *format, ...);
__attribute__((format(printf, 2, 3)))
void laf_parse_hint(struct laf_parse *p, const char *format, ...);

/* Each takes one option. 0 or a negative errno with p->err filled. */
int laf_parse_call(struct laf_parse *p, const struct laf_option *o);    /* -S */
int laf_parse_watch(struct laf_parse *p, const struct laf_option *o);   /* -w -W */
int laf_parse_perm(struct laf_parse *p, const struct laf_option *o);    /* -p */
int laf_parse_compare(struct laf_parse *p, const struct laf_option *o); /* -C */
int laf_parse_setting(struct laf_parse *p, const struct laf_option *o); /* what is no part of a rule */

/* One "field op value", as -F has it. `text` is left as it was. */
int laf_field_add(struct laf_parse *p, const char *text, unsigned column);

#endif
