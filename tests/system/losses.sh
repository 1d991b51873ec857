#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Losses by call and rule add up to all that is lost, over changes of the rules, in the kernel and behind the rings. And the daemon itself
# notices when something is neither written nor counted, or counted and was never made: the programs' counters are falsified.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
mkdir "$WORK/logs"
echo > "$WORK/file"
cp "$LAF" "$WORK/auditctl"
FLOOD=$(realpath "$BIN/flood") # nobody else's calls: they would go on
PLAIN="-a always,exit -F arch=b64 -S close -F exe=$FLOOD"

change() {
	"$WORK/auditctl" "$@" > "$WORK/out" 2>&1 || fail "auditctl $*: $(cat "$WORK/out")"
}

# lost_by CALL-AND-RULE: how many
lost_by() {
	"$LAF" status --json | sed -n "s/^    \"$1\": \([0-9]*\).*/\1/p"
}

# adds_up MORE-THAN WHAT
adds_up() {
	until_true 10 is_idle
	"$LAF" status --json > "$WORK/status"
	sum=$(sed -n 's/^    "b[36][24] [^"]*": \([0-9]*\).*/\1/p' "$WORK/status" | awk '{ n += $1 } END { print n + 0 }')
	grep -q "^  \"lost_total\": $sum,\$" "$WORK/status" && [ "$sum" -gt "$1" ] || fail "$2: $sum lost by call and rule: $(grep lost "$WORK/status")"
}

balance_is() {
	"$LAF" status --json | grep -q "^  \"balance\": \"$1\",\$"
}

# by_rule: two rules, one of them without a key
RULE="$RULE -k flood
$PLAIN"
start 'ring_kib = 16'
flood 0.3
adds_up 0 "two rules"
[ "$(lost_by 'b64 open flood')" -gt 0 ] && [ "$(lost_by 'b64 close rule 2')" -gt 0 ] || fail "two rules: $("$LAF" status | grep lost)"
before=$sum
# three policies later the first one's counters are gone from the kernel
change -a always,exit -F arch=b64 -S umask -F exe=$FLOOD
change -d always,exit -F arch=b64 -S umask -F exe=$FLOOD
change -a always,exit -F arch=b64 -S umask -F exe=$FLOOD
flood 0.3
adds_up "$before" "after changes"
before=$sum
change -r 10
flood 0.3
adds_up "$before" "beyond a rate"
change -r 0
until_true 15 balance_is ok || fail "the balance: $("$LAF" status | grep balance)"
[ "$(in_log 'op=balance' && echo told)" = "" ] || fail "the log tells of a balance that holds"
echo "$sum lost: $("$LAF" status | grep 'lost by' | tr '\n' ';')"

counts=$(find "$LAF_RUN" -name map_counts 2> /dev/null)
if [ -n "$counts" ]; then
	# one loss that was none, then two events more that nobody has seen: one is missing
	"$BIN/map_add" "$counts" 0 1 || fail "falsifying the losses"
	until_true 15 balance_is '-1 unaccounted' || fail "one loss too many: $("$LAF" status | grep balance)"
	"$BIN/map_add" "${counts%counts}scratches" 0 2 || fail "falsifying the events"
	until_true 15 balance_is '1 unaccounted' || fail "two events too many: $("$LAF" status | grep balance)"
	in_log 'type=DAEMON_ERR .* op=balance unaccounted=-1 res=failed' && in_log 'op=balance unaccounted=1 res=failed' ||
		fail "the log does not tell: $(grep op=balance "$LOG")"
	said 'of the events produced, 1 are neither written nor counted lost' || fail "it is not told: $(cat "$WORK/said")"
	# in a flood, too, it is that one and no other
	flood 6
	until_true 15 balance_is '1 unaccounted' || fail "in a flood: $("$LAF" status | grep balance)"
	[ "$(grep -c 'op=balance' "$LOG")" = 2 ] || fail "the log tells of more: $(grep op=balance "$LOG")"
else
	echo "nothing is pinned here: the balance could not be upset"
fi
kill -TERM $daemon
wait $daemon || fail "the end: $(cat "$WORK/said")"
daemon=
[ -z "$counts" ] || said 'the counts do not add up' || fail "at the end: $(cat "$WORK/said")"
exit $failed
