#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A thread changes a name in memory while another opens it. The record's name is one of the two, its inode that of the file
# that was really opened, and a watch goes by that file. The tracepoint engine reads the name at the start of the call, the
# kernel a moment later: how often the two disagree is told, and is no fault (docs/differences.md).
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
N=${N:-100000}
RACE=$(realpath "$BIN/race_open")
LOG=$WORK/log
[ "$(nproc)" -gt 1 ] || skip "needs two processors"
echo > "$WORK/a"
echo > "$WORK/b"
A=$(stat -c %i "$WORK/a") B=$(stat -c %i "$WORK/b")

# race RULE…: what really happened in $WORK/truth, what laf says of it in $LOG
race() {
	rm -f "$LOG"
	"$LAF" run ${ENGINE:+--engine "$ENGINE"} --ring-kib 65536 "$@" -o "$LOG" -- \
		"$RACE" "$WORK" "$N" > "$WORK/truth" 2> "$WORK/said" || fail "$*: exit status $?: $(cat "$WORK/said")"
	grep -q ' 0 lost, engine ' "$WORK/said" || fail "$*: $(cat "$WORK/said")"
	[ "$(awk '{ print $2 }' "$WORK/truth" | sort -u | wc -l)" = 2 ] || fail "only one of the files was ever opened"
}

# Number, inode and name of each recorded open, in the order of the log.
recorded() {
	awk '
	/^type=SYSCALL / { match($0, / a2=[0-9a-f]+/); number = substr($0, RSTART + 4, RLENGTH - 4) }
	/^type=PATH / {
		match($0, / inode=[0-9]+/); inode = substr($0, RSTART + 7, RLENGTH - 7)
		match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8)
		print number, inode, name
	}' "$LOG"
}

every_open() {
	race -a always,exit -F arch=b64 -S open
	recorded > "$WORK/recorded"
	awk '{ print $1, $2 }' "$WORK/recorded" > "$WORK/inodes"
	cmp -s "$WORK/truth" "$WORK/inodes" || fail "inodes, as they were (<) and as recorded (>): $(diff "$WORK/truth" "$WORK/inodes" | head)"
	awk -v a="$A" -v b="$B" -v folder="$WORK" '
	$3 != folder "/a" && $3 != folder "/b" { print "a name that is none of the two: " $0; bad = 1 }
	$3 != folder "/" ($2 == a ? "a" : "b") { disagree++ }
	END {
		printf "%d opens: in %d the name is the one that was there when the call began, the inode that of the other\n", NR, disagree
		exit bad
	}' "$WORK/recorded" || fail "names"
}

# A watch on one of them records the opens of this file, and of no other.
watched_opens() {
	race -w "$WORK/a" -p r
	grep " $A\$" "$WORK/truth" > "$WORK/wanted"
	recorded | awk '{ print $1, $2 }' > "$WORK/inodes"
	cmp -s "$WORK/wanted" "$WORK/inodes" || fail "a watched file, as opened (<) and as recorded (>): $(diff "$WORK/wanted" "$WORK/inodes" | head)"
	echo "$(wc -l < "$WORK/wanted") opens of the watched one of the two, $(wc -l < "$WORK/inodes") recorded"
}

every_open
watched_opens
exit $failed
