#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two processes open and close a file as fast as they can: what is in the log and what laf says is lost is
# what they made, to the event, with rings that are large, small and far too small, of laf run and of the
# daemon.
#
# SECONDS_EACH: how long each flood lasts (the first; the others a third of it).
. "$(dirname "$0")/lib.sh"
need_root
need_laf
# A second gives up to half a GiB of log: to memory, if there is room.
if [ "$(df -k --output=avail /dev/shm 2> /dev/null | tail -n 1)" -gt 8388608 ] 2> /dev/null; then
	export TMPDIR=/dev/shm
fi
make_work
failed=0
SECONDS_EACH=${SECONDS_EACH:-10}
[ "$(df -k --output=avail "$WORK" | tail -n 1)" -gt 6291456 ] || skip "needs 6 GiB for the log"
LOG=$WORK/log
RULE="-a always,exit -F arch=b64 -S open -F exe=$(realpath "$BIN/flood")"
RECORDS=SYSCALL,CWD,PATH,PROCTITLE
echo > "$WORK/file"

# check WHAT SECONDS: the log, $WORK/made and laf's last line, in $WORK/said, must agree
check() {
	"$BIN/flood_check" "$LOG" "$WORK/made" $RECORDS > "$WORK/found" || fail "$1: $(cat "$WORK/found")"
	set -- "$1" "$2" \
		$(sed -n 's/^made \([0-9]*\), written \([0-9]*\), .* \([0-9]*\), lost \([0-9]*\)$/\1 \2 \3 \4/p' "$WORK/found")
	made=$3 written=$4 in_log=$6
	said=$(grep '^laf: ' "$WORK/said")
	events=$(echo "$said" | sed -n 's/^laf: \([0-9]*\) events.*/\1/p')
	lost=$(echo "$said" | sed -n 's/.* \([0-9]*\) lost.*/\1/p')
	printf '%s: %d calls made, %d a second; %d written, %d lost (%d%%)\n' \
		"$1" "$made" $((made / $2)) "$written" "$lost" $((100 * lost / made))
	[ "$written" = "$events" ] || fail "$1: $written events in the log, but: $said"
	[ $((written + lost)) = "$made" ] || fail "$1: written + lost = $((written + lost)), not $made; $said"
	rm -f "$LOG"
}

# run_flood WHAT SECONDS OPTION…
run_flood() {
	what=$1 seconds=$2
	shift 2
	"$LAF" run ${ENGINE:+--engine "$ENGINE"} "$@" $RULE -o "$LOG" -- \
		"$BIN/flood" "$seconds" 2 "$WORK/file" > "$WORK/made" 2> "$WORK/said" ||
		fail "$what: exit status $?: $(cat "$WORK/said")"
	check "$what" "$seconds"
}

# daemon_flood WHAT SECONDS RING-KIB
daemon_flood() {
	printf '%s\n' "log_file = $LOG" 'log_format = RAW' "ring_kib = $3" "rules_file = $WORK/rules" \
		'kernel_records = no' ${ENGINE:+"engine = $ENGINE"} > "$WORK/conf"
	echo "$RULE" > "$WORK/rules"
	chmod 600 "$WORK/conf" "$WORK/rules"
	"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	trap 'kill $daemon 2> /dev/null; end_work' EXIT
	until_true 10 in_log '^type=DAEMON_START ' || fail "$1: the daemon does not start: $(cat "$WORK/said")"
	"$BIN/flood" "$2" 2 "$WORK/file" > "$WORK/made" || fail "$1: the flood: exit status $?"
	kill $daemon
	wait $daemon || fail "$1: the daemon's exit status is $?"
	tail -n 1 "$LOG" | grep -q '^type=DAEMON_END ' || fail "$1: the log does not end with DAEMON_END"
	check "$1" "$2"
	[ "$in_log" = "$lost" ] ||
		fail "$1: the log's DAEMON_ERR tell of $in_log lost, the last line of $lost"
}

short=$(((SECONDS_EACH + 2) / 3))
run_flood "rings of the default size" "$SECONDS_EACH"
run_flood "rings of 64 MiB" $short --ring-kib 65536
run_flood "rings of 16 KiB" $short --ring-kib 16
[ "$lost" -gt 0 ] || fail "rings of 16 KiB lost nothing: this tells nothing"
daemon_flood "daemon, rings of 16 MiB" $short 16384
daemon_flood "daemon, rings of 16 KiB" $short 16
[ "$lost" -gt 0 ] || fail "the daemon's rings of 16 KiB lost nothing: this tells nothing"
exit $failed
