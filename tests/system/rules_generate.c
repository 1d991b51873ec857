// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of auditctl's rule language, good ones and bad ones, the same for the same seed: rules_generate SEED
 * COUNT. No line changes a setting of the audit system: see is_harmless(). */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 200
#define WORD_BYTES 320

struct line {
	char words[WORDS_MAX][WORD_BYTES];
	unsigned n;
};

static uint64_t state;

static unsigned any(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 33) % below;
}

static bool chance(unsigned percent)
{
	return any(100) < percent;
}

#define PICK(list) ((list)[any(sizeof(list) / sizeof((list)[0]))])

/* The first ones mostly: tables begin with what people write and end with what nobody should. */
#define PICK_USUAL(list, usual) ((list)[any(chance(85) ? (usual) : sizeof(list) / sizeof((list)[0]))])

static const char *const lists[] = {
	"exit", "exit", "exit", "exit", "exit", "exit", "exit", "task", "user", "exclude", "filesystem",
	"entry", "exits",
};
static const char *const actions[] = {
	"always", "always", "always", "always", "never", "never", "possible", "Always",
};
static const char *const fields[] = {
	"pid", "ppid", "uid", "euid", "suid", "fsuid", "gid", "egid", "sgid", "fsgid", "auid", "loginuid",
	"pers", "msgtype", "subj_user", "subj_role", "subj_type", "subj_sen", "subj_clr", "obj_user",
	"obj_role", "obj_type", "obj_lev_low", "obj_lev_high", "sessionid", "fstype", "devmajor",
	"devminor", "inode", "exit", "success", "path", "perm", "dir", "filetype", "obj_uid", "obj_gid",
	"field_compare", "exe", "saddr_fam", "a0", "a1", "a2", "a3", "key", "arch", "auid", "uid", "exit",
	"success", "perm", "path", "dir", "a1", "uid", "success", "auid", "a0", "nofield", "PID", "a4", "",
};
#define FIELDS_GOOD (sizeof(fields) / sizeof(fields[0]) - 4)
static const char *const ids[] = {
	"uid", "euid", "suid", "fsuid", "auid", "obj_uid", "gid", "egid", "sgid", "fsgid", "obj_gid",
	"uid", "euid", "auid", "obj_uid", "pid", "exit", "nofield", "",
};
static const char *const ops[] = {
	"=", "=", "=", "=", "=", "=", "!=", "!=", "!=", "<", ">", "<=", ">=", "&", "&=", "",
};
static const char *const numbers[] = {
	"0", "1", "2", "7", "10", "45", "46", "100", "1000", "65534", "2147483647", "2147483648",
	"4294967294", "4294967295", "4294967296", "99999999999", "99999999999999999999", "-1", "-2", "-13",
	"-1000", "0x10", "0x7fffffff", "0xffffffff", "010", "0777", "08", "1x", "unset", "-", "--1", "+5",
	"",
};
static const char *const paths[] = {
	"/etc", "/etc/", "/etc/passwd", "/etc/passwd/", "/etc/shadow", "/bin/ls", "/usr/bin/ls",
	"/usr/bin", "/tmp", "/tmp/", "/tmp/laf-absent", "/laf-absent/x", "/laf-absent/",
	"/etc/laf-absent/", "//etc", "/", "//", "///", "/.", "/..", "/etc/.", "/etc/..",
	"/etc/../etc/passwd", "etc", "./x", "", "/etc/*.conf", "/dev/null", "/etc/mtab", "/etc/passwd/x",
	"/proc/self", "/proc/self/exe", "/var/run", "/var/run/", "/lib64", "/etc/a=b", "/etc/a!=b",
	"/etc/a\\ b",
};
static const char *const users[] = { "root", "daemon", "nobody", "nosuchuser", "unset", "bin" };
static const char *const errnos[] = {
	"EACCES", "-EACCES", "EPERM", "-EPERM", "-ENOSUCH", "-EINVAL", "ENOENT", "-13", "13", "0",
};
static const char *const types[] = {
	"SYSCALL", "PATH", "USER_LOGIN", "1300", "9999", "NOTYPE", "CWD", "AVC",
};
static const char *const perms[] = { "r", "w", "x", "a", "wa", "rwxa", "rwx", "WA", "ww", "q", "rwxar", "" };
static const char *const archs[] = {
	"b64", "b64", "b64", "b32", "b32", "x86_64", "i386", "i686", "B64", "ppc64", "ppc", "s390x",
	"aarch64", "arm", "b16", "0xc000003e", "3221225534", "c000003e", "40000003", "0x40000003", "5",
	"zzz",
};
static const char *const files[] = {
	"file", "dir", "socket", "link", "character", "block", "fifo", "pipe", "5",
};
static const char *const systems[] = { "tracefs", "debugfs", "cgroup", "5", "0x1234", "ext4", "4294967295" };
static const char *const labels[] = { "system_u", "unconfined_t", "s0", "a" };
static const char *const keys[] = {
	"a", "key", "10.2.2-x", "with-dash", "a=b", "a!=b", "a>b", "a&b", "a&=b", "k\\ k", "", "\x01",
	"a\x01z",
};
static const char *const calls[] = {
	"open", "openat", "execve", "close", "read", "write", "unlink", "rename", "chmod", "fchmodat",
	"socket", "connect", "stime", "socketcall", "_llseek", "mmap2", "adjtimex", "clock_settime",
	"kill", "openat2", "setxattrat", "nosuchcall", "all", "0", "1", "59", "450", "512", "1024", "2031",
	"2032", "2040", "2041", "2042", "2043", "2047", "2048", "-1", "0x3b", "010", "5abc", "OPEN",
	"open_by_handle_at", "",
};

static char *next_word(struct line *line)
{
	static char spare[WORD_BYTES];

	return line->n < WORDS_MAX ? line->words[line->n++] : spare;
}

__attribute__((format(printf, 2, 3)))
static void put(struct line *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(next_word(line), WORD_BYTES, format, args);
	va_end(args);
}

static const char *value_for(const char *field)
{
	static const struct {
		const char *start;
		const char *const *values;
		unsigned n;
	} kinds[] = {
#define VALUES(list) list, sizeof(list) / sizeof(list[0])
		{ "path", VALUES(paths) },   { "dir", VALUES(paths) },      { "exe", VALUES(paths) },
		{ "exit", VALUES(errnos) },  { "msgtype", VALUES(types) },  { "perm", VALUES(perms) },
		{ "arch", VALUES(archs) },   { "filetype", VALUES(files) }, { "fstype", VALUES(systems) },
		{ "subj", VALUES(labels) },  { "obj_u", VALUES(labels) },   { "key", VALUES(keys) },
		{ "obj_r", VALUES(labels) }, { "obj_t", VALUES(labels) },   { "obj_l", VALUES(labels) },
		{ "uid", VALUES(users) },    { "auid", VALUES(users) },     { "gid", VALUES(users) },
		{ "euid", VALUES(users) },
	};

	if (chance(15))
		return PICK(numbers);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(field, kinds[i].start, strlen(kinds[i].start)) && chance(85))
			return kinds[i].values[any(chance(70) ? kinds[i].n / 2 : kinds[i].n)];
	return PICK_USUAL(numbers, 10);
}

static void put_field(struct line *line)
{
	const char *field = chance(97) ? fields[any(FIELDS_GOOD)] : PICK(fields);

	put(line, "-F");
	put(line, "%s%s%s", field, PICK_USUAL(ops, 9), value_for(field));
}

static void put_calls(struct line *line)
{
	char list[WORD_BYTES];
	int len = snprintf(list, sizeof(list), "%s", PICK_USUAL(calls, 12));

	while (chance(40) && len < 200)
		len += snprintf(list + len, sizeof(list) - len, ",%s", PICK_USUAL(calls, 12));
	put(line, "-S");
	put(line, "%s", list);
}

static void put_key(struct line *line)
{
	put(line, "-k");
	if (chance(3))
		put(line, "%0*d", 250 + any(12), 0); /* at and beyond the limit */
	else
		put(line, "%s", PICK_USUAL(keys, 4));
}

static void put_option(struct line *line)
{
	switch (any(8)) {
	case 0: case 1: case 2:
		put_field(line);
		break;
	case 3:
		put_calls(line);
		break;
	case 4:
		put_key(line);
		break;
	case 5:
		put(line, "-C");
		put(line, "%s%s%s", PICK_USUAL(ids, 6), chance(90) ? chance(50) ? "=" : "!=" : PICK(ops),
		    PICK_USUAL(ids, 6));
		break;
	case 6:
		put(line, "-p");
		put(line, "%s", PICK(perms));
		break;
	default:
		put(line, "-F");
		put(line, "%s%s%s", chance(50) ? "path" : "dir", chance(95) ? "=" : PICK(ops), PICK(paths));
	}
}

static void put_list(struct line *line, const char *option)
{
	const char *list = PICK_USUAL(lists, 7), *action = PICK_USUAL(actions, 6);

	put(line, "%s", option);
	if (chance(2))
		put(line, "%s", chance(50) ? list : "exit,always,exit");
	else
		put(line, "%s,%s", chance(50) ? list : action, chance(50) ? list : action);
	if (chance(90))
		snprintf(line->words[line->n - 1], WORD_BYTES, chance(50) ? "%s,%s" : "%2$s,%1$s", list,
			 action);
}

/* What people write: list, arch, calls, fields, key. */
static void make_usual(struct line *line)
{
	put_list(line, chance(10) ? "-A" : "-a");
	if (chance(70)) {
		put(line, "-F");
		put(line, "arch%s%s", chance(95) ? "=" : PICK(ops),
		    chance(85) ? chance(50) ? "b64" : "b32" : PICK(archs));
	}
	if (chance(60))
		put_calls(line);
	for (unsigned n = any(4); n; n--)
		put_field(line);
	while (chance(50))
		put_key(line);
}

static void make_watch(struct line *line)
{
	put(line, "-w");
	put(line, "%s", PICK(paths));
	if (chance(70)) {
		put(line, "-p");
		put(line, "%s", PICK_USUAL(perms, 7));
	}
	if (chance(70))
		put_key(line);
	if (chance(10))
		put_option(line);
}

static void make_mess(struct line *line)
{
	if (chance(20))
		put_option(line);
	if (chance(85))
		put_list(line, chance(10) ? "-d" : chance(10) ? "-A" : "-a");
	for (unsigned n = any(8); n; n--)
		put_option(line);
	if (chance(5))
		make_watch(line);
}

/* Near the limit of 64 fields. */
static void make_long(struct line *line)
{
	put_list(line, "-a");
	put(line, "-S");
	put(line, "open");
	for (unsigned n = 58 + any(8); n; n--) {
		put(line, "-F");
		put(line, "a%u!=%u", any(4), any(1000));
	}
	if (chance(50))
		put_key(line);
}

static void mutate(struct line *line)
{
	unsigned i = any(line->n), j = any(line->n);
	char swap[WORD_BYTES], *word = line->words[i];

	switch (any(4)) {
	case 0: /* a word is missing */
		memmove(line->words[i], line->words[i + 1], (line->n - i - 1) * WORD_BYTES);
		line->n--;
		break;
	case 1: /* two are swapped */
		memcpy(swap, line->words[i], WORD_BYTES);
		memcpy(line->words[i], line->words[j], WORD_BYTES);
		memcpy(line->words[j], swap, WORD_BYTES);
		break;
	case 2: /* a letter is wrong */
		if (word[0])
			word[any(strlen(word))] = "abcdefghijklmnopqrstuvwxyzACFS0123456789-=,/\\"[any(45)];
		break;
	default: /* one is there twice */
		if (line->n < WORDS_MAX)
			memcpy(line->words[line->n++], word, WORD_BYTES);
	}
}

/* Only options that make rules: an -e 2 among the lines would lock the machine's audit system until it is
 * booted anew. auditctl falls over -l, -D and -s behind other options, so they are kept out too, and it
 * forgets the end of a line of very short words. */
static bool is_harmless(const struct line *line)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < line->n; i++) {
		const char *word = line->words[i];

		if (word[0] == '-' && word[1] && !strchr("aAdSFCkwWp0123456789", word[1]))
			return false;
		bytes += strlen(word) + 1;
	}
	return line->n && bytes / 3 + 1 > line->n;
}

static void print(const struct line *line)
{
	for (unsigned i = 0; i < line->n; i++)
		printf("%s%s%s", i ? " " : "", i && chance(2) ? "  " : "", line->words[i]);
	putchar('\n');
}

static void make(struct line *line)
{
	unsigned kind = any(100);

	line->n = 0;
	if (kind < 55)
		make_usual(line);
	else if (kind < 70)
		make_watch(line);
	else if (kind < 98)
		make_mess(line);
	else
		make_long(line);
	while (chance(10) && line->n)
		mutate(line);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 300;
	static struct line line;

	state = 88172645463325252u ^ (argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761u : 0);
	while (count) {
		make(&line);
		if (!is_harmless(&line))
			continue;
		print(&line);
		count--;
	}
	return 0;
}
