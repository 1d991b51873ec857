// SPDX-License-Identifier: GPL-2.0-or-later
/* What this machine allows: each capability is tried, and the kernel's own answer kept. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <laf/engine.h>

#include "engine.h"
#include "preempt.h"
#include "probe.h"

static struct laf_probe_line *line(struct laf_probe_line *l, const char *name, bool ok, const char *text)
{
	l->name = name;
	l->ok = ok;
	snprintf(l->text, sizeof(l->text), "%s", text);
	return l + 1;
}

/* Is the kernel's memory kept from root, and so from BPF programs? */
static bool is_confidential(void)
{
	FILE *f = fopen("/sys/kernel/security/lockdown", "re");
	char text[80] = "";

	if (!f)
		return false;
	if (!fgets(text, sizeof(text), f))
		text[0] = 0;
	fclose(f);
	return strstr(text, "[confidentiality]");
}

static struct laf_probe_line *tried(struct laf_probe_line *l, const char *name, int r, const char *use)
{
	char text[160];

	if (r >= 0)
		return line(l, name, true, use);
	snprintf(text, sizeof(text), "%s: %s", use, r == -EINVAL && is_confidential() ?
		 "the kernel is locked down (confidentiality)" : strerror(-r));
	return line(l, name, false, text);
}

/* Load (and close) a small program of a kind, which reads the kernel's memory: a kernel that keeps it confidential refuses
 * that alone. Returns 0 or a negative errno. */
static int try_program(enum bpf_prog_type type, enum bpf_attach_type attach, int btf_id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = attach, .attach_btf_id = btf_id);
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1, .imm = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(type, "laf_probe", "GPL", insns, sizeof(insns) / sizeof(*insns), &options);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int try_map(enum bpf_map_type type, unsigned key, unsigned value, unsigned entries)
{
	int fd = bpf_map_create(type, "laf_probe", key, value, entries, NULL);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int try_btf(enum bpf_attach_type attach, const struct btf *btf, const char *name, unsigned kind)
{
	int id = btf ? btf__find_by_name_kind(btf, name, kind) : -ENOENT;

	return id < 0 ? id : try_program(BPF_PROG_TYPE_TRACING, attach, id);
}

int laf_probe_tracepoint(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int r = try_btf(BPF_TRACE_RAW_TP, btf, "btf_trace_sys_exit", BTF_KIND_TYPEDEF);

	btf__free(btf);
	return r;
}

int laf_probe_fexit(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int r = try_btf(BPF_TRACE_FEXIT, btf, "__x64_sys_openat", BTF_KIND_FUNC);

	btf__free(btf);
	return r;
}

static struct laf_probe_line *preemption(struct laf_probe_line *l)
{
	enum laf_preempt model = laf_preempt_model();
	char text[160];

	if (model == LAF_PREEMPT_UNKNOWN)
		return line(l, "preemption", false, "the kernel does not say (debugfs, sched/preempt)");
	snprintf(text, sizeof(text), "%s; the fexit engine needs none or voluntary", laf_preempt_name(model));
	return line(l, "preemption", true, text);
}

unsigned laf_probe(struct laf_probe_line lines[LAF_PROBE_LINES])
{
	struct btf *btf = btf__load_vmlinux_btf();
	struct laf_probe_line *l = lines;
	char text[160];
	struct utsname u;

	uname(&u);
	snprintf(text, sizeof(text), "%s %s", u.release, u.machine);
	l = line(l, "kernel", !strcmp(u.machine, "x86_64"), text);
	l = line(l, "root", geteuid() == 0, geteuid() ? "laf run and laf daemon want root" : "yes");
	l = line(l, "BTF", btf, btf ? "types of the running kernel" :
		 "the kernel has no /sys/kernel/btf/vmlinux (CONFIG_DEBUG_INFO_BTF)");
	l = tried(l, "BPF ring", try_map(BPF_MAP_TYPE_RINGBUF, 0, 0, 4096), "carries events to user space");
	l = tried(l, "tp_btf", try_btf(BPF_TRACE_RAW_TP, btf, "btf_trace_sys_exit", BTF_KIND_TYPEDEF),
		  "the tracepoint engine");
	l = tried(l, "fentry", try_btf(BPF_TRACE_FENTRY, btf, "__x64_sys_openat", BTF_KIND_FUNC),
		  "calls that no rule names cost nothing");
	l = tried(l, "fexit", try_btf(BPF_TRACE_FEXIT, btf, "__x64_sys_openat", BTF_KIND_FUNC),
		  "calls that no rule names cost nothing");
	l = preemption(l);
	l = line(l, "kernel audit", access("/proc/self/loginuid", F_OK) == 0,
		 access("/proc/self/loginuid", F_OK) ? "the kernel was built without CONFIG_AUDIT" :
		 "login ids and sessions, and the kernel's own records");
	btf__free(btf);
	return l - lines;
}
