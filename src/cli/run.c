// SPDX-License-Identifier: GPL-2.0-or-later
/* laf run: audit one command and everything it starts. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../daemon/readrules.h"
#include "../daemon/recorder.h"
#include "../daemon/repath.h"
#include "cli.h"
#include "run_args.h"

#define READ_EVERY_MS 20 /* how long an event may wait in a ring that is not full */

static const char help[] =
"usage: laf run [RULE]... [-R FILE]... [-o FILE] [--format short|raw|enriched] [--] COMMAND [ARGUMENT]...\n"
"\n"
"Audits COMMAND and every process it starts, and nothing else, also those that outlive it.\n"
"\n"
"  RULE                  a rule in auditctl's words; -a, -A or -w begins the next one, as in\n"
"                        laf run -a always,exit -F arch=b64 -S openat -k x -w /etc -p wa -- make\n"
"  -R FILE               take rules from a file, as auditctl -R does\n"
"  -o FILE               append to FILE instead of writing to standard error\n"
"  --format FORMAT       short: a readable line an event (the default on a terminal);\n"
"                        raw, enriched: the standard audit log\n"
"  --engine NAME         use this engine\n"
"  --ring-kib N          the size of each processor's ring (16384)\n"
"  -q, --quiet           no closing line\n"
"\n"
"Without rules: programs started, files opened for writing or changed, connections made.\n"
"The exit status is the command's.\n";

struct run {
	struct run_args args;
	char file[PATH_MAX]; /* the command's program */
	struct rlimit files, memory; /* as they were: the command gets them so */
	struct laf_recorder recorder;
	struct laf_repath repath;
	struct laf_sink sink;
	struct laf_formatter *formatter;
	pid_t pid;
	int pidfd;
	int failed; /* the child writes an errno here where the command can't be started */
	int status;
	bool ended;
};

static volatile sig_atomic_t interrupted, terminated;
static void (*pipe_action)(int number); /* what SIGPIPE was to do when laf was started: so it is for the command */

static void on_signal(int number)
{
	if (number == SIGTERM || number == SIGHUP)
		terminated = number;
	else
		interrupted = 1;
}

/* In the child: stop until the parent has marked us, so that nothing before the command's own start is audited. */
static void become_command(const struct run *run, int failed_fd)
{
	char **command = run->args.command;
	const char *file = run->file;
	char *shell[3] = { "sh", (char *)file, NULL };
	int error;

	setrlimit(RLIMIT_NOFILE, &run->files);
	setrlimit(RLIMIT_MEMLOCK, &run->memory);
	signal(SIGPIPE, pipe_action);
	syscall(SYS_kill, getpid(), SIGSTOP);
	execve(file, command, environ);
	error = errno;
	if (error == ENOEXEC && !command[1]) {
		execve("/bin/sh", shell, environ);
		error = errno;
	}
	if (write(failed_fd, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(error == ENOENT ? 127 : 126);
}

/* Find the command as a shell does. Returns 0 or -ENOENT. */
static int find_command(const char *word, char ret_file[PATH_MAX])
{
	const char *path = getenv("PATH"), *end;
	struct stat st;

	if (strchr(word, '/')) {
		snprintf(ret_file, PATH_MAX, "%s", word);
		return 0;
	}
	for (; path; path = *end ? end + 1 : NULL) {
		end = strchrnul(path, ':');
		snprintf(ret_file, PATH_MAX, "%.*s%s%s", (int)(end - path), path, end == path ? "" : "/", word);
		if (!access(ret_file, X_OK) && !stat(ret_file, &st) && S_ISREG(st.st_mode))
			return 0;
	}
	return -ENOENT;
}

/* Make the child; it is stopped when this returns. */
static int start_child(struct run *run, struct laf_error *err)
{
	int failed[2];

	if (pipe2(failed, O_CLOEXEC))
		return laf_error_set(err, -errno, "run: making a pipe: %s", strerror(errno));
	run->pid = fork();
	if (run->pid < 0)
		return laf_error_set(err, -errno, "run: starting a process: %s", strerror(errno));
	if (!run->pid)
		become_command(run, failed[1]);
	close(failed[1]);
	run->failed = failed[0];
	run->pidfd = syscall(SYS_pidfd_open, run->pid, 0);
	if (run->pidfd < 0 || waitpid(run->pid, &run->status, WUNTRACED) < 0)
		return laf_error_set(err, -errno, "run: following the command's process: %s", strerror(errno));
	return 0;
}

static void catch_signals(void)
{
	struct sigaction act = { .sa_handler = on_signal };

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGQUIT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	pipe_action = signal(SIGPIPE, SIG_IGN); /* a reader that goes away is an error of writing, no end */
}

static int open_all(struct run *run, struct laf_error *err)
{
	struct laf_engine_options options = {
		.name = run->args.engine, .ring_bytes = run->args.ring_bytes, .scoped = true, .hold = true,
	};
	int r;

	r = laf_formatter_new(run->args.format, NULL, &run->formatter);
	if (r)
		return laf_error_set(err, r, "run: out of memory");
	r = laf_repath_open(&run->repath, &run->recorder, &run->args.rules, err);
	if (!r)
		r = laf_recorder_open(&run->recorder, &options, &run->args.rules, run->formatter, &run->sink, err);
	if (r)
		return r; /* and no empty file is left behind */
	laf_repath_start(&run->repath);
	r = run->args.output ? laf_sink_open(&run->sink, run->args.output, 0600, err)
			     : laf_sink_open_fd(&run->sink, STDERR_FILENO, "standard error");
	if (!r)
		laf_recorder_join(&run->recorder);
	if (!r)
		r = start_child(run, err);
	if (!r)
		r = laf_engine_mark(run->recorder.engine, run->pidfd, err);
	return r;
}

static bool scope_is_empty(struct run *run)
{
	struct laf_engine_stats stats;

	return run->ended && !laf_engine_get_stats(run->recorder.engine, &stats) && stats.ended >= stats.marked;
}

/* One turn: what came, who ended, what was asked of us. */
static void turn(struct run *run)
{
	struct pollfd fds[] = {
		{ .fd = laf_engine_fd(run->recorder.engine), .events = POLLIN },
		{ .fd = run->ended ? -1 : run->pidfd, .events = POLLIN },
	};
	int number;

	poll(fds, 2, READ_EVERY_MS);
	laf_recorder_read(&run->recorder, false);
	laf_repath_check(&run->repath);
	if (!run->ended && waitpid(run->pid, &run->status, WNOHANG) == run->pid) {
		run->ended = true;
		interrupted = terminated = 0; /* that was for the command */
	}
	if (run->ended)
		return;
	interrupted = 0; /* the terminal gives its ^C to the command itself */
	number = terminated;
	terminated = 0;
	if (number)
		kill(run->pid, number);
}

static void follow(struct run *run)
{
	kill(run->pid, SIGCONT);
	/* once the command has ended, a signal ends the wait for what it left behind */
	while (!scope_is_empty(run) && !(run->ended && (interrupted || terminated)))
		turn(run);
	laf_recorder_read(&run->recorder, true);
}

static void say_end(struct run *run)
{
	char text[512];
	int r = laf_recorder_finish(&run->recorder, false);

	if (r)
		fprintf(stderr, "laf: log: writing to %s: %s\n", run->sink.name, strerror(-r));
	if (run->args.quiet)
		return;
	laf_recorder_summary(&run->recorder, text, sizeof(text));
	fprintf(stderr, "laf: %s\n", text);
}

/* The command's exit status, as a shell gives it. */
static int exit_status(struct run *run)
{
	int error;

	if (read(run->failed, &error, sizeof(error)) == sizeof(error)) {
		fprintf(stderr, "laf: run: starting %s: %s\n", run->args.command[0], strerror(error));
		return error == ENOENT ? 127 : 126;
	}
	return WIFSIGNALED(run->status) ? 128 + WTERMSIG(run->status) : WEXITSTATUS(run->status);
}

static void close_all(struct run *run)
{
	laf_repath_close(&run->repath);
	laf_sink_close(&run->sink);
	laf_recorder_close(&run->recorder, false);
	laf_formatter_free(run->formatter);
	run_args_clear(&run->args);
}

int laf_cmd_run(int argc, char **argv)
{
	static struct run run = { .sink.fd = -1, .pidfd = -1, .repath.fd = -1 };
	struct laf_error err = { 0 };
	int r = run_args_parse(argc, argv, &run.args, &err), status;

	if (r == 1) {
		fputs(help, stdout);
		return 0;
	}
	if (r)
		return laf_cli_fail(r, &err);
	if (find_command(run.args.command[0], run.file)) {
		fprintf(stderr, "laf: run: there is no command '%s'\n", run.args.command[0]);
		run_args_clear(&run.args);
		return 127;
	}
	laf_warn_lists(&run.args.rules, false, false);
	getrlimit(RLIMIT_NOFILE, &run.files);
	getrlimit(RLIMIT_MEMLOCK, &run.memory);
	catch_signals();
	r = open_all(&run, &err);
	if (r) {
		if (run.pid > 0)
			kill(run.pid, SIGKILL);
		close_all(&run);
		return laf_cli_fail(r, &err);
	}
	follow(&run);
	status = exit_status(&run);
	say_end(&run);
	close_all(&run);
	return status;
}
