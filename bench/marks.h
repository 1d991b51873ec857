/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program in a virtual machine tells the plugin that counts its instructions, by an instruction that does nothing. */
#ifndef LAF_BENCH_MARKS_H
#define LAF_BENCH_MARKS_H

#define MARK_BASE 0x4c414600
#define MARK_BEGIN 1
#define MARK_END 2
#define MARK_REPORT 3

#define MARK(n) asm volatile("prefetcht0 %c0(%%rax)" : : "i"(MARK_BASE + (n)) : "memory")

#endif
