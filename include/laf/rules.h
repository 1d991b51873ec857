/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Audit rules: from auditctl's words to struct audit_rule_data, and back to text. */
#ifndef LAF_RULES_H
#define LAF_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include <laf/error.h>

struct audit_rule_data; /* <libaudit.h> */

#define LAF_RULES_MAX 4096 /* rules in one set; more is an error that says so */

/* One rule as the kernel would take it. `data` is owned by the set. */
struct laf_rule {
	struct audit_rule_data *data; /* flags: the filter list, with AUDIT_FILTER_PREPEND stripped */
	char *file;                   /* where it came from, NULL = the command line */
	unsigned line;
};

/* An ordered set of rules: list[0] is examined first (-A put it there). */
struct laf_rules {
	struct laf_rule *list;
	size_t n;
	size_t allocated;
};

void laf_rules_clear(struct laf_rules *rules); /* free what it holds; it can be used again */

/* Add the rule that `argc` words of auditctl's language describe: -a/-A list,action … or -w path …, without the
 * program's name. On failure nothing is added; err->column is the 1-based index in bytes of the word at fault when the words are
 * joined by single spaces. Returns 0, -EINVAL, -EEXIST, -E2BIG, -ENOMEM. */
int laf_rules_add_words(struct laf_rules *rules, int argc, char *const argv[], struct laf_error *err);

/* Called once for each line that is not blank or a comment; err is NULL for a good one.
 * `control` tells a line that is no rule but a setting (-D, -b, -f, -e, -r, -c, -i, …). Return 0 to go on. */
typedef int (*laf_rules_line_fn)(void *arg, const char *file, unsigned line, const char *text,
				 bool control, const struct laf_error *err);

/* Read a rule file as `auditctl -R` does. All or nothing: at the first bad line nothing of the file is added, err
 * says where and what, unless the file says -i or -c. With `fn`, all lines are tried and fn hears of each.
 * Returns 0 or a negative errno (-EINVAL for a bad line, else that of the file). */
int laf_rules_read_file(struct laf_rules *rules, const char *path, laf_rules_line_fn fn, void *arg,
			struct laf_error *err);

/* The rule as `auditctl -l` prints it, without newline. Returns its length as snprintf does. */
int laf_rule_string(const struct laf_rule *rule, char *buf, size_t size);

/* All keys of the rule, joined by \001 (as the kernel keeps them). Returns NULL and *ret_len 0 without a key. Owned by the rule. */
const char *laf_rule_key(const struct laf_rule *rule, size_t *ret_len);

/* The value of the first string field of that type (AUDIT_WATCH, AUDIT_DIR, AUDIT_EXE, …) or NULL.
 * Owned by the rule, not NUL-terminated: *ret_len bytes. */
const char *laf_rule_field_string(const struct laf_rule *rule, unsigned field, size_t *ret_len);

#endif
