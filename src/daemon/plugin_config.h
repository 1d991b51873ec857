/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of plugin_dir. */
#ifndef LAF_PLUGIN_CONFIG_H
#define LAF_PLUGIN_CONFIG_H

#include <stdio.h>

#include <laf/error.h>

#include "config.h"

/* Read one file; *ret is what it says, active or not. Returns 0 or a negative errno with err filled (but for err->file). */
int laf_plugin_config_read_stream(struct laf_plugin_config *ret, FILE *f, struct laf_error *err);

/* Run what the folder names as active. Files with a fault are told and passed over. */
void laf_plugins_load(struct laf_plugins *plugins, const struct laf_config *config, bool hup);

#endif
