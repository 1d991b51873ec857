#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A thread changes a name in memory while another opens it, on a processor of its own: the name in the record is
# that of the file that was opened, by its inode, every time. With ENGINE=tracepoint the test fails, by 44 names of 10,000 on 6.1:
# that engine reads the name a moment before the kernel does (tests/system/race.sh).
#
# N: how many opens (10000).
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
ENGINE=${ENGINE:-fexit}
MACHINE="--threads --append preempt=voluntary"
SETTINGS="N=${N:-10000}"
in_machine "$@"
. tests/system/lib.sh
make_work
failed=0
SECOND=/sys/devices/system/cpu/cpu1/online
RACE=$(realpath "$BIN/race_open")
LOG=$WORK/log
echo > "$WORK/a"
echo > "$WORK/b"
A=$(stat -c %i "$WORK/a")

wait_for_line() {
	tries=0
	until grep -qs "$1" "$LOG"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] && kill -0 "$daemon" 2> /dev/null || return 1
		sleep 0.1
	done
}

# Programs are attached while the second processor sleeps: QEMU's does not see at once that its code has changed.
printf '%s\n' "log_file = $LOG" 'log_format = RAW' 'kernel_records = no' "rules_file = $WORK/rules" \
	"engine = $ENGINE" > "$WORK/conf"
echo "-a always,exit -F arch=b64 -S open -F exe=$RACE" > "$WORK/rules"
chmod 600 "$WORK/conf" "$WORK/rules"
echo 0 > $SECOND
"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
daemon=$!
wait_for_line '^type=DAEMON_START ' || fail "the daemon does not start: $(cat "$WORK/said")"
echo 1 > $SECOND
"$RACE" "$WORK" "$N" > "$WORK/truth" || fail "race_open: exit status $?"
echo 0 > $SECOND
kill $daemon
wait $daemon || fail "the daemon's exit status is $?: $(cat "$WORK/said")"

# Number and inode of each open; the name must be that of the inode.
awk -v a="$A" -v folder="$WORK/" '
	/^type=SYSCALL / { match($0, / a2=[0-9a-f]+/); number = substr($0, RSTART + 4, RLENGTH - 4) }
	/^type=PATH / {
		match($0, / inode=[0-9]+/); inode = substr($0, RSTART + 7, RLENGTH - 7)
		match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8)
		if (name != folder (inode == a ? "a" : "b"))
			wrong++
		print number, inode
	}
	END { printf "%d names of another file\n", wrong > "/dev/stderr"; exit wrong > 0 }
' "$LOG" > "$WORK/recorded" || fail "names"
tail -n 1 "$WORK/said"
cmp -s "$WORK/truth" "$WORK/recorded" ||
	fail "opened (<) and recorded (>): $(diff "$WORK/truth" "$WORK/recorded" | head)"
[ "$(awk '{ print $2 }' "$WORK/truth" | sort -u | wc -l)" = 2 ] || fail "only one of the files was ever opened"
kernel_is_well
exit $failed
