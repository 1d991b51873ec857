#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Reloads of a large rule file while processes make calls that every version of it records: none is missing, none is there
# twice, and each has the key of a version that was in force during the call.
#
# RELOADS: how many (50).
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
daemon=
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; end_work' EXIT
LOG=$WORK/log
CALLS=$(realpath "$BIN/reload_calls")

# The rule that the calls meet comes last, behind many that look at the same call; every second version has other ones, and watches.
version() {
	echo -D
	seq -f '-a always,exit -F arch=b64 -S getpgid,getsid,umask -F a0=%.0f -k other' "$1"
	seq -f "-w $WORK/watched-%.0f -p wa -k watch" "$2"
	echo "-a always,exit -F arch=b64 -S getpgid -F exe=$CALLS -k v@"
}

start() {
	rm -f "$LOG" "$WORK"/truth*
	sed s/@/0/ "$WORK/rules-0" > "$WORK/rules"
	printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" 'log_format = RAW' 'kernel_records = no' \
		${ENGINE:+"engine = $ENGINE"} "$@" > "$WORK/conf"
	chmod 600 "$WORK/rules" "$WORK/conf"
	"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	for _ in $(seq 500); do
		! grep -qs '^type=DAEMON_START ' "$LOG" || break
		sleep 0.02
	done
}

stop() {
	kill $daemon
	wait $daemon
	daemon=
	grep -q ' 0 lost, engine' "$WORK/said" || fail "it said: $(cat "$WORK/said")"
}

# check COUNT: the log against what the callers know
check() {
	sort -n "$WORK"/truth-* > "$WORK/truth"
	sed -n 's/^type=SYSCALL .* syscall=121 .* a0=\([0-9a-f]*\) .* key="v\([0-9]*\)"$/0x\1 \2/p' "$LOG" |
		while read -r number key; do echo "$((number - 0x40000000)) $key"; done > "$WORK/got"
	awk -v reloads="$1" '
	NR == FNR { seen[$1]++; key[$1] = $2; next }
	{ calls++ }
	!seen[$1] { missing++; if (missing < 5) print "missing: call " $1 " in versions " $2 " to " $3; next }
	seen[$1] > 1 { twice++ }
	key[$1] < $2 || key[$1] > $3 { wrong++; if (wrong < 5) print "call " $1 " in versions " $2 " to " $3 " has key v" key[$1] }
	{ versions[key[$1]] = 1 }
	END {
		for (v in versions) n++
		printf "%d calls, %d versions seen; %d missing, %d twice, %d with a wrong key\n", calls, n, missing, twice, wrong
		exit missing || twice || wrong || !calls || n < reloads / 2
	}' "$WORK/got" "$WORK/truth" || fail "the log of $1 reloads"
	[ "$(wc -l < "$WORK/got")" = "$(wc -l < "$WORK/truth")" ] ||
		fail "$(wc -l < "$WORK/got") events of $(wc -l < "$WORK/truth") calls"
}

# reloads COUNT WATCHES SETTING…: every second version has so many watches
reloads() {
	count=$1
	version 900 0 > "$WORK/rules-0"
	version 300 "$2" > "$WORK/rules-1"
	shift 2
	start "$@"
	begin=$(date +%s%N)
	"$CALLS" "$(realpath "$LAF")" "$count" "$WORK/rules" "$WORK/truth" || fail "reloading failed: $(cat "$WORK/said")"
	echo "$count reloads in $((($(date +%s%N) - begin) / 1000000)) ms"
	stop
	check "$count"
}

reloads "${RELOADS:-50}" 500
# Rules that take long to compile don't keep the daemon from reading small rings (with a sanitizer everything takes long).
case $LAF in *sanitize*) ;; *) reloads 4 20000 'ring_kib = 2048' ;; esac
exit $failed
