/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to the kernel's audit and orders to it, each with its answer. */
#ifndef LAF_KAUDIT_H
#define LAF_KAUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include <libaudit.h>

/* Returns a socket, or a negative errno: -EPROTONOSUPPORT where the kernel has no audit. */
int laf_kaudit_open(void);

/* Each waits for the kernel's answer, for LAF_KAUDIT_WAIT_MS at most, and passes over what else comes on this socket. Returns 0, the
 * kernel's negative errno, or -ETIMEDOUT. */
#define LAF_KAUDIT_WAIT_MS 5000

int laf_kaudit_get(int fd, struct audit_status *ret);
/* `mask`: AUDIT_STATUS_…, one of them; the others of `status` are not looked at. */
int laf_kaudit_set(int fd, uint32_t mask, const struct audit_status *status);
int laf_kaudit_add_rule(int fd, const struct audit_rule_data *rule);
int laf_kaudit_delete_rule(int fd, const struct audit_rule_data *rule);

int laf_kaudit_get_features(int fd, struct audit_features *ret);
int laf_kaudit_set_features(int fd, const struct audit_features *features);

/* All rules, one after the other, each valid during the call. */
typedef void (*laf_kaudit_rule_fn)(void *arg, const struct audit_rule_data *rule);
int laf_kaudit_list_rules(int fd, laf_kaudit_rule_fn fn, void *arg);

/* Ask for the status without waiting: the answer comes on this socket as a message AUDIT_GET. */
int laf_kaudit_request_status(int fd);

/* Messages are the kernel's alone: returns the bytes of the next, 0 for one that is somebody else's, or a negative errno. */
int laf_kaudit_receive(int fd, void *message, unsigned size);

static inline uint32_t laf_kaudit_rule_bytes(const struct audit_rule_data *rule)
{
	return sizeof(*rule) + rule->buflen;
}

#endif
