#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What can happen to a watched file or folder, on this kernel with the fexit engine: the same events as the kernel's audit has, each
# step right after the one before (tests/system/watches.sh).
#
#   watches.sh [SET…]
MACHINE='--append preempt=voluntary'
ENGINE=${ENGINE:-fexit}
. "$(dirname "$0")/lib.sh"
in_machine "$@"
failed=0

[ $# -gt 0 ] || set -- follow-all follow-r follow-objects
LIMIT=1000 APART=60 tests/system/watches.sh "$@" || failed=$?
kernel_is_well
cut -d' ' -f1 /proc/uptime
exit $failed
