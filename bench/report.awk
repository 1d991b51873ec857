# SPDX-License-Identifier: GPL-2.0-or-later
# The figures of run.sh as docs/benchmarks.md. Input: row, state, round, metric, value.
{ value[$1, $2, $4, $3] = $5; seen[$1, $2] = 1; seen[$1] = 1 }

# Median, least and most of list[1..n], in med, min, max.
function summarise(n,    i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
			t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
		}
	med = n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
	min = list[1]; max = list[n]
}

function text(digits) { return sprintf("%.*f (%.*f–%.*f)", digits, med, digits, min, digits, max) }

function figure(row, state, metric, digits,    r) {
	if (!((row, state, metric, 1) in value))
		return "–"
	for (r = 1; r <= rounds; r++)
		list[r] = value[row, state, metric, r] + 0
	summarise(rounds)
	return text(digits)
}

# Each round's own ratio, then their median.
function ratio(row, a, b, metric,    r) {
	for (r = 1; r <= rounds; r++)
		list[r] = value[row, a, metric, r] / value[row, b, metric, r]
	summarise(rounds)
	return text(2)
}

# What laf adds to no audit, as a part of what the kernel's audit adds.
function share(row, metric,    r, more) {
	for (r = 1; r <= rounds; r++) {
		more = value[row, "kernel", metric, r] - value[row, "none", metric, r]
		list[r] = more > 0 ? (value[row, "laf", metric, r] - value[row, "none", metric, r]) / more : 0
	}
	summarise(rounds)
	return text(2)
}

function state_name(s) {
	return s == "none" ? "no audit" : s == "was-on" ? "audit off, but on once" : s == "laf" ? "laf" : \
		s == "kernel" ? "kernel's audit, auditd" : "the same, callers don't wait"
}

function times(row, title, states,    n, i, s) {
	if (!(row in seen))
		return
	printf "\n### %s\n\n", title
	print "| | seconds | times no audit | processor seconds of the task | times no audit | of the daemons |"
	print "|---|---|---|---|---|---|"
	n = split(states, s, " ")
	for (i = 1; i <= n; i++)
		printf "| %s | %s | %s | %s | %s | %s |\n", state_name(s[i]), figure(row, s[i], "wall", 2),
			s[i] == "none" ? 1 : ratio(row, s[i], "none", "wall"), figure(row, s[i], "cpu", 2),
			s[i] == "none" ? 1 : ratio(row, s[i], "none", "cpu"), figure(row, s[i], "daemons", 3)
	if (row != "opens")
		printf "\nOf the time that the kernel's audit adds, laf adds %s; of the processor time %s.\n",
			share(row, "wall"), share(row, "cpu")
}

function rate(state,    r) {
	for (r = 1; r <= rounds; r++)
		list[r] = pairs / value["opens", state, "wall", r] / 1000
	summarise(rounds)
	return text(1)
}

function rates(    n, i, s) {
	if (!("opens" in seen))
		return
	pairs = value["opens", "all", "pairs", 0]
	ring = value["opens", "laf", "ring", 0]
	print "\n| | thousand pairs a second | events in the log | records lost (kernel), events lost (laf) | MB of log | seconds until all is in the log |"
	print "|---|---|---|---|---|---|"
	n = split("none laf kernel kernel-lossy", s, " ")
	for (i = 1; i <= n; i++) {
		printf "| %s | %s | %s | %s |", state_name(s[i]), rate(s[i]), figure("opens", s[i], "events", 0),
			figure("opens", s[i], "lost", 0)
		for (r = 1; r <= rounds; r++)
			value["opens", s[i], "mb", r] = value["opens", s[i], "bytes", r] / 1e6
		printf " %s | %s |\n", s[i] == "none" ? "–" : figure("opens", s[i], "mb", 1),
			s[i] == "kernel-lossy" ? "–" : figure("opens", s[i], "written", 1)
	}
	printf "\nThe loop makes %d pairs, so %d events, and a few more while it is loaded. ", pairs, 2 * pairs
	printf "laf's ring: %d KiB a processor%s. ", ring, ring == default_ring ? ", the default" : \
		sprintf(" (the default, %d, loses events of so long a burst)", default_ring)
	printf "laf records %s times the kernel audit's rate when callers wait", ratio("opens", "kernel", "laf", "wall")
	printf ", and %s times the processor time of task and daemons together.\n", total_ratio()
}

# In nanoseconds each; null I/O is two calls.
function small(    n, i, part, s, j, r, row) {
	if (!("small-getppid" in seen))
		return
	print "\n### Small things, under a rule on another call (uname-always.rules)\n"
	print "As lmbench has them, by bench/calls.c: nanoseconds of processor time each, and times no audit.\n"
	print "| | no audit | laf | times | kernel\047s audit | times |\n|---|---|---|---|---|---|"
	n = split("getppid null call,io null I/O,stat stat,opens open and close,install signal install,handle signal handle," \
		"fork fork and exit,exec fork and exec,sh sh -c", part, ",")
	for (i = 1; i <= n; i++) {
		row = part[i]; sub(/ .*/, "", row); row = "small-" row
		sub(/^[^ ]* /, "", part[i])
		split("none laf kernel", s, " ")
		for (j = 1; j <= 3; j++)
			for (r = 1; r <= rounds; r++)
				value[row, s[j], "ns", r] = value[row, s[j], "cpu", r] * 1e9 / value[row, "all", "n", 0] / (row == "small-io" ? 2 : 1)
		printf "| %s | %s | %s | %s | %s | %s |\n", part[i], figure(row, "none", "ns", 0), figure(row, "laf", "ns", 0),
			ratio(row, "laf", "none", "cpu"), figure(row, "kernel", "ns", 0), ratio(row, "kernel", "none", "cpu")
	}
}

function discarded() {
	if ("compile-discard" in seen)
		printf "\nEvents lost by laf: %s; records lost by the kernel\047s audit: %s.\n", figure("compile-discard", "laf", "lost", 0),
			figure("compile-discard", "kernel", "lost", 0)
}

function compiled(    n, i, s, r) {
	if (!("compile-all" in seen))
		return
	print "\n| | events in the log | records lost (kernel), events lost (laf) | MB of log | seconds until all is in the log |"
	print "|---|---|---|---|---|"
	n = split("laf kernel", s, " ")
	for (i = 1; i <= n; i++) {
		for (r = 1; r <= rounds; r++)
			value["compile-all", s[i], "mb", r] = value["compile-all", s[i], "bytes", r] / 1e6
		printf "| %s | %s | %s | %s | %s |\n", state_name(s[i]), figure("compile-all", s[i], "events", 0),
			figure("compile-all", s[i], "lost", 0), figure("compile-all", s[i], "mb", 1), figure("compile-all", s[i], "written", 1)
	}
	printf "\nSpeed, times no audit: laf %s, the kernel\047s audit %s.\n", ratio("compile-all", "none", "laf", "wall"),
		ratio("compile-all", "none", "kernel", "wall")
}

function total_ratio(    r, s) {
	for (r = 1; r <= rounds; r++)
		list[r] = (value["opens", "laf", "cpu", r] + value["opens", "laf", "daemons", r]) / \
			(value["opens", "kernel", "cpu", r] + value["opens", "kernel", "daemons", r])
	summarise(rounds)
	return text(2)
}

# One line: full speed is 1; within the spread is reached.
function speed(row, what, limit, lost,    by_cpu, kernel) {
	if (!(row in seen))
		return
	by_cpu = ratio(row, "none", "laf", "cpu")
	kernel = ratio(row, "none", "kernel", "wall")
	figure(row, "laf", "lost", 0)
	most = max
	ratio(row, "none", "laf", "wall")
	printf "| %s | %s | %s | %s | %s | %s |\n", what, limit (lost ? ", none lost" : ""), \
		text(3) (lost ? sprintf(", %d lost", most) : ""), by_cpu, kernel, (lost && most ? "no" : med >= limit ? "yes" : \
		max >= limit ? "within the spread" : "no")
}

function speeds(    fexit) {
	fexit = engine == "fexit"
	print "\n## Speed, times that of no audit\n"
	print "| | wanted | laf | of the task\047s processor time | kernel\047s audit | reached |\n|---|---|---|---|---|---|"
	speed("compile-idle", "compile, ten rules that record nothing", "0.995")
	speed("compile-discard", "compile, every call recorded, output discarded", "0.96")
	speed("compile-all", "compile, every call recorded to a file", "0.93", 1)
	speed("uname", "dd bs=1, a `never` rule on uname", "1.00")
	speed("uname-always", "dd bs=1, an `always` rule on uname", fexit ? "1.00" : "0.75")
	speed("neo23x0", "dd bs=512, the rules of Neo23x0", fexit ? "1.00" : "0.70")
	speed("opens", "open and close, recorded to a file", "0.60", 1)
	speed("stream", "TCP stream of 64-byte writes, ten rules on other calls", "1.00")
}

# One line: what was measured stands in med, min, max; `cpu` is the same by processor time.
function wanted(what, limit, least, cpu,    ok) {
	ok = least ? med >= limit : med <= limit
	printf "| %s | %s | %s | %s | %s |\n", what, (least ? "at least " : "at most ") limit, text(2), cpu, ok ? "yes" : "no"
}

function goals(    cpu) {
	print "\n## What is wanted of the tracepoint engine\n"
	print "| | wanted | measured | by processor time | reached |\n|---|---|---|---|---|"
	if ("uname" in seen) {
		cpu = ratio("uname", "laf", "none", "cpu")
		ratio("uname", "laf", "none", "wall")
		wanted("time under uname.rules, times no audit", 1.02, 0, cpu)
	}
	if ("uname-always" in seen) {
		cpu = share("uname-always", "cpu")
		share("uname-always", "wall")
		wanted("added time under uname-always.rules, of the kernel audit's", 0.65, 0, cpu)
	}
	if ("neo23x0" in seen) {
		cpu = share("neo23x0", "cpu")
		share("neo23x0", "wall")
		wanted("added time under neo23x0's rules, of the kernel audit's", 0.25, 0, cpu)
	}
	if ("opens" in seen) {
		ratio("opens", "kernel", "laf", "wall")
		wanted("rate of recorded opens, times the kernel audit's", 5, 1, "–")
		figure("opens", "laf", "lost", 0)
		med = max
		wanted("events lost by laf", 0, 0, "–")
	}
	if (busy + 0)
		print "\n**Other processes were running meanwhile (see the load): only the processor time means something.**"
}

END {
	print "# Benchmarks\n\nMade by `make bench`; every figure here is written by bench/run.sh and bench/report.awk.\n"
	print machine
	printf "| rounds | %d, workloads at %d percent of their size |\n\n", rounds, percent
	print "The states alternate: no audit, laf, the kernel's audit, no audit, laf, … A figure is the median of the rounds with the"
	print "least and the most; a ratio is taken within each round first. Each workload is a process forked after its state was set."
	print "\nOnce the kernel's audit has been enabled, every process forked from then on pays for it, also when it is off again, unless the"
	print "rule `never,task` is loaded. *No audit* and *laf* are therefore measured with that rule and audit disabled: that is what a"
	print "machine is like on which audit was never enabled. The kernel's audit has Debian's settings (-b 8192,"
	print "--backlog_wait_time 60000, auditd's ENRICHED log), but no rotation and, as laf makes none, no fsync (flush = NONE)."
	print "*Of the daemons* is auditd and kauditd, or laf's daemon."
	speeds()
	goals()
	if ("getppid" in seen || "uname" in seen || "uname-always" in seen || "neo23x0" in seen || "compile-idle" in seen)
		print "\n## Calls that are not recorded"
	times("getppid", "getppid in a loop, a rule on uname", "none was-on laf kernel")
	times("uname", "dd bs=1, uname.rules: a rule that can record nothing", "none laf kernel")
	times("uname-always", "dd bs=1, uname-always.rules: a rule on another call", "none laf kernel")
	times("neo23x0", "dd bs=512, the rules of Neo23x0", "none laf kernel")
	times("compile-idle", "a compile (kernel/ and lib/ of Linux 6.1, tinyconfig), ten rules that record nothing", "none laf kernel")
	times("stream", "writes of 64 bytes over TCP on the loopback, ten rules on other calls", "none laf kernel")
	small()
	if ("opens" in seen || "compile-all" in seen || "compile-discard" in seen)
		print "\n## Calls that are recorded"
	times("opens", "open and close of /dev/null, each recorded to a file", "none laf kernel kernel-lossy")
	rates()
	times("compile-discard", "the compile, every call of the machine recorded, output discarded (write_logs = no)", "none laf kernel")
	discarded()
	times("compile-all", "the compile, every call of the machine recorded to a file", "none laf kernel")
	compiled()
	if (formatting != "")
		printf "\n## From events to text\n\nOn one processor, by bench/records.c:\n\n```\n%s\n```\n", formatting
	if (skipped != "") {
		print "\n## Left out\n"
		n = split(skipped, lines, "\n")
		for (i = 1; i <= n; i++) {
			name = lines[i]; sub(/ .*/, "", name)
			sub(/^[^ ]* /, "", lines[i])
			printf "- %s: %s\n", name, lines[i]
		}
	}
}
