#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own records in the daemon's log: by the seat and beside another daemon, line for line as auditd writes
# them, in order with laf's events; what the kernel drops is counted; and the kernel's audit is left as it was found, also
# after a kill.
#
#   netlink.sh [PART…]    the functions below that are to be run, in this order; ENRICHED, RAW: beside auditd
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need auditctl auditd
SEND=$(realpath "$BIN/netlink_send")
STEPS=$(realpath "$BIN/daemon_steps")
failed=0

# start SETTING…: the daemon
start() {
	: > "$LOG"
	printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" ${ENGINE:+"engine = $ENGINE"} "$@" > "$WORK/conf"
	chmod 600 "$WORK/conf"
	"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	until_true 20 in_log 'type=DAEMON_START ' || { fail "the daemon does not start: $(cat "$WORK/said")"; exit 1; }
}

# stop: it ends well, and says LOST
stop() {
	kill -TERM $daemon
	wait $daemon || fail "exit status $?: $(cat "$WORK/said")"
	daemon=
	grep -q "records of the kernel's own, ${1:-0} lost" "$WORK/said" || fail "it said: $(cat "$WORK/said")"
}

setting() {
	auditctl -s | sed -n "s/^$1 //p"
}

nothing_waits() {
	[ "$(setting backlog)" = 0 ]
}

state() {
	auditctl -s | grep -Ev '^(lost|backlog|backlog_wait_time_actual) '
	auditctl -l
}

prepare() {
	[ -n "$WORK" ] || make_work
	export LAF_RUN="$WORK/run"
	LOG=$WORK/log daemon=
	umask 077
	echo "-a always,exit -F arch=b64 -S open -F exe=$STEPS -k netlink" > "$WORK/rules"
	echo > "$WORK/file"
}

# Only the one who has the lock may touch the machine's audit, and leaves it off.
alone() {
	exec 9>> "$KAUDIT_LOCK"
	flock 9
	[ "$(setting enabled)" = 0 ] && [ "$(auditctl -l)" = 'No rules' ] || skip "the kernel's audit is in use"
	trap 'auditctl -e 0 > /dev/null; auditctl -D > /dev/null; [ -z "$daemon" ] || kill -9 $daemon; umount "$WORK/small" 2> /dev/null; end_work' EXIT
	state > "$WORK/before"
}

left_as_found() {
	state | diff "$WORK/before" - || fail "$1: the kernel's audit is not as it was"
	[ ! -e "$WORK/run/kernel-audit" ] || fail "$1: the note of how it was is still there"
}

# Events of laf and records of the kernel, each after the other, and a tick between them.
one_by_one() {
	for i in 1 2 3 4 5; do
		echo | "$STEPS" open "$WORK/file" $i
		sleep 0.02
		auditctl -m "after-$i"
		sleep 0.02
	done
}

in_order() {
	sed -n 's/.*type=SYSCALL .* a2=\([0-9]\) .*key="netlink".*/open \1/p; s/.*type=USER .*text=after-\([0-9]\) .*/sent \1/p' \
		"$LOG" > "$WORK/got"
	for i in 1 2 3 4 5; do echo "open $i"; echo "sent $i"; done | diff - "$WORK/got" || fail "the order"
	awk 'match($0, /:[0-9]+\)/) { serial = substr($0, RSTART + 1, RLENGTH - 2) }
		/type=(SYSCALL .* key="netlink"|DAEMON_[A-Z]* )/ { ours[serial] }
		/type=(USER|CONFIG_CHANGE)[A-Z_]* / { theirs[serial] }
		END { for (serial in theirs) if (serial in ours) { print "serial " serial " twice"; exit 1 } }' "$LOG" ||
		fail "serial numbers of laf and the kernel are the same"
}

seat() {
	start 'kernel_records = seat'
	[ "$(setting pid)" = $daemon ] && [ "$(setting enabled)" = 1 ] || fail "the seat is not taken: $(auditctl -s)"
	[ "$(auditctl -l)" = '-a never,task' ] || fail "the rules: $(auditctl -l)"
	one_by_one
	"$SEND" each
	stop
	in_order
	for type in ADD_USER ADD_GROUP USER_AUTH USER_CMD USER_AVC 'UNKNOWN\[2999\]' SECCOMP LOGIN CONFIG_CHANGE; do
		grep -q "^type=$type msg=audit(" "$LOG" || fail "there is no record $type"
	done
	grep -q "^type=SYSCALL .*exe=\"$SEND\"" "$LOG" && fail "calls of a task are audited by the kernel"
	left_as_found "the end"
}

# Killed; what comes until the next one starts, the kernel keeps (if it was told so at boot) and hands over.
killed() {
	start 'kernel_records = auto'
	kill -KILL $daemon
	wait $daemon
	[ "$(setting enabled)" = 1 ] || fail "the one that was killed put the kernel's audit back"
	start 'kernel_records = auto'
	[ "$(setting pid)" = $daemon ] || fail "the seat of the dead is not taken"
	auditctl -m 'after-the-kill'
	stop
	in_log 'text=after-the-kill' || fail "the next daemon gets no records"
	left_as_found "a daemon that was killed, and another"
}

# Killed, and no other comes: what takes away its programs gives back the kernel's audit, too.
cleaned() {
	for setting in 'kernel_records = seat' 'engine = kernel'; do
		echo '-a never,user -F uid=12345' >> "$WORK/rules"
		start "$setting"
		state | diff -q "$WORK/before" - > /dev/null && fail "$setting: the kernel's audit is not changed"
		kill -KILL $daemon
		wait $daemon
		daemon=
		"$LAF" cleanup > "$WORK/out" || fail "laf cleanup: exit status $?"
		grep -qx "the kernel's audit is as it was found" "$WORK/out" || fail "laf cleanup said: $(cat "$WORK/out")"
		until_true 5 has_seat 0
		left_as_found "$setting, laf cleanup"
		[ "$("$LAF" cleanup)" = 'there was nothing to take away' ] || fail "a second laf cleanup"
		prepare
	done
}

has_seat() {
	[ "$(setting pid)" = "$1" ]
}

# What su and sudo have to say, by PAM and by themselves.
logins() {
	start 'kernel_records = seat'
	su -s /bin/true nobody < /dev/null || fail "su: exit status $?"
	told_of_logins su 'USER_ACCT CRED_ACQ USER_START USER_END CRED_DISP'
	if command -v sudo > /dev/null; then
		sudo -n true || fail "sudo: exit status $?"
		told_of_logins sudo 'USER_ACCT USER_CMD CRED_REFR USER_START USER_END CRED_DISP'
		grep -q "^type=USER_CMD .* exe=\"$(realpath "$(command -v sudo)")\" .*res=success'" "$LOG" ||
			fail "sudo's own record: $(grep type=USER_CMD "$LOG")"
	else
		echo 'sudo is not there: only su was tried'
	fi
	stop
	left_as_found "su and sudo"
}

# told_of_logins PROGRAM TYPES: such a record of that program is in the log, of each
told_of_logins() {
	for type in $2; do
		until_true 5 in_log "^type=$type .* exe=\"[^ ]*/$1\" .*res=success'" || fail "$1: no record $type"
	done
}

# Somebody's rules: nothing is touched.
foreign_rules() {
	auditctl -a always,exit -F arch=b64 -S acct -k foreign
	state > "$WORK/foreign"
	start 'kernel_records = auto'
	state | diff "$WORK/foreign" - || fail "auto changed the kernel's audit where there are rules"
	stop
	start 'kernel_records = seat'
	[ "$(setting pid)" = $daemon ] && [ "$(setting enabled)" = 0 ] || fail "the seat beside somebody's rules: $(auditctl -s)"
	stop
	state | diff "$WORK/foreign" - || fail "after the seat beside somebody's rules"
	auditctl -D > /dev/null
}

# Rules on messages and on single records are the kernel's to follow, and change with laf's.
filters() {
	cat >> "$WORK/rules" <<-END
		-a never,user -F msgtype=USER_AUTH -F uid=0
		-a always,exclude -F msgtype=BPF
	END
	start 'kernel_records = seat'
	[ "$(auditctl -l | xargs)" = '-a never,user -F msgtype=USER_AUTH -F uid=0 -a never,task -a always,exclude -F msgtype=BPF' ] ||
		fail "the filters: $(auditctl -l)"
	"$SEND" each
	until_true 5 in_log end-of-each
	"$LAF" rules delete -a never,user -F msgtype=USER_AUTH -F uid=0 || fail "laf rules delete"
	[ "$(auditctl -l | xargs)" = '-a never,task -a always,exclude -F msgtype=BPF' ] || fail "the filters, changed: $(auditctl -l)"
	"$SEND" each
	stop
	[ "$(grep -c type=USER_AUTH "$LOG")" = 1 ] || fail "USER_AUTH: $(grep -c type=USER_AUTH "$LOG") records, one before the rule was gone"
	! in_log type=BPF || fail "an excluded record"
	left_as_found filters
}

# Two want the seat: the second is refused, or listens.
second() {
	start 'kernel_records = seat'
	sed "s,^log_file.*,log_file = $WORK/second," "$WORK/conf" > "$WORK/conf2"
	LAF_RUN=$WORK/run2 timeout 20 "$LAF" daemon -c "$WORK/conf2" 2> "$WORK/said2" && fail "a second daemon has the seat"
	grep -q "another daemon has it" "$WORK/said2" || fail "the second: $(cat "$WORK/said2")"
	sed -i 's/^kernel_records.*/kernel_records = auto/' "$WORK/conf2"
	LAF_RUN=$WORK/run2 "$LAF" daemon -c "$WORK/conf2" 2> "$WORK/said2" &
	until_true 20 grep -qs type=DAEMON_START "$WORK/second" || fail "the second does not start: $(cat "$WORK/said2")"
	kill $!
	wait $! || fail "the second: $(cat "$WORK/said2")"
	[ "$(setting pid)" = $daemon ] || fail "the second took the seat of the first"
	stop
}

only_messages() {
	auditctl -a always,exclude -F msgtype!=USER # nothing else that goes on here
	auditctl -e 1 > /dev/null
	start 'kernel_records = multicast' 'log_format = RAW'
}

# adds_up WHAT COUNT: of so many that were sent each is written or counted as lost
adds_up() {
	kill -TERM $daemon
	wait $daemon
	daemon=
	written=$(grep -c 'type=USER .*flood=' "$LOG")
	lost=$(sed -n 's/.*, \([0-9]*\) lost.*, engine .*/\1/p' "$WORK/said")
	own=$(sed -n 's/.* \([0-9]*\) of them the daemon.s own: .*/\1/p' "$WORK/said")
	lost=$((lost - ${own:-0}))
	echo "$1: $2 sent, $written written, $lost lost"
	[ "$lost" -gt 0 ] || fail "$1: too few to lose a record"
	[ $((written + lost)) = $2 ] || fail "$1: written + lost = $((written + lost)), not $2: $(cat "$WORK/said")"
	auditctl -e 0 > /dev/null
	auditctl -D > /dev/null
}

# It sleeps while more comes than the socket holds: what is missing is counted, to the record.
overrun() {
	only_messages
	kill -STOP $daemon
	"$SEND" flood 60000
	until_true 20 nothing_waits
	kill -CONT $daemon
	until_true 10 in_log 'op=lost-events'
	adds_up flood 60000
}

# The disk is full before all is written.
full_disk() {
	mkdir "$WORK/small"
	mount -t tmpfs -o size=256k,mode=700 none "$WORK/small" || return
	LOG=$WORK/small/log
	only_messages
	"$SEND" flood 8000
	until_true 20 nothing_waits
	adds_up 'full disk' 8000
	umount "$WORK/small"
	LOG=$WORK/log
}

# In the oracle's hands: auditd has the seat, laf listens.
beside() {
	WORK=$(dirname "$1")
	prepare
	start 'kernel_records = auto' "log_format = $2"
	auditctl -m marked
	su -s /bin/true nobody < /dev/null
	"$SEND" each
	until_true 5 in_log end-of-each
	stop
	exit $failed
}

# What stands between the two marks. Where no security module puts subj= into it, auditd does not find the call of a SECCOMP record.
between_marks() {
	sed -n '/type=USER .*text=marked/,/end-of-each/p' "$1" | sed '/^type=SECCOMP/s/=unknown-syscall(-1)$/=getppid/'
}

as_auditd() {
	rm -f "$WORK/auditd.log"
	make_auditd $1 "$WORK/auditd.log"
	"$BIN/oracle_kaudit" -t 300 -A "$WORK/auditd" -o "$WORK/auditd.log" -- "$0" beside "$WORK/log" "$1" > "$WORK/out" 2>&1
	case $? in
	0) ;;
	77) skip "$(cat "$WORK/out")" ;;
	*) fail "beside auditd: $(cat "$WORK/out")" ;;
	esac
	between_marks "$WORK/auditd.log" > "$WORK/theirs"
	between_marks "$WORK/log" > "$WORK/ours"
	diff -a "$WORK/theirs" "$WORK/ours" || fail "auditd's lines (<) and laf's (>) differ, $1"
	for type in USER_ACCT USER_START USER_END CRED_ACQ; do
		grep -q "^type=$type .*op=PAM:" "$WORK/ours" || fail "PAM's record $type of su, $1"
	done
	echo "$1: $(wc -l < "$WORK/ours") lines as auditd's, $(sed 's/^type=\([^ ]*\).*/\1/' "$WORK/ours" | sort -u | wc -l) types"
}

if [ "$1" = beside ]; then
	beside "$2" "$3"
fi
prepare
for part in ${*:-ENRICHED RAW seat killed cleaned logins foreign_rules filters second overrun full_disk}; do
	case $part in
	ENRICHED | RAW) as_auditd $part ;;
	*)
		[ -e "$WORK/before" ] || alone
		$part
		;;
	esac
done
exit $failed
