#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What rules mean, on this kernel (tests/system/meaning.sh), by the engine that sees where names lead.
#
#   meaning.sh [SETS [SEED]]
# kernels: 6.1 6.12
. "$(dirname "$0")/lib.sh"
MACHINE="--append preempt=voluntary" # 6.18 is lazy by itself, where fexit is not sure
ENGINE=${ENGINE:-fexit}
export ENGINE
in_machine "$@"
failed=0

tests/system/meaning.sh "${1:-30}" "${2:-1}" || failed=$?
kernel_is_well
exit $failed
