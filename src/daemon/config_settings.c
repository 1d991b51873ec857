// SPDX-License-Identifier: GPL-2.0-or-later
/* Each setting, what it takes and where it goes. */
#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "config_settings.h"

struct word {
	const char *name;
	unsigned value;
};

struct setting {
	const char *name;
	int (*set)(const struct setting *s, struct laf_config *config, char *value, const char *option);
	size_t to; /* in struct laf_config */
	const char *wants;
	union {
		struct {
			unsigned min, max;
		};
		const struct word *words;
	};
};

static void *place(const struct setting *s, struct laf_config *config)
{
	return (char *)config + s->to;
}

static int parse_number(const char *value, unsigned min, unsigned max, unsigned *ret)
{
	unsigned long n;
	char *end;

	if (!isdigit((unsigned char)*value))
		return -EINVAL;
	errno = 0;
	n = strtoul(value, &end, 10);
	if (*end || errno || n < min || n > max)
		return -EINVAL;
	*ret = n;
	return 0;
}

static int set_number(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	return parse_number(value, s->min, s->max, place(s, config));
}

/* Read, checked, and not used. */
static int check_number(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	unsigned number;

	return parse_number(value, s->min, s->max, &number);
}

static int find_word(const struct word *words, const char *value, unsigned *ret)
{
	for (; words->name; words++) {
		if (strcasecmp(words->name, value))
			continue;
		*ret = words->value;
		return 0;
	}
	return -EINVAL;
}

static int set_word(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	return find_word(s->words, value, place(s, config));
}

static int check_word(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	unsigned word;

	return find_word(s->words, value, &word);
}

static int check_nothing(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	return 0;
}

static int refuse(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	return -EINVAL;
}

static int set_path(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	if (value[0] != '/' || strlen(value) >= PATH_MAX)
		return -EINVAL;
	strcpy(place(s, config), value);
	return 0;
}

/* The folder of the log is made private: it must be no folder of the root. */
static int set_log_file(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	const char *slash = strrchr(value, '/');

	/* room for the numbers of rotated files */
	if (!slash || slash - value < 4 || !slash[1] || strlen(value) > PATH_MAX - 32)
		return -EINVAL;
	return set_path(s, config, value, option);
}

static int set_log_format(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	if (strcasecmp(value, "NOLOG"))
		return set_word(s, config, value, option);
	config->log.write_logs = 0;
	return 0;
}

static int set_log_group(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	struct group *group;

	if (isdigit((unsigned char)*value))
		return parse_number(value, 0, UINT_MAX - 1, &config->log.group);
	group = getgrnam(value);
	if (!group)
		return -EINVAL;
	config->log.group = group->gr_gid;
	return 0;
}

static int set_space(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	struct laf_space *space = place(s, config);
	size_t n = strlen(value);
	unsigned number;
	int r;

	if (!n || value[n - 1] != '%') {
		r = parse_number(value, 0, UINT_MAX, &number);
		if (!r)
			*space = (struct laf_space){ .mib = number };
		return r;
	}
	value[n - 1] = 0;
	r = parse_number(value, 0, 99, &number);
	value[n - 1] = '%';
	if (!r)
		*space = (struct laf_space){ .percent = number };
	return r;
}

/* 12, 12s, 12m, 12h, 12d: up to 68 years. */
static int set_age(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	static const struct word units[] = {
		{ "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 }, { NULL, 0 },
	};
	size_t n = strspn(value, "0123456789");
	unsigned number, unit = 1;
	char digits[16];

	if (n >= sizeof(digits) || (value[n] && find_word(units, value + n, &unit)))
		return -EINVAL;
	memcpy(digits, value, n);
	digits[n] = 0;
	if (parse_number(digits, 0, INT_MAX / unit, &number))
		return -EINVAL;
	config->log.max_log_age_s = number * unit;
	return 0;
}

static int set_ring_kib(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	unsigned kib;
	int r = parse_number(value, 16, 1 << 20, &kib);

	if (r || (kib & (kib - 1)))
		return -EINVAL;
	config->ring_kib = kib;
	return 0;
}

static int set_engine(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	if (strlen(value) >= sizeof(config->engine))
		return -EINVAL;
	strcpy(config->engine, strcasecmp(value, "auto") ? value : "");
	return 0;
}

static int set_name(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	if (!value[0] || strlen(value) >= sizeof(config->name) || strpbrk(value, "\"'"))
		return -EINVAL;
	strcpy(config->name, value);
	return 0;
}

static int set_rules_file(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	if (value[0] != '/' || config->n_rules == LAF_CONFIG_RULES_MAX)
		return -EINVAL;
	config->rules[config->n_rules] = strdup(value);
	return config->rules[config->n_rules++] ? 0 : -ENOMEM;
}

/* What the daemon runs as root must be root's, and nobody else's to write. */
static int set_program(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	struct stat st;

	if (value[0] != '/' || strlen(value) >= PATH_MAX || stat(value, &st) || !S_ISREG(st.st_mode) || st.st_uid)
		return -EINVAL;
	switch (st.st_mode & 0777) {
	case 0550:
	case 0555:
	case 0750:
	case 0755:
		strcpy(place(s, config), value);
		return 0;
	}
	return -EINVAL;
}

static int set_action(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	struct laf_reaction *to = place(s, config);
	struct setting exe = { .to = s->to + offsetof(struct laf_reaction, exe) };
	char program[PATH_MAX];
	unsigned action;

	if (find_word(s->words, value, &action))
		return -EINVAL;
	if (action != LAF_ACTION_EXEC && option[0])
		return -EINVAL;
	if (action == LAF_ACTION_EXEC) {
		if (strlen(option) >= sizeof(program))
			return -EINVAL;
		strcpy(program, option);
		if (set_program(&exe, config, program, ""))
			return -EINVAL;
	}
	to->action = action;
	return 0;
}

static bool is_address(const char *text)
{
	const char *at = strchr(text, '@'), *dot = strrchr(text, '.');

	if (strlen(text) < 2 || text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@.-_")])
		return false;
	return !at || (dot && dot > at);
}

static int set_mail_account(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	if (strlen(value) >= sizeof(config->log.mail_account) || (config->verify_email && !is_address(value)))
		return -EINVAL;
	strcpy(config->log.mail_account, value);
	return 0;
}

/* N or FROM-TO. */
static int check_ports(const struct setting *s, struct laf_config *config, char *value, const char *option)
{
	char *dash = strchr(value, '-');
	unsigned from, to;
	int r;

	if (!dash)
		return parse_number(value, 0, 65535, &from);
	*dash = 0;
	r = parse_number(value, 0, 65535, &from) || parse_number(dash + 1, 0, 65535, &to) || to < from;
	*dash = '-';
	return r ? -EINVAL : 0;
}

#define WORDS(...) ((const struct word[]){ __VA_ARGS__, { NULL, 0 } })
#define YES_NO WORDS({ "yes", 1 }, { "no", 0 })
#define COMMON_ACTIONS { "IGNORE", LAF_ACTION_IGNORE }, { "SYSLOG", LAF_ACTION_SYSLOG }, \
	{ "SUSPEND", LAF_ACTION_SUSPEND }
#define EMAIL { "EMAIL", LAF_ACTION_EMAIL }
#define EXEC { "EXEC", LAF_ACTION_EXEC }
#define ROTATE { "ROTATE", LAF_ACTION_ROTATE }
#define SINGLE_HALT { "SINGLE", LAF_ACTION_SINGLE }, { "HALT", LAF_ACTION_HALT }
#define SPACE_WANTS "IGNORE, SYSLOG, ROTATE, EMAIL, EXEC FILE, SUSPEND, SINGLE or HALT; FILE is root's, with mode 0755 or less"
#define A_NUMBER "a number up to 4294967295"
#define A_POSITIVE_NUMBER "a number up to 2147483647"
#define TO(member) offsetof(struct laf_config, member)

static const struct setting settings[] = {
	/* the log */
	{ "log_file", set_log_file, TO(log.file), .wants = "an absolute path with a folder" },
	{ "write_logs", set_word, TO(log.write_logs), .wants = "yes or no", .words = YES_NO },
	{ "log_format", set_log_format, TO(format), .wants = "RAW, ENRICHED or NOLOG",
	  .words = WORDS({ "RAW", LAF_FORMAT_RAW }, { "ENRICHED", LAF_FORMAT_ENRICHED }) },
	{ "log_group", set_log_group, 0, .wants = "a group of this machine" },
	{ "flush", set_word, TO(log.flush), .wants = "NONE, INCREMENTAL, INCREMENTAL_ASYNC, DATA or SYNC",
	  .words = WORDS({ "NONE", LAF_FLUSH_NONE }, { "INCREMENTAL", LAF_FLUSH_INCREMENTAL },
			 { "INCREMENTAL_ASYNC", LAF_FLUSH_INCREMENTAL_ASYNC }, { "DATA", LAF_FLUSH_DATA },
			 { "SYNC", LAF_FLUSH_SYNC }) },
	{ "freq", set_number, TO(log.freq), .wants = A_POSITIVE_NUMBER, .max = INT_MAX },
	{ "num_logs", set_number, TO(log.num_logs), .wants = "a number up to 999", .max = 999 },
	{ "max_log_file", set_number, TO(log.max_log_mib), .wants = A_NUMBER, .max = UINT_MAX },
	{ "max_log_file_action", set_word, TO(log.max_log_action), .wants = "IGNORE, SYSLOG, SUSPEND, ROTATE or KEEP_LOGS",
	  .words = WORDS(COMMON_ACTIONS, ROTATE, { "KEEP_LOGS", LAF_ACTION_KEEP_LOGS }) },
	{ "max_log_age", set_age, 0, .wants = "a number of seconds, or with m, h or d of minutes, hours or days" },
	{ "compress_from", set_number, TO(log.compress_from), .wants = "a number up to 999", .max = 999 },
	{ "name_format", set_word, TO(name_format), .wants = "NONE, HOSTNAME, FQD, NUMERIC or USER",
	  .words = WORDS({ "NONE", LAF_NAME_FORMAT_NONE }, { "HOSTNAME", LAF_NAME_FORMAT_HOSTNAME },
			 { "FQD", LAF_NAME_FORMAT_FQD }, { "NUMERIC", LAF_NAME_FORMAT_NUMERIC },
			 { "USER", LAF_NAME_FORMAT_USER }) },
	{ "name", set_name, 0, .wants = "one word" },
	{ "priority_boost", set_number, TO(priority_boost), .wants = A_POSITIVE_NUMBER, .max = INT_MAX },
	{ "state_file", set_path, TO(state_file), .wants = "an absolute path" },

	/* where it lies */
	{ "space_left", set_space, TO(log.space_left), .wants = "a number, or a percentage below 100%" },
	{ "space_left_action", set_action, TO(log.space_left_action), .wants = SPACE_WANTS,
	  .words = WORDS(COMMON_ACTIONS, ROTATE, EMAIL, EXEC, SINGLE_HALT) },
	{ "admin_space_left", set_space, TO(log.admin_space_left), .wants = "a number, or a percentage below 100%" },
	{ "admin_space_left_action", set_action, TO(log.admin_space_left_action), .wants = SPACE_WANTS,
	  .words = WORDS(COMMON_ACTIONS, ROTATE, EMAIL, EXEC, SINGLE_HALT) },
	{ "disk_full_action", set_action, TO(log.disk_full_action),
	  .wants = "IGNORE, SYSLOG, ROTATE, EXEC FILE, SUSPEND, SINGLE or HALT; FILE is root's, with mode 0755 or less",
	  .words = WORDS(COMMON_ACTIONS, ROTATE, EXEC, SINGLE_HALT) },
	{ "disk_error_action", set_action, TO(log.disk_error_action),
	  .wants = "IGNORE, SYSLOG, EXEC FILE, SUSPEND, SINGLE or HALT; FILE is root's, with mode 0755 or less",
	  .words = WORDS(COMMON_ACTIONS, EXEC, SINGLE_HALT) },
	{ "verify_email", set_word, TO(verify_email), .wants = "yes or no", .words = YES_NO },
	{ "action_mail_acct", set_mail_account, 0, .wants = "an account or address for mail" },
	{ "mail_command", set_path, TO(log.mail_command), .wants = "an absolute path" },
	{ "init_command", set_program, TO(log.init_command), .wants = "a program of root's, with mode 0755 or less" },

	/* plugins */
	{ "q_depth", set_number, TO(plugins.q_depth), .wants = "a number up to 99999", .max = 99999 },
	{ "overflow_action", set_word, TO(plugins.overflow_action), .wants = "IGNORE, SYSLOG, SUSPEND, SINGLE or HALT",
	  .words = WORDS({ "IGNORE", LAF_OVERFLOW_IGNORE }, { "SYSLOG", LAF_OVERFLOW_SYSLOG },
			 { "SUSPEND", LAF_OVERFLOW_SUSPEND }, { "SINGLE", LAF_OVERFLOW_SINGLE },
			 { "HALT", LAF_OVERFLOW_HALT }) },
	{ "max_restarts", set_number, TO(plugins.max_restarts), .wants = A_POSITIVE_NUMBER, .max = INT_MAX },
	{ "plugin_dir", set_path, TO(plugins.folder), .wants = "an absolute path" },

	/* rules and engine */
	{ "rules_file", set_rules_file, 0, .wants = "an absolute path, at most 64 times" },
	{ "engine", set_engine, 0, .wants = "auto or the name of an engine" },
	{ "kernel_records", set_word, TO(kernel_records), .wants = "auto, seat, multicast or no",
	  .words = WORDS({ "no", LAF_NETLINK_NO }, { "auto", LAF_NETLINK_AUTO }, { "seat", LAF_NETLINK_SEAT },
			 { "multicast", LAF_NETLINK_MULTICAST }) },
	{ "ring_kib", set_ring_kib, 0, .wants = "a power of two from 16 to 1048576" },

	/* auditd's for records of other machines, and for programs that read the log: there is nothing to do for them here */
	{ "local_events", check_word, 0, .wants = "yes: laf records this machine", .words = WORDS({ "yes", 1 }) },
	{ "tcp_listen_port", refuse, 0, .wants = "not to be set: laf takes no records of other machines" },
	{ "tcp_listen_queue", check_number, 0, .wants = "a number from 1 to 65535", .min = 1, .max = 65535 },
	{ "tcp_max_per_addr", check_number, 0, .wants = "a number from 1 to 1024", .min = 1, .max = 1024 },
	{ "tcp_client_ports", check_ports, 0, .wants = "a port or two with a dash between" },
	{ "tcp_client_max_idle", check_number, 0, .wants = A_POSITIVE_NUMBER, .max = INT_MAX },
	{ "use_libwrap", check_word, 0, .wants = "yes or no", .words = YES_NO },
	{ "transport", check_word, 0, .wants = "TCP or KRB5", .words = WORDS({ "TCP", 0 }, { "KRB5", 0 }) },
	{ "enable_krb5", check_word, 0, .wants = "yes or no", .words = YES_NO },
	{ "krb5_principal", check_nothing, 0, .wants = "one word" },
	{ "krb5_key_file", check_nothing, 0, .wants = "one word" },
	{ "distribute_network", check_word, 0, .wants = "yes or no", .words = YES_NO },
	{ "end_of_event_timeout", check_number, 0, .wants = A_NUMBER, .max = UINT_MAX },
	{ "dispatcher", check_nothing, 0, .wants = "one word" },
	{ "disp_qos", check_nothing, 0, .wants = "one word" },
};

int laf_config_set(void *arg, const char *name, char *value, const char *option, const char **ret_wants)
{
	struct laf_config *config = arg;
	const struct setting *s;

	for (s = settings; s < settings + sizeof(settings) / sizeof(settings[0]); s++) {
		if (strcasecmp(name, s->name))
			continue;
		*ret_wants = s->wants;
		if (option[0] && s->set != set_action)
			return -EINVAL;
		return s->set(s, config, value, option);
	}
	return -ENOENT;
}

/* What auditd takes for granted where its file says nothing. */
void laf_config_defaults(struct laf_config *config)
{
	memset(config, 0, sizeof(*config));
	strcpy(config->log.file, "/var/log/laf/audit.log");
	config->log.write_logs = 1;
	config->log.disk_error_action.action = LAF_ACTION_SYSLOG;
	strcpy(config->log.mail_account, "root");
	strcpy(config->log.mail_command, "/usr/lib/sendmail");
	strcpy(config->log.init_command, "/sbin/init");
	config->format = LAF_FORMAT_ENRICHED;
	config->priority_boost = 4;
	config->verify_email = 1;
	config->kernel_records = LAF_NETLINK_AUTO;
	strcpy(config->plugins.folder, "/etc/audit/plugins.d");
	config->plugins.q_depth = 2000;
	config->plugins.overflow_action = LAF_OVERFLOW_SYSLOG;
	config->plugins.max_restarts = 10;
}
