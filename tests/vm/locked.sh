#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What -e 2 refuses, and the records of it, on this kernel: a lock lasts as long as the machine (tests/system/config-change.sh).
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
in_machine "$@"
failed=0

LOCK=1 tests/system/config-change.sh || failed=1
kernel_is_well
exit $failed
