// SPDX-License-Identifier: GPL-2.0-or-later
/* Loading rules into the kernel's audit, and taking them out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kaudit.h"
#include "load.h"

static int append(struct laf_rules *rules, const struct audit_rule_data *data)
{
	struct laf_rule *grown = realloc(rules->list, (rules->n + 1) * sizeof(*grown));
	uint32_t bytes = laf_kaudit_rule_bytes(data);

	if (!grown)
		return -ENOMEM;
	rules->list = grown;
	grown[rules->n] = (struct laf_rule){ .data = malloc(bytes) };
	if (!grown[rules->n].data)
		return -ENOMEM;
	memcpy(grown[rules->n++].data, data, bytes);
	return 0;
}

static bool is_wanted(const struct audit_rule_data *data, bool all)
{
	return all || data->flags == AUDIT_FILTER_USER || data->flags == AUDIT_FILTER_EXCLUDE;
}

/* What is to be loaded, in order. */
static int choose(const struct laf_rules *rules, bool all, struct laf_rules *ret)
{
	char *keep_tasks_out[] = { "-a", "never,task" };
	int r = all ? 0 : laf_rules_add_words(ret, 2, keep_tasks_out, NULL);

	for (size_t i = 0; !r && i < rules->n; i++)
		if (is_wanted(rules->list[i].data, all))
			r = append(ret, rules->list[i].data);
	return r;
}

static bool equal(const struct audit_rule_data *a, const struct audit_rule_data *b)
{
	return a->buflen == b->buflen && !memcmp(a, b, laf_kaudit_rule_bytes(a));
}

/* From the last to `n`. */
static void shorten(int fd, struct laf_rules *loaded, size_t n)
{
	while (loaded->n > n) {
		struct laf_rule *last = &loaded->list[--loaded->n];

		laf_kaudit_delete_rule(fd, last->data); /* a watch may have gone with its folder */
		free(last->data);
	}
}

static int refused(const struct laf_rule *rule, int r, struct laf_error *err)
{
	char text[256];

	laf_rule_string(rule, text, sizeof(text));
	return laf_error_set(err, r, "kernel audit: loading the rule %s: %s", text, strerror(-r));
}

int laf_load_rules(int fd, struct laf_rules *loaded, const struct laf_rules *rules, bool all, struct laf_error *err)
{
	struct laf_rules wanted = { 0 };
	size_t same = 0;
	int r = choose(rules, all, &wanted);

	while (!r && same < loaded->n && same < wanted.n && equal(loaded->list[same].data, wanted.list[same].data))
		same++;
	if (!r)
		shorten(fd, loaded, same);
	for (size_t i = same; !r && i < wanted.n; i++) {
		r = laf_kaudit_add_rule(fd, wanted.list[i].data);
		if (r)
			refused(&wanted.list[i], r, err);
		else
			r = append(loaded, wanted.list[i].data);
	}
	laf_rules_clear(&wanted);
	return r == -ENOMEM ? laf_error_set(err, r, "kernel audit: out of memory") : r;
}

void laf_unload_rules(int fd, struct laf_rules *loaded)
{
	shorten(fd, loaded, 0);
	laf_rules_clear(loaded);
}

static void keep(void *arg, const struct audit_rule_data *rule)
{
	append(arg, rule);
}

void laf_unload_all(int fd)
{
	struct laf_rules rules = { 0 };

	laf_kaudit_list_rules(fd, keep, &rules);
	laf_unload_rules(fd, &rules);
}
