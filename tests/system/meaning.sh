#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Random rule sets mean to laf what they mean to the kernel: both at once over the same calls, and the same events, keys and
# records must come of each (meaning.c). A set that differs is cut down and shown with its seed.
#
#   meaning.sh [SETS [SEED]]    how many sets (150), from which seed on (1). ENGINE: which engine (tracepoint)
. "$(dirname "$0")/lib.sh"
need_root
need_laf
"$BIN/meaning" -e "${ENGINE:-tracepoint}" -n "${1:-150}" -s "${2:-1}" "$BIN/workload_true"
status=$?
[ $status != 77 ] || skip "see above"
exit $status
