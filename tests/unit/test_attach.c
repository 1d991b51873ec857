// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs come and go while calls are made: by rules in one engine, and with whole engines.
 *
 * From the environment: ATTACH_TIMES, how often the rules change (12); ENGINE. Skipped where no engine can be opened. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <laf/engine.h>
#include <laf/rules.h>

#include "../../src/engine/bpf.h"

#define LOADS 2
#define ENGINE_TIMES 50 /* so many changes of rules an engine */

static const char *const sets[] = {
	"-a always,exit -F arch=b64 -S getsid,stat",
	"-a always,exit -F arch=b64 -S getpgid",
	"-a always,exit -F arch=b32 -S getpid",
	"-a never,exit -F arch=b64 -S getsid",
	"-a always,exit -F arch=b64 -S mkdir,rmdir,open", /* many programs, which take long: seldom */
};
#define SETS (sizeof(sets) / sizeof(*sets))
#define MANY (SETS - 1)
#define NONE (SETS - 2)
#define MANY_EVERY 40

/* Calls of every set until it is killed; getpid as a 32-bit program makes it. */
static void make_calls(void)
{
	char folder[64];
	struct stat st;
	long pid;

	snprintf(folder, sizeof(folder), "/tmp/test_attach-%d", getpid());
	for (;;) {
		syscall(SYS_getsid, 0);
		syscall(SYS_getpgid, 0);
		syscall(SYS_stat, "/", &st);
		syscall(SYS_mkdir, folder, 0700);
		syscall(SYS_rmdir, folder);
		close(syscall(SYS_open, "/dev/null", 0));
		asm volatile("int $0x80" : "=a"(pid) : "a"(20) : "memory");
	}
}

static struct laf_policy *compile(const char *line)
{
	struct laf_rules rules = { 0 };
	struct laf_error err = { 0 };
	struct laf_policy *policy;
	char text[128], *words[16], *at = text;
	int n = 0;

	snprintf(text, sizeof(text), "%s", line);
	while ((words[n] = strsep(&at, " ")))
		n++;
	assert_true(laf_rules_add_words(&rules, n, words, &err) >= 0);
	assert_int_equal(laf_policy_compile(&rules, &policy, &err), 0);
	laf_rules_clear(&rules);
	return policy;
}

static int count(void *arg, struct laf_event *event)
{
	++*(uint64_t *)arg;
	return 0;
}

static int open_engine(struct laf_engine **ret, const struct laf_policy *policy, struct laf_error *err)
{
	struct laf_engine_options options = { .name = getenv("ENGINE"), .ring_bytes = 1 << 20, .idle_ms = 1 };

	return laf_engine_open(&options, policy, ret, err);
}

static void start_loads(pid_t pids[LOADS])
{
	int i;

	for (i = 0; i < LOADS; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		make_calls();
	}
}

static void end_loads(pid_t pids[LOADS])
{
	char folder[64];
	int i;

	for (i = 0; i < LOADS; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
		snprintf(folder, sizeof(folder), "/tmp/test_attach-%d", pids[i]);
		rmdir(folder);
	}
}

/* Events come while a set audits, and go on to come when it is another. */
static void change(struct laf_engine *engine, const struct laf_policy *policy, bool wanted)
{
	struct laf_error err = { 0 };
	uint64_t n = 0, before = 0;
	unsigned turns = 0;

	if (laf_engine_set_policy(engine, policy, &err))
		fail_msg("%s", err.text);
	laf_engine_read(engine, true, count, &before);
	while (wanted && !n && turns++ < 1000) {
		laf_engine_wait(engine, 10);
		laf_engine_read(engine, true, count, &n);
	}
	assert_true(n || !wanted);
	while (laf_engine_detach_idle(engine))
		;
}

static void test_rules_change(void **state)
{
	const char *text = getenv("ATTACH_TIMES");
	unsigned times = text ? strtoul(text, NULL, 0) : 12, i, set;
	struct laf_policy *policies[SETS];
	struct laf_engine *engine = NULL;
	struct laf_error err = { 0 };
	pid_t loads[LOADS];

	for (i = 0; i < SETS; i++)
		policies[i] = compile(sets[i]);
	start_loads(loads); /* before there are links that they would keep */
	if (open_engine(&engine, policies[0], &err)) {
		end_loads(loads);
		print_message("%s\n", err.text);
		skip();
	}
	for (i = 0; i < times; i++) {
		if (i % ENGINE_TIMES == ENGINE_TIMES - 1) {
			laf_engine_close(engine);
			assert_int_equal(open_engine(&engine, policies[0], &err), 0);
		}
		set = i % MANY_EVERY == 5 ? MANY : i % MANY;
		change(engine, policies[set], set != NONE);
	}
	end_loads(loads);
	laf_engine_close(engine);
	for (i = 0; i < SETS; i++)
		laf_policy_free(policies[i]);
	print_message("%u times\n", times);
}

/* Of the kernel's symbols; 0 = there is none, or it is not told. */
static unsigned long long address_of(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long address = 0, at;
	char line[1024], symbol[512];

	while (f && !address && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %*c %511s", &at, symbol) == 2 && !strcmp(symbol, name))
			address = at;
	if (f)
		fclose(f);
	return address;
}

static void test_symbols(void **state)
{
	struct laf_policy *policy = compile(sets[0]);
	struct laf_engine *engine = NULL;
	struct laf_error err = { 0 };
	const struct bpf_engine *t;

	if (open_engine(&engine, policy, &err)) {
		laf_policy_free(policy);
		print_message("%s\n", err.text);
		skip();
	}
	t = engine->state;
	print_message("rename_lock: %llx\n", t->bpf->bss->rename_lock_at);
	assert_true(t->bpf->bss->rename_lock_at == address_of("rename_lock"));
	laf_engine_close(engine);
	laf_policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_rules_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
