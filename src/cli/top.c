// SPDX-License-Identifier: GPL-2.0-or-later
/* laf top: which rules and which programs fill the log. */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "../clock.h"
#include "cli.h"
#include "quote.h"
#include "top_counts.h"

#define HEAD_LINES 3 /* above the tables */
#define TITLE_LINES 2 /* of each: an empty one, and its columns' names */
#define BATCH_ROWS 20
#define PLENTY 10000 /* columns */
#define COUNTS_COLUMNS 31u /* before a name */

static const char help[] =
"usage: laf top [-b | -1] [-d SECONDS] [-n COUNT] [-r ROWS] [-k] [--total]\n"
"\n"
"Shows which rules, by their keys, and which programs make the events that are written: events a second, their share, bytes a second.\n"
"\n"
"  -d, --delay SECONDS  how long each look lasts (2)\n"
"  -n, --count COUNT    end after so many looks\n"
"  -b, --batch          one look below the other, for files and pipes; so it is where standard output is no terminal\n"
"  -1, --once           one look: -b -n 1\n"
"  -r, --rows ROWS      so many of each table at most (what the screen holds; 20 with -b)\n"
"  -k, --kernel-time    measure the time that the programs in the kernel take; while this is done every BPF program takes a little longer\n"
"      --total          how many there were since the daemon's start, once\n"
"\n"
"q or Ctrl-C ends it. Exit status: 0, or 1 where no daemon answers.\n";

struct top {
	unsigned long delay_ms, count, rows;
	bool batch, kernel_time, total;
	struct termios before; /* of the terminal */
};

static volatile sig_atomic_t ended;

static void end(int number)
{
	ended = 1;
}

static void catch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction on_end = { .sa_handler = end };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &on_end, NULL);
}

/* 1234567 as "1.2 MB" */
static void print_bytes(double bytes, bool aligned)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	unsigned unit = 0;

	for (; bytes >= 999.95 && unit < 4; unit++)
		bytes /= 1000;
	printf("%*.1f %-*s", aligned ? 7 : 0, bytes, aligned ? 2 : 0, units[unit]);
}

static double seconds_of(const struct laf_top_counts *counts)
{
	return counts->now_ms ? counts->now_ms / 1000.0 : 0.001;
}

static void print_kernel_time(const struct top *top, const struct laf_top_counts *counts)
{
	if (!strcmp(counts->engine, "kernel"))
		printf("in the kernel: not known, it has the rules itself");
	else if (!top->kernel_time)
		printf("in the kernel: not measured (-k)");
	else
		printf("in the kernel: %.2f%% of a processor, %.0f ns each of %.0f runs/s", counts->run_ns / seconds_of(counts) / 1e7,
		       counts->runs ? (double)counts->run_ns / counts->runs : 0, counts->runs / seconds_of(counts));
	putchar('\n');
}

static void print_head(const struct top *top, const struct laf_top_counts *counts)
{
	const char *per_second = top->total ? "" : "/s";
	double seconds = seconds_of(counts), divisor = top->total ? 1 : seconds;
	int digits = top->total ? 0 : 1;

	printf("laf top: %.1f s%s, engine %s\n", seconds, top->total ? " since the start" : "", counts->engine);
	printf("%.*f events%s, %.*f records%s, ", digits, counts->all.events / divisor, per_second, digits, counts->records / divisor,
	       per_second);
	print_bytes(counts->all.bytes / divisor, false);
	printf("%s, %.*f lost%s, ring %llu%% full\n", per_second, digits, counts->lost / divisor, per_second,
	       (unsigned long long)counts->ring_fill_percent);
	print_kernel_time(top, counts);
}

/* Of one that is too long the end: it says most of a program. */
static void print_name(const char *name, unsigned columns)
{
	size_t len = strlen(name);

	if (len > columns) {
		putchar('<');
		for (name += len - --columns; (*name & 0xc0) == 0x80; name++)
			;
	}
	laf_put_plain(name, columns, stdout);
}

static void print_line(const struct top *top, const struct laf_top_line *line, const struct laf_top_counts *counts, unsigned columns)
{
	double seconds = top->total ? 1 : seconds_of(counts);

	printf("%11.*f %5.1f%% ", top->total ? 0 : 1, line->events / seconds,
	       counts->all.events ? 100.0 * line->events / counts->all.events : 0);
	print_bytes(line->bytes / seconds, true);
	fputs("  ", stdout);
	print_name(line->name, columns > COUNTS_COLUMNS ? columns - COUNTS_COLUMNS : 1);
	putchar('\n');
}

static void print_table(const struct top *top, const struct laf_top_counts *counts, unsigned table, const char *title,
			unsigned long rows, unsigned columns)
{
	printf("\n%11s %6s %10s  %s\n", top->total ? "EVENTS" : "EVENTS/S", "SHARE", top->total ? "BYTES" : "BYTES/S", title);
	for (unsigned i = 0; i < counts->n[table] && i < rows; i++)
		print_line(top, &counts->lines[table][i], counts, columns);
}

static void print_counts(const struct top *top, const struct laf_top_counts *counts)
{
	struct winsize size = { 0 };
	unsigned long rows = top->rows ? top->rows : BATCH_ROWS;
	unsigned columns = PLENTY;

	if (!top->batch && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row) {
		unsigned taken = HEAD_LINES + 2 * TITLE_LINES + 1, room = size.ws_row > taken ? (size.ws_row - taken) / 2 : 1;

		columns = size.ws_col;
		rows = top->rows && top->rows < room ? top->rows : room;
	}
	if (!top->batch)
		fputs("\033[H\033[J", stdout);
	print_head(top, counts);
	print_table(top, counts, LAF_TOP_RULES, "RULE (KEY)", rows, columns);
	print_table(top, counts, LAF_TOP_PROGRAMS, "PROGRAM", rows, columns);
	if (top->batch && !top->total && top->count != 1)
		putchar('\n');
	fflush(stdout);
}

/* Keys come at once, and are not shown. Said again before each wait: whoever stopped us may have set it otherwise. */
static void set_terminal(const struct top *top)
{
	struct termios raw = top->before;

	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

static bool wants_to_end(void)
{
	char key;

	while (read(STDIN_FILENO, &key, 1) == 1)
		if (key == 'q' || key == 'Q')
			return true;
	return false;
}

/* Until the look is over. */
static void wait_ms(const struct top *top)
{
	struct pollfd keys = { .fd = top->batch ? -1 : STDIN_FILENO, .events = POLLIN };
	uint64_t until_ms = clock_ms(CLOCK_MONOTONIC) + top->delay_ms, now_ms;

	if (!top->batch)
		set_terminal(top);
	while (!ended && (now_ms = clock_ms(CLOCK_MONOTONIC)) < until_ms) {
		int n = poll(&keys, 1, until_ms - now_ms);

		if (n > 0 && keys.revents & POLLIN && wants_to_end())
			ended = 1;
		else if (n > 0 && keys.revents & (POLLHUP | POLLERR | POLLNVAL))
			ended = 1;
	}
}

static int show_between(const struct top *top, const struct laf_top_counts *now, const struct laf_top_counts *before,
			struct laf_error *err)
{
	struct laf_top_counts between;
	int r = laf_top_difference(now, before, &between);

	if (!r)
		print_counts(top, &between);
	laf_top_clear(&between);
	return r ? laf_error_set(err, r, "top: %s", strerror(-r)) : 0;
}

static int show(const struct top *top, struct laf_error *err)
{
	struct laf_top_counts before, now;
	int r = laf_top_ask(&before, err);

	if (r)
		return r;
	if (top->total)
		r = show_between(top, &before, NULL, err);
	for (unsigned long n = 0; !r && !top->total && (!top->count || n < top->count); n++) {
		wait_ms(top);
		if (ended)
			break;
		r = laf_top_ask(&now, err);
		if (r)
			break;
		r = show_between(top, &now, &before, err);
		laf_top_clear(&before);
		before = now;
	}
	laf_top_clear(&before);
	return r;
}

static bool read_number(const char *text, double least, double most, double *ret)
{
	char *rest;

	*ret = strtod(text, &rest);
	return rest != text && !*rest && *ret >= least && *ret <= most;
}

static int take_option(struct top *top, int option)
{
	double number;

	switch (option) {
	case 'd':
		if (!read_number(optarg, 0.05, 86400, &number))
			return -EINVAL;
		top->delay_ms = number * 1000;
		return 0;
	case 'n':
	case 'r':
		if (!read_number(optarg, 1, 1e9, &number))
			return -EINVAL;
		*(option == 'n' ? &top->count : &top->rows) = number;
		return 0;
	case '1':
		top->count = 1;
		/* fall through */
	case 'b':
		top->batch = true;
		return 0;
	case 'k':
		top->kernel_time = true;
		return 0;
	case 't':
		top->total = top->batch = true;
		return 0;
	default:
		return -EINVAL;
	}
}

static int take_options(struct top *top, int argc, char **argv)
{
	static const struct option options[] = {
		{ "delay", required_argument, NULL, 'd' }, { "count", required_argument, NULL, 'n' },
		{ "rows", required_argument, NULL, 'r' }, { "batch", no_argument, NULL, 'b' },
		{ "once", no_argument, NULL, '1' }, { "kernel-time", no_argument, NULL, 'k' },
		{ "total", no_argument, NULL, 't' }, { 0 },
	};
	int option, r = 0;

	opterr = 0;
	while (!r && (option = getopt_long(argc, argv, "+d:n:r:b1k", options, NULL)) != -1)
		r = take_option(top, option);
	return r || optind < argc || (top->total && top->kernel_time) ? -EINVAL : 0;
}

/* The daemon has no power to ask for it. It is measured as long as the descriptor is open. */
static int measure_kernel_time(const struct top *top, int *ret_fd, struct laf_error *err)
{
	*ret_fd = top->kernel_time ? bpf_enable_stats(BPF_STATS_RUN_TIME) : -1;
	if (!top->kernel_time || *ret_fd >= 0)
		return 0;
	return laf_error_set(err, -errno, "top: having the kernel measure its programs: %s", strerror(errno));
}

int laf_cmd_top(int argc, char **argv)
{
	struct top top = { .delay_ms = 2000 };
	struct laf_error err = { 0 };
	int r, fd;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (take_options(&top, argc, argv)) {
		fprintf(stderr, "laf: top: a word that makes no sense; see 'laf top --help'\n");
		return 1;
	}
	top.batch |= !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &top.before);
	r = measure_kernel_time(&top, &fd, &err);
	if (r)
		return laf_cli_fail(r, &err);
	catch_signals();
	r = show(&top, &err);
	if (!top.batch)
		tcsetattr(STDIN_FILENO, TCSANOW, &top.before);
	if (fd >= 0)
		close(fd);
	return r ? laf_cli_fail(r, &err) : 0;
}
