// SPDX-License-Identifier: GPL-2.0-or-later
/* A signal says who sent it; for the rest /proc is asked, and, if the sender has gone, the kernel's audit, which knows who
 * signalled its daemon last. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <libaudit.h>

#include "../control/execute.h"
#include "signals.h"

#define UNSET 4294967295u

int laf_signals_open(int *ret_fd, struct laf_error *err)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT, SIGQUIT };
	sigset_t set;
	unsigned i;

	sigemptyset(&set);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&set, numbers[i]);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return laf_error_set(err, -errno, "daemon: signals: %s", strerror(errno));
	signal(SIGPIPE, SIG_IGN);
	*ret_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return *ret_fd < 0 ? laf_error_set(err, -errno, "daemon: signals: %s", strerror(errno)) : 0;
}

/* The auid by the kernel's audit, if it is the same sender. */
static uint32_t ask_kernel(pid_t pid)
{
	struct audit_reply reply;
	uint32_t auid = UNSET;
	int fd = audit_open(), tries;

	if (fd < 0)
		return UNSET;
	if (audit_request_signal_info(fd) > 0)
		for (tries = 0; tries < 10 && audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0) >= 0; tries++)
			if (reply.type == AUDIT_SIGNAL_INFO && reply.signal_info->pid == pid)
				auid = reply.signal_info->uid;
	audit_close(fd);
	return auid;
}

static void learn_sender(struct laf_signal *signal)
{
	struct laf_who who;

	laf_who_read(signal->pid, &who);
	signal->auid = who.auid;
	signal->ses = who.ses;
	memcpy(signal->subj, who.subj, sizeof(signal->subj));
	if (signal->auid == UNSET)
		signal->auid = ask_kernel(signal->pid);
	if (signal->auid == UNSET)
		signal->auid = signal->uid;
}

bool laf_signals_take(int fd, struct laf_signal *ret)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return false;
	*ret = (struct laf_signal){ .number = info.ssi_signo, .pid = info.ssi_pid, .uid = info.ssi_uid };
	learn_sender(ret);
	return true;
}
