// SPDX-License-Identifier: GPL-2.0-or-later
/* The filesystem list: names that lie on some file systems are left out. Each field of each `never` rule chooses by
 * itself, in whatever order (__audit_inode()); so all of them together are a list, or all but a list. */
#include <errno.h>
#include <stdlib.h>

#include "policy_build.h"

struct choice {
	uint32_t *listed; /* magic numbers that fstype= names */
	size_t n, room;
	bool others; /* fstype!=: all but `kept` */
	bool all;    /* two different fstype!= */
	uint32_t kept;
};

static int choose(struct choice *c, uint32_t op, uint32_t magic)
{
	int error;

	if (op == AUDIT_NOT_EQUAL) {
		c->all |= c->others && c->kept != magic;
		c->others = true;
		c->kept = magic;
		return 0;
	}
	error = policy_grow(&c->listed, &c->room, c->n + 1, sizeof(*c->listed));
	if (!error)
		c->listed[c->n++] = magic;
	return error;
}

static int read_rules(const struct laf_rules *rules, struct choice *c)
{
	for (size_t i = 0; i < rules->n; i++) {
		const struct audit_rule_data *data = rules->list[i].data;

		if (policy_list_of(data) != AUDIT_FILTER_FS || data->action != AUDIT_NEVER)
			continue;
		for (uint32_t k = 0; k < data->field_count; k++) {
			int error = data->fields[k] == AUDIT_FSTYPE ?
				    choose(c, data->fieldflags[k], data->values[k]) : 0;

			if (error)
				return error;
		}
	}
	return 0;
}

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

static bool is_listed(const struct choice *c, uint32_t magic)
{
	return c->n && bsearch(&magic, c->listed, c->n, sizeof(magic), by_number);
}

static int put_type(struct laf_policy *p, uint32_t magic)
{
	struct laf_policy_inode *inodes = realloc(p->inodes, (p->n_inodes + 1) * sizeof(*inodes));

	if (!inodes)
		return -ENOMEM;
	p->inodes = inodes;
	inodes[p->n_inodes++] = (struct laf_policy_inode){ .key = { .ino = magic, .dev = LAF_DEV_FSTYPE } };
	return 0;
}

static int write_types(struct laf_policy *p, const struct choice *c)
{
	int error = 0;

	if (c->others)
		return c->all || is_listed(c, c->kept) ? 0 : put_type(p, c->kept);
	for (size_t i = 0; !error && i < c->n; i++)
		if (!i || c->listed[i] != c->listed[i - 1])
			error = put_type(p, c->listed[i]);
	return error;
}

int policy_filesystems(struct policy_build *b)
{
	struct choice c = { 0 };
	int error = read_rules(b->source, &c);

	if (!error && c.n)
		qsort(c.listed, c.n, sizeof(*c.listed), by_number);
	if (!error)
		error = write_types(b->policy, &c);
	if (!error) {
		policy_lists(b)->filesystems = c.n || c.others;
		policy_lists(b)->flags |= c.others ? LAF_LISTS_KEEP : 0;
	}
	free(c.listed);
	return error;
}
