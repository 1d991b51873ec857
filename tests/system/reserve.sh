#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A flood fills the rings; the programs and identities of a quiet process beside it are all in the log: while nobody reads the rings, and
# while the disk takes a tenth of the flood.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need setpriv
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
mkdir "$WORK/logs"
echo > "$WORK/file"
cp "$(command -v setpriv)" "$WORK/quiet"
QUIET="-a always,exit -F arch=b64 -S execve,setgroups,setresuid -F exe=$WORK/quiet -k quiet"
RULE="$RULE -k flood
$QUIET"
export SHIM_FOLDER="$WORK/logs" SHIM_FILE="$WORK/disk"
echo fine > "$WORK/disk"

# quiet TIMES: three events each
quiet() {
	for i in $(seq "$1"); do
		"$WORK/quiet" --reuid 65534 --clear-groups /bin/true || fail "setpriv: exit status $?"
		sleep 0.02
	done
}

# found WHAT TIMES: the events of the quiet process, and how many of the flood were lost
found() {
	for call in 59 116 117; do
		n=$(grep -c "^type=SYSCALL .* syscall=$call success=yes .* key=\"quiet\"" "$LOG")
		[ "$n" = "$2" ] || fail "$1: $n events of call $call in the log, not $2"
	done
	[ "$lost" -gt 0 ] || fail "$1: nothing was lost: this tells nothing"
	echo "$1: $((3 * $2)) events of the quiet process, $(grep -c 'key="flood"' "$LOG") of the flood, $lost lost: $(tail -n 1 "$WORK/said")"
	rm -f "$LOG"
}

# Nobody reads: what is kept must do for all.
start 'ring_kib = 256'
kill -STOP $daemon
flood 0.5
quiet 5
kill -CONT $daemon
stop
found "a reader that is stopped" 5

BEFORE="env LD_PRELOAD=$BIN/disk_shim ASAN_OPTIONS=verify_asan_link_order=0:$ASAN_OPTIONS" start 'ring_kib = 1024'
echo slow > "$WORK/disk"
"$BIN/flood" 3 2 "$WORK/file" > "$WORK/made" &
flood=$!
quiet 50
wait $flood || fail "the flood"
echo fine > "$WORK/disk"
stop
found "a slow disk" 50
exit $failed
