#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that keeps its memory from root takes none of the programs: laf probe says so, and that the kernel's own audit is left; laf run
# fails and leaves nothing behind.
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
MACHINE='--lsm --append lockdown=confidentiality'
in_machine "$@"
failed=0

grep -q '\[confidentiality\]' /sys/kernel/security/lockdown 2> /dev/null ||
	mount -t securityfs securityfs /sys/kernel/security 2> /dev/null
grep -q '\[confidentiality\]' /sys/kernel/security/lockdown || fail "the kernel is not locked down"
$LAF probe > /tmp/probe || fail "laf probe: exit status $?"
for capability in tp_btf fentry fexit; do
	grep -q "^$capability  *no .*locked down" /tmp/probe || fail "laf probe: $(grep "^$capability" /tmp/probe)"
done
grep -q '^engine  *yes  *kernel: the kernel refuses BPF programs' /tmp/probe || fail "laf probe: $(grep '^engine' /tmp/probe)"
$LAF run -o /tmp/log -- /bin/true 2> /tmp/said && fail "laf run: exit status 0"
grep -q 'laf probe' /tmp/said || fail "laf run says: $(cat /tmp/said)"
[ ! -e /tmp/log ] || fail "laf run left a log behind: $(ls -l /tmp/log)"
exit $failed
