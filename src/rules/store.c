// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules to bytes and back: only the fields that are there, since most of a struct audit_rule_data is empty. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "list.h"
#include "store.h"
#include "valid.h"

#define MAGIC 0x3152414cu /* "LAR1" */

struct set_head {
	uint32_t magic;
	uint32_t n_rules;
};

struct rule_head {
	uint32_t flags, action, field_count, buflen;
	uint32_t mask[AUDIT_BITMASK_SIZE];
};

static int put(FILE *to, const void *bytes, size_t n)
{
	return !n || fwrite(bytes, n, 1, to) == 1 ? 0 : -EIO;
}

static int get(FILE *from, void *bytes, size_t n)
{
	return !n || fread(bytes, n, 1, from) == 1 ? 0 : -EBADMSG;
}

static int store_rule(const struct audit_rule_data *data, FILE *to)
{
	struct rule_head head = {
		.flags = data->flags, .action = data->action, .field_count = data->field_count, .buflen = data->buflen,
	};
	size_t words = data->field_count * sizeof(uint32_t);
	int r;

	memcpy(head.mask, data->mask, sizeof(head.mask));
	r = put(to, &head, sizeof(head));
	r = r ? r : put(to, data->fields, words);
	r = r ? r : put(to, data->fieldflags, words);
	r = r ? r : put(to, data->values, words);
	return r ? r : put(to, data->buf, data->buflen);
}

int laf_rules_store(const struct laf_rules *rules, FILE *to)
{
	struct set_head head = { MAGIC, rules->n };
	int r = put(to, &head, sizeof(head));

	for (size_t i = 0; i < rules->n && !r; i++)
		r = store_rule(rules->list[i].data, to);
	return r;
}

static int restore_data(struct audit_rule_data *data, const struct rule_head *head, FILE *from)
{
	size_t words = head->field_count * sizeof(uint32_t);
	struct laf_fault fault;
	int r;

	data->flags = head->flags;
	data->action = head->action;
	data->field_count = head->field_count;
	data->buflen = head->buflen;
	memcpy(data->mask, head->mask, sizeof(head->mask));
	r = get(from, data->fields, words);
	r = r ? r : get(from, data->fieldflags, words);
	r = r ? r : get(from, data->values, words);
	r = r ? r : get(from, data->buf, head->buflen);
	/* a folder may have gone since: that is no fault of the rule */
	return r ? r : laf_rule_valid(data, &fault) == -EINVAL ? -EBADMSG : 0;
}

static int restore_rule(struct laf_rules *rules, FILE *from)
{
	struct audit_rule_data *data;
	struct rule_head head;
	int r = get(from, &head, sizeof(head));

	if (r)
		return r;
	if (head.field_count > AUDIT_MAX_FIELDS || head.buflen > AUDIT_MAX_FIELDS * PATH_MAX ||
	    head.flags > AUDIT_FILTER_MASK || head.action > AUDIT_ALWAYS)
		return -EBADMSG;
	data = calloc(1, sizeof(*data) + head.buflen);
	if (!data)
		return -ENOMEM;
	r = restore_data(data, &head, from);
	if (!r)
		r = laf_rules_append(rules, data);
	if (r)
		free(data);
	return r;
}

int laf_rules_restore(struct laf_rules *rules, FILE *from)
{
	struct set_head head;
	int r = get(from, &head, sizeof(head));

	if (!r && head.magic != MAGIC)
		r = -EBADMSG;
	for (uint32_t i = 0; !r && i < head.n_rules; i++)
		r = restore_rule(rules, from);
	if (r)
		laf_rules_clear(rules);
	return r;
}

/* Takes the descriptor over, also where it fails. */
static int open_stream(int fd, const char *mode, FILE **ret)
{
	FILE *f = fdopen(fd, mode);

	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	*ret = f;
	return 0;
}

static int write_file(const char *path, const void *head, size_t bytes, const struct laf_rules *rules)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600), r;
	FILE *f;

	if (fd < 0)
		return -errno;
	r = open_stream(fd, "w", &f);
	if (r)
		return r;
	r = put(f, head, bytes);
	if (!r)
		r = laf_rules_store(rules, f);
	if (fclose(f) && !r)
		r = -errno;
	return r;
}

int laf_rules_save(const char *path, const void *head, size_t bytes, const struct laf_rules *rules)
{
	char unfinished[PATH_MAX];
	int r;

	if (snprintf(unfinished, sizeof(unfinished), "%s.new", path) >= (int)sizeof(unfinished))
		return -ENAMETOOLONG;
	r = write_file(unfinished, head, bytes, rules);
	return !r && rename(unfinished, path) ? -errno : r;
}

int laf_rules_open_saved(const char *path, void *ret_head, size_t bytes, FILE **ret)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), r;
	struct stat st;
	FILE *f;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 0077)) {
		close(fd);
		return -EPERM;
	}
	r = open_stream(fd, "r", &f);
	if (r)
		return r;
	r = get(f, ret_head, bytes);
	if (r) {
		fclose(f);
		return r;
	}
	*ret = f;
	return 0;
}
