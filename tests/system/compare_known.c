// SPDX-License-Identifier: GPL-2.0-or-later
/* THE TABLE: every difference between laf and the kernel's audit that is meant to be, with its reason.
 * docs/differences.md says the same for people. Whatever is not here is a defect. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare_known.h"

void drop_record(struct event *e, size_t i)
{
	memmove(e->rec + i, e->rec + i + 1, (e->n_rec - i - 1) * sizeof(*e->rec));
	e->n_rec--;
}

static bool drop_records(const struct known *k, struct event *kernel, const struct event *ours)
{
	bool changed = false;

	for (size_t i = 0; i < kernel->n_rec;) {
		if (strcmp(kernel->rec[i].type, k->argument)) {
			i++;
			continue;
		}
		drop_record(kernel, i);
		changed = true;
	}
	return changed;
}

/* The kernel can't read the memory of a task that is being killed. */
static bool title_of_dying(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *theirs = event_record(kernel, "PROCTITLE"), *mine = ours ? event_record(ours, "PROCTITLE") : NULL;

	if (!theirs || !mine || strcmp(theirs->body, "proctitle=\"(null)\"") || !strcmp(theirs->body, mine->body))
		return false;
	theirs->body = mine->body;
	return true;
}

/* Seen on 6.16.3 to 6.18.15, not on 6.1.192, 6.12.95, 6.18.44: the effective set stands for the inheritable one. */
static bool inheritable_mended(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *theirs = event_record(kernel, "CAPSET"), *mine = ours ? event_record(ours, "CAPSET") : NULL;
	char *inheritable, *effective;
	bool wrong;

	if (!theirs || !mine)
		return false;
	inheritable = field_text(theirs->body, "cap_pi");
	effective = field_text(theirs->body, "cap_pe");
	wrong = !strcmp(inheritable, effective) && strcmp(theirs->body, mine->body) &&
		!strcmp(strstr(theirs->body, " cap_pp="), strstr(mine->body, " cap_pp="));
	free(inheritable);
	free(effective);
	if (wrong)
		theirs->body = mine->body;
	return wrong;
}

/* From " cap_fp=" on, PATH is as of a file without capabilities. */
static bool capabilities_left_out(const struct known *k, struct event *kernel, const struct event *ours)
{
	static const char none[] = " cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0";
	bool changed = false;

	for (size_t i = 0; i < kernel->n_rec; i++) {
		char *caps = strcmp(kernel->rec[i].type, "PATH") ? NULL : strstr(kernel->rec[i].body, " cap_fp=");
		size_t rest = caps ? strcspn(caps, "\035") : 0;

		if (!caps || caps[8] == '?' || !strncmp(caps, none, strlen(none)))
			continue;
		memmove(caps + strlen(none), caps + rest, strlen(caps + rest) + 1); /* none is shorter than any */
		memcpy(caps, none, strlen(none));
		changed = true;
	}
	return changed;
}

/* The kernel's only PATH is that of the folder, of a name that ends with a slash. */
static bool folder_by_text(const struct known *k, struct event *kernel, const struct event *ours)
{
	struct record *theirs = event_record(kernel, "PATH"), *mine = ours ? event_record(ours, "PATH") : NULL;
	char *name;
	bool slash;

	if (kernel->exit != -EISDIR || !theirs || !mine || !field_is(theirs->body, "nametype", "PARENT") ||
	    !field_is(mine->body, "nametype", "UNKNOWN"))
		return false;
	name = field_text(mine->body, "name");
	slash = name[0] && name[strlen(name) - 1] == '/';
	free(name);
	if (slash)
		theirs->body = mine->body;
	return slash;
}

#define NOT_YET(type) \
	{ "record-" type, NULL, NULL, EITHER, drop_records, type, "a record that laf does not write yet" }
#define HARDWIRED(type) \
	{ "kernel-" type, NULL, NULL, EITHER, drop_records, type, \
	  "made by the kernel without any rule; laf takes it over netlink, beside its own events" }
#define GIVEN(id, calls, outcome, why) { id, "tracepoint", calls, outcome, names_as_given, NULL, why }

/* The engine that sees calls at their start and end only (design: tracepoint). A name is what the caller gave;
 * where it led to is known only when the call returns the file or takes its descriptor. */
#define TRACEPOINT_TABLE \
	{ "create-old-failed", "tracepoint", "open openat openat2 creat", FAILED, folder_of_old_left_out, NULL, \
	  "before 6.12 the kernel tells the folder of a file that is there, too; of a failed open we see neither" }, \
	GIVEN("open-failed", "open openat openat2 creat open_tree", FAILED, \
	      "a failed open returns no file"), \
	{ "created-through-link", "tracepoint", "open openat openat2 creat", SUCCEEDED, created_through_link, NULL, \
	  "the kernel shows the steps on the way without their names" }, \
	{ "made-by-driver", "tracepoint", "open openat", SUCCEEDED, only_the_opened, NULL, \
	  "what a driver makes inside while it is opened (/dev/ptmx) has no name" }, \
	{ "exec-failed", "tracepoint", "execve execveat", FAILED, first_name_as_given, NULL, \
	  "a failed exec leaves no program to look at, nor the scripts and interpreters tried on the way" }, \
	{ "exec-looked-up-again", "tracepoint", "execve execveat", SUCCEEDED, repeated_left_out, NULL, \
	  "what a security module looks up is seen by the kernel alone" }, \
	{ "exec-script", "tracepoint", "execve execveat", SUCCEEDED, script_by_name, NULL, \
	  "of a script nothing is left but its name, of scripts between it and the interpreter nothing" }, \
	GIVEN("looked-at", \
	      "stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat statfs chdir chroot " \
	      "oldstat oldlstat stat64 lstat64 fstatat64 statfs64 name_to_handle_at inotify_add_watch fanotify_mark", \
	      EITHER, "nothing returns the file that the name led to"), \
	GIVEN("names-made-moved-removed", \
	      "mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat " \
	      "mknod mknodat mq_open mq_unlink", \
	      EITHER, "the folder and the file are seen by the kernel alone"), \
	GIVEN("attributes", \
	      "chmod fchmodat fchmodat2 #452 chown chown32 lchown lchown32 fchownat truncate truncate64 " \
	      "utime utimes futimesat utimensat utimensat_time64 setxattr lsetxattr getxattr lgetxattr " \
	      "listxattr llistxattr removexattr lremovexattr #463 #464 #465 #466 #468 #469", \
	      EITHER, "nothing returns the file that the name led to"), \
	GIVEN("mounts", \
	      "umount umount2 mount_setattr fsconfig fspick swapon swapoff acct uselib sysfs", \
	      EITHER, "nothing returns the file that the name led to"), \
	{ "quotas", "tracepoint", "quotactl", EITHER, device_as_given, NULL, \
	  "nothing returns the device; that one command takes a file besides is not looked at" }, \
	GIVEN("mounts-of-two", "pivot_root move_mount", SUCCEEDED, "nothing returns the files that the names led to"), \
	{ "mounts-of-two-failed", "tracepoint", "pivot_root move_mount", FAILED, second_name_unseen, NULL, \
	  "whether the call came to its second name can't be seen" }, \
	{ "empty-name", "tracepoint", "newfstatat statx", SUCCEEDED, empty_name_left_out, NULL, \
	  "an empty name and no descriptor: nothing was named" }, \
	{ "mount-source", "tracepoint", "mount", EITHER, second_name_if_ours, NULL, \
	  "whether the source is a name is for the file system to know" }, \
	GIVEN("unix-sockets", "connect bind sendto sendmsg socketcall", EITHER, \
	      "the file of a Unix socket's address is seen by the kernel alone"), \
	{ "unix-sockets-many", "tracepoint", "sendmmsg", EITHER, first_name_as_given, NULL, \
	  "the address of the first message is taken only" }, \
	{ "loader-by-file", "tracepoint", "execve execveat", SUCCEEDED, loader_by_file, NULL, \
	  "by which name a program asks for its loader is read from its file afterwards" }, \
	{ "pair-not-given", "tracepoint", "pipe pipe2 socketpair", FAILED, drop_records, "FD_PAIR", \
	  "descriptors that could not be written to the caller's memory can't be read there" }, \
	{ "address-not-given", "tracepoint", "getsockname getpeername accept accept4 recvfrom recvmsg", FAILED, \
	  drop_records, "SOCKADDR", "an address that could not be written to the caller's memory can't be read there" }

/* The engine that sees where the kernel resolves names, too. */
#define FEXIT_TABLE \
	{ "slash-of-new", "fexit", "open openat openat2 creat", FAILED, folder_by_text, NULL, \
	  "before 6.12 the kernel notes the folder of a new file, and then that its name ends with a slash, in one function" }, \
	{ "pair-not-given-f", "fexit", "pipe pipe2 socketpair", FAILED, drop_records, "FD_PAIR", \
	  "descriptors that could not be written to the caller's memory can't be read there" }, \
	{ "address-not-given-f", "fexit", "getsockname getpeername accept accept4 recvfrom recvmsg", FAILED, \
	  drop_records, "SOCKADDR", "an address that could not be written to the caller's memory can't be read there" }

static struct known known[] = {
	TRACEPOINT_TABLE,
	FEXIT_TABLE,

	{ "title-of-dying", NULL, "pause clone", EITHER, title_of_dying, NULL,
	  "the kernel can't read the command line of a task that is being killed" },

	{ "capset-inheritable", NULL, "capset", SUCCEEDED, inheritable_mended, NULL,
	  "a mistake of some kernels, mended since: cap_pi= is the effective set" },

	{ "record-BPRM_FCAPS", "tracepoint", "execve execveat", SUCCEEDED, drop_records, "BPRM_FCAPS",
	  "the capabilities of the program's file can't be read" },
	{ "file-capabilities", "tracepoint", "execve execveat", EITHER, capabilities_left_out, NULL,
	  "the capabilities of the program's file can't be read" },
	NOT_YET("OBJ_PID"), NOT_YET("IPC"), NOT_YET("IPC_SET_PERM"), NOT_YET("MQ_OPEN"),
	NOT_YET("MQ_SENDRECV"), NOT_YET("MQ_NOTIFY"), NOT_YET("MQ_GETSETATTR"), NOT_YET("KERN_MODULE"),

	HARDWIRED("LOGIN"), HARDWIRED("ANOM_LINK"), HARDWIRED("BPF"),
};
static const size_t n_known = sizeof(known) / sizeof(*known);

static bool is_step(const struct known_choice *k, const struct event *e)
{
	size_t n = strlen(e->step);
	const char *p = strstr(k->argument, e->step);

	return p && (p == k->argument || p[-1] == ' ') && (p[n] == ' ' || !p[n]);
}

static bool in_list(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; (p = strstr(p, name)); p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

static bool is_call(const struct known_choice *k, const struct event *e)
{
	char name[32];

	return in_list(k->argument, event_call_name(e, name, sizeof(name)));
}

/* A failed call of which no name has an inode. */
static bool failed_by_text(const struct known_choice *k, const struct event *e)
{
	const char *v;

	if (!e->has_exit || e->exit >= 0 || !event_record(e, "PATH"))
		return false;
	for (size_t i = 0; i < e->n_rec; i++)
		if (!strcmp(e->rec[i].type, "PATH") && field(e->rec[i].body, "inode", &v))
			return false;
	return true;
}

/* No function is called for a call that the kernel does not have. */
static bool not_implemented(const struct known_choice *k, const struct event *e)
{
	return e->has_exit && e->exit == -38;
}

static bool made_kernel_record(const struct known_choice *k, const struct event *e)
{
	return event_record(e, k->argument) && field_is(e->call, "key", "(null)");
}

static struct known_choice choices[] = {
	{ "text-of-failed-call", "tracepoint", true, "text", failed_by_text, NULL,
	  "path= and dir= go by the text of names that led to no file we can see; the kernel knows that they led nowhere" },
	{ "text-not-path", "tracepoint", false, "text", is_step,
	  "linkat.follow rmdir.dotdot long.mkdir chroot.exec open.longcreat doomed.creat long.path.chmod long.path.unlin",
	  "path= and dir= go by text; the kernel goes by the files and folders that links, dots and roots lead to" },
	{ "just-replaced", "tracepoint", false, "text", is_step, "long.path.creat",
	  "a hard link to a watched file that was put there a moment before: the rules must be compiled anew" },
	{ "chosen-by-address-not-given", NULL, false, "saddr_fam", is_step, "sockname.fault",
	  "an address that could not be written to the caller's memory can't be read there" },
	{ "chosen-by-driver", "tracepoint", false, NULL, is_step, "tty.ptmx",
	  "the kernel matches the folder in which a driver makes a file while it is opened" },
	{ "newer-class", NULL, true, "text", is_call, "#452 #463 #466",
	  "calls that were added to the kernel's classes later; perm= means them on every kernel" },
	{ "not-implemented", "fexit", false, NULL, not_implemented, NULL,
	  "no function of the kernel is called for a call that it does not have" },
	{ "call-of-LOGIN", NULL, false, NULL, made_kernel_record, "LOGIN",
	  "the kernel writes the call that made such a record, though no rule names it" },
	{ "call-of-ANOM_LINK", NULL, false, NULL, made_kernel_record, "ANOM_LINK",
	  "the kernel writes the call that made such a record, though no rule names it" },
	{ "own-folder-moved", NULL, true, "text", is_step, "own.moved own.create own.new",
	  "the kernel drops the rule on a file whose folder is moved; ours goes with the file, and holds for the name, too" },
	{ "exchanged", NULL, true, "text", is_step, "swap.lost long.path.exch",
	  "the kernel loses a watch whose name is the target of an exchange" },
	{ "replaced-in-moved-folder", "tracepoint", false, "text", is_step, "above.new",
	  "what comes into a folder after something above it was moved has another path than the rule" },
	{ "call-of-CONFIG_CHANGE", NULL, false, NULL, made_kernel_record, "CONFIG_CHANGE",
	  "the kernel writes the call that made such a record, though no rule names it" },
	{ "call-of-BPF", NULL, false, NULL, made_kernel_record, "BPF",
	  "the kernel writes the call that made such a record, though no rule names it" },
};
static const size_t n_choices = sizeof(choices) / sizeof(*choices);

bool known_choice(const char *engine, const char *set, const struct event *e, bool extra)
{
	for (size_t i = 0; i < n_choices; i++) {
		struct known_choice *k = &choices[i];

		if (k->extra != extra || (k->engine && strcmp(k->engine, engine)) || (k->set && strcmp(k->set, set)))
			continue;
		if (k->fits(k, e)) {
			k->used++;
			return true;
		}
	}
	return false;
}

static bool concerns(const struct known *k, const char *engine, const struct event *e)
{
	char name[32];

	if (k->engine && strcmp(k->engine, engine))
		return false;
	if (k->outcome == FAILED && !(e->has_exit && e->exit < 0))
		return false;
	if (k->outcome == SUCCEEDED && !(e->has_exit && e->exit >= 0))
		return false;
	return !k->calls || in_list(k->calls, event_call_name(e, name, sizeof(name)));
}

bool known_apply(const char *engine, struct event *kernel, const struct event *ours)
{
	bool changed = false;

	for (size_t i = 0; i < n_known; i++) {
		if (!concerns(&known[i], engine, kernel) || !known[i].apply(&known[i], kernel, ours))
			continue;
		known[i].used++;
		changed = true;
	}
	return changed;
}

static void report_one(FILE *f, const char *id, unsigned long used, const char *why, bool only_unused)
{
	if (!used)
		fprintf(f, "unused %s\n", id);
	else if (!only_unused)
		fprintf(f, "known %s: %lu events: %s\n", id, used, why);
}

void known_report(FILE *f, const char *engine, bool only_unused)
{
	for (size_t i = 0; i < n_known; i++)
		if (!known[i].engine || !strcmp(known[i].engine, engine))
			report_one(f, known[i].id, known[i].used, known[i].why, only_unused);
	for (size_t i = 0; i < n_choices; i++)
		if (!choices[i].engine || !strcmp(choices[i].engine, engine))
			report_one(f, choices[i].id, choices[i].used, choices[i].why, only_unused);
}
