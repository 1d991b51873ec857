#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The daemon is killed, and the next one goes on, with the fexit engine on this kernel (tests/system/kill.sh).
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
ENGINE=${ENGINE:-fexit}
MACHINE="--append preempt=voluntary"
SETTINGS="KILLS=${KILLS:-2} RATE=${RATE:-500}"
in_machine "$@"
failed=0
export ENGINE
tests/system/kill.sh || failed=1
kernel_is_well
exit $failed
