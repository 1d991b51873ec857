// SPDX-License-Identifier: GPL-2.0-or-later
/* The command laf: finds the subcommand. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "auditctl.h"
#include "cli.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "run", laf_cmd_run, "audit one command and everything it starts" },
	{ "daemon", laf_cmd_daemon, "audit the whole machine into a log file" },
	{ "rules", laf_cmd_rules, "check rule files; list and change the running daemon's rules" },
	{ "status", laf_cmd_status, "say how the running daemon is" },
	{ "top", laf_cmd_top, "say which rules and programs fill the log" },
	{ "cleanup", laf_cmd_cleanup, "end what a daemon that crashed left recording" },
	{ "probe", laf_cmd_probe, "say what this machine allows" },
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *to)
{
	unsigned i;

	fprintf(to, "usage: laf COMMAND [ARGUMENTS]\n\n");
	for (i = 0; i < N_COMMANDS; i++)
		fprintf(to, "  laf %-8s %s\n", commands[i].name, commands[i].help);
	fprintf(to, "\n'laf COMMAND --help' says more; 'laf --version' the version.\n");
}

int laf_cli_fail(int code, const struct laf_error *err)
{
	bool wants_root = (code == -EPERM || code == -EACCES) && geteuid() && !strstr(err->text, "as root");
	char text[1024];

	laf_error_string(err, text, sizeof(text));
	for (char *s = text; *s; s++) /* a file may hold anything, a terminal should not get it */
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
	fprintf(stderr, "laf: %s%s\n", text, wants_root ? "; run it as root" : "");
	return 1;
}

/* If a standard descriptor is closed, the next file that is opened gets its number, and messages would go there. In its place
 * stands one that gives the same error; the command of laf run gets it closed. */
static void keep_standard_fds(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC) < 0)
			return;
}

/* What was printed must have arrived. Returns the exit status. */
static int finish_output(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "laf: writing to standard output: %s\n", strerror(errno));
	return status ? status : 1;
}

/* What libbpf has to say is in our own messages. */
static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

static int run_command(int argc, char **argv)
{
	unsigned i;

	if (argc < 2) {
		usage(stderr);
		return 1;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("laf " LAF_VERSION);
		return 0;
	}
	for (i = 0; i < N_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "laf: there is no command '%s'; 'laf --help' lists them\n", argv[1]);
	return 1;
}

static bool called_as(const char *name, char **argv)
{
	const char *slash = argv[0] ? strrchr(argv[0], '/') : NULL;

	return argv[0] && !strcmp(slash ? slash + 1 : argv[0], name);
}

int main(int argc, char **argv)
{
	keep_standard_fds();
	libbpf_set_print(silent);
	return finish_output(called_as("auditctl", argv) ? laf_auditctl(argc, argv) : run_command(argc, argv));
}
