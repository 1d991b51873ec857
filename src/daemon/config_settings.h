/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of settings: for config.c alone. */
#ifndef LAF_CONFIG_SETTINGS_H
#define LAF_CONFIG_SETTINGS_H

#include "config.h"

/* Set `name` to `value` (may be changed), with the word `option` after it ("" where there is none). Returns 0, -ENOENT where there is
 * no such setting, else -EINVAL with *ret_wants saying what it takes. */
int laf_config_set(struct laf_config *config, const char *name, char *value, const char *option,
		   const char **ret_wants);

void laf_config_defaults(struct laf_config *config);

/* Fill config->node. Returns 0 or a negative errno with err filled. */
int laf_config_set_node(struct laf_config *config, struct laf_error *err);

#endif
