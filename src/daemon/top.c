// SPDX-License-Identifier: GPL-2.0-or-later
/* Counting by name in tables of a fixed size. */
#include <stdbool.h>
#include <string.h>

#include <libaudit.h>

#include "top.h"

#define NO_KEY "(no key)"

/* A name to be counted for. */
struct name {
	const void *bytes;
	size_t len;
	uint16_t is_path, flags;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

/* Never 0. */
static uint64_t hash_of(const struct name *name)
{
	const char *at = name->bytes;
	size_t left = name->len;
	uint64_t hash = mix(name->len, name->is_path | name->flags << 1), word;

	for (; left >= sizeof(word); at += sizeof(word), left -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash, word);
	}
	word = 0;
	memcpy(&word, at, left);
	return mix(hash, word) | 1;
}

static size_t kept(size_t len)
{
	return len < LAF_TOP_NAME ? len : LAF_TOP_NAME;
}

/* Of a longer one only the hash tells more. */
static bool is_named(const struct laf_top_row *row, const struct name *name)
{
	return row->len == name->len && row->is_path == name->is_path && row->flags == name->flags &&
	       !memcmp(row->name, name->bytes, kept(name->len));
}

static void begin_row(struct laf_top_table *table, struct laf_top_row *row, const struct name *name)
{
	table->others.events += row->count.events;
	table->others.bytes += row->count.bytes;
	row->count = (struct laf_top_count){ 0 };
	row->len = name->len;
	row->is_path = name->is_path;
	row->flags = name->flags;
	memcpy(row->name, name->bytes, kept(name->len));
}

/* The last row is this name's from now on. */
static void look_up(struct laf_top_table *table, const struct name *name)
{
	uint64_t hash = hash_of(name);
	unsigned set = hash >> 32 & (LAF_TOP_SETS - 1), way, least = 0;
	uint64_t *hashes = table->hashes[set], *weights = table->weights[set];
	bool found = false;

	for (way = 0; !found && way < LAF_TOP_WAYS; way++) {
		found = hashes[way] == hash && is_named(&table->rows[set][way], name);
		if (found || weights[way] < weights[least])
			least = way;
	}
	table->last = &table->rows[set][least];
	table->last_weight = &weights[least];
	if (found)
		return;
	hashes[least] = hash;
	begin_row(table, table->last, name);
}

static void add(struct laf_top_count *count, unsigned events, size_t bytes)
{
	count->events += events;
	count->bytes += bytes;
}

static struct laf_top_row *count_for(struct laf_top_table *table, const struct name *name, size_t bytes)
{
	if (!table->last || name->len > LAF_TOP_NAME || !is_named(table->last, name))
		look_up(table, name);
	++*table->last_weight;
	add(&table->last->count, 1, bytes);
	return table->last;
}

static struct name text_name(const char *text)
{
	return (struct name){ .bytes = text, .len = strlen(text) };
}

static struct name rule_of(const struct laf_event *event)
{
	if (event->key_len)
		return (struct name){ .bytes = event->key, .len = event->key_len };
	if (event->task_key_len)
		return (struct name){ .bytes = event->task_key, .len = event->task_key_len };
	return text_name(NO_KEY);
}

/* A task of the kernel's has no program, but a name. */
static struct name program_of(const struct laf_event *event, char comm[20])
{
	if (event->exe.components && event->exe.bytes)
		return (struct name){ event->exe.components, event->exe.bytes, true, event->exe.flags };
	snprintf(comm, 20, "(%.16s)", event->wire->comm);
	return text_name(comm);
}

void laf_top_count_event(struct laf_top *top, const struct laf_event *event, size_t bytes)
{
	char comm[20];
	struct name rule = rule_of(event), program = program_of(event, comm);

	count_for(&top->rules, &rule, bytes);
	count_for(&top->programs, &program, bytes);
	add(&top->all, 1, bytes);
}

/* The value of a field: without its quotes, or up to the next space. */
static bool find_field(const char *text, size_t len, const char *field, struct name *ret)
{
	const char *at = memmem(text, len, field, strlen(field)), *end;
	bool quoted;

	if (!at)
		return false;
	at += strlen(field);
	quoted = at < text + len && *at == '"';
	at += quoted;
	end = memchr(at, quoted ? '"' : ' ', text + len - at);
	*ret = (struct name){ .bytes = at, .len = (end ? end : text + len) - at };
	return ret->len && memcmp(at, "(null)", ret->len < 6 ? ret->len : 6);
}

static void count_first(struct laf_top *top, unsigned type, const char *text, size_t len, size_t bytes)
{
	const char *type_name = audit_msg_type_to_name(type);
	char buf[40];
	struct name rule, program;

	snprintf(buf, sizeof(buf), "(%.30s)", type_name ? type_name : "unknown type");
	if (type != AUDIT_SYSCALL)
		rule = text_name(buf);
	else if (!find_field(text, len, " key=", &rule))
		rule = text_name(NO_KEY);
	if (!find_field(text, len, " exe=", &program))
		program = text_name("(no program)");
	top->rule = count_for(&top->rules, &rule, bytes);
	top->program = count_for(&top->programs, &program, bytes);
	add(&top->all, 1, bytes);
}

void laf_top_count_record(struct laf_top *top, unsigned type, uint32_t serial, const char *text, size_t len, size_t bytes)
{
	if (serial != top->serial || !top->rule) {
		top->serial = serial;
		count_first(top, type, text, len, bytes);
		return;
	}
	add(&top->rule->count, 0, bytes);
	add(&top->program->count, 0, bytes);
	add(&top->all, 0, bytes);
}

/* Only whole components of what is kept; the leaf stands first. */
static size_t path_text(const struct laf_top_row *row, char *buf, size_t size)
{
	const uint8_t *components = (const uint8_t *)row->name;
	struct laf_path path = { .components = components, .flags = row->flags };
	size_t begin = row->len > LAF_TOP_NAME ? strlen(strcpy(buf, "...")) : 0, n;

	while (path.bytes < kept(row->len) && path.bytes + 1u + components[path.bytes] <= kept(row->len))
		path.bytes += 1u + components[path.bytes];
	n = begin + laf_path_join(&path, buf + begin, size - begin);
	return n < size ? n : size;
}

static void write_row(const char *what, const struct laf_top_row *row, FILE *to)
{
	char buf[LAF_TOP_NAME + 32];
	size_t n = kept(row->len), i;

	memcpy(buf, row->name, n);
	if (row->is_path)
		n = path_text(row, buf, sizeof(buf));
	fprintf(to, "%s{", what);
	for (i = 0; i < n; i++) /* several keys of a rule are joined by \001; a line is a row */
		fputc(buf[i] == '\1' ? ',' : (unsigned char)buf[i] < ' ' ? '?' : buf[i], to);
	fprintf(to, "}=%llu %llu\n", (unsigned long long)row->count.events, (unsigned long long)row->count.bytes);
}

static void write_table(const char *what, const struct laf_top_table *table, FILE *to)
{
	unsigned set, way;

	for (set = 0; set < LAF_TOP_SETS; set++)
		for (way = 0; way < LAF_TOP_WAYS; way++)
			if (table->hashes[set][way])
				write_row(what, &table->rows[set][way], to);
}

void laf_top_write(const struct laf_top *top, FILE *to)
{
	fprintf(to, "all=%llu %llu\n", (unsigned long long)top->all.events, (unsigned long long)top->all.bytes);
	write_table("rule", &top->rules, to);
	write_table("program", &top->programs, to);
}
