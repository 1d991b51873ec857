/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel refuses in a rule that auditctl would send it. */
#ifndef LAF_RULES_VALID_H
#define LAF_RULES_VALID_H

#include <libaudit.h>

/* Why, and which field is to blame. */
struct laf_fault {
	int field;        /* index into the rule's fields; -1 = the rule as a whole */
	char reason[128]; /* "" = the error's own name says it all */
};

/* kernel/auditfilter.c: audit_data_to_entry(). Normalises the mask as it does. Returns 0 or what the kernel
 * would: -EINVAL, -ENOENT and others for exe=, -ENAMETOOLONG. */
int laf_rule_valid(struct audit_rule_data *rule, struct laf_fault *ret);

/* The mask as the kernel keeps it: class bits (-S 2032 to 2047) replaced by the calls of the class. */
void laf_rule_spell_classes(struct audit_rule_data *rule);

/* What comes after the check for an equal rule, for path= and dir=: can they be reached? Returns 0, -ENOENT,
 * -ENOTDIR, -ELOOP, -ENAMETOOLONG or -EINVAL. */
int laf_rule_reachable(const struct audit_rule_data *rule, struct laf_fault *ret);

/* A path whose last name may be absent, but not its folder (the kernel's kern_path_parent()). */
int laf_path_parent(const char *path, size_t len, struct laf_fault *ret);

/* A path that must exist; a symbolic link at its end counts as itself. */
int laf_path_exists(const char *path, size_t len, struct laf_fault *ret);

#endif
