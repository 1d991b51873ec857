/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands. Each takes its own words, argv[0] being its name, and returns the exit status. */
#ifndef LAF_CLI_H
#define LAF_CLI_H

int laf_cmd_rules(int argc, char **argv);

#endif
