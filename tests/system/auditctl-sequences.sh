#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# As auditctl.sh, with AUDITCTL_SEQUENCES (25) generated sequences of one to ten commands from AUDITCTL_SEED (1): rules that come, come
# twice and go, settings, lists, faults.
set -u -o pipefail
cd "$(dirname "$0")/../.." && . tests/system/lib.sh || exit 1
. tests/system/auditctl-lib.sh
start_both "$@"
sequences "${AUDITCTL_SEED:-1}" "${AUDITCTL_SEQUENCES:-25}"
finish_both 100
