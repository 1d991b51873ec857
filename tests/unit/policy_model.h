/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel audit's exit filter written down plainly over struct audit_rule_data: what the compiled policy
 * must agree with. */
#ifndef LAF_POLICY_MODEL_H
#define LAF_POLICY_MODEL_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <libaudit.h>

#include "policy_run.h"

/* What the kernel knows of a call, for the calls that the tests make. */
struct model_call {
	unsigned abi, nr;
	char sort;           /* o open family, x exec, s socketcall, e does not return, - other */
	unsigned classes;    /* AUDIT_PERM_… */
	unsigned names;      /* how many it collects */
	bool address;
};

static const struct model_call model_calls[] = {
	{ 0, 2, 'o', 0, 1, false },     /* open */
	{ 0, 257, 'o', 0, 2, false },   /* openat */
	{ 0, 437, 'o', 0, 1, false },   /* openat2 */
	{ 0, 85, '-', 2, 2, false },    /* creat */
	{ 0, 59, 'x', 0, 2, false },    /* execve */
	{ 0, 322, 'x', 0, 1, false },   /* execveat */
	{ 0, 82, '-', 2, 4, false },    /* rename */
	{ 0, 86, '-', 2 | 8, 3, false }, /* link */
	{ 0, 87, '-', 2, 2, false },    /* unlink */
	{ 0, 90, '-', 8, 1, false },    /* chmod */
	{ 0, 91, '-', 8, 1, false },    /* fchmod */
	{ 0, 191, '-', 4, 1, false },   /* getxattr */
	{ 0, 4, '-', 0, 1, false },     /* stat */
	{ 0, 77, '-', 2, 0, false },    /* ftruncate */
	{ 0, 49, '-', 2, 0, true },     /* bind */
	{ 0, 42, '-', 0, 1, true },     /* connect */
	{ 0, 43, '-', 0, 0, true },     /* accept */
	{ 0, 0, '-', 0, 0, false },     /* read */
	{ 0, 39, '-', 0, 0, false },    /* getpid */
	{ 0, 60, 'e', 0, 0, false },    /* exit */
	{ 0, 62, '-', 0, 0, false },    /* kill */
	{ 0, 452, '-', 8, 1, false },   /* fchmodat2 */
	{ 0, 1000, '-', 0, 0, false },  /* no such call */
	{ 1, 5, 'o', 0, 1, false },     /* open */
	{ 1, 295, 'o', 0, 1, false },   /* openat */
	{ 1, 11, 'x', 0, 1, false },    /* execve */
	{ 1, 102, 's', 0, 1, true },    /* socketcall */
	{ 1, 15, '-', 8, 1, false },    /* chmod */
	{ 1, 10, '-', 2, 2, false },    /* unlink */
	{ 1, 193, '-', 2, 1, false },   /* truncate64 */
	{ 1, 1, 'e', 0, 0, false },     /* exit */
	{ 1, 3, '-', 0, 0, false },     /* read */
	{ 1, 362, '-', 0, 0, true },    /* connect */
	{ 1, 39, '-', 2, 2, false },    /* mkdir */
};
#define MODEL_CALLS (sizeof(model_calls) / sizeof(*model_calls))

struct model_result {
	bool recorded;
	uint32_t rule, key_rule;
};

struct model {
	const struct laf_rules *rules;
	const struct run_event *event;
	const struct model_call *call;
	uint32_t best; /* position; the kernel's priorities fall along the list */
	bool dirs_by_text, watches_by_text;
};

static inline bool model_op(uint32_t l, uint32_t flags, uint32_t r)
{
	switch (flags) {
	case AUDIT_EQUAL: return l == r;
	case AUDIT_NOT_EQUAL: return l != r;
	case AUDIT_LESS_THAN: return l < r;
	case AUDIT_LESS_THAN_OR_EQUAL: return l <= r;
	case AUDIT_GREATER_THAN: return l > r;
	case AUDIT_GREATER_THAN_OR_EQUAL: return l >= r;
	case AUDIT_BIT_MASK: return (l & r) != 0;
	case AUDIT_BIT_TEST: return (l & r) == r;
	}
	abort();
}

static inline bool model_perm(const struct model *m, uint32_t mask)
{
	const struct run_event *e = m->event;
	uint32_t mode = (e->open_flags & O_ACCMODE) == O_RDONLY   ? 4
			: (e->open_flags & O_ACCMODE) == O_WRONLY ? 2
								  : 6;

	switch (m->call->sort) {
	case 'o': return mask & mode;
	case 'x': return mask & AUDIT_PERM_EXEC;
	case 's': return mask & AUDIT_PERM_WRITE && e->args[0] == 2;
	}
	return mask & m->call->classes & ~AUDIT_PERM_EXEC;
}

static inline bool model_file(const char *text, uint32_t len, struct run_inode *ret)
{
	char path[4096];
	struct stat st;

	memcpy(path, text, len);
	path[len] = 0;
	if (lstat(path, &st))
		return false;
	ret->ino = st.st_ino;
	ret->dev = major(st.st_dev) << 20 | minor(st.st_dev);
	return true;
}

static inline bool model_under(const struct run_name *n, const char *dir, uint32_t len)
{
	return !strncmp(n->text, dir, len) && (!n->text[len] || n->text[len] == '/');
}

#define MODEL_MOUNTS 256

/* What is mounted on this machine, read once. */
static inline unsigned model_mounts(char (**ret_points)[256])
{
	static char points[MODEL_MOUNTS][256];
	static unsigned n;
	FILE *f = n ? NULL : fopen("/proc/self/mountinfo", "r");
	char line[4096];

	while (f && n < MODEL_MOUNTS && fgets(line, sizeof(line), f))
		n += sscanf(line, "%*d %*d %*s %*s %255s", points[n]) == 1;
	if (f)
		fclose(f);
	*ret_points = points;
	return n;
}

/* Is it the root of what is mounted below a folder? A dir= rule takes these in (kernel/audit_tree.c, tag_mounts). */
static inline bool model_mounted_below(const char *dir, uint32_t len, const struct run_inode *inode)
{
	char (*points)[256];
	unsigned n = model_mounts(&points);
	struct run_inode root;

	while (len > 0 && dir[len - 1] == '/')
		len--;
	for (unsigned i = 0; i < n; i++)
		if (!strncmp(points[i], dir, len) && points[i][len] == '/' && points[i][len + 1] &&
		    model_file(points[i], strlen(points[i]), &root) && root.ino == inode->ino &&
		    root.dev == inode->dev)
			return true;
	return false;
}

static inline bool model_in_dir(const char *dir, uint32_t len, const struct run_inode *there, const struct run_inode *inode)
{
	return (inode->ino == there->ino && inode->dev == there->dev) || model_mounted_below(dir, len, inode);
}

static inline bool model_dir(const struct model *m, const char *text, uint32_t len)
{
	const struct run_event *e = m->event;
	struct run_inode dir;
	bool there = model_file(text, len, &dir);

	for (unsigned i = 0; i < e->n_names; i++) {
		const struct run_name *n = &e->names[i];

		if (m->dirs_by_text && !n->known && model_under(n, text, len))
			return true;
		if (!there || !n->known)
			continue;
		if (model_in_dir(text, len, &dir, &(struct run_inode){ n->ino, n->dev }))
			return true;
		for (unsigned k = 0; k < n->n_above; k++)
			if (model_in_dir(text, len, &dir, &n->above[k]))
				return true;
	}
	return false;
}

static inline bool model_watch(const struct model *m, const struct run_name *n, const char *text,
			       uint32_t len)
{
	struct run_inode file;

	if (m->watches_by_text && !n->known)
		return strlen(n->text) == len && !memcmp(n->text, text, len);
	return n->known && model_file(text, len, &file) && file.ino == n->ino && file.dev == n->dev;
}

static inline bool model_groups(const struct run_event *e, uint32_t gid, uint32_t op, uint32_t val)
{
	bool result = model_op(gid, op, val);

	for (unsigned i = 0; i < e->n_groups; i++) {
		if (op == AUDIT_EQUAL && e->groups[i] == val)
			return true;
		if (op == AUDIT_NOT_EQUAL && e->groups[i] == val)
			return false;
	}
	return result;
}

static inline bool model_one_name(const struct run_name *n, uint32_t field, uint32_t op, uint32_t val)
{
	switch (field) {
	case AUDIT_DEVMAJOR: return model_op(n->dev >> 20, op, val) || model_op(n->rdev >> 20, op, val);
	case AUDIT_DEVMINOR:
		return model_op(n->dev & 0xfffff, op, val) || model_op(n->rdev & 0xfffff, op, val);
	case AUDIT_INODE: return model_op(n->ino, op, val);
	case AUDIT_OBJ_UID: return model_op(n->uid, op, val);
	case AUDIT_OBJ_GID: return model_op(n->gid, op, val);
	}
	abort();
}

static inline bool model_names(const struct model *m, const struct run_name *name, uint32_t field,
			       uint32_t op, uint32_t val)
{
	if (name)
		return model_one_name(name, field, op, val);
	for (unsigned i = 0; i < m->event->n_names; i++)
		if (model_one_name(&m->event->names[i], field, op, val))
			return true;
	return false;
}

static inline bool model_owner(const struct model *m, uint32_t id, uint32_t op, bool group)
{
	for (unsigned i = 0; i < m->event->n_names; i++)
		if (model_op(id, op, group ? m->event->names[i].gid : m->event->names[i].uid))
			return true;
	return false;
}

static inline bool model_compare(const struct model *m, uint32_t op, uint32_t what)
{
	const struct run_event *e = m->event;

	switch (what) {
	case AUDIT_COMPARE_UID_TO_OBJ_UID: return model_owner(m, e->uid, op, false);
	case AUDIT_COMPARE_GID_TO_OBJ_GID: return model_owner(m, e->gid, op, true);
	case AUDIT_COMPARE_EUID_TO_OBJ_UID: return model_owner(m, e->euid, op, false);
	case AUDIT_COMPARE_EGID_TO_OBJ_GID: return model_owner(m, e->egid, op, true);
	case AUDIT_COMPARE_AUID_TO_OBJ_UID: return model_owner(m, e->auid, op, false);
	case AUDIT_COMPARE_SUID_TO_OBJ_UID: return model_owner(m, e->suid, op, false);
	case AUDIT_COMPARE_SGID_TO_OBJ_GID: return model_owner(m, e->sgid, op, true);
	case AUDIT_COMPARE_FSUID_TO_OBJ_UID: return model_owner(m, e->fsuid, op, false);
	case AUDIT_COMPARE_FSGID_TO_OBJ_GID: return model_owner(m, e->fsgid, op, true);
	case AUDIT_COMPARE_UID_TO_AUID: return model_op(e->uid, op, e->auid);
	case AUDIT_COMPARE_UID_TO_EUID: return model_op(e->uid, op, e->euid);
	case AUDIT_COMPARE_UID_TO_FSUID: return model_op(e->uid, op, e->fsuid);
	case AUDIT_COMPARE_UID_TO_SUID: return model_op(e->uid, op, e->suid);
	case AUDIT_COMPARE_AUID_TO_FSUID: return model_op(e->auid, op, e->fsuid);
	case AUDIT_COMPARE_AUID_TO_SUID: return model_op(e->auid, op, e->suid);
	case AUDIT_COMPARE_AUID_TO_EUID: return model_op(e->auid, op, e->euid);
	case AUDIT_COMPARE_EUID_TO_SUID: return model_op(e->euid, op, e->suid);
	case AUDIT_COMPARE_EUID_TO_FSUID: return model_op(e->euid, op, e->fsuid);
	case AUDIT_COMPARE_SUID_TO_FSUID: return model_op(e->suid, op, e->fsuid);
	case AUDIT_COMPARE_GID_TO_EGID: return model_op(e->gid, op, e->egid);
	case AUDIT_COMPARE_GID_TO_FSGID: return model_op(e->gid, op, e->fsgid);
	case AUDIT_COMPARE_GID_TO_SGID: return model_op(e->gid, op, e->sgid);
	case AUDIT_COMPARE_EGID_TO_FSGID: return model_op(e->egid, op, e->fsgid);
	case AUDIT_COMPARE_EGID_TO_SGID: return model_op(e->egid, op, e->sgid);
	case AUDIT_COMPARE_SGID_TO_FSGID: return model_op(e->sgid, op, e->fsgid);
	}
	abort();
}

static inline bool model_filetype(const struct model *m, uint32_t type)
{
	for (unsigned i = 0; i < m->event->n_names; i++)
		if (m->event->names[i].known && (m->event->names[i].mode & S_IFMT) == type)
			return true;
	return false;
}

static inline bool model_exe(const struct model *m, const char *text, uint32_t len)
{
	struct run_inode file;

	return model_file(text, len, &file) && file.ino == m->event->exe_ino && file.dev == m->event->exe_dev;
}

/* One field; `name` is the name under test for rules kept by inode. */
static inline bool model_field(const struct model *m, const struct run_name *name, uint32_t field,
			       uint32_t op, uint32_t val, const char *text)
{
	const struct run_event *e = m->event;

	switch (field) {
	case AUDIT_PID: return model_op(e->pid, op, val);
	case AUDIT_PPID: return model_op(e->ppid, op, val);
	case AUDIT_UID: return model_op(e->uid, op, val);
	case AUDIT_EUID: return model_op(e->euid, op, val);
	case AUDIT_SUID: return model_op(e->suid, op, val);
	case AUDIT_FSUID: return model_op(e->fsuid, op, val);
	case AUDIT_GID: return model_groups(e, e->gid, op, val);
	case AUDIT_EGID: return model_groups(e, e->egid, op, val);
	case AUDIT_SGID: return model_op(e->sgid, op, val);
	case AUDIT_FSGID: return model_op(e->fsgid, op, val);
	case AUDIT_SESSIONID: return model_op(e->ses, op, val);
	case AUDIT_PERS: return model_op(e->pers, op, val);
	case AUDIT_ARCH: return model_op(e->abi ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64, op, val);
	case AUDIT_EXIT: return e->returns && model_op(e->exit, op, val);
	case AUDIT_SUCCESS: return e->returns && model_op(e->exit < 0 ? 2 : 1, op, val ? 1 : 2);
	case AUDIT_DEVMAJOR: case AUDIT_DEVMINOR: case AUDIT_INODE: case AUDIT_OBJ_UID: case AUDIT_OBJ_GID:
		return model_names(m, name, field, op, val);
	case AUDIT_WATCH: return name && model_watch(m, name, text, val);
	case AUDIT_DIR: return model_dir(m, text, val);
	case AUDIT_LOGINUID:
		return val == UINT32_MAX ? model_op(e->auid != UINT32_MAX, op, 0)
					 : model_op(e->auid, op, val);
	case AUDIT_LOGINUID_SET: return model_op(e->auid != UINT32_MAX, op, val);
	case AUDIT_SADDR_FAM: return e->family >= 0 && model_op(e->family, op, val);
	case AUDIT_ARG0: case AUDIT_ARG1: case AUDIT_ARG2: case AUDIT_ARG3:
		return model_op(e->args[field - AUDIT_ARG0], op, val);
	case AUDIT_FILTERKEY: return true;
	case AUDIT_PERM: return model_perm(m, val) == (op == AUDIT_EQUAL);
	case AUDIT_FILETYPE: return model_filetype(m, val) == (op == AUDIT_EQUAL);
	case AUDIT_EXE: return model_exe(m, text, val) == (op == AUDIT_EQUAL);
	case AUDIT_FIELD_COMPARE: return model_compare(m, op, val);
	}
	return false; /* labels */
}

static inline bool model_string(uint32_t field)
{
	return (field >= AUDIT_SUBJ_USER && field <= AUDIT_OBJ_LEV_HIGH && field != AUDIT_PPID) ||
	       field == AUDIT_WATCH || field == AUDIT_DIR || field == AUDIT_FILTERKEY || field == AUDIT_EXE;
}

static inline bool model_has_field(const struct audit_rule_data *data, uint32_t field, uint32_t op)
{
	for (uint32_t i = 0; i < data->field_count; i++)
		if (data->fields[i] == field && (!op || data->fieldflags[i] == op))
			return true;
	return false;
}

/* Is the rule kept by inode (in the kernel's hash), not in the list? */
static inline bool model_by_inode(const struct audit_rule_data *data)
{
	return model_has_field(data, AUDIT_WATCH, 0) || model_has_field(data, AUDIT_INODE, AUDIT_EQUAL);
}

static inline bool model_rule(const struct model *m, uint32_t index, const struct run_name *name)
{
	const struct audit_rule_data *data = m->rules->list[index].data;
	const char *text = data->buf;

	if (index >= m->best || !(data->mask[m->event->nr / 32] >> (m->event->nr % 32) & 1))
		return false;
	for (uint32_t i = 0; i < data->field_count; i++) {
		if (!model_field(m, name, data->fields[i], data->fieldflags[i], data->values[i], text))
			return false;
		if (model_string(data->fields[i]))
			text += data->values[i];
	}
	return true;
}

static inline void model_take(struct model *m, struct model_result *result, uint32_t index)
{
	const struct audit_rule_data *data = m->rules->list[index].data;

	m->best = result->rule = index;
	result->recorded = data->action == AUDIT_ALWAYS;
	if (model_has_field(data, AUDIT_FILTERKEY, 0))
		result->key_rule = index;
}

static inline struct model_result model_decide(const struct laf_rules *rules, const struct run_event *event,
					       const struct model_call *call, bool by_text)
{
	struct model m = { rules, event, call, UINT32_MAX, by_text, by_text };
	struct model_result result = { false, LAF_RULE_NONE, LAF_RULE_NONE };

	for (uint32_t i = 0; i < rules->n; i++) {
		if (!model_by_inode(rules->list[i].data) && model_rule(&m, i, NULL)) {
			model_take(&m, &result, i);
			break;
		}
	}
	for (unsigned n = 0; n < event->n_names; n++) {
		for (uint32_t i = 0; i < rules->n; i++) {
			if (model_by_inode(rules->list[i].data) && model_rule(&m, i, &event->names[n])) {
				model_take(&m, &result, i);
				return result;
			}
		}
	}
	return result;
}

/* ---- rules made by hand ---- */

static inline struct audit_rule_data *rule_new(int action)
{
	struct audit_rule_data *data = calloc(1, sizeof(*data));

	data->flags = AUDIT_FILTER_EXIT;
	data->action = action;
	return data;
}

static inline void rule_call(struct audit_rule_data *data, int nr)
{
	if (nr >= 0)
		data->mask[nr / 32] |= 1u << (nr % 32);
	else
		memset(data->mask, 0xff, sizeof(data->mask));
}

static inline void rule_field(struct audit_rule_data *data, uint32_t field, uint32_t op, uint32_t val)
{
	data->fields[data->field_count] = field;
	data->fieldflags[data->field_count] = op;
	data->values[data->field_count++] = val;
}

static inline void rule_text(struct audit_rule_data **data, uint32_t field, uint32_t op, const char *text)
{
	uint32_t len = strlen(text);

	*data = realloc(*data, sizeof(**data) + (*data)->buflen + len);
	memcpy((*data)->buf + (*data)->buflen, text, len);
	(*data)->buflen += len;
	rule_field(*data, field, op, len);
}

static inline void rules_put(struct laf_rules *rules, struct audit_rule_data *data)
{
	if (rules->n == rules->allocated) {
		rules->allocated = rules->allocated ? 2 * rules->allocated : 16;
		rules->list = realloc(rules->list, rules->allocated * sizeof(*rules->list));
	}
	rules->list[rules->n++] = (struct laf_rule){ .data = data };
}

static inline void rules_free(struct laf_rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		free(rules->list[i].data);
	free(rules->list);
	memset(rules, 0, sizeof(*rules));
}

#endif
