// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a message of the kernel's audit: at most one line comes of it, and it is one line. */
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libaudit.h>

#include <laf/record.h>

#include "../../src/netlink/netlink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The machine's databases are not what is tried here. */
int getpwuid_r(uid_t uid, struct passwd *user, char *buf, size_t size, struct passwd **ret)
{
	*ret = NULL;
	if (uid != 1 || size < 2)
		return 0;
	strcpy(buf, "u");
	user->pw_name = buf;
	*ret = user;
	return 0;
}

int getgrgid_r(gid_t gid, struct group *group, char *buf, size_t size, struct group **ret)
{
	*ret = NULL;
	return 0;
}

static void check_line(const char *line, size_t bytes)
{
	if (!bytes || bytes > MAX_AUDIT_MESSAGE_LENGTH || memchr(line, '\n', bytes) != line + bytes - 1 ||
	    memchr(line, 0, bytes))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct laf_formatter *raw, *enriched;
	struct laf_netlink_record record = { 0 };
	const char *text, *line;
	size_t bytes;

	if (!raw && (laf_formatter_new(LAF_FORMAT_RAW, NULL, &raw) ||
		     laf_formatter_new(LAF_FORMAT_ENRICHED, NULL, &enriched)))
		abort();
	if (laf_netlink_parse(data, size, &record, &text))
		return 0;
	if ((const uint8_t *)text + record.len > data + size)
		abort();
	if (!laf_format_text(raw, record.type, record.time_ms, text, record.len, &line, &bytes))
		check_line(line, bytes);
	if (!laf_format_text(enriched, record.type, record.time_ms, text, record.len, &line, &bytes))
		check_line(line, bytes);
	return 0;
}
