// SPDX-License-Identifier: GPL-2.0-or-later
/* The meaning of rules: for random rule sets, the kernel's own audit and laf's engine record the same calls with the same keys
 * and the same kinds of records. One engine lives all along; its policy and the kernel's rules are replaced for each set. A set
 * that differs is cut down to the smallest that still does.
 *
 *   meaning [-e ENGINE] [-n SETS] [-s SEED] OTHER-PROGRAM     set i has the seed SEED + i */
#include <getopt.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <laf/engine.h>
#include <laf/record.h>
#include <laf/rules.h>

#include "../../src/rules/policy.h"
#include "kaudit.h"
#include "meaning.h"

#define END_TEXT "laf-meaning-end"
#define TRIES_AGAIN 3
#define FAILURES_SHOWN 5

struct run {
	struct place place;
	struct laf_engine *engine;
	struct laf_policy *policy; /* in force */
	struct laf_formatter *formatter;
	int control, reader; /* netlink */
	int ask[2], answer[2]; /* to the process that makes the calls, and back */
	struct log kernel, ours;
	uint32_t serial;
	unsigned long events, refused, empty; /* events recorded, rules refused, sets of which nothing was recorded */
};

/* The process that makes the calls: it waits to be told. */
static void serve(struct run *r)
{
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(r->ask[1]);
	close(r->answer[0]);
	while (read(r->ask[0], &c, 1) == 1) {
		pid_t pid = fork();

		if (!pid) {
			work_run(&r->place);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		if (write(r->answer[1], "", 1) != 1)
			break;
	}
	_exit(0);
}

static void mark(void)
{
	char text[16];
	int fd = open("/proc/self/loginuid", O_WRONLY | O_CLOEXEC);

	snprintf(text, sizeof(text), "%d", MARK);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(SKIP, "loginuid can't be set: %m");
	close(fd);
}

static void start_server(struct run *r)
{
	unsigned session = 0;
	FILE *f;

	if (pipe2(r->ask, O_CLOEXEC) || pipe2(r->answer, O_CLOEXEC))
		die(1, "pipe: %m");
	r->place.server = fork();
	if (!r->place.server) {
		r->place.server = getpid();
		mark();
		f = fopen("/proc/self/sessionid", "re");
		if (!f || fscanf(f, "%u", &session) != 1 || write(r->answer[1], &session, sizeof(session)) < 0)
			_exit(1);
		fclose(f);
		serve(r);
	}
	close(r->ask[0]);
	close(r->answer[1]);
	if (read(r->answer[0], &r->place.session, sizeof(unsigned)) != sizeof(unsigned))
		die(SKIP, "the process that makes the calls can't be marked");
}

static void make_calls(struct run *r)
{
	char c;

	if (write(r->ask[1], "", 1) != 1 || read(r->answer[0], &c, 1) != 1)
		die(1, "the process that makes the calls is gone");
}

/* ---- rules ---- */

/* Split at spaces: no value has one. */
static int split(char *text, char *words[], int max)
{
	int n = 0;

	for (char *word = strtok(text, " "); word && n < max; word = strtok(NULL, " "))
		words[n++] = word;
	return n;
}

static int add_words(struct laf_rules *rules, const struct rule *rule, struct laf_error *err)
{
	char text[2048], *words[64];

	rule_string(rule, text, sizeof(text));
	return laf_rules_add_words(rules, split(text, words, 64), words, err);
}

/* The same rule to both; both must take it, or both not. */
static void add_rule(struct run *r, struct laf_rules *rules, const struct rule *rule)
{
	struct laf_rules one = { 0 };
	struct laf_error err = { 0 };
	char text[2048];
	int ours, theirs;

	rule_string(rule, text, sizeof(text));
	if (add_words(&one, rule, &err)) { /* auditctl would refuse it, too: rules-oracle.sh */
		r->refused++;
		return;
	}
	ours = add_words(rules, rule, &err);
	theirs = audit_add_rule_data(r->control, one.list[0].data,
				     one.list[0].data->flags | (rule->prepend ? AUDIT_FILTER_PREPEND : 0),
				     one.list[0].data->action);
	if ((theirs > 0) != !ours)
		die(1, "%s: the kernel says %s, laf %s", text, theirs > 0 ? "yes" : strerror(-theirs),
		    ours ? err.text : "yes");
	laf_rules_clear(&one);
}

static void drop_rules(struct run *r, const struct laf_rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		audit_delete_rule_data(r->control, rules->list[i].data, rules->list[i].data->flags,
				       rules->list[i].data->action);
}

static void put_in_force(struct run *r, const struct laf_rules *rules)
{
	struct laf_policy *policy;
	struct laf_error err = { 0 };

	if (laf_policy_compile(rules, &policy, &err))
		die(1, "%s", err.text);
	if (laf_engine_set_policy(r->engine, policy, &err))
		die(1, "%s", err.text);
	laf_policy_free(r->policy);
	r->policy = policy;
}

/* ---- what was recorded ---- */

static int take_event(void *arg, struct laf_event *event)
{
	struct run *r = arg;
	const char *text;
	unsigned records;
	size_t bytes;

	if (event->wire->policy != laf_engine_generation(r->engine) || !laf_policy_decide(r->policy, event))
		return 0;
	event->serial = ++r->serial;
	if (laf_format_event(r->formatter, event, &text, &bytes, &records))
		die(1, "an event can't be formatted");
	log_lines(&r->ours, text, bytes, &r->place);
	return 0;
}

/* Everything that the kernel has to say, up to a message of ours. */
static void read_kernel(struct run *r)
{
	static char buf[MAX_AUDIT_MESSAGE_LENGTH + NLMSG_HDRLEN + 1];
	struct nlmsghdr *h = (void *)buf;

	audit_log_user_message(r->control, AUDIT_USER, END_TEXT, NULL, NULL, NULL, 1);
	for (;;) {
		struct pollfd p = { r->reader, POLLIN, 0 };
		ssize_t n;

		if (poll(&p, 1, 10000) <= 0)
			die(1, "the kernel's records do not come");
		n = recv(r->reader, buf, sizeof(buf) - 1, MSG_DONTWAIT);
		if (n < (ssize_t)NLMSG_HDRLEN)
			die(1, "netlink: %m");
		if (h->nlmsg_type == AUDIT_USER && memmem(NLMSG_DATA(h), n - NLMSG_HDRLEN, END_TEXT, strlen(END_TEXT)))
			return;
		log_record(&r->kernel, h->nlmsg_type, NLMSG_DATA(h), n - NLMSG_HDRLEN, &r->place);
	}
}

/* Both under one set. Returns whether they agree. */
static bool try_set(struct run *r, const struct set *set, const char **ret_kernel, const char **ret_ours)
{
	struct laf_rules rules = { 0 };

	for (unsigned i = 0; i < set->n; i++)
		add_rule(r, &rules, &set->rule[i]);
	put_in_force(r, &rules);
	make_calls(r);
	drop_rules(r, &rules);
	log_clear(&r->kernel);
	log_clear(&r->ours);
	read_kernel(r);
	laf_engine_read(r->engine, true, take_event, r);
	laf_rules_clear(&rules);
	log_sort(&r->kernel);
	log_sort(&r->ours);
	r->events += r->kernel.n;
	r->empty += r->kernel.n == 0;
	return log_equal(&r->kernel, &r->ours, ret_kernel, ret_ours);
}

/* ---- a set that differs ---- */

static bool differs(struct run *r, const struct set *set)
{
	const char *kernel, *ours;

	return !try_set(r, set, &kernel, &ours);
}

static struct set without_rule(const struct set *set, unsigned at)
{
	struct set less = *set;

	less.n--;
	memmove(&less.rule[at], &less.rule[at + 1], (less.n - at) * sizeof(*less.rule));
	return less;
}

static struct set without_part(const struct set *set, unsigned at, unsigned part)
{
	struct set less = *set;
	struct rule *rule = &less.rule[at];

	rule->n--;
	memmove(&rule->part[part], &rule->part[part + 1], (rule->n - part) * sizeof(*rule->part));
	return less;
}

static void shrink(struct run *r, struct set *set)
{
	struct set less;

	for (unsigned i = set->n; i-- > 0;) {
		less = without_rule(set, i);
		if (differs(r, &less))
			*set = less;
	}
	for (unsigned i = 0; i < set->n; i++)
		for (unsigned part = set->rule[i].n; part-- > 0;) {
			less = without_part(set, i, part);
			if (!set->rule[i].part[part].fixed && differs(r, &less))
				*set = less;
		}
}

static void say_difference(const struct run *r, const char *kernel, const char *ours)
{
	printf("  %zu events in the kernel's log, %zu in laf's; the first that differs:\n", r->kernel.n, r->ours.n);
	printf("  kernel %s\n  laf    %s\n", kernel ?: "(none)", ours ?: "(none)");
	fflush(stdout);
}

static void report(struct run *r, struct set *set, uint64_t seed)
{
	const char *kernel = NULL, *ours = NULL;
	char text[2048];

	shrink(r, set);
	printf("DIFFERENT: seed %llu:\n", (unsigned long long)seed);
	if (try_set(r, set, &kernel, &ours))
		printf("  agrees when tried again\n");
	for (unsigned i = 0; i < set->n; i++) {
		rule_string(&set->rule[i], text, sizeof(text));
		printf("  %s\n", text);
	}
	say_difference(r, kernel, ours);
}

/* ---- start and end ---- */

/* All calls once, so that the engine hooks what it ever will. */
static void open_engine(struct run *r, const char *name)
{
	struct laf_engine_options options = { .name = name };
	struct laf_error err = { 0 };
	struct laf_rules rules = { 0 };
	struct rule rule = { .list = "always,exit", .n = 3, .part = {
		{ "-F", "arch=b64", true }, { "-S", "", true }, { "-F", "auid=1", true } } };
	const char *const calls[] = { work_calls, work_calls_32 };
	uint64_t misfits;

	for (int i = 0; i < 2; i++) {
		char text[1024], *words[64];

		strcpy(rule.part[0].value, i ? "arch=b32" : "arch=b64");
		snprintf(text, sizeof(text), "-a always,exit -F %s -S %s -F auid=1", rule.part[0].value, calls[i]);
		if (laf_rules_add_words(&rules, split(text, words, 64), words, &err))
			die(1, "%s: %s", text, err.text);
	}
	if (laf_policy_compile(&rules, &r->policy, &err) || laf_engine_open(&options, r->policy, &r->engine, &err))
		die(1, "%s", err.text);
	laf_rules_clear(&rules);
	laf_engine_follow(r->engine, true, &misfits); /* as in the daemon: and no watched name changes */
	r->place.sees_names = !strcmp(laf_engine_name(r->engine), "fexit");
}

static unsigned long lost(struct run *r, const struct audit_status *old)
{
	struct laf_engine_stats stats = { 0 };
	struct audit_status now;
	unsigned long sum;

	if (get_status(&now))
		die(1, "the kernel's audit does not answer");
	sum = now.lost - old->lost;
	laf_engine_get_stats(r->engine, &stats);
	for (unsigned i = 0; i < LAF_LOSS_CAUSES; i++)
		sum += stats.lost[i];
	return sum + stats.malformed;
}

/* A fault of ours does not come and go: the machine is not ours alone. It is told, and must be rare. */
static bool agrees_again(struct run *r, struct set *set)
{
	const char *kernel, *ours;

	for (unsigned i = 0; i < TRIES_AGAIN; i++)
		if (!try_set(r, set, &kernel, &ours))
			return false;
	return true;
}

static unsigned try_sets(struct run *r, uint64_t seed, unsigned n)
{
	const char *kernel, *ours;
	unsigned failed = 0, once = 0;
	struct set set;

	for (unsigned i = 0; i < n && failed < FAILURES_SHOWN; i++) {
		set_make(&set, &r->place, seed + i);
		if (try_set(r, &set, &kernel, &ours))
			continue;
		printf("seed %llu differs:\n", (unsigned long long)seed + i);
		say_difference(r, kernel, ours);
		if (agrees_again(r, &set)) {
			printf("  not when tried again\n");
			once++;
			continue;
		}
		failed++;
		report(r, &set, seed + i);
	}
	return once > 1 + n / 100 ? failed + once : failed;
}

static void find_programs(struct run *r, const char *other)
{
	if (readlink("/proc/self/exe", r->place.self, sizeof(r->place.self) - 1) < 0 ||
	    !realpath(other, r->place.other))
		die(1, "%s: %m", other);
}

int main(int argc, char **argv)
{
	static struct run r;
	const char *engine = NULL;
	unsigned sets = 100, failed;
	uint64_t seed = 1;
	struct audit_status old;
	int guard, c;

	while ((c = getopt(argc, argv, "e:n:s:")) != -1) {
		switch (c) {
		case 'e': engine = optarg; break;
		case 'n': sets = atoi(optarg); break;
		case 's': seed = strtoull(optarg, NULL, 10); break;
		default: die(2, "usage: [-e ENGINE] [-n SETS] [-s SEED] OTHER-PROGRAM");
		}
	}
	if (optind + 1 != argc)
		die(2, "usage: [-e ENGINE] [-n SETS] [-s SEED] OTHER-PROGRAM");
	find_programs(&r, argv[optind]);
	lock_audit();
	turn_on(&old);
	guard = start_guardian(&old);
	work_prepare(&r.place);
	r.reader = open_unicast();
	r.control = audit_open();
	if (laf_formatter_new(LAF_FORMAT_RAW, NULL, &r.formatter))
		die(1, "out of memory");
	open_engine(&r, engine);
	start_server(&r);
	failed = try_sets(&r, seed, sets);
	if (lost(&r, &old))
		die(1, "%lu records were lost", lost(&r, &old));
	printf("%s: seeds %llu to %llu: %u sets differ; %lu events, %lu sets without any, %lu rules refused\n",
	       laf_engine_name(r.engine), (unsigned long long)seed, (unsigned long long)seed + sets - 1, failed, r.events,
	       r.empty, r.refused);
	kill(r.place.server, SIGKILL);
	laf_engine_close(r.engine);
	audit_set_pid(r.reader, 0, WAIT_YES);
	restore(&old);
	work_clear(&r.place);
	if (write(guard, "", 1) != 1)
		die(1, "guardian: %m");
	return failed != 0;
}
