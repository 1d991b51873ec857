#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# laf top: of a program that floods by one rule and a quiet one by another, order, shares, counts and bytes; what it is asked for.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
echo > "$WORK/file"
for program in loud quiet; do
	cp "$BIN/flood" "$WORK/$program"
done
RULE="-a always,exit -F arch=b64 -S open -F exe=$WORK/quiet -k seldom
-a always,exit -F arch=b64 -S open -F exe=$WORK/loud -k flood"

# row FILE TITLE NUMBER: of the table with that title: events, share, name
row() {
	sed -n "/  $2\$/,/^\$/p" "$1" | sed -n "$(($3 + 1))s/^ *\([0-9.]*\) *\([0-9.]*\)% .* \([^ ]*\)\$/\1 \2 \3/p"
}

# name_of FILE TITLE NUMBER
name_of() {
	row "$@" | cut -d ' ' -f 3
}

# 4000 a second of one, 256 of the other: sixteen to one, on a machine that is as busy as it likes.
live() {
	"$WORK/loud" 8 2 "$WORK/file" 2000 > "$WORK/made-loud" &
	loud=$!
	"$WORK/quiet" 8 1 "$WORK/file" 256 > "$WORK/made-quiet" &
	quiet=$!
	until_true 10 in_log 'key="seldom"'
	until_true 10 in_log 'key="flood"'
	"$LAF" top --once -d 3 > "$WORK/once" || fail "laf top: exit status $?"
	for table in 'RULE (KEY)=flood seldom' "PROGRAM=$WORK/loud $WORK/quiet"; do
		title=${table%%=*}
		got="$(name_of "$WORK/once" "$title" 1) $(name_of "$WORK/once" "$title" 2)"
		[ "$got" = "${table#*=}" ] || fail "$title: $got: $(cat "$WORK/once")"
		row "$WORK/once" "$title" 1 | awk '{ exit !($2 > 85 && $2 < 99 && $1 > 500) }' || fail "$title, the first: $(cat "$WORK/once")"
		row "$WORK/once" "$title" 2 | awk '{ exit !($2 > 1 && $2 < 15 && $1 > 20) }' || fail "$title, the second: $(cat "$WORK/once")"
		[ -z "$(row "$WORK/once" "$title" 3)" ] || fail "$title: a third: $(cat "$WORK/once")"
	done
	"$LAF" top -b -n 2 -d 0.3 -r 1 -k > "$WORK/twice" || fail "laf top -b: exit status $?"
	[ "$(grep -c '^laf top: ' "$WORK/twice")" = 2 ] && [ "$(grep -c 'loud$' "$WORK/twice")" = 2 ] && ! grep -q seldom "$WORK/twice" ||
		fail "two looks at one row: $(cat "$WORK/twice")"
	grep -Eq '^in the kernel: [0-9.]+% of a processor, [1-9][0-9]* ns each of [0-9]+ runs/s$' "$WORK/twice" ||
		fail "the time in the kernel: $(cat "$WORK/twice")"
	wait $loud $quiet
}

# To the event, and to the byte: what is in the log but the daemon's own lines.
total() {
	until_true 10 is_idle
	"$LAF" top --total > "$WORK/total" || fail "laf top --total: exit status $?"
	loud=$(awk '{ n += $2 } END { print n }' "$WORK/made-loud")
	quiet=$(awk '{ n += $2 } END { print n }' "$WORK/made-quiet")
	row "$WORK/total" 'RULE (KEY)' 1 | grep -q "^$loud .* flood\$" && row "$WORK/total" 'RULE (KEY)' 2 | grep -q "^$quiet .* seldom\$" ||
		fail "$loud and $quiet were made: $(cat "$WORK/total")"
	row "$WORK/total" PROGRAM 1 | grep -q "^$loud .*/loud\$" && row "$WORK/total" PROGRAM 2 | grep -q "^$quiet .*/quiet\$" ||
		fail "$loud and $quiet were made: $(cat "$WORK/total")"
	bytes=$(grep -v '^type=\(DAEMON_\|CONFIG_CHANGE\)' "$LOG" | wc -c)
	all=$(awk -v n="$bytes" 'BEGIN { printf "%.1f MB", n / 1e6 }')
	sed -n 2p "$WORK/total" | grep -q "^$((loud + quiet)) events, [0-9]* records, $all, 0 lost, " || fail "$((loud + quiet)) events, $all: $(cat "$WORK/total")"
	echo "$loud events of one rule, $quiet of the other, $all"
}

# On a terminal: drawn anew until q.
terminal() {
	command -v script > /dev/null || return 0
	(until_true 20 grep -qs 'PROGRAM.*PROGRAM' "$WORK/flat"; printf q) |
		timeout 60 script -qefc "stty rows 24 cols 60; '$LAF' top -d 0.2" /dev/null |
		while IFS= read -r line; do printf '%s ' "$line" >> "$WORK/flat"; done
	[ "$(grep -o "$(printf '\033\\[H\033\\[J')laf top" "$WORK/flat" | wc -l)" -ge 2 ] || fail "it is not drawn anew: $(cat -v "$WORK/flat")"
}

words() {
	for words in '-d 0' '-n x' '-r 0' 'more' '--total -k' '--nothing'; do
		# shellcheck disable=SC2086 # words
		"$LAF" top $words > "$WORK/out" 2>&1 && fail "laf top $words is taken"
		grep -q "see 'laf top --help'" "$WORK/out" || fail "laf top $words: $(cat "$WORK/out")"
	done
}

words
start
live
total
terminal
stop
"$LAF" top --once > "$WORK/out" 2>&1 && fail "laf top without a daemon"
grep -q 'no daemon is running' "$WORK/out" || fail "without a daemon: $(cat "$WORK/out")"
exit $failed
