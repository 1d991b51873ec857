#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Does an event cost more where there are more processors? Counts the instructions of a recorded openat and close on machines of 1, 2, 4, 8
# and 16 processors, in QEMU. Writes the section of docs/scaling.md between its two markers.
#
#   scale.sh [KERNEL [PROCESSORS…]]    with processors named the table goes to standard output
#
# What is counted is what a processor does for five rounds, from mark to mark (bench/count_plugin.c): the median of many times, in most of which
# no interrupt came. The daemon is stopped meanwhile: the rings hold everything, and that nothing was lost is checked.
B=${B:-build}
kernel=${1:-6.1}
n=200
rounds=5
ring_kib=4096
all='1 2 4 8 16'

# recorded STATE PROCESSES: the daemon wrote it all
recorded() {
	made=$((2 * $2 * rounds * (n + 1)))
	said=$(cat "$work/laf.err")
	events=$(echo "$said" | sed -n 's/^laf: \([0-9]*\) events, .*/\1/p')
	case $said in *" 0 lost, engine $1"*) ;; *) give_up "$1: $said" ;; esac
	[ "${events:-0}" -ge $made ] || give_up "$1: $events events of at least $made"
}

together() {
	build/bench/together "$work/folder/file" $n "$1" || give_up "the workload failed"
}

# measure STATE PROCESSES
measure() {
	if [ "$1" = none ]; then
		enter_none
		together "$2"
	else
		engine=$1
		enter_laf "$work/rules" $ring_kib
		kill -STOP "$started"
		together "$2"
		kill -CONT "$started"
		leave
		recorded "$1" "$2"
	fi
	echo "$(nproc) $2 $1"
}

inside() {
	PATH=$PATH:/usr/sbin:/sbin
	started='' former='' work=/tmp/bench laf=build/laf
	. bench/states.sh
	mkdir -p $work/folder
	: > $work/folder/file
	echo '-a always,exit -F arch=b64 -S openat,close -k bench' > $work/rules
	chmod 600 $work/rules
	for processes in 1 $(nproc | grep -v '^1$'); do
		for state in none tracepoint fexit; do
			measure $state "$processes"
		done
	done
}

# on PROCESSORS: lines "PROCESSORS PROCESSES STATE INSTRUCTIONS"
on() {
	tests/vm/run "$kernel" -smp "$1" -m 2048 --timeout 3600 --plugin "$B/bench/count_plugin.so,out=$work/counts" -- \
		bench/scale.sh inside > "$work/measured" || return
	awk -v rounds=$rounds 'NR == FNR { median[NR] = $2; next } { print $0, median[FNR] / rounds }' "$work/counts" "$work/measured"
}

# table < lines "PROCESSORS PROCESSES STATE INSTRUCTIONS"
table() {
	awk '
	{ cost[$1, $2 > 1 || $1 == 1, $3] = $4; if ($2 == 1) cost[$1, 0, $3] = $4; if (!($1 in seen)) { seen[$1]; size[++sizes] = $1 } }
	function cells(p, together) {
		return sprintf(" %d | %+d | %+d |", cost[p, together, "none"],
			cost[p, together, "tracepoint"] - cost[p, together, "none"], cost[p, together, "fexit"] - cost[p, together, "none"])
	}
	END {
		print "| processors | one process: no audit | tracepoint | fexit | one on each: no audit | tracepoint | fexit |"
		print "|---|---|---|---|---|---|---|"
		for (i = 1; i <= sizes; i++)
			print "| " size[i] " |" cells(size[i], 0) cells(size[i], 1)
	}'
}

section() {
	cat <<-END
		Made by \`make bench-scale\` (bench/scale.sh) on $(date -u +%Y-%m-%d), laf $("$B/laf" --version | sed 's/^laf //'), Debian's kernel $(cat "$B/vm/kernels/$kernel/version"),
		$(qemu-system-x86_64 --version | sed -n '1s/.*version \([0-9.]*\).*/QEMU \1/p'). Instructions for an openat and a close, both recorded, and those without audit, of
		one process alone and of one on each processor in the same folder at the same time (medians):

	END
	table
}

if [ "$1" = inside ]; then
	inside
	exit
fi
cd "$(dirname "$0")/.." || exit 1
. bench/section.sh
sizes=${*:2}
work=$(mktemp -d "${TMPDIR:-/tmp}/laf-bench-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
for size in ${sizes:-$all}; do
	on "$size" >> "$work/data" || { cat "$work/measured" >&2; exit 1; }
done
if [ -n "$sizes" ]; then
	table < "$work/data"
	exit
fi
section < "$work/data" > "$work/section"
write_section processors "$work/section" docs/scaling.md
