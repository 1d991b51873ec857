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
small='getppid:20000 io:20000 stat:20000 opens:10000 install:20000 handle:10000 fork:200 exec:100 sh:60 tcp:10000' # and how often
all='none tracepoint fexit kernel'

# table WORKLOAD… < lines "STATE WORKLOAD INSTRUCTIONS": what each state adds, by workload; each of them is told with its title, "NAME TITLE".
table() {
	awk -v rows="$(printf '%s\n' "$@")" '
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
		n = split(rows, list, "\n")
		for (r = 1; r <= n; r++) {
			workload = title = list[r]
			sub(/ .*/, "", workload)
			sub(/^[^ ]* /, "", title)
			row(workload, title)
		}
	}'
}

section() {
	cat <<-END
		## What a call costs the task, in instructions

		Made by \`make bench-vm\` (bench/vm.sh) on $(date -u +%Y-%m-%d), Debian's kernel $(cat "$B/vm/kernels/$kernel/version"), one processor: QEMU counts time in
		instructions, so that each figure is the same every time. It is the task's own processor time, with what is added
		to no audit; laf writes its log meanwhile, and so does auditd. Two measurements of TCP without audit can be 600
		instructions apart, and of a fork or a shell some thousands: differences of less say nothing there.

	END
	tables
}

tables() {
	cat > "$work/lines"
	table 'unaudited getppid, a rule on openat' 'unmatched openat and close, a rule on openat for another user' \
		'many openat and close, the rules of Neo23x0, of which none is about them' \
		'open openat and close, the openat recorded: SYSCALL, CWD, PATH, PROCTITLE' \
		'recorded openat and close, both recorded' < "$work/lines"
	printf '\nThe small things that lmbench measures (bench/calls.c), under a rule on another call, which none of them makes (uname):\n\n'
	small_table other < "$work/lines"
	printf '\nThe same, every call recorded:\n\n'
	small_table all < "$work/lines"
}

# small_table RULES < lines
small_table() {
	table "$1-getppid null call: getppid" "$1-io null I/O: a read and a write" "$1-stat stat" "$1-opens open and close" \
		"$1-install signal install" "$1-handle signal handle: kill and sigreturn" "$1-fork fork, exit, wait" "$1-exec fork and exec of /bin/true" \
		"$1-sh sh -c of a program" "$1-tcp 64 bytes over TCP on the loopback: a write and a read"
}

# count LOOP TIMES: instructions of one round of a loop; two lengths, so that what begins and ends the process is not in it.
count() {
	local few many
	read -r _ few < <(build/bench/timed build/bench/calls "$1" $(($2 / 20)))
	read -r _ many < <(build/bench/timed build/bench/calls "$1" $(($2 + $2 / 20)))
	[ -n "$few" ] && [ -n "$many" ] || give_up "the workload failed"
	awk "BEGIN { print ($many - $few) * 1e9 / $2 }"
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
	echo "$1 $2 $(count "$3" $n)"
	leave
}

# small_ones STATE NAME RULE
small_ones() {
	local part
	echo "$3" > "$work/rules"
	chmod 600 "$work/rules"
	enter "$1" "$work/rules" >&2
	for part in $small; do
		echo "$1 $2-${part%:*} $(count "${part%:*}" "${part#*:}")"
	done
	leave
}

inside() {
	PATH=$PATH:/usr/sbin:/sbin
	started='' former='' work=/tmp/bench laf=build/laf
	. bench/states.sh
	mkdir -p $work
	ip link set lo up
	for state; do
		workload "$state" unaudited getppid '-a always,exit -F arch=b64 -S openat -k bench'
		workload "$state" unmatched opens '-a always,exit -F arch=b64 -S openat -F uid=4242 -k bench'
		workload "$state" many opens "$(echo -i && cat /in/audit.rules)"
		workload "$state" open opens '-a always,exit -F arch=b64 -S openat -k bench'
		workload "$state" recorded opens '-a always,exit -F arch=b64 -S openat,close -k bench'
		small_ones "$state" other '-a always,exit -F arch=b64 -S uname -k bench'
		small_ones "$state" all '-a always,exit -F arch=b64 -S all -k bench'
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
	tables < "$work/data"
	exit
fi
section < "$work/data" > "$work/section"
write_section instructions "$work/section"
