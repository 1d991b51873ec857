#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What auditctl's -f, -r and -b ask for when events are lost, or are too many: silence, a line in the system log or a panic (into a file here;
# tests/vm/panic.sh has the machine panic); no more records a second; no more that wait.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need unshare
# a /dev/log of our own
[ -n "$FAILURE_ALONE" ] || FAILURE_ALONE=1 exec unshare -m --propagation private "$0" "$@"
make_work
own_devices
failed=0
. "$(dirname "$0")/lib_daemon.sh"
mkdir "$WORK/logs"
echo > "$WORK/file"
cp "$LAF" "$WORK/auditctl"
export LAF_SYSRQ="$WORK/sysrq"
FLOOD=$RULE

# begin OPTION… -- SETTING…: the daemon with these in its rules, and somebody who listens to what it tells the system log
begin() {
	: > "$WORK/sysrq"
	rm -f "$LOG" "$WORK/over"
	"$BIN/auditctl_run" "$WORK/syslog" sh -c "until [ -e '$WORK/over' ]; do sleep 0.1; done" &
	listener=$!
	until_true 10 [ -S /dev/log ] || fail "nobody listens at /dev/log"
	RULE="$1
$FLOOD"
	shift
	start "$@"
}

# over WHAT: what is in the log and what was counted agree; lines of the system log about losses are in $WORK/told
over() {
	stop
	: > "$WORK/over"
	wait $listener
	rm -f /dev/log
	sed '1,/^-- system log/d' "$WORK/syslog" | grep 'events lost' > "$WORK/told"
	[ ! -e "$WORK/all-made" ] || mv "$WORK/all-made" "$WORK/made"
	check "$1" gaps
}

losing() {
	flood 0.5
	cat "$WORK/made" >> "$WORK/all-made"
	until_true 10 in_log 'op=lost-events state=begin' || fail "$1: nothing is lost: this tells nothing"
}

begin '-f 0' 'ring_kib = 16'
losing '-f 0'
over '-f 0'
[ ! -s "$WORK/told" ] || fail "-f 0 is not silent: $(cat "$WORK/told")"

begin '-f 1' 'ring_kib = 16'
losing '-f 1'
over '-f 1'
grep -q '^audit: [0-9]* events lost, [0-9]* in all (ring-full [0-9]*)$' "$WORK/told" || fail "-f 1: the system log has: $(cat "$WORK/syslog")"
[ "$(wc -l < "$WORK/told")" -lt 10 ] || fail "-f 1: $(wc -l < "$WORK/told") lines"
[ ! -s "$WORK/sysrq" ] || fail "-f 1: the machine would have panicked"

# -f 2 is for what is lost from then on
begin '-f 1' 'ring_kib = 16'
losing 'before -f 2'
until_true 10 in_log 'op=lost-events state=end' || fail "loss does not end"
"$WORK/auditctl" -f 2 > "$WORK/out" || fail "auditctl -f 2: $(cat "$WORK/out")"
until_true 5 is_idle
[ ! -s "$WORK/sysrq" ] || fail "-f 2: a panic for what was lost before"
losing '-f 2'
until_true 10 grep -q '^s*c' "$WORK/sysrq" || fail "-f 2: the machine would not have panicked: $(cat "$WORK/sysrq")"
over '-f 2'
[ "$(cut -c 1-2 "$WORK/sysrq")" = sc ] || fail "-f 2: $(cat "$WORK/sysrq"), not sc"

# a machine that can't be made to panic says so, and goes on
LAF_SYSRQ=$WORK/nowhere/sysrq begin '-f 2' 'ring_kib = 16'
losing '-f 2 without sysrq'
over '-f 2 without sysrq'
grep -q "can't be made to panic" "$WORK/syslog" && [ -s "$WORK/told" ] || fail "-f 2 without sysrq: $(cat "$WORK/syslog")"

# at most 100 records a second, but for an event that has begun; four records an event
begin '-r 100'
before=$(date +%s)
"$BIN/flood" 2.5 1 "$WORK/file" > "$WORK/made" || fail "the flood"
seconds=$(($(date +%s) - before + 2)) # begun
over '-r 100'
[ "$events" -le $((25 * seconds)) ] && [ "$events" -ge 50 ] || fail "-r 100: $events events in $seconds seconds"
grep -q "lost (rate $lost)" "$WORK/said" || fail "-r 100: $(cat "$WORK/said")"

# -b 8: 16 KiB of each ring; 200 bytes and more an event
# waits LIMIT CAUSE: nobody reads for a while
waits() {
	begin "-b $1" 'ring_kib = 256'
	kill -STOP $daemon
	flood 0.3
	kill -CONT $daemon
	over "-b $1"
	grep -q "lost ($2 $lost)" "$WORK/said" || fail "-b $1: $(cat "$WORK/said")"
}
waits 8 backlog
[ "$events" -le $(($(nproc --all) * 16384 / 200)) ] && [ "$events" -gt 0 ] || fail "-b 8: $events events waited"
few=$events
waits 0 ring-full
[ "$events" -gt $((few * 4)) ] || fail "-b 0: only $events events waited, $few with -b 8"
exit $failed
