#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# The daemon is killed at random moments, and once told to end and keep recording, while calls are made all the time: at the end the log
# holds each of them once, in order, but for those that it counts lost. Where nothing was lost, that is all of them.
#
# KILLS: how often (12). RATE: calls a second (50000). SEED: of the moments.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
daemon= flood=
trap '[ -z "$flood" ] || kill -TERM $flood; [ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; end_work' EXIT
KILLS=${KILLS:-12} RATE=${RATE:-50000} SEED=${SEED:-$(date +%s)}
RANDOM=$SEED
LOG=$WORK/log
[ "$(df -k --output=avail "$WORK" | tail -n 1)" -gt $((KILLS * RATE * 4)) ] || skip "needs room for the log"
echo "seed $SEED"
echo > "$WORK/file"
printf '%s\n' "log_file = $LOG" 'log_format = RAW' 'max_log_file_action = ignore' 'ring_kib = 65536' \
	"rules_file = $WORK/rules" 'kernel_records = no' ${ENGINE:+"engine = $ENGINE"} > "$WORK/conf"
echo "-a always,exit -F arch=b64 -S open -F exe=$(realpath "$BIN/flood") -k flood" > "$WORK/rules"
chmod 600 "$WORK/conf" "$WORK/rules"

start() {
	# the log becomes large, and what was half written at its end may be cut off
	behind=$(($(stat -c %s "$LOG" 2> /dev/null || echo 0) - 1048576))
	"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	for tries in $(seq 600); do
		! tail -c +$((behind > 0 ? behind : 1)) "$LOG" 2> /dev/null | grep -qa "^type=DAEMON_START .* pid=$daemon " || return 0
		kill -0 $daemon 2> /dev/null || break
		sleep 0.05
	done
	fail "start $1: the daemon does not start: $(cat "$WORK/said")"
	exit 1
}

# a moment of up to so many milliseconds
pass() {
	sleep "$(printf '0.%03d' $((RANDOM % $1)))"
}

start 0
! grep -q 'pinning its programs' "$WORK/said" || skip "$(grep 'pinning its programs' "$WORK/said")"
"$BIN/flood" 100000 2 "$WORK/file" $((RATE / 2)) > "$WORK/made" &
flood=$!
for i in $(seq "$KILLS"); do
	pass 900
	kill -9 $daemon
	wait $daemon 2> /dev/null
	pass 300
	# some are killed while they take over
	if [ $((RANDOM % 4)) = 0 ]; then
		"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
		daemon=$!
		pass 900
		kill -9 $daemon 2> /dev/null
		wait $daemon 2> /dev/null
	fi
	start "$i"
done
"$LAF" daemon stop --keep || fail "stop --keep: exit status $?"
wait $daemon
[ -z "$(tail -c 1 "$LOG" | tr -d '\n')" ] || fail "the log does not end with a line"
pass 900
start last
kill -TERM $flood
wait $flood || fail "the flood: exit status $?"
flood=
"$LAF" daemon stop || fail "stop: exit status $?"
wait $daemon
daemon=
left=$(find "$LAF_RUN/bpf" -type f ! -name '*.debug' 2> /dev/null)
[ -z "$left" ] || fail "something is left: $left"
"$BIN/flood_check" "$LOG" "$WORK/made" SYSCALL,CWD,PATH,PROCTITLE gaps > "$WORK/found" || fail "$(cat "$WORK/found")"
cat "$WORK/found"
set -- $(sed -n 's/^made \([0-9]*\), written \([0-9]*\), .*, lost \([0-9]*\)$/\1 \2 \3/p' "$WORK/found")
[ $(($2 + $3)) = "$1" ] || fail "of $1 calls $2 are in the log and $3 counted lost: $(($1 - $2 - $3)) too few"
exit $failed
