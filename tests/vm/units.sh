#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On this kernel laf finds what it needs, sees a command by each engine, and the unit tests pass.
. "$(dirname "$0")/lib.sh"
in_machine "$@"
failed=0

probe() {
	$LAF probe > /tmp/probe || fail "laf probe: exit status $?"
	for capability in tp_btf fentry fexit engine; do
		grep -q "^$capability  *yes" /tmp/probe || fail "laf probe: $(grep "^$capability" /tmp/probe)"
	done
}

# run ENGINE: one command is one event, and its record names it.
run() {
	$LAF run --engine "$1" -o /tmp/log -- /usr/bin/true > /tmp/out 2>&1 || fail "laf run: exit status $?"
	grep -q '^type=SYSCALL .* syscall=59 success=yes .* exe="/usr/bin/true"' /tmp/log || fail "no such record"
	grep -q " 0 lost, engine $1" /tmp/out || fail "laf run --engine $1 says: $(cat /tmp/log /tmp/out)"
}

# These compute alone, for minutes here, or hold time limits that are meant for a machine of its own.
is_slow() {
	case $1 in */test_policy | */test_policy_random) ;; *) return 1 ;; esac
}

units() {
	n=0
	for test in build/tests/unit/test_*; do
		is_slow "$test" && continue
		"$test" > /tmp/out 2>&1 || fail "$test: $(tail -n 40 /tmp/out)"
		n=$((n + 1))
	done
	echo "$n unit tests"
	[ $n -ge 10 ] || fail "there must be more"
}

probe
run tracepoint
run fexit
units
kernel_is_well
uname -r
exit $failed
