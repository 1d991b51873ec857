#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Under a steady stream of events the daemon reads what has come every 20 ms, or when a ring holds an eighth more; it does not
# read all the time, which would slow those that write. Each round with events ends with a write to the log, so that they can be counted.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
[ -r /proc/self/io ] || skip "this kernel does not count calls of write() (CONFIG_TASK_IO_ACCOUNTING)"
make_work
. tests/system/lib_daemon.sh
failed=0
mkdir "$WORK/logs"
chmod 700 "$WORK/logs"
echo > "$WORK/file"

# How often the daemon has called write().
writes() {
	awk '$1 == "syscw:" { print $2 }' /proc/$daemon/io
}

start 'ring_kib = 4096' # woken each 512 KiB of each ring
until_true 20 is_idle || fail "the daemon is not idle"
before=$(writes)
flood 3 10000
bytes=$(stat -c %s "$LOG")
turns=$(($(writes) - before - bytes / 262144)) # a buffer that is full is written at once
echo "$turns rounds for $bytes bytes of log in 3 seconds"
[ "$bytes" -gt 1000000 ] || fail "there was no flood"
[ $turns -le 200 ] || fail "more than 66 rounds a second"
stop
exit $failed
