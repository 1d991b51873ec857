/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One plugin: for plugin*.c alone. */
#ifndef LAF_SINK_PLUGIN_RUN_H
#define LAF_SINK_PLUGIN_RUN_H

#include "plugin.h"

__attribute__((format(printf, 4, 5)))
void laf_plugin_say(struct laf_plugins *plugins, const struct laf_plugin *p, int priority, const char *format, ...);

/* One that can't be started is given up, and that is told. */
void laf_plugin_start(struct laf_plugins *plugins, struct laf_plugin *p);
void laf_plugin_feed(struct laf_plugins *plugins, struct laf_plugin *p);
void laf_plugin_empty(struct laf_plugin *p);

/* Close its input, and send it a signal (0: none). Never waits: it is among the leaving then. Frees p. */
void laf_plugin_end(struct laf_plugins *plugins, struct laf_plugin *p, int number);

/* Those that are leaving: collect who has ended; send a signal to the others. */
void laf_plugins_reap(struct laf_plugins *plugins);
void laf_plugins_signal(struct laf_plugins *plugins, int number);

#endif
