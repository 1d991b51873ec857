/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stages of the policy compiler share. In their order: policy_rule.c reads a rule (its tests:
 * policy_fields.c, its calls: policy_sets.c, its path: policy_names.c), policy_reach.c finds which calls it
 * can still decide, policy_heads.c and policy_inodes.c say which call and which inode runs what,
 * policy_code.c writes their programs, policy_texts.c keeps what user space needs. The other lists: policy_tasks.c,
 * policy_filesystems.c, policy_filters.c. */
#ifndef LAF_POLICY_BUILD_H
#define LAF_POLICY_BUILD_H

#include <libaudit.h>

#include "policy.h"
#include "policy_pool.h"

/* A set of calls: bit LAF_CALL_INDEX(abi, nr). */
#define SET_WORDS (LAF_CALLS / 64)
struct call_set {
	uint64_t words[SET_WORDS];
};

static inline bool set_has(const struct call_set *set, unsigned call)
{
	return set->words[call / 64] >> (call % 64) & 1;
}

static inline void set_put(struct call_set *set, unsigned call)
{
	set->words[call / 64] |= UINT64_C(1) << (call % 64);
}

static inline void set_and(struct call_set *set, const struct call_set *other)
{
	for (unsigned i = 0; i < SET_WORDS; i++)
		set->words[i] &= other->words[i];
}

static inline void set_and_not(struct call_set *set, const struct call_set *other)
{
	for (unsigned i = 0; i < SET_WORDS; i++)
		set->words[i] &= ~other->words[i];
}

static inline void set_or(struct call_set *set, const struct call_set *other)
{
	for (unsigned i = 0; i < SET_WORDS; i++)
		set->words[i] |= other->words[i];
}

static inline bool set_empty(const struct call_set *set)
{
	uint64_t any = 0;

	for (unsigned i = 0; i < SET_WORDS; i++)
		any |= set->words[i];
	return !any;
}

/* Calls by what they are. */
enum call_group {
	GROUP_ALL,
	GROUP_OPEN,       /* open, openat, openat2: perm= goes by the access mode */
	GROUP_SOCKETCALL, /* i386 socketcall: perm= goes by its first argument */
	GROUP_NAMES,      /* collects names */
	GROUP_ADDRESS,    /* copies an address */
	GROUP_RETURNS,    /* has a return value */
	GROUP_ABI,        /* x86-64; the others are i386 */
	GROUP_CLASS,      /* and the five after it: in LAF_CLASS_EXEC << i */
	GROUP_LAST = GROUP_CLASS + 5,
};

/* One test as an instruction without `fail`, and the inode of LAF_T_EXE. Kept in a pool: no padding. */
struct policy_test {
	struct laf_insn insn;
	uint64_t ino;
	uint32_t dev;
	uint16_t cost;  /* cheap tests go first */
	uint16_t group; /* enum call_group: for other calls it holds */
};

enum policy_kind {
	KIND_PLAIN, /* examined for every call */
	KIND_PATH,  /* by the inode of a name: path= */
	KIND_INODE, /* by the inode of a name: inode= */
	KIND_DIR,   /* by the folders above a name: dir= */
};

#define TESTS_MAX 80 /* AUDIT_MAX_FIELDS, and the few that a field becomes besides */

/* A rule of the exit list that can match at all. */
struct policy_rule {
	uint32_t index; /* in laf_rules: position and number alike */
	uint8_t action; /* 0 never, 1 always */
	uint8_t kind;   /* enum policy_kind */
	bool has_key;
	bool looks;     /* some test looks at the inodes of names */
	bool exact;     /* KIND_DIR of a link: as the kernel takes it, the link alone */
	uint32_t set;   /* in `sets`: the calls it can decide */
	uint32_t tests; /* in `lists`: what is left to test */
	uint32_t inode; /* KIND_INODE: the number */
	uint32_t name;  /* KIND_PATH, KIND_DIR: in `names` */
};

/* Which file it is. A number can be given to another file later; the generation tells them apart. */
struct policy_id {
	uint64_t ino;
	uint32_t dev;
	uint32_t generation;
	bool dated; /* the file system told the generation */
};

/* The folder in which a watched name lies. */
struct policy_folder {
	char *real; /* realpath, NULL = not there */
	struct policy_id id;
};

/* Where a name leads. */
struct policy_spot {
	struct policy_id folder, file;
	bool has_folder, has_file;
};

/* A watched name. */
struct policy_name {
	struct policy_id id;
	struct policy_spot was; /* where it led before a folder was moved, if that is not where it leads now */
	uint32_t folder; /* in `folders` */
	char *real;      /* without links, NULL = its folder is not there */
	bool found;
};

struct policy_mount {
	uint64_t id;
	uint32_t dev;
	char *point;
};

struct policy_build {
	const struct laf_rules *source;
	const struct laf_policy_recall *recall; /* or NULL */
	struct laf_policy *policy;
	struct laf_error *err;

	struct call_set groups[GROUP_LAST + 1];
	struct policy_pool sets;     /* struct call_set */
	struct policy_pool tests;    /* struct policy_test */
	struct policy_pool lists;    /* uint32_t[]: numbers in `tests` */
	struct policy_pool programs; /* struct laf_insn[], jumps relative to the start */

	struct policy_pool cond_lists; /* uint32_t[]: numbers in `lists`, by the bit of the condition */
	uint32_t call_conds[LAF_CALLS]; /* in `cond_lists`; POOL_NONE = no conditions */

	struct policy_rule *rules;
	size_t n_rules, rules_room;
	const struct audit_rule_data *last_data; /* the rule read last, and its calls */
	uint32_t last_set;

	struct policy_pool name_texts, folder_texts; /* as written; numbers are those of names and folders */
	struct policy_name *names;
	size_t n_names, names_room;
	struct policy_folder *folders;
	size_t n_folders, folders_room;
	struct policy_mount *mounts;
	size_t n_mounts, mounts_room;
	bool mounts_read;

	uint32_t *program_at; /* where each program stands in the code */
	size_t program_at_room;
	size_t code_room;
	struct policy_scratch *scratch; /* of policy_code.c */
};

/* policy_sets.c */
void policy_groups_fill(struct policy_build *b);
/* The calls a rule can match by -S, arch=, perm=, and by what its fields need. */
void policy_rule_calls(const struct policy_build *b, const struct audit_rule_data *data,
		       struct call_set *ret_set);
bool policy_compare(uint32_t left, uint32_t op, uint32_t right);
/* AUDIT_EQUAL … to LAF_EQ …; -1 for none. */
int policy_op(uint32_t fieldflags);

static inline uint32_t policy_list_of(const struct audit_rule_data *data)
{
	return data->flags & ~AUDIT_FILTER_PREPEND;
}

/* Keep the rule's key in the policy. Returns 0 or -ENOMEM. */
int policy_key_copy(struct policy_build *b, uint32_t index);
/* Say that a rule has such a field. Returns -EINVAL. */
int policy_refuse(struct policy_build *b, uint32_t index);

/* policy_rule.c: append the rule to b->rules if it can match anything. Returns 0 or -ENOMEM, -EINVAL. */
int policy_rule_read(struct policy_build *b, uint32_t index);
/* Is the field's value the length of a string? */
bool policy_is_string(uint32_t field);

/* policy_reach.c: cut every rule's set down to the calls that it can still decide. */
int policy_reach(struct policy_build *b);
/* Split the calls into classes that are in the same sets. `ret_class[call]` gets the class; returns their
 * number. */
uint32_t policy_classes(const struct policy_build *b, const uint32_t *sets, size_t n_sets,
			uint32_t ret_class[LAF_CALLS]);

/* policy_names.c */
int policy_name_add(struct policy_build *b, const char *text, uint32_t len, uint32_t *ret_name);
int policy_folder_add(struct policy_build *b, const char *text, uint32_t len, uint32_t *ret_folder);
/* Look a file up as the kernel's audit does: the last link is not followed. */
bool policy_file_id(struct policy_build *b, const char *path, struct policy_id *ret);
struct policy_spot policy_spot_of(const struct policy_build *b, const struct policy_name *name);
int policy_mounts_read(struct policy_build *b);
void policy_names_clear(struct policy_build *b);

/* policy_former.c: what a name that leads there `now` has left since it was looked up before. */
void policy_former_find(const struct policy_build *b, const char *text, uint32_t len, const struct policy_spot *now,
			struct policy_spot *ret_was);
/* Takes the texts of the names over: the last of the stages. */
int policy_former_new(struct policy_build *b);
void policy_former_free(struct policy_former *former);

/* policy_code.c: a program is a list of items, each all of its tests and then `end`. */
struct policy_item {
	const uint32_t *tests;
	uint32_t n_tests;
	struct laf_insn end; /* LAF_MATCH or LAF_COND */
};
/* Returns 0, -ENOMEM or -E2BIG; *ret_at: its first entry. Equal programs are written once. */
int policy_program(struct policy_build *b, const struct policy_item *items, uint32_t n, uint32_t *ret_at);
int policy_code_start(struct policy_build *b); /* the heads, empty */
int policy_code_room(struct policy_build *b, size_t n);
int policy_text_put(struct policy_build *b, const char *text, size_t len, uint32_t *ret_at); /* ended by a NUL */
int policy_set_code(struct policy_build *b, const struct call_set *set, uint32_t *ret_at);
struct laf_insn policy_match(const struct policy_rule *rule);
void policy_code_clear(struct policy_build *b);

/* policy_heads.c */
int policy_heads(struct policy_build *b);
/* policy_inodes.c */
int policy_inodes(struct policy_build *b);

/* policy_tasks.c: the task list, and which calls it may have recorded. After policy_heads(). */
int policy_tasks(struct policy_build *b);
/* policy_filesystems.c */
int policy_filesystems(struct policy_build *b);
/* policy_filters.c: the lists exclude and user */
int policy_filters_new(struct policy_build *b);
void policy_filters_free(struct laf_policy_filters *filters);
bool policy_filters_decide(const struct laf_policy *policy, struct laf_event *event);

static inline struct laf_policy_lists *policy_lists(struct policy_build *b)
{
	return (struct laf_policy_lists *)&b->policy->code[LAF_LISTS];
}

/* policy_texts.c: takes the pools over that laf_policy_decide() needs. */
int policy_texts_new(struct policy_build *b);
void policy_texts_free(struct laf_policy_texts *texts);

#endif
