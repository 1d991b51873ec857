// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that come as text from the kernel's audit: the line of auditd, raw or enriched. */
#include <libaudit.h>
#include <stdlib.h>

#include "formatter.h"
#include "saddr.h"

/* auditd cuts there. */
#define LINE_RAW_MAX (MAX_AUDIT_MESSAGE_LENGTH - 33)
#define LINE_MAX_HERE (MAX_AUDIT_MESSAGE_LENGTH - 1)
#define FIELD_NAME_MAX 16
#define FIELD_TEXT_MAX (FIELD_NAME_MAX + 2 + SADDR_TEXT_MAX + ID_TEXT_MAX)

enum field_kind { FIELD_NONE, FIELD_USER, FIELD_GROUP, FIELD_ARCH, FIELD_CALL, FIELD_ADDRESS };

/* As libauparse classifies fields. */
static const struct field_name {
	const char *name;
	enum field_kind kind;
} field_names[] = {
	{ "auid", FIELD_USER }, { "uid", FIELD_USER }, { "gid", FIELD_GROUP }, { "euid", FIELD_USER },
	{ "suid", FIELD_USER }, { "fsuid", FIELD_USER }, { "egid", FIELD_GROUP }, { "sgid", FIELD_GROUP },
	{ "fsgid", FIELD_GROUP }, { "ouid", FIELD_USER }, { "ogid", FIELD_GROUP }, { "arch", FIELD_ARCH },
	{ "syscall", FIELD_CALL }, { "saddr", FIELD_ADDRESS }, { "id", FIELD_USER }, { "old-auid", FIELD_USER },
	{ "oauid", FIELD_USER }, { "iuid", FIELD_USER }, { "igid", FIELD_GROUP }, { "inode_uid", FIELD_USER },
	{ "inode_gid", FIELD_GROUP }, { "obj_uid", FIELD_USER }, { "obj_gid", FIELD_GROUP },
	{ "sauid", FIELD_USER }, { "new_gid", FIELD_GROUP },
};

/* A word "name=value" of the text. */
struct field {
	const char *name, *value;
	size_t name_len, value_len;
};

struct enricher {
	struct laf_formatter *f;
	unsigned type;
	uint64_t time_ms;
	const char *text, *end;
	uint32_t arch; /* that stands before the call */
};

/* The first word of a quoted message is a field, too. Returns whether the word is one. */
static bool split(const char *word, const char *end, struct field *ret)
{
	const char *equals;

	if (end - word > 4 && !memcmp(word, "msg=", 4)) {
		if (word[4] != '\'')
			return false;
		word += 5;
	}
	equals = memchr(word, '=', end - word);
	if (!equals)
		return false;
	ret->name = word + (*word == '(');
	ret->name_len = equals - ret->name;
	ret->value = equals + 1;
	ret->value_len = end - ret->value;
	return equals > ret->name;
}

/* Punctuation behind a value is not part of it. */
static void trim(struct field *field)
{
	static const char behind[] = ":,')";

	for (const char *c = behind; *c; c++)
		if (field->value_len && field->value[field->value_len - 1] == *c)
			field->value_len--;
}

static enum field_kind kind_by_name(const struct field *field)
{
	for (unsigned i = 0; i < sizeof(field_names) / sizeof(*field_names); i++)
		if (!strncmp(field_names[i].name, field->name, field->name_len) &&
		    !field_names[i].name[field->name_len])
			return field_names[i].kind;
	return FIELD_NONE;
}

/* Some records use a name for something else. */
static enum field_kind kind_of(const struct field *field, unsigned type)
{
	enum field_kind kind = kind_by_name(field);

	if (type == AUDIT_TRUSTED_APP || (type == AUDIT_EXECVE && field->name[0] == 'a'))
		return FIELD_NONE;
	if (kind == FIELD_ADDRESS && (type == AUDIT_AVC || type == AUDIT_NETFILTER_PKT))
		return FIELD_NONE;
	if (kind == FIELD_USER && field->name_len == 2 &&
	    (type == AUDIT_ADD_GROUP || type == AUDIT_DEL_GROUP || type == AUDIT_GRP_MGMT))
		return FIELD_GROUP;
	return kind;
}

static uint64_t number(const struct field *field, int base)
{
	char digits[32] = "";

	memcpy(digits, field->value, field->value_len < sizeof(digits) ? field->value_len : sizeof(digits) - 1);
	return strtoull(digits, NULL, base);
}

/* Which call a call of 32 bits that stands for many is, its first argument says, further on. */
static uint64_t first_argument(const struct enricher *e)
{
	const char *at = memmem(e->text, e->end - e->text, " a0=", 4);
	struct field field = { 0 };

	if (!at)
		return 0;
	field.value = at + 4;
	field.value_len = e->end - field.value;
	return number(&field, 16);
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

static char *put_address(char *at, const struct field *field)
{
	uint8_t saddr[128] = { 0 }; /* more than the longest */
	size_t n = 0, bytes = field->value_len / 2;

	for (; n < bytes && n < sizeof(saddr); n++) {
		int high = hex_digit(field->value[2 * n]), low = hex_digit(field->value[2 * n + 1]);

		if (high < 0 || low < 0)
			break;
		saddr[n] = high << 4 | low;
	}
	if (n)
		return laf_put_saddr_enriched(at, saddr, bytes < sizeof(saddr) ? bytes : sizeof(saddr));
	at = put_literal(at, "malformed-host(");
	at = put_bytes(at, field->value, field->value_len < SADDR_TEXT_MAX / 2 ? field->value_len : SADDR_TEXT_MAX / 2);
	return put_literal(at, ")");
}

static char *put_value(char *at, struct enricher *e, enum field_kind kind, const struct field *field)
{
	switch (kind) {
	case FIELD_USER:
		return laf_put_id_name(at, &e->f->ids, ID_USER, number(field, 10), e->time_ms);
	case FIELD_GROUP:
		return laf_put_id_name(at, &e->f->ids, ID_GROUP, number(field, 10), e->time_ms);
	case FIELD_ARCH:
		e->arch = number(field, 16);
		return laf_put_arch(at, e->arch);
	case FIELD_CALL:
		return laf_put_call(at, e->arch, number(field, 10), first_argument(e));
	default:
		return put_address(at, field);
	}
}

/* The field in capital letters, with its value in words. */
static char *put_field(char *at, struct enricher *e, enum field_kind kind, const struct field *field)
{
	for (size_t i = 0; i < field->name_len; i++)
		*at++ = field->name[i] >= 'a' && field->name[i] <= 'z' ? field->name[i] - 0x20 : field->name[i];
	*at++ = '=';
	return put_value(at, e, kind, field);
}

/* Up to `limit` or a field further. */
static char *put_fields(char *at, const char *limit, struct enricher *e)
{
	char separator = ENRICHED_SEPARATOR;
	const char *word = e->text, *end;
	struct field field;
	enum field_kind kind;

	for (; word < e->end && at < limit; word = end + 1) {
		end = memchr(word, ' ', e->end - word);
		if (!end)
			end = e->end;
		if (!split(word, end, &field) || !field.value_len)
			continue;
		trim(&field);
		kind = kind_of(&field, e->type);
		if (!kind)
			continue;
		*at++ = separator;
		separator = ' ';
		at = put_field(at, e, kind, &field);
	}
	return at;
}

static char *put_type(char *at, unsigned type)
{
	const char *name = audit_msg_type_to_name(type);

	at = put_literal(at, "type=");
	if (name) {
		at = put_bytes(at, name, strlen(name));
	} else {
		at = put_literal(at, "UNKNOWN[");
		at = put_u32(at, type);
		*at++ = ']';
	}
	return put_literal(at, " msg=");
}

/* What other lines can't be told from is taken out, and one space at the end. */
static char *put_text(char *at, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		*at++ = text[i] == '\n' ? ' ' : text[i];
	return len && at[-1] == ' ' ? at - 1 : at;
}

/* Accounts are made and removed: names that are kept may be others'. */
static bool changes_names(unsigned type)
{
	return type == AUDIT_ADD_USER || type == AUDIT_DEL_USER || type == AUDIT_USER_MGMT || type == AUDIT_ADD_GROUP ||
	       type == AUDIT_DEL_GROUP || type == AUDIT_GRP_MGMT;
}

static char *enrich(char *at, char *limit, struct enricher *e)
{
	const char *theirs = memchr(e->text, ENRICHED_SEPARATOR, e->end - e->text);

	if (theirs)
		e->end = theirs;
	if (changes_names(e->type))
		laf_formatter_flush(e->f);
	at = put_fields(at, limit, e);
	if (changes_names(e->type))
		laf_formatter_flush(e->f);
	return at < limit ? at : limit;
}

int laf_format_text(struct laf_formatter *f, unsigned type, uint64_t time_ms, const char *text, size_t len,
		    const char **ret_text, size_t *ret_bytes)
{
	struct enricher e = { .f = f, .type = type, .time_ms = time_ms, .arch = AUDIT_ARCH_X86_64 };
	char *line, *body, *at;
	int err;

	laf_formatter_start(f);
	at = text_reserve(f, f->node_len + LINE_MAX_HERE + FIELD_TEXT_MAX, &err);
	if (!at)
		return err;
	line = put_bytes(at, f->node, f->node_len);
	body = put_type(line, type);
	if (len > LINE_RAW_MAX - (size_t)(body - line))
		len = LINE_RAW_MAX - (body - line);
	at = put_text(body, text, len);
	e.text = body;
	e.end = at;
	if (f->format == LAF_FORMAT_ENRICHED)
		at = enrich(at, line + LINE_MAX_HERE, &e);
	*at++ = '\n';
	text_commit(f, at);
	*ret_text = f->text;
	*ret_bytes = f->used;
	return 0;
}
