/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking a running daemon over its socket, and answering: one request and one reply a connection. */
#ifndef LAF_CONTROL_H
#define LAF_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <laf/error.h>

#define LAF_CONTROL_REQUEST_MAX (64u << 20) /* bytes: a rule file of 65,536 watches has some 8 MiB */
#define LAF_CONTROL_CLIENTS_MAX 16
#define LAF_CONTROL_IDLE_MS 5000 /* a client that neither reads nor writes for so long is let go */

/* Where a daemon and its clients meet: /run/laf, or what the environment's LAF_RUN says. */
const char *laf_run_folder(void);

/* ---- What is asked and answered ---- */

enum laf_control_what {
	LAF_CONTROL_STATUS = 1, /* nothing more. Out: lines "name=value" */
	LAF_CONTROL_COMMAND,    /* a command of auditctl's: its words, each ended by NUL. Also -l, -s, -D, -e … */
	LAF_CONTROL_FILE,       /* a rule file: its name, NUL, its text. All of it or nothing, but for -i and -c */
	LAF_CONTROL_RULES,      /* nothing more. Out: the rules as laf_rules_store() has them */
	LAF_CONTROL_TOP,        /* nothing more. Out: lines "name=value" and "name{which}=EVENTS BYTES" */
};

/* Errors as "file:line:column: text; hint" instead of auditctl's lines. */
#define LAF_CONTROL_PLACES 0x100
/* To the letter as auditctl does it: what comes before a fault stays done. In the answer to a file, lines for standard error that auditctl
 * would write to the system log begin with this byte. */
#define LAF_CONTROL_AUDITCTL 0x200
#define LAF_CONTROL_TO_SYSLOG '\1'

struct laf_control_request {
	uint32_t what; /* enum laf_control_what, or'ed with LAF_CONTROL_PLACES, LAF_CONTROL_AUDITCTL */
	size_t bytes;
	char *body;    /* a NUL stands behind its end */
};

struct laf_control_reply {
	int status;     /* the exit status that auditctl would have: 0, 1 or 255 */
	char *out;      /* for standard output, ended by NUL */
	size_t out_bytes;
	char *err;      /* for standard error */
	size_t err_bytes;
};

void laf_control_reply_clear(struct laf_control_reply *reply);

/* ---- The client ---- */

/* Each asks the daemon that listens in `folder` (NULL: laf_run_folder()), waits for its answer, and fills *ret, which
 * laf_control_reply_clear() frees. Returns 0, or a negative errno with err filled: -ECONNREFUSED or -ENOENT: there is no daemon,
 * -EPERM: it does not talk to us, -EPIPE: it ended or was busy, -EMSGSIZE, -ENOMEM. What the daemon refuses is no error here, but in
 * the reply's status and text. `flags`: LAF_CONTROL_PLACES, LAF_CONTROL_AUDITCTL. */
int laf_control_status(const char *folder, struct laf_control_reply *ret, struct laf_error *err);

/* argv: auditctl's words without the program's name. The answer to a change of rules under a lock is the kernel's, EPERM;
 * what auditctl itself says then it finds out by asking for the status. */
int laf_control_command(const char *folder, unsigned flags, int argc, char *const argv[],
			struct laf_control_reply *ret, struct laf_error *err);

/* Reads the file, and refuses it for what auditctl refuses it for: also -ENOENT, -EPERM, -EINVAL. */
int laf_control_file(const char *folder, unsigned flags, const char *file, struct laf_control_reply *ret,
		     struct laf_error *err);

/* What `laf top` is made of: counts since the daemon's start. */
int laf_control_top(const char *folder, struct laf_control_reply *ret, struct laf_error *err);

/* The rules in force, in an empty set. Also -EBADMSG. */
struct laf_rules;
int laf_control_rules(const char *folder, struct laf_rules *ret, struct laf_error *err);

/* ---- The server ---- */

struct laf_control;

/* Answer one request of the process `pid`. Fill *ret with allocated texts; what is left NULL is empty. */
typedef void (*laf_control_fn)(void *arg, pid_t pid, const struct laf_control_request *request,
			       struct laf_control_reply *ret);

/* Listen in `folder`. Who listened there before is cut off: see to it that nobody does. Returns 0 or a negative errno with err filled. */
int laf_control_open(const char *folder, struct laf_control **ret, struct laf_error *err);
void laf_control_close(struct laf_control *control); /* NULL is allowed */

/* Readable when laf_control_serve() has something to do. */
int laf_control_fd(const struct laf_control *control);

/* Do what can be done without waiting for anybody. */
void laf_control_serve(struct laf_control *control, laf_control_fn fn, void *arg);

#endif
