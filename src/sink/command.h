/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that are run when something is wrong with the log. */
#ifndef LAF_SINK_COMMAND_H
#define LAF_SINK_COMMAND_H

#include <sys/types.h>

/* Start a program with one argument (or NULL), with PATH alone in its environment and nothing to read; nobody waits for it.
 * Returns 0 or a negative errno. */
int laf_command_run(const char *program, const char *argument);

/* Start the program argv[0], which reads from `in`, as a child of ours. Returns 0 or a negative errno. */
int laf_command_start(char *const argv[], int in, pid_t *ret_pid);

/* Send a mail by a program that takes what sendmail(8) takes. Returns 0 or a negative errno. */
int laf_command_mail(const char *program, const char *account, const char *subject, const char *text);

#endif
