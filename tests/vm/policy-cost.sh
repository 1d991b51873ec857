#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The cost of rules that do not match, in instructions: an open that none of the rules of a large public file is about costs at
# most 1.5 times what it costs under one rule on openat.
#
#   policy-cost.sh [FILE]    a rule file (../shared/rules/neo23x0/audit.rules)
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
ENGINE=${ENGINE:-fexit}
export ENGINE
rules=${1:-../shared/rules/neo23x0/audit.rules}

if [ -z "$IN_MACHINE" ]; then
	cd "$(dirname "$0")/../.." || exit 1
	[ -f "$rules" ] || skip "needs $rules"
	folder=$(mktemp -d "${TMPDIR:-/tmp}/laf-cost-XXXXXX") || exit 1
	{ echo -i && cat "$rules"; } > "$folder/many"
	echo '-a always,exit -F arch=b64 -S openat -F auid=4242 -k one' > "$folder/one"
	chmod 600 "$folder/many" "$folder/one"
	MACHINE="--icount -smp 1 --in $folder/one --in $folder/many"
	(in_machine)
	status=$?
	rm -rf "$folder"
	exit $status
fi
failed=0
file=/usr/lib/cost/file
mkdir -p "${file%/*}" /run/cost
: > "$file"

# Whatever the rules name is there, so that all of them are in force.
make_named() {
	grep -E '^ *-[aAw]' /in/many | grep -oE '(-w +|-F +(path|dir|exe)=)/[^ ]+' | while read -r field name; do
		case $name in
		dir=* | */) mkdir -p "${name#*=}" ;;
		*) name=${name#*=} && mkdir -p "${name%/*}" && touch -a "$name" ;;
		esac
	done
} 2> /dev/null

# Instructions of an open and a close.
cost() {
	"$B/tests/system/cost_open" "$file" 200
}

start() {
	printf '%s\n' 'log_file = /run/cost/log' "rules_file = $1" 'kernel_records = no' "engine = $ENGINE" > /run/cost/conf
	"$LAF" daemon -c /run/cost/conf > /run/cost/out 2>&1 &
	daemon=$!
	until grep -qs DAEMON_START /run/cost/log; do
		sleep 0.2
		kill -0 $daemon || break
	done
}

stop() {
	kill $daemon
	wait $daemon || fail "the daemon's exit status is $?: $(cat /run/cost/out)"
	rm -f /run/cost/log
}

# An open that one of the many is about.
is_recorded() {
	: < /etc/shadow
	until grep -qs 'type=PATH .* name="/etc/shadow"' /run/cost/log; do
		sleep 0.2
		kill -0 $daemon || break
	done
}

make_named
none=$(cost)
start /in/one
one=$(cost)
stop
start /in/many
many=$(cost)
is_recorded
stop
echo "an open and a close: $none instructions without rules, $one with one rule, $many with $(grep -cE '^ *-[aAw]' /in/many)"
[ "$one" -gt "$none" ] || fail "one rule costs nothing: it is not there"
[ "$many" -gt "$none" ] || fail "many rules cost nothing: they are not there"
awk "BEGIN { r = ($many - $none) / ($one - $none); printf \"%.2f times the cost of one\n\", r; exit !(r <= 1.5) }" ||
	fail "more than 1.5 times"
kernel_is_well
exit $failed
