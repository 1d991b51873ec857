#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own records, and the kernel as engine, on this kernel (tests/system/netlink.sh, kernel-engine.sh).
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
in_machine "$@"
failed=0

tests/system/netlink.sh ENRICHED seat killed || fail "netlink.sh: exit status $?"
tests/system/kernel-engine.sh || fail "kernel-engine.sh: exit status $?"
kernel_is_well
exit $failed
