#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Count the instructions that a call costs, in the test machine: QEMU counts time in them, so that a figure is the same
# every time. Writes the section of docs/benchmarks.md between its two markers.
#
#   vm.sh [KERNEL [STATE…]]    states: none tracepoint fexit kernel; with states named the table goes to standard output
#
# What is counted is the task's own processor time: neither daemons nor kernel threads, but what their waking costs the task.
B=${B:-build}
kernel=${1:-6.1}
n=20000
all='none tracepoint fexit kernel'

give_up() {
	echo "bench: $*" >&2
	exit 1
}

# table < lines "STATE WORKLOAD INSTRUCTIONS": what each state adds, by workload.
table() {
	awk '
	{ cost[$1, $2] = $3; if (!($1 in seen)) { seen[$1]; state[++states] = $1 } }
	function name(s) { return s == "none" ? "no audit" : s == "kernel" ? "the kernel’s audit" : s }
	function row(workload, title,    i) {
		printf "| %s |", title
		for (i = 1; i <= states; i++)
			printf state[i] == "none" ? " %.0f |" : " %+.0f |",
				cost[state[i], workload] - (state[i] == "none" ? 0 : cost["none", workload])
		print ""
	}
	END {
		printf "| |"
		for (i = 1; i <= states; i++)
			printf " %s |", name(state[i])
		printf "\n|---|"
		for (i = 1; i <= states; i++)
			printf "---|"
		print ""
		row("unaudited", "getppid, a rule on openat")
		row("unmatched", "openat and close, a rule on openat for another user")
		row("many", "openat and close, the rules of Neo23x0, of which none is about them")
		row("open", "openat and close, the openat recorded: SYSCALL, CWD, PATH, PROCTITLE")
		row("recorded", "openat and close, both recorded")
	}'
}

section() {
	cat <<-END
		## What a call costs the task, in instructions

		Made by \`make bench-vm\` (bench/vm.sh) on $(date -u +%Y-%m-%d), Debian's kernel $(cat "$B/vm/kernels/$kernel/version"), one processor: QEMU counts time in
		instructions, so that each figure is the same every time. It is the task's own processor time, with what is added
		to no audit; laf writes its log meanwhile, and so does auditd.

	END
	table
}

# Instructions of one round of a loop: two lengths, so that what begins and ends the process is not in it.
count() {
	local few many
	read -r _ few < <(build/bench/timed build/bench/calls "$1" 1000)
	read -r _ many < <(build/bench/timed build/bench/calls "$1" $((n + 1000)))
	[ -n "$few" ] && [ -n "$many" ] || give_up "the workload failed"
	awk "BEGIN { print ($many - $few) * 1e9 / $n }"
}

enter() {
	case $1 in
	none) enter_none ;;
	kernel) enter_kernel "$2" 60000 ;;
	*) engine=$1 && enter_laf "$2" 16384 ;;
	esac
}

# workload STATE NAME LOOP RULE
workload() {
	echo "$4" > "$work/rules"
	chmod 600 "$work/rules"
	enter "$1" "$work/rules" >&2
	echo "$1 $2 $(count "$3")"
	leave
}

inside() {
	PATH=$PATH:/usr/sbin:/sbin
	started='' former='' work=/tmp/bench laf=build/laf
	. bench/states.sh
	mkdir -p $work
	for state; do
		workload "$state" unaudited getppid '-a always,exit -F arch=b64 -S openat -k bench'
		workload "$state" unmatched opens '-a always,exit -F arch=b64 -S openat -F uid=4242 -k bench'
		workload "$state" many opens "$(echo -i && cat /in/audit.rules)"
		workload "$state" open opens '-a always,exit -F arch=b64 -S openat -k bench'
		workload "$state" recorded opens '-a always,exit -F arch=b64 -S openat,close -k bench'
	done
}

if [ "$1" = inside ]; then
	shift
	inside "$@"
	exit
fi
cd "$(dirname "$0")/.." || exit 1
. bench/section.sh
states=${*:2}
work=$(mktemp -d "${TMPDIR:-/tmp}/laf-bench-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # words
tests/vm/run "$kernel" -smp 1 --icount --timeout 1800 --in ../shared/rules/neo23x0/audit.rules -- bench/vm.sh inside ${states:-$all} > "$work/data" || exit
if [ -n "$states" ]; then
	table < "$work/data"
	exit
fi
section < "$work/data" > "$work/section"
write_section instructions "$work/section"
