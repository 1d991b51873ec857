/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random rules and calls, over a small tree of real files: the same for the same seed. */
#ifndef LAF_POLICY_RANDOM_H
#define LAF_POLICY_RANDOM_H

#include <stdio.h>
#include <unistd.h>

#include "policy_model.h"

static uint64_t seed;

static inline uint32_t rnd(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

#define PICK(list) ((list)[rnd(sizeof(list) / sizeof(*(list)))])

/* ---- a small tree of real files ---- */

static char root[] = "/tmp/laf-policy-XXXXXX";
static char paths[16][64]; /* files and folders, some of them absent */
static unsigned n_paths;

static inline void add_path(const char *name)
{
	snprintf(paths[n_paths++], sizeof(paths[0]), "%s%s", root, name);
}

static inline int setup(void **state)
{
	static const char *const folders[] = { "", "/a", "/a/b", "/c" };
	static const char *const files[] = { "/f", "/a/f", "/a/g", "/a/b/f", "/a/b/g", "/c/f" };

	if (!mkdtemp(root))
		return -1;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		add_path(folders[i]);
		mkdir(paths[n_paths - 1], 0755);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		add_path(files[i]);
		close(open(paths[n_paths - 1], O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
	}
	add_path("/absent");
	add_path("/a/absent");
	add_path("/gone/below");
	return 0;
}

static inline int teardown(void **state)
{
	for (unsigned i = n_paths; i-- > 0;)
		if (remove(paths[i]) && rmdir(paths[i]) && !strstr(paths[i], "absent") &&
		    !strstr(paths[i], "gone"))
			return -1;
	return 0;
}

/* ---- random rules ---- */

static const uint32_t ops[] = {
	AUDIT_EQUAL, AUDIT_NOT_EQUAL, AUDIT_LESS_THAN, AUDIT_LESS_THAN_OR_EQUAL, AUDIT_GREATER_THAN,
	AUDIT_GREATER_THAN_OR_EQUAL, AUDIT_BIT_MASK, AUDIT_BIT_TEST,
};
static const uint32_t numbers[] = { 0, 1, 2, 3, 1000, UINT32_MAX - 12, UINT32_MAX };
static const uint32_t ids[] = { 0, 1, 2, 1000 };

static inline uint32_t equal_or_not(void)
{
	return rnd(4) ? AUDIT_EQUAL : AUDIT_NOT_EQUAL;
}

static inline void random_number_field(struct audit_rule_data *data)
{
	static const uint32_t any_op[] = { AUDIT_ARG0, AUDIT_ARG1, AUDIT_ARG2, AUDIT_ARG3, AUDIT_PERS };
	static const uint32_t compared[] = {
		AUDIT_UID,  AUDIT_EUID,    AUDIT_SUID,      AUDIT_FSUID,    AUDIT_GID,
		AUDIT_EGID, AUDIT_SGID,    AUDIT_FSGID,     AUDIT_PID,      AUDIT_PPID,
		AUDIT_EXIT, AUDIT_SUCCESS, AUDIT_SESSIONID, AUDIT_LOGINUID,
	};

	switch (rnd(8)) {
	case 0: rule_field(data, PICK(any_op), PICK(ops), PICK(numbers)); break;
	case 1: rule_field(data, AUDIT_LOGINUID, equal_or_not(), UINT32_MAX); break;
	case 2: rule_field(data, AUDIT_LOGINUID_SET, equal_or_not(), rnd(2)); break;
	case 3: rule_field(data, AUDIT_SADDR_FAM, ops[rnd(6)], rnd(3)); break;
	case 4: rule_field(data, AUDIT_FIELD_COMPARE, equal_or_not(), 10 + rnd(16)); break;
	default: rule_field(data, PICK(compared), ops[rnd(6)], PICK(ids)); break;
	}
}

static inline void random_name_field(struct audit_rule_data *data, bool placed)
{
	static const uint32_t types[] = { S_IFREG, S_IFDIR, S_IFCHR };

	switch (rnd(placed ? 5 : 6)) {
	case 0: rule_field(data, AUDIT_DEVMAJOR, ops[rnd(6)], rnd(3)); break;
	case 1: rule_field(data, AUDIT_DEVMINOR, PICK(ops), rnd(3)); break;
	case 2: rule_field(data, rnd(2) ? AUDIT_OBJ_UID : AUDIT_OBJ_GID, ops[rnd(6)], PICK(ids)); break;
	case 3: rule_field(data, AUDIT_FILETYPE, equal_or_not(), PICK(types)); break;
	case 4: rule_field(data, AUDIT_FIELD_COMPARE, equal_or_not(), 1 + rnd(9)); break;
	case 5: rule_field(data, AUDIT_INODE, AUDIT_NOT_EQUAL, 100 + rnd(4)); break;
	}
}

static inline bool random_place(struct audit_rule_data **data, bool by_text)
{
	switch (rnd(by_text ? 2 : 6)) {
	case 0:
		rule_text(data, AUDIT_WATCH, AUDIT_EQUAL, paths[rnd(n_paths)]);
		return true;
	case 1:
		rule_text(data, AUDIT_DIR, AUDIT_EQUAL, paths[rnd(n_paths)]);
		return true;
	case 2:
		rule_field(*data, AUDIT_INODE, AUDIT_EQUAL, rnd(8) ? 100 + rnd(4) : UINT32_MAX);
		return true;
	}
	return false;
}

/* `by_text`: nothing that needs the inode of a name. */
static inline struct audit_rule_data *random_rule(bool by_text)
{
	struct audit_rule_data *data = rule_new(rnd(3) ? AUDIT_ALWAYS : AUDIT_NEVER);
	bool placed;

	for (unsigned i = rnd(4); i > 0; i--)
		rule_call(data, model_calls[rnd(MODEL_CALLS)].nr);
	if (!rnd(4) || !memcmp(data->mask, (uint32_t[AUDIT_BITMASK_SIZE]){ 0 }, sizeof(data->mask)))
		rule_call(data, -1);
	if (!rnd(3))
		rule_field(data, AUDIT_ARCH, equal_or_not(), rnd(2) ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_I386);
	placed = random_place(&data, by_text);
	if (!rnd(3))
		rule_field(data, AUDIT_PERM, rnd(8) ? AUDIT_EQUAL : AUDIT_NOT_EQUAL, 1 + rnd(15));
	for (unsigned i = rnd(3); i > 0; i--)
		random_number_field(data);
	if (!by_text && !rnd(3))
		random_name_field(data, placed);
	if (!rnd(6))
		rule_text(&data, AUDIT_EXE, equal_or_not(), paths[rnd(n_paths)]);
	if (!rnd(30))
		rule_text(&data, AUDIT_SUBJ_TYPE, equal_or_not(), "shadow_t");
	if (rnd(2))
		rule_text(&data, AUDIT_FILTERKEY, AUDIT_EQUAL, "key");
	return data;
}

/* ---- random calls ---- */

static inline void random_name(struct run_name *n, bool known)
{
	const char *path = paths[rnd(n_paths)];
	char above[64];
	struct run_inode inode;

	memset(n, 0, sizeof(*n));
	n->text = path;
	n->known = known && model_file(path, strlen(path), &inode);
	n->ino = UINT64_MAX;
	if (!n->known)
		return;
	n->ino = rnd(4) ? inode.ino : (100 + rnd(4)) | (uint64_t)rnd(2) << 32;
	n->dev = inode.dev;
	n->rdev = rnd(3) << 20 | rnd(3);
	n->uid = PICK(ids);
	n->gid = PICK(ids);
	n->mode = (rnd(2) ? S_IFREG : S_IFDIR) | 0644;
	strcpy(above, path);
	while (n->n_above < RUN_ABOVE_MAX && strrchr(above, '/') != above) {
		*strrchr(above, '/') = 0;
		model_file(above, strlen(above), &n->above[n->n_above++]);
	}
}

static inline void random_ids(struct run_event *e)
{
	uint32_t *const all[] = { &e->uid,  &e->euid, &e->suid,  &e->fsuid, &e->gid,
				  &e->egid, &e->sgid, &e->fsgid, &e->pid,   &e->ppid };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		*all[i] = PICK(ids);
	e->auid = rnd(3) ? PICK(ids) : UINT32_MAX;
	e->ses = rnd(3) ? PICK(ids) : UINT32_MAX;
	e->pers = rnd(2) ? 0 : PICK(numbers);
	e->n_groups = rnd(4);
	for (unsigned i = 0; i < e->n_groups; i++)
		e->groups[i] = PICK(ids);
}

static inline struct run_event random_event(const struct model_call *call, bool known)
{
	struct run_event e = { .abi = call->abi, .nr = call->nr, .returns = call->sort != 'e', .family = -1 };
	const char *exe = paths[rnd(n_paths)];
	struct run_inode inode;

	for (unsigned i = 0; i < 4; i++)
		e.args[i] = PICK(numbers) | (uint64_t)(call->abi == 0 && rnd(2)) << 32;
	e.exit = rnd(2) ? (int64_t)rnd(4) : -(int64_t)rnd(15);
	e.opens = call->sort == 'o';
	e.open_flags = rnd(4) | rnd(2) * O_CREAT;
	random_ids(&e);
	if (call->address && rnd(4))
		e.family = rnd(3);
	if (model_file(exe, strlen(exe), &inode)) {
		e.exe_ino = inode.ino;
		e.exe_dev = inode.dev;
	}
	e.n_names = call->names ? rnd(call->names + 1) : 0;
	for (unsigned i = 0; i < e.n_names; i++)
		random_name(&e.names[i], known && rnd(5));
	return e;
}

#endif
