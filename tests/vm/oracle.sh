#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The oracle on this kernel: its own audit and laf at once, record by record (tests/system/oracle.sh).
#
#   oracle.sh [SET…]    other sets than those that see the most for their time
#
# PREEMPT: how the kernel preempts (voluntary: never inside a program). With PREEMPT=full and ENGINE=tracepoint that engine has the name
# hooks from 6.10 on, and so differs from the kernel where fexit does: KNOWN=fexit. There the kernel may skip a hook: SKIPS=1.
# As Debian boots, with its security modules.
MACHINE="--lsm --append preempt=${PREEMPT:-voluntary}"
ENGINE=${ENGINE:-fexit} # the build machine does the other one
. "$(dirname "$0")/lib.sh"
SETTINGS="SKIPS=$SKIPS"
in_machine "$@"
failed=0

[ $# -gt 0 ] || set -- all+daemon exec watch-dir files labels left-out
# A busy host holds up the ticks of the guest, and with them the clock that the kernel's audit reads, by seconds.
APART=60 LIMIT=1000 tests/system/oracle.sh "$@" || failed=$?
kernel_is_well
exit $failed
