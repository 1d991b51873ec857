#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel engine: with it the daemon is the kernel's audit daemon. The same workload under the same rules, once with auditctl and
# auditd, once with laf: the same lines but for times, numbers, processes, inodes and addresses in memory. Rules can be changed, and
# all is as it was at the end, also after a kill.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need auditctl auditd setarch
make_work
failed=0 daemon=
export LAF_RUN="$WORK/run"
LOG=$WORK/log
W=$WORK/w
umask 022

cat > "$WORK/rules" <<-END
	-a always,exit -F arch=b64 -S all -F auid=4242 -k all
	-a always,exit -F arch=b32 -S all -F auid=4242 -k all
	-a never,exclude -F msgtype=CWD
END
chmod 600 "$WORK/rules"

workload() {
	rm -rf "$W"
	mkdir -p "$W/open" "$W/names" "$W/attr" "$W/exec"
	setarch -R "$BIN/workload" -d "$W" open names attr exec 9>&-
}

# The events of the workload, process by process, and what must differ between two runs taken out.
normal() {
	awk '
	match($0, /audit\([0-9.]*:[0-9]*\)/) { event = substr($0, RSTART, RLENGTH) }
	FNR == NR {
		if (/^type=SYSCALL .* auid=4242 /) {
			match($0, / pid=[0-9]+/)
			pid = substr($0, RSTART, RLENGTH)
			if (!(pid in rank)) rank[pid] = ++processes
			wanted[event] = rank[pid]
		}
		next
	}
	event in wanted { sub(/audit\([0-9.]*:[0-9]*\)/, "audit()"); print wanted[event] " " $0 }' "$1" "$1" | sort -s -n -k 1,1 |
		sed -E 's/ (p?pid|ses|inode)=[0-9]+/ \1=N/g; s/ a([0-3])=[0-9a-f]{3,}/ a\1=ADDRESS/g; s/ exit=[0-9]{3,}/ exit=N/'
}

if [ "$1" = workload ]; then
	W=$2
	workload
	exit
fi

# With auditctl and auditd, in the oracle's hands.
theirs() {
	make_auditd ENRICHED "$WORK/auditd.log"
	"$BIN/oracle_kaudit" -t 300 -A "$WORK/auditd" -o "$WORK/auditd.log" -R "$WORK/rules" -- "$0" workload "$W" > "$WORK/out" 2>&1
	case $? in
	0) ;;
	77) skip "$(cat "$WORK/out")" ;;
	*) fail "auditd: $(cat "$WORK/out")" ;;
	esac
}

alone() {
	exec 9>> "$KAUDIT_LOCK"
	flock 9
	auditctl -s | grep -q '^enabled 0$' && [ "$(auditctl -l)" = 'No rules' ] || skip "the kernel's audit is in use"
	trap 'auditctl -e 0 > /dev/null; auditctl -D > /dev/null; [ -z "$daemon" ] || kill -9 $daemon; end_work' EXIT
	state > "$WORK/before"
}

state() {
	auditctl -s | grep -Ev '^(lost|backlog|backlog_wait_time_actual) '
	auditctl -l
}

start() {
	: > "$LOG"
	printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" 'engine = kernel' 'kernel_records = auto' > "$WORK/conf"
	chmod 600 "$WORK/conf"
	"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	until_true 20 in_log type=DAEMON_START || { fail "the daemon does not start: $(cat "$WORK/said")"; exit 1; }
}

# stop [LOST]
stop() {
	kill -TERM $daemon
	wait $daemon || fail "exit status $?: $(cat "$WORK/said")"
	daemon=
	grep -q " ${1:-0} lost.*, engine kernel" "$WORK/said" || fail "it said: $(cat "$WORK/said")"
	state | diff "$WORK/before" - || fail "the kernel's audit is not as it was"
}

# Events that begin with a SYSCALL of that key (others have a LOGIN or ANOM_LINK before it).
with_key() {
	awk 'match($0, /audit\([0-9.]*:[0-9]*\)/) { event = substr($0, RSTART, RLENGTH) }
		event != last && /^type=SYSCALL .* key="all"/ { n++ }
		{ last = event }
		END { print n }' "$LOG"
}

# laf top has the key from the kernel's records.
top_agrees() {
	[ "$("$LAF" top --total | awk '$NF == "all" { print $1; exit }')" = "$(with_key)" ]
}

ours() {
	start
	auditctl -l > "$WORK/listed"
	"$LAF" rules list "$WORK/rules" | diff - "$WORK/listed" || fail "the rules in the kernel"
	workload || fail "the workload"
	until_true 10 top_agrees || fail "$(with_key) calls in the log, but: $("$LAF" top --total)"
	stop
	normal "$WORK/auditd.log" > "$WORK/theirs"
	normal "$LOG" > "$WORK/ours"
	[ "$(wc -l < "$WORK/theirs")" -gt 1000 ] || fail "auditd's log has $(wc -l < "$WORK/theirs") lines of the workload"
	diff -a "$WORK/theirs" "$WORK/ours" > "$WORK/diff" || { head -n 20 "$WORK/diff"; fail "auditd's lines (<) and laf's (>) differ"; }
	echo "$(wc -l < "$WORK/ours") lines as auditd's"
}

killed() {
	start
	kill -KILL $daemon
	wait $daemon
	start
	stop
}

setting() {
	auditctl -s | sed -n "s/^$1 //p"
}

# Limits of the rule file and of commands are the kernel's.
limits() {
	printf '%s\n' '-f 0' '-b 9000' >> "$WORK/rules"
	start
	[ "$(setting failure):$(setting backlog_limit)" = 0:9000 ] || fail "the limits: $(auditctl -s | xargs)"
	echo '-r 5000' > "$WORK/more"
	"$LAF" rules load "$WORK/more" > /dev/null || fail "laf rules load"
	[ "$(setting rate_limit)" = 5000 ] || fail "the limits, changed: $(auditctl -s | xargs)"
	kill -KILL $daemon
	wait $daemon
	start
	[ "$(setting rate_limit)" = 0 ] || fail "the rate limit of one that was killed is still there"
	stop
}

lost_by() {
	case $1 in
	status) "$LAF" status | sed -n 's/^lost kernel-record  *//p' ;;
	top) "$LAF" top --total | sed -n '2s/.*, \([0-9]*\) lost, .*/\1/p' ;;
	kernel) echo $(($(setting lost) - lost_before)) ;;
	esac
}

both_know() {
	[ "$(lost_by kernel)" -gt 0 ] && [ "$(lost_by status)" = "$(lost_by kernel)" ] && [ "$(lost_by top)" = "$(lost_by kernel)" ]
}

# What the kernel drops for its limits is in what laf says of losses.
losses() {
	echo '-r 20' >> "$WORK/rules"
	lost_before=$(setting lost)
	start
	workload > /dev/null || fail "the workload"
	until_true 10 both_know || fail "the kernel has dropped $(lost_by kernel), laf status says $(lost_by status), laf top $(lost_by top)"
	echo "$(lost_by kernel) records that the kernel has dropped"
	stop "[1-9][0-9]*"
	sed -i '/^-r/d' "$WORK/rules"
}

# Where BPF is refused, it is what is left.
fallen_back_on() {
	sed -i 's/^engine.*/engine = auto/' "$WORK/conf"
	: > "$LOG"
	"$BIN/input_deny" 321 1 "$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	until_true 20 in_log type=DAEMON_START || { fail "the daemon does not start: $(cat "$WORK/said")"; exit 1; }
	stop
}

foreign_rules() {
	auditctl -a always,exit -F arch=b64 -S acct -k foreign
	"$BIN/input_deny" 321 1 "$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &&
		fail "it starts where there are rules of somebody else's"
	grep -q "1 rules that are not laf's" "$WORK/said" || fail "it said: $(cat "$WORK/said")"
	[ "$(auditctl -l)" = '-a always,exit -F arch=b64 -S acct -F key=foreign' ] || fail "somebody's rules: $(auditctl -l)"
	auditctl -D > /dev/null
}

one_command() {
	"$LAF" run --engine kernel -a always,exit -S open -- true 2> "$WORK/said" && fail "laf run with the kernel engine"
	grep -q "can't follow one command" "$WORK/said" || fail "laf run said: $(cat "$WORK/said")"
}

theirs
alone
ours
killed
limits
losses
fallen_back_on
foreign_rules
one_command
exit $failed
