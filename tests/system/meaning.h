/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the meaning test: random rule sets (meaning_rules.c), the calls that they are about (meaning_work.c), what
 * was recorded of them (meaning_log.c), both audits under one set of rules (meaning.c). */
#ifndef MEANING_H
#define MEANING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Where the calls are made, and what rules can name of it. */
struct place {
	char work[64], memory[64]; /* a folder on the disk, one on tmpfs */
	char self[256], other[256]; /* programs that make calls */
	unsigned disk_type, dev_major, dev_minor;
	unsigned long inodes[8];
	unsigned n_inodes;
	pid_t server;
	unsigned session;
	bool sees_names; /* the engine sees where every name leads */
};

#define MARK 4242 /* the auid of all that is looked at */
#define RULES 8
#define PARTS 12

/* One rule as words: "-a" or "-A", list and action, and then pairs of an option and its value. */
struct rule {
	bool prepend;
	char list[24];
	unsigned n;
	struct part {
		const char *option;
		char value[160];
		bool fixed; /* not to be taken away */
	} part[PARTS];
};

struct set {
	unsigned n;
	struct rule rule[RULES];
};

void set_make(struct set *set, const struct place *place, uint64_t seed);
void rule_string(const struct rule *rule, char *buf, size_t size);

void work_prepare(struct place *place);
void work_clear(const struct place *place);
/* In the process that makes the calls; returns when all of them and all that it started have ended. */
void work_run(const struct place *place);
/* The numbers of the calls that it makes, as the rest of a rule: "-S a,b,…". */
extern const char work_calls[], work_calls_32[];

/* What one audit recorded: a line an event, in the order of its process. */
struct log_line {
	unsigned pid;
	unsigned long serial;
	char text[512];
	uint64_t types[2]; /* records, from 1300 on */
};

struct log {
	struct log_line *lines;
	size_t n, room;
};

/* Take one record in ("audit(T:SERIAL): …"); those of another process than the marked ones' are left out. */
void log_record(struct log *log, unsigned type, const char *text, size_t len, const struct place *place);
/* The same of lines "type=T msg=audit(…): …". */
void log_lines(struct log *log, const char *text, size_t len, const struct place *place);
void log_sort(struct log *log);
/* The first that differs: false, with both lines (NULL = none). */
bool log_equal(const struct log *a, const struct log *b, const char **ret_a, const char **ret_b);
void log_clear(struct log *log);

#endif
