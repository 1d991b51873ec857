#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Argument lists come out as they were given, up to the longest that the kernel takes; where a ring has no room for one, its
# event is lost as a whole, and counted.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
LOG=$WORK/log
PROGRAM=$(realpath "$BIN/workload_true")
MAKE=$(realpath "$BIN/args_make")

# start OPTIONS KIND [N]: laf run with these options; what laf said is in $said
start() {
	rm -f "$LOG"
	"$LAF" run ${ENGINE:+--engine "$ENGINE"} $1 -a always,exit -F arch=b64 -S execve -F success=1 -F "exe=$PROGRAM" -o "$LOG" -- \
		"$MAKE" "$2" "$WORK/given" "$PROGRAM" $3 2> "$WORK/said"
	status=$?
	[ $status = 0 ] || fail "$2: exit status $status: $(cat "$WORK/said")"
	said=$(grep '^laf: ' "$WORK/said")
}

# whole KIND [OPTIONS]: its one event is there, with all of its arguments
whole() {
	start "$2" "$1"
	found=$("$BIN/args_join" "$LOG" "$WORK/given") || fail "$1: $found"
	[ "$found" = "1 events, 1 whole" ] || fail "$1: $found"
	case $said in
	'laf: 1 events, '*' 0 lost, engine '*) ;;
	*) fail "$1: $said" ;;
	esac
	grep -q 'type=PROCTITLE' "$LOG" || fail "$1: no PROCTITLE"
	echo "$1: $(tr -dc '\0' < "$WORK/given" | wc -c) arguments, $(wc -c < "$WORK/given") bytes, in $(grep -c '^type=EXECVE' "$LOG") records"
}

# some KIND N OPTIONS LEAST MOST: of N events each is there as a whole or lost as a whole; so many are there
some() {
	start "$3" "$1" "$2"
	found=$("$BIN/args_join" "$LOG" "$WORK/given") || fail "$1 with $3: $found"
	events=${found%% *}
	lost=$(echo "$said" | sed -n 's/.* \([0-9]*\) lost (ring-full \([0-9]*\)).*/\1/p')
	[ "$(grep -c '^type=SYSCALL' "$LOG")" = "$events" ] || fail "$1 with $3: events without arguments"
	case $said in
	"laf: $events events, "*) ;;
	*) fail "$1 with $3: $found, but: $said" ;;
	esac
	[ $((events + ${lost:-0})) = "$2" ] || fail "$1 with $3: not $2 events: $said"
	[ "$events" -ge "$4" ] && [ "$events" -le "$5" ] || fail "$1 with $3: $events events of $2"
	echo "$1 with $3: $events of $2 there, ${lost:-0} lost"
}

for kind in none two mixed one_plain one_wild many edges stack_limit; do
	whole $kind
done
ulimit -s unlimited 2> /dev/null && whole kernel_limit --ring-kib\ 16384
some two 100 '--ring-kib 1024' 100 100
some mixed 20 '--ring-kib 16' 0 0
some one_wild 20 '--ring-kib 128' 0 0
some mixed 200 '--ring-kib 256' 1 199
some many 200 '--ring-kib 128' 1 199
exit $failed
