/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands. Each takes its own words, argv[0] being its name, and returns the exit status. */
#ifndef LAF_CLI_H
#define LAF_CLI_H

#include <laf/error.h>

#define LAF_VERSION "0.1"

int laf_cmd_run(int argc, char **argv);
int laf_cmd_daemon(int argc, char **argv);
int laf_cmd_rules(int argc, char **argv);
int laf_cmd_status(int argc, char **argv);
int laf_cmd_top(int argc, char **argv);
int laf_cmd_cleanup(int argc, char **argv);
int laf_cmd_probe(int argc, char **argv);

/* `laf rules` on the running daemon: argv[0] is list, add, delete, clear or load. */
int laf_rules_of_daemon(int argc, char **argv);

/* Print "laf: " and the error, with its place, to stderr; `code`: the negative errno that came with it. Returns 1, the exit
 * status of a fault. */
int laf_cli_fail(int code, const struct laf_error *err);

#endif
