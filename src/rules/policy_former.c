// SPDX-License-Identifier: GPL-2.0-or-later
/* Where names led when the rules were compiled before: a rule goes with the folder that it was made for when this is moved, and
 * holds for the name when that comes again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy_build.h"

/* By number of the name: what it leads to, and what it led to before a folder was moved. */
struct policy_former {
	struct policy_pool texts;
	struct policy_spot *now, *was;
};

static bool same_file(const struct policy_id *a, const struct policy_id *b)
{
	return a->ino == b->ino && a->dev == b->dev && (!a->dated || !b->dated || a->generation == b->generation);
}

/* The file that the kernel side has seen to have the name since. */
static void recall_file(const struct laf_policy_recall *recall, const char *text, uint32_t len, struct policy_spot *spot)
{
	struct laf_watch_key key = { .ino = spot->folder.ino, .dev = spot->folder.dev };
	struct laf_watch watch;
	uint32_t last = len;

	while (last && text[last - 1] != '/')
		last--;
	key.len = len - last;
	if (!recall->watch || key.len > LAF_WATCH_NAME_MAX)
		return;
	memcpy(key.name, text + last, key.len);
	if (!recall->watch(recall->arg, &key, &watch))
		return;
	spot->has_file = watch.known;
	spot->file = (struct policy_id){ .ino = watch.ino, .dev = watch.dev, .generation = watch.generation,
					 .dated = watch.dated };
}

/* A folder that was left goes with its file; else, if it was a folder itself, what was left is the file. An inode that has no
 * generation could be another file by now. */
static void keep(const struct policy_spot *former, struct policy_spot *was)
{
	bool folder = former->has_folder && former->folder.dated;

	if (was->has_folder || (!folder && was->has_file))
		return;
	*was = *former;
	was->has_folder = folder;
	was->has_file &= former->file.dated;
}

/* Only what it has left. */
static void drop_same(const struct policy_spot *now, struct policy_spot *was)
{
	if (was->has_folder && now->has_folder && same_file(&was->folder, &now->folder))
		was->has_folder = false;
	if (was->has_file && now->has_file && same_file(&was->file, &now->file))
		was->has_file = false;
}

void policy_former_find(const struct policy_build *b, const char *text, uint32_t len, const struct policy_spot *now,
			struct policy_spot *ret_was)
{
	const struct policy_former *former = b->recall && b->recall->previous ? b->recall->previous->former : NULL;
	uint32_t at = former ? policy_pool_find(&former->texts, text, len, policy_hash(text, len)) : POOL_NONE;
	struct policy_spot left, before;

	memset(ret_was, 0, sizeof(*ret_was));
	if (at == POOL_NONE)
		return;
	left = former->now[at];
	before = former->was[at];
	if (left.has_folder && !(now->has_folder && same_file(&left.folder, &now->folder)))
		recall_file(b->recall, text, len, &left);
	else if (before.has_folder)
		recall_file(b->recall, text, len, &before);
	drop_same(now, &left);
	drop_same(now, &before);
	keep(&left, ret_was);
	keep(&before, ret_was);
}

int policy_former_new(struct policy_build *b)
{
	struct policy_former *former = calloc(1, sizeof(*former));

	b->policy->former = former;
	if (!former)
		return -ENOMEM;
	former->now = calloc(b->n_names + 1, sizeof(*former->now));
	former->was = calloc(b->n_names + 1, sizeof(*former->was));
	if (!former->now || !former->was)
		return -ENOMEM;
	for (size_t i = 0; i < b->n_names; i++) {
		former->now[i] = policy_spot_of(b, &b->names[i]);
		former->was[i] = b->names[i].was;
	}
	former->texts = b->name_texts;
	memset(&b->name_texts, 0, sizeof(b->name_texts));
	return 0;
}

void policy_former_free(struct policy_former *former)
{
	if (!former)
		return;
	policy_pool_clear(&former->texts);
	free(former->now);
	free(former->was);
	free(former);
}
