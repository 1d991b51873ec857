/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of settings: for config.c alone. */
#ifndef LAF_CONFIG_SETTINGS_H
#define LAF_CONFIG_SETTINGS_H

#include "config.h"

/* A laf_config_set_fn; arg: struct laf_config. */
int laf_config_set(void *arg, const char *name, char *value, const char *option, const char **ret_wants);

void laf_config_defaults(struct laf_config *config);

/* Fill config->node. Returns 0 or a negative errno with err filled. */
int laf_config_set_node(struct laf_config *config, struct laf_error *err);

#endif
