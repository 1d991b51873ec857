#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A daemon takes over from one of another version, from tracepoint to fexit and back, and from fexit to fexit, on this kernel
# (tests/system/take-over.sh).
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
ENGINE=${ENGINE:-fexit}
MACHINE="--append preempt=voluntary"
SETTINGS="RATE=${RATE:-500}"
in_machine "$@"
failed=0
export ENGINE
OTHER_ENGINE=tracepoint TURNS=2 tests/system/take-over.sh || failed=1
OTHER_ENGINE=fexit TURNS=1 tests/system/take-over.sh || failed=1
kernel_is_well
exit $failed
