#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the time of a loop goes that laf adds to it: nanoseconds of one round by function, without audit and with every call of the
# loop recorded. Needs perf (Debian's package linux-perf), which samples by the clock; programs of BPF are named by their functions.
#
#   profile.sh [BUILD-FOLDER [LOOP [ROUNDS [RULE]]]]    a loop of bench/calls.c: opens; 400000 of them; as RULE, what is recorded
cd "$(dirname "$0")/.." || exit 1
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C
B=$(realpath "${1:-build}")
loop=${2:-opens} rounds=${3:-400000} rule=${4:--a always,exit -F arch=b64 -S openat,close -k bench}
laf=$B/laf
started='' former=''
. bench/states.sh

# sample STATE: lines "SYMBOL NANOSECONDS"
sample() {
	perf record -q -e cpu-clock -F 25000 -o "$work/perf" "$B/bench/calls" "$loop" "$rounds" > "$work/said" 2>&1 || give_up "$(cat "$work/said")"
	perf script -i "$work/perf" -F period,ip,sym 2> "$work/said" |
		awk -v n="$rounds" '{ sub(/^bpf_prog_[0-9a-f]+_/, "bpf:", $3); t[$3] += $1 } END { for (s in t) print s, t[s] / n }' > "$work/$1"
}

command -v perf > /dev/null || give_up "needs perf, of Debian's package linux-perf"
work=$(mktemp -d "${TMPDIR:-/tmp}/laf-bench-XXXXXX") || exit 1
trap 'leave; rm -rf "$work"' EXIT
exec 9> "${LAF_KAUDIT_LOCK:-/run/lock/laf-kaudit.lock}"
flock 9
remember_audit
echo "$rule" > "$work/rules"
chmod 600 "$work/rules"
enter_none
sample none
leave
enter_laf "$work/rules" 131072 9>&-
sample laf
leave
awk '
	{ side = FILENAME ~ /none$/; t[side, $1] += $2; sum[side] += $2; names[$1] }
	END {
		printf "%8.1f %8.1f %8.1f  all\n", sum[0] - sum[1], sum[1], sum[0]
		for (s in names) printf "%8.1f %8.1f %8.1f  %s\n", t[0, s] - t[1, s], t[1, s], t[0, s], s
	}' "$work/none" "$work/laf" | sort -rn | awk 'BEGIN { print "   added  without     with" } NR <= 40'
