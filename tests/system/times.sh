#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The time of an event is that of the call's start, whichever calls are audited beside it: of one that waits a second, too.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
. tests/system/lib_daemon.sh
failed=0

# wait_audited RULES…: a program that waits 1.5 s, with these in force
wait_audited() {
	RULE=$(printf '%s\n' "$@")
	rm -f "$LOG"
	start
	before=$(date +%s%3N)
	"$WORK/wait" 1.5
	after=$(date +%s%3N)
	stop
	at=$(sed -n 's/^type=SYSCALL msg=audit(\([0-9]*\)\.\([0-9]*\):.* syscall=230 .*/\1\2/p' "$LOG")
	echo "$1: began at $before or later, ended before $after, told as $at"
	[ -n "$at" ] || { fail "$1: not recorded"; return; }
	[ "$at" -ge $((before - 10)) ] || fail "$1: told as earlier than it was" # a tick, and as exact as two clocks are read
	[ "$at" -le $((after - 1400)) ] || fail "$1: told as later than it began"
}

mkdir "$WORK/logs"
chmod 700 "$WORK/logs"
cp "$(command -v sleep)" "$WORK/wait"
only="-F arch=b64 -F exe=$WORK/wait"
wait_audited "-a always,exit $only -S clock_nanosleep"
wait_audited "-a always,exit $only -S clock_nanosleep -S openat"
wait_audited "-a always,exit $only -S clock_nanosleep" "-a always,exit $only -S getpid"
exit $failed
