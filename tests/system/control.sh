#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# laf rules and laf status on a running daemon: what they change, how soon, all or nothing; who may ask; clients that
# send nonsense, too little, or never read; a lock that outlasts the daemon; one daemon at a time.
#
# STARTS: how often two daemons are started at once (200).
# timeout: 900
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need setpriv
make_work
failed=0
LAF=$(realpath "$LAF")
CLIENT=$(realpath "$BIN/control_client")
LOG=$WORK/log
daemon= other=
trap '[ -z "$daemon$other" ] || kill -9 $daemon $other 2> /dev/null; end_work' EXIT

configure() {
	printf '%s\n' "$@" > "$WORK/rules"
	printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" 'log_format = RAW' 'kernel_records = no' \
		${ENGINE:+"engine = $ENGINE"} > "$WORK/conf"
	chmod 600 "$WORK/rules" "$WORK/conf"
}

start() {
	rm -f "$LOG"
	"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	until_true 20 in_log 'type=DAEMON_START ' || { fail "the daemon does not start: $(cat "$WORK/said")"; exit 1; }
}

stop() {
	kill $daemon
	wait $daemon || fail "the daemon ended with $?: $(cat "$WORK/said")"
	daemon=
}

# says STATUS TEXT COMMAND…: what a command ends with, and prints
says() {
	wanted=$1 text=$2
	shift 2
	"$@" > "$WORK/out" 2>&1
	status=$?
	[ $status = "$wanted" ] || fail "$*: exit status $status, not $wanted: $(cat "$WORK/out")"
	printf '%b' "$text" | cmp -s - "$WORK/out" || fail "$*: it printed
$(cat "$WORK/out")
and not
$(printf '%b' "$text")"
}

status_of() {
	"$LAF" status --json | sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p"
}

changes() {
	says 0 '-w /etc/passwd -p wa -k pw\n' "$LAF" rules list
	says 0 '' "$LAF" rules add -a always,exit -F arch=b64 -S umask -k one
	says 1 'laf: Error sending add rule data request (Rule exists)\n' "$LAF" rules add -a always,exit -F arch=b64 -S umask -k one
	says 1 'laf: Syscall name unknown: umsak; did you mean umask?\n' "$LAF" rules add -a always,exit -F arch=b64 -S umsak
	says 0 '' "$LAF" rules add -A never,exit -F arch=b64 -S getsid
	says 0 '-a never,exit -F arch=b64 -S getsid\n-w /etc/passwd -p wa -k pw\n-a always,exit -F arch=b64 -S umask -F key=one\n' \
		"$LAF" rules list
	says 0 '-w /etc/passwd -p wa -k pw\n' "$LAF" rules list -k p
	says 0 '' "$LAF" rules list -k nothing
	says 0 '' "$LAF" rules delete -w /etc/passwd -p wa -k pw
	says 1 'laf: Error sending delete rule data request (No such file or directory)\n' "$LAF" rules delete -w /etc/passwd -p wa -k pw
	says 0 '' "$LAF" rules delete -a never,exit -F arch=b64 -S getsid
	says 0 '' "$LAF" rules delete -k one
	says 0 'No rules\n' "$LAF" rules list
	[ "$(grep -c 'type=CONFIG_CHANGE .* op=add_rule .* res=1' "$LOG")" = 3 ] || fail "changes in the log: $(grep CONFIG "$LOG")"
}

# All of a file or nothing of it, but what -i and -c let pass.
files() {
	"$LAF" rules add -w /etc/group -k kept
	printf '%s\n' -D '-w /etc/hosts -k new' '-b 777' '-w /etc/hosts -k new' > "$WORK/file"
	says 1 "laf: $WORK/file:4:1: Error sending add rule data request (Rule exists); as line 2\n" "$LAF" rules load "$WORK/file"
	says 0 '-w /etc/group -p rwxa -k kept\n' "$LAF" rules list
	[ "$(status_of backlog_limit)" = 64 ] || fail "a setting of a file that was refused: $(status_of backlog_limit)"
	for option in -i -c; do
		{ echo $option; cat "$WORK/file"; } > "$WORK/patient"
		says $([ $option = -i ]; echo $?) "laf: $WORK/patient:5:1: Error sending add rule data request (Rule exists); as line 3\n" \
			"$LAF" rules load "$WORK/patient"
		says 0 '-w /etc/hosts -p rwxa -k new\n' "$LAF" rules list
	done
	[ "$(status_of backlog_limit)" = 777 ] || fail "a setting of a file: $(status_of backlog_limit)"
	says 1 "laf: audit rules file $WORK/none doesn't exist\n" "$LAF" rules load "$WORK/none"
	chmod 666 "$WORK/file"
	says 1 "laf: Error - $WORK/file is world writable\n" "$LAF" rules load "$WORK/file"
	chmod 600 "$WORK/file"
	says 0 '' "$LAF" rules clear
	says 0 'No rules\n' "$LAF" rules list
}

# When the command has ended, the rule is in force, and so is off and on; and that takes a moment only.
in_force() {
	"$LAF" rules clear
	echo '-e 0' > "$WORK/off"
	echo '-e 1' > "$WORK/on"
	for key in 1 2 3 4 5 6 7 8 9 10; do
		begin=$(date +%s%N)
		"$LAF" rules add -a always,exit -F arch=b64 -S umask -F a0=0777 -k "force$key"
		echo $((($(date +%s%N) - begin) / 1000000)) >> "$WORK/took"
		(umask 777)
		"$LAF" rules load "$WORK/off"
		(umask 777)
		"$LAF" rules load "$WORK/on"
		"$LAF" rules clear
		(umask 777)
	done
	took=$(sort -n "$WORK/took" | sed -n 5p)
	sleep 0.1
	[ "$(sed -n 's/.*type=SYSCALL .*key="force\([0-9]*\)"/\1/p' "$LOG" | xargs)" = "$(seq 10 | xargs)" ] ||
		fail "calls recorded: $(sed -n 's/.*type=SYSCALL .*key="force\([0-9]*\)"/\1/p' "$LOG" | xargs)"
	case $LAF in *sanitize*) most=1000 ;; *) most=100 ;; esac
	[ "$took" -le $most ] || fail "a change takes $took ms"
	echo "a change of the rules takes $took ms (median of 10)"
}

state() {
	"$LAF" rules list
	"$LAF" status | grep -E '^(enabled|failure|rate|backlog limit|rules)'
}

clients() {
	[ "$(stat -c %a "$LAF_RUN/control")" = 600 ] || fail "the socket's mode: $(stat -c %a "$LAF_RUN/control")"
	"$LAF" rules add -a always,exit -F arch=b64 -S umask -F a0=0777 -k client
	state > "$WORK/before"
	chmod 755 "$WORK" "$LAF_RUN"
	chmod 777 "$LAF_RUN/control" # who can connect is still asked who he is
	cp "$LAF" "$WORK/laf"
	setpriv --reuid 65534 --clear-groups "$WORK/laf" rules clear > "$WORK/out" 2>&1 && fail "nobody clears the rules"
	chmod 600 "$LAF_RUN/control"
	setpriv --reuid 65534 --clear-groups "$WORK/laf" rules clear > "$WORK/out" 2>&1 && fail "nobody clears the rules"
	grep -q 'Permission denied.*root' "$WORK/out" || fail "nobody is told: $(cat "$WORK/out")"
	"$CLIENT" nonsense "$LAF_RUN/control" 2000 || fail "nonsense"
	"$CLIENT" slow "$LAF_RUN/control" 12 &
	other=$!
	until_true 5 test -e "$LAF_RUN/slow"
	begin=$(date +%s%N)
	state > "$WORK/after"
	(umask 777)
	until_true 1 in_log 'key="client"' || fail "slow clients keep events back"
	[ $((($(date +%s%N) - begin) / 1000000)) -lt 1500 ] || fail "slow clients keep others waiting"
	wait $other || fail "slow clients are not let go"
	other=
	cmp -s "$WORK/before" "$WORK/after" || fail "clients changed something: $(diff "$WORK/before" "$WORK/after")"
	"$LAF" rules clear
}

# A lock holds against every change, and against the next daemon with other rules.
lock() {
	printf '%s\n' '-w /etc/hosts -p wa -k kept' '-b 321' '-e 2' > "$WORK/file"
	says 0 '' "$LAF" rules load "$WORK/file"
	[ "$(stat -c %a:%u "$LAF_RUN/locked")" = 600:0 ] || fail "the lock: $(ls -l "$LAF_RUN")"
	configure '-w /etc/group -k other' '-e 0'
	for life in first second; do
		says 1 'laf: Error deleting rule (Operation not permitted)\n' "$LAF" rules clear
		says 1 'laf: Error sending add rule data request (Operation not permitted); -e 2 locked it: nothing changes before the next boot\n' \
			"$LAF" rules add -w /etc/shadow
		says 1 'laf: Error sending delete rule data request (Operation not permitted); -e 2 locked it: nothing changes before the next boot\n' \
			"$LAF" rules delete -w /etc/hosts -p wa -k kept
		says 1 "laf: $WORK/on:1:1: Error sending enable request (Operation not permitted); -e 2 locked it: nothing changes before the next boot\n" \
			"$LAF" rules load "$WORK/on"
		says 0 '-w /etc/hosts -p wa -k kept\n' "$LAF" rules list
		[ "$(status_of enabled) $(status_of backlog_limit)" = "2 321" ] || fail "locked, the $life daemon: $("$LAF" status)"
		[ $life = second ] || kill -9 $daemon
		[ $life = second ] || { wait $daemon 2> /dev/null; start; }
	done
	stop
	cp -p "$LAF_RUN/locked" "$WORK/locked"
	printf 00000000 | dd of="$LAF_RUN/locked" conv=notrunc 2> /dev/null # of another boot
	start
	says 0 '-w /etc/group -p rwxa -k other\n' "$LAF" rules list
	stop
	head -c 200 "$WORK/locked" > "$LAF_RUN/locked"
	says 1 "laf: rules: they are locked, and $LAF_RUN/locked can't be read: Bad message\n" "$LAF" daemon -c "$WORK/conf"
	rm "$LAF_RUN/locked"
}

one_is_gone() {
	! kill -0 $daemon || ! kill -0 $other
} 2> /dev/null

# Of two daemons that start at once, one wins, and the other says who has won. Every twentieth winner is to get as far as its log, the others are
# killed wherever they are, and it is as good as before.
two_at_once() {
	configure '-w /etc/hosts -k one'
	for round in $(seq "${STARTS:-200}"); do
		rm -f "$LOG"
		"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said-1" &
		daemon=$!
		"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said-2" &
		other=$!
		until_true 20 one_is_gone
		[ $((round % 20)) != 0 ] || until_true 20 in_log 'type=DAEMON_START '
		lost=0
		for pid in $daemon $other; do
			kill -9 $pid 2> /dev/null && winner=$pid && continue
			lost=$((lost + 1))
		done
		wait $daemon $other 2> /dev/null
		[ $lost = 1 ] && grep -q "another one is running, process $winner " "$WORK/said-1" "$WORK/said-2" ||
			fail "round $round: $lost lost; $(cat "$WORK/said-1" "$WORK/said-2")"
		[ $((round % 20)) != 0 ] || [ "$(grep -c 'type=DAEMON_START ' "$LOG")" = 1 ] || fail "round $round: $(grep DAEMON "$LOG")"
		daemon= other=
	done
	echo "two at once, $round times: one won each time"
}

configure '-w /etc/passwd -p wa -k pw'
says 1 "laf: control: no daemon is running ($LAF_RUN/control: No such file or directory); 'laf daemon' starts one\n" "$LAF" status
start
changes
files
in_force
clients
lock
two_at_once
exit $failed
