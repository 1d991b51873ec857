#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A daemon takes over from one of another version, from tracepoint to fexit and back, on this kernel (tests/system/take-over.sh). From fexit to
# fexit calls that are under way are missing: docs/differences.md.
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
ENGINE=${ENGINE:-fexit}
MACHINE="--append preempt=voluntary"
SETTINGS="OTHER_ENGINE=${OTHER_ENGINE:-tracepoint} TURNS=${TURNS:-2} RATE=${RATE:-500}"
in_machine "$@"
failed=0
export ENGINE
tests/system/take-over.sh || failed=1
kernel_is_well
exit $failed
