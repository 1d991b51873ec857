// SPDX-License-Identifier: GPL-2.0-or-later
/* The system log is told of losses, or the machine panics. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "../clock.h"
#include "failure.h"

enum { SILENT, TELL, PANIC };

#define TELL_EVERY_MS 1000 /* as the kernel's audit has it with a rate limit; without one it tells each loss */
#define SYNC_S 1           /* for the disks, before a panic */

/* LAF_SYSRQ: for tests, which must leave the machine alone. */
static int open_sysrq(void)
{
	const char *path = getenv("LAF_SYSRQ");

	return open(path ? path : "/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
}

void laf_failure_set(struct laf_failure *failure, uint32_t mode, uint64_t lost)
{
	laf_failure_close(failure);
	failure->mode = mode;
	failure->heeded = lost;
	if (mode != PANIC)
		return;
	failure->sysrq_fd = open_sysrq();
	if (failure->sysrq_fd < 0)
		syslog(LOG_DAEMON | LOG_ERR, "-f 2: this machine can't be made to panic: /proc/sysrq-trigger: %m; losses are told");
}

/* The kernel's own log is what is left of a machine that panicked. */
static void tell_kernel(const char *text)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	char line[512];

	if (fd < 0)
		return;
	if (write(fd, line, snprintf(line, sizeof(line), "<0>laf: %s; the machine panics, as -f 2 asks\n", text)) < 0)
		syslog(LOG_DAEMON | LOG_ERR, "/dev/kmsg: %m");
	close(fd);
}

/* A disk that does not answer must not save the machine: the kernel syncs beside us. */
static void panic(struct laf_failure *failure, const char *text, struct laf_sink *sink)
{
	laf_sink_flush(sink);
	tell_kernel(text);
	if (write(failure->sysrq_fd, "s", 1) == 1)
		nanosleep(&(struct timespec){ .tv_sec = SYNC_S }, NULL);
	if (write(failure->sysrq_fd, "c", 1) < 0)
		syslog(LOG_DAEMON | LOG_CRIT, "-f 2: the machine does not panic: %m");
}

void laf_failure_heed(struct laf_failure *failure, const struct laf_recorder_loss *loss, struct laf_sink *sink)
{
	bool panics = failure->mode == PANIC && failure->sysrq_fd >= 0;
	uint64_t now_ms = clock_ms(CLOCK_MONOTONIC);
	char text[400], causes[256];

	if (loss->total <= failure->heeded || failure->mode == SILENT)
		return;
	if (!panics && now_ms - failure->told_ms < TELL_EVERY_MS)
		return;
	laf_loss_text(loss, causes, sizeof(causes));
	snprintf(text, sizeof(text), "audit: %llu events lost, %llu in all%s",
		 (unsigned long long)(loss->total - failure->heeded), (unsigned long long)loss->total, causes);
	failure->heeded = loss->total;
	failure->told_ms = now_ms;
	syslog(LOG_DAEMON | LOG_ERR, "%s", text);
	if (panics)
		panic(failure, text, sink);
}

void laf_failure_close(struct laf_failure *failure)
{
	if (failure->sysrq_fd >= 0)
		close(failure->sysrq_fd);
	failure->sysrq_fd = -1;
}
