// SPDX-License-Identifier: GPL-2.0-or-later
/* The preemption model in force: from debugfs, else from how the kernel was built. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "preempt.h"

static const char *const names[] = {
	[LAF_PREEMPT_UNKNOWN] = "unknown",
	[LAF_PREEMPT_NONE] = "none",
	[LAF_PREEMPT_VOLUNTARY] = "voluntary",
	[LAF_PREEMPT_LAZY] = "lazy",
	[LAF_PREEMPT_FULL] = "full",
};

const char *laf_preempt_name(enum laf_preempt model)
{
	return names[model];
}

static enum laf_preempt by_name(const char *name, size_t len)
{
	unsigned i;

	for (i = LAF_PREEMPT_NONE; i <= LAF_PREEMPT_FULL; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return i;
	return LAF_PREEMPT_UNKNOWN;
}

/* A debugfs of our own, mounted nowhere. Returns its root's descriptor or -1. */
static int open_debugfs(void)
{
	int fs = syscall(SYS_fsopen, "debugfs", 1 /* FSOPEN_CLOEXEC */), mount = -1;

	if (fs < 0)
		return -1;
	if (!syscall(SYS_fsconfig, fs, 6 /* FSCONFIG_CMD_CREATE */, NULL, NULL, 0))
		mount = syscall(SYS_fsmount, fs, 1 /* FSMOUNT_CLOEXEC */, 0);
	close(fs);
	return mount;
}

/* The model in force stands in parentheses, as in "none (voluntary) full". */
static enum laf_preempt from_debugfs(void)
{
	int mount = open_debugfs(), fd;
	char text[128], *open, *end;
	ssize_t n;

	if (mount < 0)
		return LAF_PREEMPT_UNKNOWN;
	fd = openat(mount, "sched/preempt", O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	close(mount);
	if (n <= 0)
		return LAF_PREEMPT_UNKNOWN;
	text[n] = 0;
	open = strchr(text, '(');
	end = open ? strchr(open, ')') : NULL;
	return end ? by_name(open + 1, end - open - 1) : LAF_PREEMPT_UNKNOWN;
}

/* A kernel without PREEMPT in its version can't be preempted but where it says so itself. */
static enum laf_preempt from_version(void)
{
	struct utsname u;

	if (uname(&u) || strstr(u.version, "PREEMPT_DYNAMIC"))
		return LAF_PREEMPT_UNKNOWN;
	return strstr(u.version, "PREEMPT") ? LAF_PREEMPT_FULL : LAF_PREEMPT_VOLUNTARY;
}

enum laf_preempt laf_preempt_model(void)
{
	enum laf_preempt model = from_debugfs();

	return model != LAF_PREEMPT_UNKNOWN ? model : from_version();
}

bool laf_preempt_skips(void)
{
	enum laf_preempt model = laf_preempt_model();

	return model != LAF_PREEMPT_NONE && model != LAF_PREEMPT_VOLUNTARY;
}
