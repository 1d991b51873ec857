// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares two audit logs of the same workload, record by record; only times and serial numbers may differ.
 *
 *   compare [-e ENGINE] [-c FIELD=VALUE] [-n LINES] [-s SET] [-t SECONDS] [-u] KERNEL-LOG OUR-LOG
 *
 * FIELD=VALUE (auid=4242) chooses the processes to compare: those with an event that has it. ENGINE chooses the known
 * differences (tracepoint, fexit); none means that the logs must be equal. SET (text) says what the rules go by, where
 * that matters. Exit status 1 on any difference. */
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define TIME_APART 0.1

struct tally {
	const char *engine, *set;
	unsigned long same, known, different, missing, extra, known_extra, scattered, late;
	unsigned long shown, show;
	double apart; /* seconds that the two clocks of one event may be apart */
};

static bool may_show(struct tally *t)
{
	if (t->shown++ < t->show)
		return true;
	if (t->shown == t->show + 1)
		printf("… more differences are counted, not shown\n");
	return false;
}

static void headline(const char *what, const struct event *e)
{
	char name[32];

	printf("%s: step %s: %s%s, pid %d, line %zu\n", what, e->step, event_call_name(e, name, sizeof(name)),
	       e->arch == 0x40000003 ? " (32-bit)" : "", e->pid, e->line);
}

static void show_alone(struct tally *t, const char *what, const struct event *e)
{
	if (!may_show(t))
		return;
	headline(what, e);
	printf("  %s %.200s\n", e->rec[0].type, e->rec[0].body);
}

/* The first field in which two records differ. */
static void show_field(const char *a, const char *b)
{
	size_t i = 0, start;

	while (a[i] && a[i] == b[i])
		i++;
	for (start = i; start && a[start - 1] != ' ' && a[start - 1] != '\035';)
		start--;
	printf("  at: kernel %.120s | laf %.120s\n", a + start, b + start);
}

static void show_records(const char *who, const struct record *r)
{
	printf("  %-7s%s %.1000s\n", who, r ? r->type : "(no record)", r ? r->body : "");
}

static bool same_record(const struct record *a, const struct record *b)
{
	return !strcmp(a->type, b->type) && !strcmp(a->body, b->body);
}

/* Returns true when all records are the same; else the first that differ are shown. */
static bool compare_records(struct tally *t, const struct event *k, const struct event *o)
{
	size_t i = 0;

	while (i < k->n_rec && i < o->n_rec && same_record(&k->rec[i], &o->rec[i]))
		i++;
	if (i == k->n_rec && i == o->n_rec)
		return true;
	if (!may_show(t))
		return false;
	headline("DIFFERENT", k);
	show_records("kernel", i < k->n_rec ? &k->rec[i] : NULL);
	show_records("laf", i < o->n_rec ? &o->rec[i] : NULL);
	if (i < k->n_rec && i < o->n_rec && !strcmp(k->rec[i].type, o->rec[i].type))
		show_field(k->rec[i].body, o->rec[i].body);
	if (i < k->n_rec && !strcmp(k->rec[i].type, "PATH"))
		printf("  in      %.300s\n", k->call);
	return false;
}

static void compare_event(struct tally *t, struct event *k)
{
	struct event *o = k->twin;
	bool changed;

	if (!o && known_choice(t->engine, t->set, k, false)) {
		t->known++;
		return;
	}
	changed = strcmp(t->engine, "none") && known_apply(t->engine, k, o);
	if (!o) {
		t->missing++;
		show_alone(t, "MISSING in laf's log", k);
		return;
	}
	if (fabs(k->time - o->time) > t->apart) {
		t->late++;
		if (may_show(t)) {
			headline("TIME", k);
			printf("  kernel %.3f laf %.3f\n", k->time, o->time);
		}
	}
	if (!compare_records(t, k, o))
		t->different++;
	else if (changed)
		t->known++;
	else
		t->same++;
}

/* Our log keeps the records of one event together (the kernel's does not), and every call has its SYSCALL. */
static void find_scattered(struct tally *t, struct log *ours)
{
	for (size_t i = 0; i < ours->n; i++) {
		struct event *e = &ours->ev[i];

		if (e->scattered) {
			t->scattered++;
			show_alone(t, "SCATTERED records", e);
		}
		if (!e->call && event_record(e, "PROCTITLE")) {
			t->extra++;
			show_alone(t, "NO SYSCALL record", e);
		}
	}
}

static void compare_logs(struct tally *t, struct log *kernel, struct log *ours)
{
	for (size_t i = 0; i < kernel->n; i++)
		if (kernel->ev[i].call && chosen_process(kernel->ev[i].pid))
			compare_event(t, &kernel->ev[i]);
	for (size_t i = 0; i < ours->n; i++) {
		struct event *e = &ours->ev[i];

		if (!e->call || !chosen_process(e->pid) || e->twin)
			continue;
		if (known_choice(t->engine, t->set, e, true)) {
			t->known_extra++;
			continue;
		}
		t->extra++;
		show_alone(t, "EXTRA in laf's log", e);
	}
}

static void print_tally(const struct tally *t, size_t outside)
{
	printf("%lu events: %lu equal, %lu equal but for known differences, ",
	       t->same + t->known + t->different + t->missing, t->same, t->known);
	printf("%lu different, %lu missing, %lu extra (and %lu known), %lu scattered, %lu late, %zu of other processes\n",
	       t->different, t->missing, t->extra, t->known_extra, t->scattered, t->late, outside);
}

static int usage(void)
{
	fprintf(stderr, "usage: compare [-e ENGINE] [-c FIELD=VALUE] [-n LINES] [-s SET] [-t SECONDS] [-u] KERNEL-LOG OUR-LOG\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct tally t = { .engine = "tracepoint", .set = "", .show = 40, .apart = TIME_APART };
	struct log kernel, ours;
	char *name = "auid", *value = "4242";
	bool report = false;
	size_t outside;
	int c;

	while ((c = getopt(argc, argv, "e:c:n:s:t:u")) != -1) {
		switch (c) {
		case 'e': t.engine = optarg; break;
		case 's': t.set = optarg; break;
		case 'c':
			name = strsep(&optarg, "=");
			value = optarg ?: "";
			break;
		case 'n': t.show = strtoul(optarg, NULL, 10); break;
		case 't': t.apart = strtod(optarg, NULL); break;
		case 'u': report = true; break;
		default: return usage();
		}
	}
	if (argc - optind != 2)
		return usage();
	if (log_read(argv[optind], &kernel) || log_read(argv[optind + 1], &ours)) {
		fprintf(stderr, "compare: a log can't be read\n");
		return 2;
	}
	outside = pair_events(&kernel, &ours, name, value);
	compare_logs(&t, &kernel, &ours);
	if (strcmp(t.engine, "none"))
		find_scattered(&t, &ours);
	if (report)
		known_report(stdout, t.engine, false);
	print_tally(&t, outside);
	if (!(t.same + t.known + t.different + t.missing)) {
		printf("nothing was compared\n");
		return 1;
	}
	return t.different || t.missing || t.extra || t.scattered || t.late;
}
