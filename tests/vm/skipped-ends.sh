#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody else attaches programs to a call's function, and takes them off: the kernel skips the fexit engine's at the end of calls that
# are under way then. Those are missing in the log, and counted when the task makes its next call; so are those that no rule wanted.
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
MACHINE="--append preempt=voluntary"
in_machine "$@"
failed=0
. tests/system/lib.sh
make_work
ENGINE=fexit
. tests/system/lib_daemon.sh
RULE="-a always,exit -F arch=b64 -S clock_nanosleep -F exe=$(realpath "$BIN/naps")"

# has_more N: so many calls are in the log behind the first $calls
has_more() {
	[ "$(grep -ac '^type=SYSCALL' "$LOG")" -ge $((calls + $1)) ]
}

start
"$BIN/naps" > "$WORK/made" &
naps=$!
for i in 1 2; do
	"$LAF" run --engine fexit -a always,exit -F arch=b64 -S clock_nanosleep -- true 2> "$WORK/other" || fail "$(cat "$WORK/other")"
done
calls=$(grep -ac '^type=SYSCALL' "$LOG")
until_true 60 has_more 3 # after the last one that was under way then
kill -TERM $naps
wait $naps
stop
made=$(cat "$WORK/made")
[ "$events" -le "$made" ] && [ $((events + lost)) -ge "$made" ] || fail "$made calls, $events in the log, $lost counted lost: $(cat "$WORK/said")"
[ "$lost" -gt 0 ] || fail "no call was under way: nothing is tested"
echo "$made calls, $events in the log, $lost counted lost"
kernel_is_well
exit $failed
