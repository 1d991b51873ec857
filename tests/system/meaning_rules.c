// SPDX-License-Identifier: GPL-2.0-or-later
/* Random rule sets over the calls of meaning_work.c: the same seed, the same set. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "meaning.h"

static uint64_t state;

static unsigned rnd(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

#define COUNT(list) (sizeof(list) / sizeof(*(list)))
#define PICK(list) ((list)[rnd(COUNT(list))])

__attribute__((format(printf, 3, 4)))
static struct part *put(struct rule *rule, const char *option, const char *format, ...)
{
	struct part *part = &rule->part[rule->n];
	va_list ap;

	if (rule->n == PARTS)
		return &rule->part[PARTS - 1];
	rule->n++;
	*part = (struct part){ .option = option };
	va_start(ap, format);
	vsnprintf(part->value, sizeof(part->value), format, ap);
	va_end(ap);
	return part;
}

static const char *const equal[] = { "=", "=", "=", "!=" };
static const char *const order[] = { "=", "!=", "<", "<=", ">", ">=" };
static const char *const any_op[] = { "=", "!=", "<", "<=", ">", ">=", "&", "&=" };

/* ---- which calls ---- */

static const char *const calls[] = {
	"open", "openat", "open,openat", "creat,openat2", "stat,lstat,newfstatat", "access,faccessat", "mkdir,rmdir",
	"unlink,rename,link,symlink", "chmod,fchmod,chown,fchown,lchown", "truncate,ftruncate", "setxattr,getxattr",
	"execve", "connect,bind,sendto", "socket", "read,write,close", "setresuid,setresgid,setgroups", "pipe,pipe2",
	"exit_group,clone", "getpid,uname", "personality", "mmap", "mknod,readlink,statfs,chdir", "all", "all", "all",
};
static const char *const calls_32[] = { "open", "stat,access", "mkdir,rmdir", "socketcall", "getpid", "chmod", "all" };

/* Where the engine does not see where names lead, only opens that succeed are known to lead where the file is. */
static void put_calls(struct rule *rule, const struct place *place, bool names)
{
	bool narrow = rnd(4) == 0;

	if (names && !place->sees_names) {
		put(rule, "-F", "arch=%s", narrow ? "b32" : "b64")->fixed = true;
		put(rule, "-S", "%s", narrow ? "open" : "open,openat,openat2,creat")->fixed = true;
		put(rule, "-F", "success=1")->fixed = true;
		return;
	}
	if (!rnd(8))
		return put(rule, "-S", "all"), (void)0;
	put(rule, "-F", "arch%s%s", rnd(16) ? "=" : "!=", narrow ? "b32" : "b64");
	put(rule, "-S", "%s", narrow ? PICK(calls_32) : PICK(calls));
}

/* ---- fields ---- */

static void put_user(struct rule *rule, const char *field)
{
	static const unsigned users[] = { 0, 0, 65534, 201, 202, 203, MARK };

	put(rule, "-F", "%s%s%u", field, PICK(order), PICK(users));
}

static void put_group(struct rule *rule, const char *field)
{
	static const unsigned groups[] = { 0, 0, 65534, 101, 102, 103, 104, 20, 4321 };

	put(rule, "-F", "%s%s%u", field, PICK(order), PICK(groups));
}

static void put_exit(struct rule *rule)
{
	static const char *const values[] = {
		"-EACCES", "-ENOENT", "ENOENT", "-EPERM", "-EEXIST", "-2", "0", "3", "5", "-ENOTDIR", "-EBADF",
	};

	put(rule, "-F", "exit%s%s", PICK(order), PICK(values));
}

static void put_argument(struct rule *rule)
{
	static const char *const values[] = {
		"0", "1", "2", "0x40", "0100", "01101", "0x8000", "0xffffff9c", "-100", "0600", "0640", "0644", "10", "16",
	};

	put(rule, "-F", "a%u%s%s", rnd(4), PICK(any_op), PICK(values));
}

static void put_process(struct rule *rule, const struct place *place)
{
	switch (rnd(6)) {
	case 0: put(rule, "-F", "ppid%s%d", PICK(order), place->server); break;
	case 1: put(rule, "-F", "pid%s%d", PICK(order), place->server + (int)rnd(3)); break;
	case 2: put(rule, "-F", "sessionid%s%u", PICK(order), place->session + rnd(2)); break;
	case 3: put(rule, "-F", "sessionid%sunset", PICK(equal)); break;
	case 4: put(rule, "-F", "pers%s%s", PICK(any_op), rnd(2) ? "0x40000" : "8"); break;
	case 5: put(rule, "-F", "auid%s%s", PICK(equal), rnd(2) ? "unset" : "-1"); break;
	}
}

static void put_compare(struct rule *rule, bool with_object)
{
	static const char *const users[] = { "auid", "uid", "euid", "suid", "fsuid", "obj_uid" };
	static const char *const groups[] = { "gid", "egid", "sgid", "fsgid", "obj_gid" };
	bool user = rnd(2);
	unsigned n = (user ? COUNT(users) : COUNT(groups)) - !with_object;
	unsigned a = rnd(n), b = (a + 1 + rnd(n - 1)) % n;

	put(rule, "-C", "%s%s%s", (user ? users : groups)[a], PICK(equal), (user ? users : groups)[b]);
}

static void put_perm(struct rule *rule)
{
	static const char *const perms[] = { "r", "w", "x", "a", "wa", "rwxa", "rx" };

	put(rule, "-F", "perm=%s", PICK(perms));
}

static void put_exe(struct rule *rule, const struct place *place)
{
	put(rule, "-F", "exe%s%s", PICK(equal), rnd(2) ? place->self : place->other);
}

/* Fields of a call that need no inode. */
static void put_field(struct rule *rule, const struct place *place)
{
	static const char *const users[] = { "uid", "euid", "suid", "fsuid", "auid" };
	static const char *const groups[] = { "gid", "egid", "sgid", "fsgid" };

	switch (rnd(14)) {
	case 0: case 1: put_user(rule, PICK(users)); break;
	case 2: case 3: put_group(rule, PICK(groups)); break;
	case 4: put_exit(rule); break;
	case 5: put(rule, "-F", "success%s%u", PICK(order), rnd(2)); break;
	case 6: case 7: put_argument(rule); break;
	case 8: put_process(rule, place); break;
	case 9: put_compare(rule, false); break;
	case 10: case 11: put_perm(rule); break;
	case 12: put(rule, "-F", "saddr_fam%s%u", PICK(order), rnd(2) ? 1 + rnd(2) : rnd(11)); break;
	case 13: put(rule, "-F", "%s%sshadow_t", rnd(2) ? "subj_type" : "obj_type", PICK(equal)); break;
	}
}

/* Fields of the files that names lead to. */
static void put_name_field(struct rule *rule, const struct place *place)
{
	static const char *const types[] = { "file", "dir", "character", "fifo", "socket", "link" };

	switch (rnd(7)) {
	case 0: put(rule, "-F", "devmajor%s%u", PICK(order), rnd(2) ? place->dev_major : rnd(2)); break;
	case 1: put(rule, "-F", "devminor%s%u", PICK(any_op), rnd(2) ? place->dev_minor : rnd(4)); break;
	case 2: put(rule, "-F", "inode!=%lu", place->inodes[rnd(place->n_inodes)]); break;
	case 3: put_user(rule, "obj_uid"); break;
	case 4: put_group(rule, "obj_gid"); break;
	case 5: put(rule, "-F", "filetype%s%s", PICK(equal), PICK(types)); break;
	case 6: put_compare(rule, true); break;
	}
}

static void put_place(struct rule *rule, const struct place *place)
{
	static const char *const files[] = {
		"file", "hard", "soft", "dir/file", "nobodys", "absent", "made", "dir", "fifo", "null", "socket",
	};
	static const char *const folders[] = { "", "dir", "dir/below", "made", "closed", "file" };

	switch (rnd(5)) {
	case 0: case 1: put(rule, "-F", "path=%s/%s", place->work, PICK(files)); break;
	case 2: put(rule, "-F", "dir=%s/%s", place->work, PICK(folders)); break;
	case 3: put(rule, "-F", "dir=%s", rnd(2) ? place->memory : "/dev"); break;
	case 4: put(rule, "-F", "inode=%lu", place->inodes[rnd(place->n_inodes)]); break;
	}
}

/* ---- rules ---- */

/* Only what is marked is looked at: others use the machine, too. */
static void put_mark(struct rule *rule)
{
	put(rule, "-F", "auid=%d", MARK)->fixed = true;
}

static void put_keys(struct rule *rule)
{
	for (unsigned n = rnd(3); n; n--)
		put(rule, "-F", "key=k%u", rnd(5));
}

static void make_exit(struct rule *rule, const struct place *place)
{
	bool placed = rnd(3) == 0, names = placed || rnd(4) == 0;

	strcpy(rule->list, rnd(4) ? "always,exit" : "never,exit");
	put_calls(rule, place, names);
	put_mark(rule);
	if (placed)
		put_place(rule, place);
	if (names && (!placed || !rnd(3)))
		put_name_field(rule, place);
	for (unsigned n = rnd(3); n; n--)
		put_field(rule, place);
	put_keys(rule);
}

static void make_task(struct rule *rule, const struct place *place)
{
	static const char *const users[] = { "uid", "euid", "suid", "fsuid" };
	static const char *const groups[] = { "gid", "egid", "sgid", "fsgid" };

	strcpy(rule->list, place->sees_names || rnd(3) ? "never,task" : "always,task"); /* that has all calls hooked */
	put_mark(rule);
	switch (rnd(5)) {
	case 0: case 1: put_user(rule, PICK(users)); break;
	case 2: put_group(rule, PICK(groups)); break;
	case 3: put(rule, "-F", "pid%s%d", PICK(order), place->server); break;
	case 4: put(rule, "-F", "pers%s%s", PICK(any_op), rnd(2) ? "0x40000" : "8"); break;
	}
	if (!rnd(6))
		put_exe(rule, place);
	if (!rnd(3))
		put(rule, "-F", "key=t%u", rnd(2));
}

static void make_exclude(struct rule *rule, const struct place *place)
{
	static const char *const types[] = {
		"SYSCALL", "CWD", "PATH", "PROCTITLE", "EXECVE", "SOCKADDR", "FD_PAIR", "MMAP", "EOE", "1305", "1310",
	};

	strcpy(rule->list, rnd(2) ? "always,exclude" : "never,exclude");
	put_mark(rule);
	put(rule, "-F", "msgtype%s%s", PICK(order), PICK(types));
	switch (rnd(5)) {
	case 0: put_user(rule, "uid"); break;
	case 1: put_group(rule, "gid"); break;
	case 2: put(rule, "-F", "pid%s%d", PICK(order), place->server); break;
	case 3: put_exe(rule, place); break;
	}
}

static void make_filesystem(struct rule *rule, const struct place *place)
{
	const unsigned types[] = { place->disk_type, 0x01021994, 0x9fa0 };

	strcpy(rule->list, rnd(5) ? "never,filesystem" : "always,filesystem");
	put(rule, "-F", "fstype%s0x%x", rnd(6) ? "=" : "!=", PICK(types));
	if (!rnd(4))
		put(rule, "-F", "fstype=0x%x", PICK(types));
}

void set_make(struct set *set, const struct place *place, uint64_t seed)
{
	memset(set, 0, sizeof(*set));
	state = seed * 0x9e3779b97f4a7c15u;
	rnd(2);
	set->n = 1 + rnd(RULES);
	for (unsigned i = 0; i < set->n; i++) {
		struct rule *rule = &set->rule[i];

		rule->prepend = rnd(4) == 0;
		switch (rnd(20)) {
		case 0: make_task(rule, place); break;
		case 1: make_exclude(rule, place); break;
		case 2: make_filesystem(rule, place); break;
		default: make_exit(rule, place); break;
		}
	}
}

void rule_string(const struct rule *rule, char *buf, size_t size)
{
	size_t n = snprintf(buf, size, "-%c %s", rule->prepend ? 'A' : 'a', rule->list);

	for (unsigned i = 0; i < rule->n && n < size; i++)
		n += snprintf(buf + n, size - n, " %s %s", rule->part[i].option, rule->part[i].value);
}
