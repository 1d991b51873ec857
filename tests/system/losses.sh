#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Losses by call and rule add up to all that is lost, over changes of the rules, in the kernel and behind the rings.
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
echo "$sum lost: $("$LAF" status | grep 'lost by' | tr '\n' ';')"

stop
exit $failed
