// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel engine: the kernel's own audit carries out the rules, for machines whose BPF can't be used. Its events come as text, and
 * the rules go to it, over netlink (src/netlink): nothing comes out of rings here. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../netlink/kaudit.h"
#include "engine.h"

static bool usable(char *why, size_t size)
{
	struct audit_status status;
	int fd = laf_kaudit_open(), r = fd < 0 ? fd : laf_kaudit_get(fd, &status);

	if (fd >= 0)
		close(fd);
	snprintf(why, size, r ? "the kernel's audit does not answer: %s" : "the kernel's own audit, through netlink",
		 strerror(-r));
	return !r;
}

static int open_kernel(struct laf_engine *engine, const struct laf_engine_options *options,
		       const struct laf_policy *policy, struct laf_error *err)
{
	int r;

	if (options->scoped)
		return laf_error_set(err, -ENOTSUP, "engine: kernel: the kernel's audit can't follow one command alone; "
				     "laf run needs another engine");
	r = laf_rings_open(&engine->rings, NULL, 0, 0);
	return r ? laf_error_set(err, r, "engine: kernel: %s", strerror(-r)) : 0;
}

static void close_kernel(struct laf_engine *engine)
{
}

/* The rules that the policy was made of are loaded by laf_netlink_set_rules(). */
static int set_policy(struct laf_engine *engine, const struct laf_policy *policy, struct laf_error *err)
{
	engine->generation++;
	return 0;
}

static int mark(struct laf_engine *engine, int pidfd, struct laf_error *err)
{
	return -ENOTSUP;
}

static int get_stats(struct laf_engine *engine, struct laf_engine_stats *ret)
{
	return 0;
}

const struct laf_engine_ops laf_engine_kernel = {
	.name = LAF_ENGINE_KERNEL,
	.usable = usable,
	.open = open_kernel,
	.close = close_kernel,
	.set_policy = set_policy,
	.mark = mark,
	.get_stats = get_stats,
};
