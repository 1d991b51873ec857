#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the daemon may do once it runs is little, and enough: other rules, names in anybody's folders, a rotated log that a group may
# read. The service's unit allows what the start needs.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need setpriv
make_work
. "$(dirname "$0")/lib_daemon.sh"
failed=0
export LAF_RUN="$WORK/run"
STEPS=$(realpath "$BIN/daemon_steps")
UNIT=$(dirname "$0")/../../packaging/laf.service
chmod 755 "$WORK"

field() {
	sed -n "s/^$1:[[:space:]]*//p" /proc/$daemon/status
}

# By their numbers, as capability.h has them: CHOWN, DAC_READ_SEARCH, SYS_PTRACE, SYS_NICE, SYS_RESOURCE, AUDIT_CONTROL, PERFMON, BPF
few() {
	mask=0
	for number in 0 2 19 23 24 30 38 39; do mask=$((mask | 1 << number)); done
	printf '%016x' $((mask & 0x$(sed -n 's/^CapPrm:[[:space:]]*//p' /proc/self/status))) # a machine may have less
}

has_few() {
	for set in CapPrm CapEff; do
		[ "$(field $set)" = "$(few)" ] || fail "$1: $set $(field $set), not $(few)"
	done
	[ "$(field CapInh)" = 0000000000000000 ] || fail "$1: CapInh $(field CapInh)"
	[ "$(field NoNewPrivs)" = "$2" ] || fail "$1: NoNewPrivs $(field NoNewPrivs), not $2"
	[ "$(field Umask)" = 0077 ] || fail "$1: umask $(field Umask)"
}

# opened KEY A2: an event of that key, of our own making
opened() {
	echo | "$STEPS" open "$3" "$2"
	until_true 5 in_log " a2=$(printf %x "$2") .*key=\"$1\"" || fail "$1: the event is not in the log"
}

still_works() {
	"$LAF" rules add -a always,exit -F arch=b64 -S open -F exe="$STEPS" -k changed || fail "a rule is not taken"
	opened changed 11 "$WORK/conf"
	"$LAF" rules clear || fail "the rules can't be cleared"
	mkdir -m 700 "$WORK/private"
	echo > "$WORK/private/file"
	chown -R nobody: "$WORK/private"
	"$LAF" rules add -w "$WORK/private/file" -p r -k private || fail "a watch in somebody's folder is not taken"
	opened private 12 "$WORK/private/file"
	mv "$WORK/private/file" "$WORK/private/old"
	echo > "$WORK/private/file"
	opened private 13 "$WORK/private/file"
	kill -USR1 $daemon
	until_true 5 [ -e "$LOG.1" ] || fail "the log is not rotated"
	[ "$(stat -c %G "$LOG" "$LOG.1" | xargs)" = 'adm adm' ] || fail "the group: $(stat -c '%n %G' "$LOG" "$LOG.1")"
	opened private 14 "$WORK/private/file"
	kill -HUP $daemon
	until_true 5 in_log 'type=DAEMON_CONFIG .* res=success' || fail "the configuration is not read again: $(cat "$WORK/said")"
	opened private 15 "$WORK/private/file"
}

# The capabilities that the unit leaves, in setpriv's words.
of_unit() {
	sed -n 's/^CapabilityBoundingSet=//p' "$UNIT" | tr 'A-Z ' 'a-z,' | sed 's/^/-all,/; s/cap_/+/g'
}

start 'log_group = adm' 'num_logs = 3'
has_few 'as a rule' 1
still_works
stop
rm -rf "$WORK/logs"
start 'disk_error_action = HALT'
has_few 'with a program to run' 0
stop
rm -rf "$WORK/logs"
BEFORE="setpriv --no-new-privs --inh-caps -all --bounding-set $(of_unit)"
start 'log_group = adm'
has_few 'as the service' 1
stop
! command -v systemd-analyze > /dev/null ||
	SYSTEMD_UNIT_PATH=$(dirname "$UNIT"): systemd-analyze verify --man=no "$UNIT" 2>&1 | grep 'laf.service' | grep -v 'not executable' &&
	fail "systemd does not understand the unit"
exit $failed
