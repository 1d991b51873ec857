// SPDX-License-Identifier: GPL-2.0-or-later
/* `name = value` lines, as auditd.state has them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../control/control.h"
#include "state.h"

static void file_name(const struct laf_config *config, char name[PATH_MAX])
{
	if (config->state_file[0])
		snprintf(name, PATH_MAX, "%s", config->state_file);
	else
		snprintf(name, PATH_MAX, "%s/state", laf_run_folder());
}

static void write_text(const struct laf_log *log, const struct laf_plugins *plugins, struct laf_recorder *recorder, FILE *f)
{
	char now[64], events[512];
	time_t t = time(NULL);
	struct tm tm;

	strftime(now, sizeof(now), "%x %X", localtime_r(&t, &tm));
	laf_recorder_summary(recorder, events, sizeof(events));
	fprintf(f, "audit version = laf-0.1\ncurrent time = %s\nprocess priority = %d\nevents = %s\n", now,
		getpriority(PRIO_PROCESS, 0), events);
	laf_log_write_state(log, f);
	laf_plugins_write_state(plugins, f);
}

/* A new file each time: one that somebody put there is neither followed nor written to. */
void laf_state_write(const struct laf_config *config, const struct laf_log *log, const struct laf_plugins *plugins,
		     struct laf_recorder *recorder)
{
	char name[PATH_MAX];
	FILE *f;
	int fd;

	file_name(config, name);
	unlink(name);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	f = fdopen(fd, "w");
	if (!f) {
		close(fd);
		return;
	}
	write_text(log, plugins, recorder, f);
	fchmod(fd, 0640);
	fclose(f);
}

void laf_state_remove(const struct laf_config *config)
{
	char name[PATH_MAX];

	file_name(config, name);
	unlink(name);
}
