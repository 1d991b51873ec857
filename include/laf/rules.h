/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Audit rules: from auditctl's words to struct audit_rule_data, and back to text. */
#ifndef LAF_RULES_H
#define LAF_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <laf/error.h>

struct audit_rule_data; /* <libaudit.h> */

/* In one set; more is an error that says so. */
#define LAF_RULES_MAX 4096    /* rules without path= and dir= */
#define LAF_WATCHES_MAX 65536 /* rules with one of them, be they written -w or -a */

/* One rule as the kernel would take it. `data` is owned by the set. */
struct laf_rule {
	struct audit_rule_data *data; /* flags: the filter list, with AUDIT_FILTER_PREPEND stripped */
	char *file;                   /* where it came from, NULL = the command line */
	unsigned line;
	uint32_t hash;                /* of data, so that equal rules are found fast */
};

/* An ordered set of rules: list[0] is examined first (-A put it there). */
struct laf_rules {
	struct laf_rule *list;
	size_t n;
	size_t allocated;
	size_t n_watches;
	struct laf_index_entry *index; /* finds an equal rule */
	size_t index_size;
};

void laf_rules_clear(struct laf_rules *rules); /* free what it holds; it can be used again */

/* Add the rule that `argc` words of auditctl's language describe: -a/-A list,action … or -w path …, without
 * the program's name. What auditctl and the kernel together accept is accepted, with all checks of the kernel
 * made here; err->text is what auditctl would say, err->hint what the kernel kept to itself or a name that
 * was probably meant. On failure nothing is added; err->column is the 1-based index in bytes of the word at
 * fault when the words are joined by single spaces. Returns 0; -EINVAL, -EEXIST; -ENOENT when all that is
 * wrong is an absent folder (path= and exe= need that of the file, dir= needs itself); -ENOTDIR, -ELOOP or
 * -ENAMETOOLONG for other paths that lead nowhere; -E2BIG beyond LAF_RULES_MAX or LAF_WATCHES_MAX; -ENOMEM. */
int laf_rules_add_words(struct laf_rules *rules, int argc, char *const argv[], struct laf_error *err);

/* Called once for each line that is not blank or a comment; err is NULL for a good one.
 * `control` tells a line that is no rule to add but a setting (-D, -b, -f, -e, -r, -c, -i, …) or a deletion.
 * Return 0 to go on; anything else stops the reading, and laf_rules_read_file() returns it. */
typedef int (*laf_rules_line_fn)(void *arg, const char *file, unsigned line, const char *text,
				 bool control, const struct laf_error *err);

/* Read a rule file as `auditctl -R` does: -D clears the set, -d and -W take a rule out of it, other settings
 * are checked but not acted on. All or nothing: at the first bad line the set stays as it was, err says where
 * and what, unless the file said -i or -c before. With `fn` (or NULL), all lines are tried and fn hears of
 * each. Pointers into the set's rules are stale afterwards. Returns 0; 1 if all went well but for bad lines
 * behind -c; or a negative errno with err filled, err->line = 0 for a fault of the file itself (-ENOENT,
 * -EPERM for one not owned by root or world writable, …), else that of laf_rules_add_words(). */
int laf_rules_read_file(struct laf_rules *rules, const char *path, laf_rules_line_fn fn, void *arg,
			struct laf_error *err);

/* The rule as `auditctl -l` prints it, without newline. Returns its length as snprintf does. (auditctl -l
 * goes by lists: those with a lower AUDIT_FILTER_… first; within a list it has the set's order.) */
int laf_rule_string(const struct laf_rule *rule, char *buf, size_t size);

/* Does one of its keys hold that text? (`-k` of auditctl's -l and -D.) "" is in every rule. */
bool laf_rule_has_key(const struct laf_rule *rule, const char *text);

/* Write the rules that have the key, as `auditctl -l` prints them: list by list. Where the set is empty, "No rules". */
void laf_rules_write(const struct laf_rules *rules, const char *key, FILE *to);

/* All keys of the rule, joined by \001 (as the kernel keeps them). Returns NULL and *ret_len 0 without a key.
 * Owned by the rule. */
const char *laf_rule_key(const struct laf_rule *rule, size_t *ret_len);

/* The value of the first string field of that type (AUDIT_WATCH, AUDIT_DIR, AUDIT_EXE, …) or NULL.
 * Owned by the rule, not NUL-terminated: *ret_len bytes. */
const char *laf_rule_field_string(const struct laf_rule *rule, unsigned field, size_t *ret_len);

#endif
