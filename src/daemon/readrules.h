/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a rule file for use, with a word on standard error about lines that it lets pass. */
#ifndef LAF_READRULES_H
#define LAF_READRULES_H

#include <laf/rules.h>

/* As laf_rules_read_file(): a bad line is an error, and nothing of the file is taken, unless the file says -i or -c; then the good lines are
 * taken and a sentence on standard error says how many were left out. Returns 0 or a negative errno with err filled. */
int laf_read_rules(struct laf_rules *rules, const char *path, struct laf_error *err);

/* Say on standard error how many of the rules are of lists that are not acted on: io_uring but with the engine that is the kernel's audit
 * (`engine`), user but where the kernel filters `messages` for us. */
void laf_warn_lists(const struct laf_rules *rules, bool engine, bool messages);

#endif
