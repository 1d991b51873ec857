/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plugins by auditd's protocol: programs that read records from standard input, and readers of a Unix socket. None of them is waited
 * for: each has a queue, and what it has no room for is lost to it and counted. */
#ifndef LAF_SINK_PLUGIN_H
#define LAF_SINK_PLUGIN_H

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define LAF_PLUGIN_ARGS 8
#define LAF_PLUGINS_MAX 64

enum laf_plugin_kind {
	LAF_PLUGIN_PROGRAM,
	LAF_PLUGIN_SOCKET, /* builtin_af_unix: the arguments are its mode and its path */
};

struct laf_plugin_config {
	char name[256]; /* of its file */
	unsigned active;
	unsigned builtin;  /* type = builtin */
	unsigned binary;   /* format = binary */
	char path[PATH_MAX];
	char args[512];    /* as they stand in the file */
};

/* Text that waits for one or more plugins. */
struct laf_plugin_item {
	unsigned users, records;
	size_t bytes;
	char text[];
};

struct laf_plugin {
	struct laf_plugin_config config;
	enum laf_plugin_kind kind;
	int fd;            /* to write to; -1: it does not run, nobody is connected */
	int listen_fd;
	char socket_path[108];
	pid_t pid;
	ino_t inode;       /* of the program */
	bool given_up, suspended, seen;
	unsigned restarts;
	struct laf_plugin_item **queue; /* a ring of `room` */
	unsigned first, n, room;
	unsigned records;  /* in the queue */
	size_t offset;     /* bytes of the first that are written */
	char *frame;       /* of a binary plugin: the record that is being written; NULL for others */
	size_t framed;     /* bytes of it that are written */
	uint64_t written;  /* records */
	uint64_t lost;     /* records that found no room */
	bool told_lost;
};

enum laf_plugin_overflow {
	LAF_OVERFLOW_IGNORE,
	LAF_OVERFLOW_SYSLOG,
	LAF_OVERFLOW_SUSPEND,
	LAF_OVERFLOW_SINGLE,
	LAF_OVERFLOW_HALT,
};

struct laf_plugins {
	struct laf_plugin *list[LAF_PLUGINS_MAX];
	unsigned n;
	pid_t leaving[LAF_PLUGINS_MAX]; /* told to end, and not yet collected */
	unsigned n_leaving;
	unsigned q_depth; /* records */
	unsigned overflow_action;
	unsigned max_restarts;
	bool enriched;    /* the version in a binary header */
	const char *init_command;
	void (*say)(void *arg, int priority, const char *text);
	void *say_arg;
};

/* Run what `configs` name, and nothing else: what runs already goes on, and is sent SIGHUP if `hup`. What can't be started is told. */
void laf_plugins_set(struct laf_plugins *plugins, const struct laf_plugin_config *configs, unsigned n, bool hup);

/* The lines of one event (records > 0), or one line that is none. A laf_sink's tee; arg: struct laf_plugins. */
void laf_plugins_take(void *arg, const char *text, size_t bytes, unsigned records);

/* Write what they have room for; start again those that ended, if they may be. */
void laf_plugins_feed(struct laf_plugins *plugins);

/* Which descriptors to wait for, for writing. Returns how many of up to LAF_PLUGINS_MAX. */
unsigned laf_plugins_poll(const struct laf_plugins *plugins, struct pollfd *fds);

/* "running", "waiting" (for a reader), "suspended" or "given up". */
const char *laf_plugin_state(const struct laf_plugin *p);

/* For a person: `name = value` lines. */
void laf_plugins_write_state(const struct laf_plugins *plugins, FILE *f);

/* Try again what a full queue suspended. */
void laf_plugins_resume(struct laf_plugins *plugins);

/* Give them `ms` for what is in their queues, as long again to end, and again after SIGTERM; then kill them. */
void laf_plugins_close(struct laf_plugins *plugins, unsigned ms);

#endif
