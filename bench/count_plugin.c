// SPDX-License-Identifier: GPL-2.0-or-later
/* A plugin of QEMU that counts instructions by processor: how many it executes between the marks MARK_BEGIN and MARK_END (marks.h). At
 * MARK_REPORT it writes the quartiles of what was counted since the last report into a file: what an interrupt adds to a few is not in them.
 *
 *   -plugin count_plugin.so,out=FILE
 *
 * QEMU's own way to count (-icount) starves all processors but the first (before 8.1). Its header is not packaged: what is used of it
 * is declared here (QEMU 7.2, include/qemu/qemu-plugin.h). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"

#define PROCESSORS 64
#define WINDOWS_MAX 100000

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*exec_fn)(unsigned cpu, void *arg);

extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*fn)(uint64_t id, struct qemu_plugin_tb *tb));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_fn fn, int flags, void *arg);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, exec_fn fn, int flags, void *arg);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

extern int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);
extern int qemu_plugin_version;
int qemu_plugin_version = 1;

static uint64_t count[PROCESSORS], begin[PROCESSORS];
static uint32_t windows[WINDOWS_MAX];
static size_t n_windows;
static FILE *file;

static int compare(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

static void report(void)
{
	qsort(windows, n_windows, sizeof(*windows), compare);
	if (n_windows)
		fprintf(file, "%u %u %u %zu\n", windows[n_windows / 4], windows[n_windows / 2], windows[n_windows * 3 / 4], n_windows);
	fflush(file);
	n_windows = 0;
}

static void add(unsigned cpu, void *arg)
{
	count[cpu % PROCESSORS] += (uintptr_t)arg;
}

static void mark(unsigned cpu, void *arg)
{
	cpu %= PROCESSORS;
	switch ((uintptr_t)arg) {
	case MARK_BEGIN:
		begin[cpu] = count[cpu];
		break;
	case MARK_END:
		if (n_windows < WINDOWS_MAX)
			windows[n_windows++] = count[cpu] - begin[cpu];
		break;
	case MARK_REPORT:
		report();
		break;
	}
}

/* prefetcht0 MARK_BASE + mark(%rax), or 0. */
static uint32_t mark_of(const struct qemu_plugin_insn *insn)
{
	static const uint8_t opcode[] = { 0x0f, 0x18, 0x88 };
	const uint8_t *bytes = qemu_plugin_insn_data(insn);
	uint32_t at;

	if (qemu_plugin_insn_size(insn) != sizeof(opcode) + sizeof(at) || memcmp(bytes, opcode, sizeof(opcode)))
		return 0;
	memcpy(&at, bytes + sizeof(opcode), sizeof(at));
	return at > MARK_BASE && at <= MARK_BASE + MARK_REPORT ? at - MARK_BASE : 0;
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb), i;

	qemu_plugin_register_vcpu_tb_exec_cb(tb, add, 0, (void *)n);
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint32_t found = mark_of(insn);

		if (found)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, mark, 0, (void *)(uintptr_t)found);
	}
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return 1;
	file = fopen(argv[0] + 4, "w");
	if (!file)
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
