// SPDX-License-Identifier: GPL-2.0-or-later
/* The set of rules: adding, finding, deleting; what a rule holds. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "index.h"
#include "list.h"
#include "valid.h"

static size_t data_bytes(const struct audit_rule_data *data)
{
	return sizeof(*data) + data->buflen;
}

/* Rules about files are counted apart: there may be many more of them. */
static bool is_watch(const struct audit_rule_data *data)
{
	for (unsigned i = 0; i < data->field_count; i++)
		if (data->fields[i] == AUDIT_WATCH || data->fields[i] == AUDIT_DIR)
			return true;
	return false;
}

static void free_rule(struct laf_rule *rule)
{
	free(rule->data);
	free(rule->file);
}

/* What is left of a rule when it is out of the list. */
static void drop_rule(struct laf_rules *rules, struct laf_rule *rule)
{
	rules->n_watches -= is_watch(rule->data);
	laf_index_remove(rules, rule->data, rule->hash);
	free_rule(rule);
}

/* The first that is equal, as -A can make two. Returns the index, or -1. */
static ssize_t find_rule(const struct laf_rules *rules, const struct audit_rule_data *data)
{
	uint32_t hash = laf_rule_hash(data);

	if (!laf_index_has(rules, data))
		return -1;
	for (size_t i = 0; i < rules->n; i++)
		if (rules->list[i].hash == hash && laf_rule_equal(rules->list[i].data, data))
			return i;
	return -1;
}

static void remove_rule(struct laf_rules *rules, size_t i)
{
	drop_rule(rules, &rules->list[i]);
	rules->n--;
	memmove(&rules->list[i], &rules->list[i + 1], (rules->n - i) * sizeof(rules->list[0]));
}

static int make_room(struct laf_rules *rules)
{
	size_t allocated = rules->allocated ? rules->allocated * 2 : 16;
	struct laf_rule *list;

	if (rules->n < rules->allocated)
		return 0;
	list = realloc(rules->list, allocated * sizeof(*list));
	if (!list)
		return -ENOMEM;
	rules->list = list;
	rules->allocated = allocated;
	return 0;
}

/* Takes `data` over on success. */
static int insert_rule(struct laf_rules *rules, struct audit_rule_data *data, const char *file, unsigned line)
{
	size_t at = data->flags & AUDIT_FILTER_PREPEND ? 0 : rules->n;
	char *file_copy = file ? strdup(file) : NULL;
	uint32_t hash = laf_rule_hash(data);

	if ((file && !file_copy) || make_room(rules) || laf_index_add(rules, data, hash)) {
		free(file_copy);
		return -ENOMEM;
	}
	memmove(&rules->list[at + 1], &rules->list[at], (rules->n - at) * sizeof(rules->list[0]));
	rules->n++;
	rules->n_watches += is_watch(data);
	data->flags &= ~AUDIT_FILTER_PREPEND;
	rules->list[at] =
		(struct laf_rule){ .data = data, .file = file_copy, .line = line, .hash = hash };
	return 0;
}

static bool is_full(const struct laf_rules *rules, const struct audit_rule_data *data)
{
	return is_watch(data) ? rules->n_watches >= LAF_WATCHES_MAX : rules->n - rules->n_watches >= LAF_RULES_MAX;
}

/* The kernel's answer as auditctl words it; what the kernel doesn't say goes to the hint. */
static int fail_sending(const struct laf_command *command, int code, const struct laf_fault *fault,
			struct laf_error *err)
{
	const char *verb = command->kind == LAF_COMMAND_DELETE ? "delete" : "add";

	if (!err)
		return code;
	err->column = fault->field < 0 ? command->column : command->columns[fault->field];
	laf_error_set(err, code, "Error sending %s rule data request (%s)", verb,
		      code == -EEXIST ? "Rule exists" : strerror(-code));
	snprintf(err->hint, sizeof(err->hint), "%s", fault->reason);
	return code;
}

static int add_rule(struct laf_rules *rules, struct laf_command *command, const char *file, unsigned line,
		    struct laf_fault *fault, struct laf_error *err)
{
	/* The kernel compares a new -A rule with its "put in front" flag and old ones without, so that it
	 * never finds an equal one. */
	ssize_t found = find_rule(rules, command->rule);
	int r;

	if (found >= 0) {
		const struct laf_rule *old = &rules->list[found];

		if (old->line)
			snprintf(fault->reason, sizeof(fault->reason), "as line %u", old->line);
		return fail_sending(command, -EEXIST, fault, err);
	}
	r = laf_rule_reachable(command->rule, fault);
	if (r)
		return fail_sending(command, r, fault, err);
	if (is_full(rules, command->rule)) {
		if (err)
			err->column = command->column;
		return laf_error_set(err, -E2BIG, is_watch(command->rule) ? "a rule set holds at most %d watches" :
				     "a rule set holds at most %d rules beside watches",
				     is_watch(command->rule) ? LAF_WATCHES_MAX : LAF_RULES_MAX);
	}
	r = insert_rule(rules, command->rule, file, line);
	if (!r)
		command->rule = NULL;
	return r;
}

static int delete_rule(struct laf_rules *rules, struct laf_command *command, struct laf_fault *fault,
		       struct laf_error *err)
{
	ssize_t found = find_rule(rules, command->rule);

	if (found < 0)
		return fail_sending(command, -ENOENT, fault, err);
	remove_rule(rules, found);
	free(command->rule);
	command->rule = NULL;
	return 0;
}

static void clear_by_key(struct laf_rules *rules, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < rules->n; i++) {
		if (laf_rule_has_key(&rules->list[i], key))
			drop_rule(rules, &rules->list[i]);
		else
			rules->list[kept++] = rules->list[i];
	}
	rules->n = kept;
}

int laf_rules_apply(struct laf_rules *rules, struct laf_command *command, const char *file, unsigned line,
		    struct laf_error *err)
{
	struct laf_fault fault;
	int r;

	if (command->kind == LAF_COMMAND_CLEAR)
		clear_by_key(rules, command->key);
	if (command->kind != LAF_COMMAND_ADD && command->kind != LAF_COMMAND_DELETE)
		return 0;
	r = laf_rule_valid(command->rule, &fault);
	if (r)
		return fail_sending(command, r, &fault, err);
	if (command->kind == LAF_COMMAND_ADD)
		return add_rule(rules, command, file, line, &fault, err);
	return delete_rule(rules, command, &fault, err);
}

void laf_rules_clear(struct laf_rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		free_rule(&rules->list[i]);
	free(rules->list);
	free(rules->index);
	*rules = (struct laf_rules){ 0 };
}

int laf_rules_append(struct laf_rules *rules, struct audit_rule_data *data)
{
	return is_full(rules, data) ? -EBADMSG : insert_rule(rules, data, NULL, 0);
}

int laf_rules_copy(const struct laf_rules *rules, struct laf_rules *ret)
{
	struct laf_rules copy = { 0 };

	for (size_t i = 0; i < rules->n; i++) {
		const struct laf_rule *old = &rules->list[i];
		struct audit_rule_data *data = malloc(data_bytes(old->data));

		if (data)
			memcpy(data, old->data, data_bytes(old->data));
		if (!data || insert_rule(&copy, data, old->file, old->line)) {
			free(data);
			laf_rules_clear(&copy);
			return -ENOMEM;
		}
	}
	*ret = copy;
	return 0;
}

const char *laf_rule_field_string(const struct laf_rule *rule, unsigned field, size_t *ret_len)
{
	const struct audit_rule_data *data = rule->data;
	size_t offset = 0;

	for (unsigned i = 0; i < data->field_count; i++) {
		if (data->fields[i] == field && laf_field_is_string(field)) {
			*ret_len = data->values[i];
			return data->buf + offset;
		}
		if (laf_field_is_string(data->fields[i]))
			offset += data->values[i];
	}
	*ret_len = 0;
	return NULL;
}

const char *laf_rule_key(const struct laf_rule *rule, size_t *ret_len)
{
	return laf_rule_field_string(rule, AUDIT_FILTERKEY, ret_len);
}

bool laf_rule_has_key(const struct laf_rule *rule, const char *text)
{
	size_t len;
	const char *key = laf_rule_key(rule, &len);

	return !text[0] || (key && memmem(key, len, text, strlen(text)));
}

int laf_rules_add_words(struct laf_rules *rules, int argc, char *const argv[], struct laf_error *err)
{
	struct laf_command command = { 0 };
	struct laf_words words;
	int r = laf_words_from_argv(argc, argv, &words);

	if (r)
		return r;
	r = laf_command_parse(&words, &command, err);
	if (!r && command.kind != LAF_COMMAND_ADD && !command.swallowed) {
		if (err)
			err->column = command.column;
		r = laf_error_set(err, -EINVAL, "a rule begins with -a, -A or -w");
	}
	if (!r)
		r = laf_rules_apply(rules, &command, NULL, 0, err);
	laf_command_free(&command);
	laf_words_free(&words);
	return r;
}
