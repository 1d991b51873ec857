// SPDX-License-Identifier: GPL-2.0-or-later
/* The set of rules: adding, finding, deleting; what a rule holds. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "list.h"
#include "valid.h"

static size_t data_bytes(const struct audit_rule_data *data)
{
	return sizeof(*data) + data->buflen;
}

static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t n)
{
	const unsigned char *s = bytes;

	while (n--)
		hash = (hash ^ *s++) * 16777619u;
	return hash;
}

/* Equal rules have equal hashes. */
static uint32_t hash_rule(const struct audit_rule_data *data)
{
	uint32_t hash = hash_bytes(2166136261u, data->values, data->field_count * sizeof(data->values[0]));

	hash = hash_bytes(hash, data->fields, data->field_count * sizeof(data->fields[0]));
	hash = hash_bytes(hash, data->mask, sizeof(data->mask));
	return hash_bytes(hash, data->buf, data->buflen);
}

static bool equal_rules(const struct audit_rule_data *a, const struct audit_rule_data *b)
{
	size_t words = a->field_count * sizeof(uint32_t);

	return a->flags == b->flags && a->action == b->action && a->field_count == b->field_count &&
	       a->buflen == b->buflen && !memcmp(a->fields, b->fields, words) &&
	       !memcmp(a->fieldflags, b->fieldflags, words) && !memcmp(a->values, b->values, words) &&
	       !memcmp(a->mask, b->mask, sizeof(a->mask)) && !memcmp(a->buf, b->buf, a->buflen);
}

/* Returns the index, or -1. */
static ssize_t find_rule(const struct laf_rules *rules, const struct audit_rule_data *data)
{
	uint32_t hash = hash_rule(data);

	for (size_t i = 0; i < rules->n; i++)
		if (rules->list[i].hash == hash && equal_rules(rules->list[i].data, data))
			return i;
	return -1;
}

static void free_rule(struct laf_rule *rule)
{
	free(rule->data);
	free(rule->file);
}

static void remove_rule(struct laf_rules *rules, size_t i)
{
	free_rule(&rules->list[i]);
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

	if ((file && !file_copy) || make_room(rules)) {
		free(file_copy);
		return -ENOMEM;
	}
	memmove(&rules->list[at + 1], &rules->list[at], (rules->n - at) * sizeof(rules->list[0]));
	rules->n++;
	data->flags &= ~AUDIT_FILTER_PREPEND;
	rules->list[at] =
		(struct laf_rule){ .data = data, .file = file_copy, .line = line, .hash = hash_rule(data) };
	return 0;
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
	if (rules->n >= LAF_RULES_MAX) {
		if (err)
			err->column = command->column;
		return laf_error_set(err, -E2BIG, "a rule set holds at most %d rules", LAF_RULES_MAX);
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
			free_rule(&rules->list[i]);
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
	*rules = (struct laf_rules){ 0 };
}

int laf_rules_append(struct laf_rules *rules, struct audit_rule_data *data)
{
	return rules->n < LAF_RULES_MAX ? insert_rule(rules, data, NULL, 0) : -EBADMSG;
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
