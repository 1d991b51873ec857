#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# laf daemon: starts, records the whole machine by its rules, follows files that are replaced, ends on
# SIGTERM; what the log looks like, and when a record is in it.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
# A sanitizer keeps freed memory for a while: less of it, as growth is looked at here.
export ASAN_OPTIONS="quarantine_size_mb=1:thread_local_quarantine_size_kb=64:$ASAN_OPTIONS"
STEPS=$(realpath "$BIN/daemon_steps")
TREE=$(realpath "$BIN/scope_tree")
LOG=$WORK/logs/log
daemon=
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; end_work' EXIT
cp "$LAF" "$WORK/laf" # a program of this test alone, for rules by exe=

# start RULES SETTING…: the daemon, with these settings beside the necessary
start() {
	rm -rf "$WORK/logs"
	echo "$1" > "$WORK/rules"
	shift
	printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" 'kernel_records = no' \
		${ENGINE:+"engine = $ENGINE"} "$@" > "$WORK/conf"
	chmod 600 "$WORK/rules" "$WORK/conf"
	"$WORK/laf" daemon -c "$WORK/conf" > "$WORK/out" 2> "$WORK/said" &
	daemon=$!
	until_true 20 in_log 'type=DAEMON_START ' || { fail "the daemon does not start: $(cat "$WORK/said")"; exit 1; }
}

# stop SIGNAL: it ends well, and lost nothing
stop() {
	kill -"$1" $daemon
	wait $daemon
	status=$?
	daemon=
	[ $status = 0 ] || fail "SIG$1: exit status $status"
	[ "$(wc -l < "$WORK/said")" = 1 ] && [ ! -s "$WORK/out" ] ||
		fail "it said: $(cat "$WORK/out" "$WORK/said")"
	grep -q '^laf: [0-9]* events, [0-9]* records, 0 lost, engine ' "$WORK/said" ||
		fail "it said: $(cat "$WORK/said")"
	tail -n 1 "$LOG" | grep -q 'type=DAEMON_END .*: op=terminate .* res=success' ||
		fail "the end of the log: $(tail -n 1 "$LOG")"
	head -n 1 "$LOG" | grep -q 'type=DAEMON_START .*: op=start .* res=success' ||
		fail "the begin of the log: $(head -n 1 "$LOG")"
	[ "$(grep -c 'type=DAEMON_' "$LOG")" = 2 ] ||
		fail "records of the daemon's own: $(grep 'type=DAEMON_' "$LOG")"
	[ -z "$(tail -c 1 "$LOG")" ] || fail "the last line is not whole"
	[ "$(grep -cv 'type=CONFIG_CHANGE ' "$LOG")" = $(($(sed 's/.* events, \([0-9]*\) records.*/\1/' "$WORK/said") + 2)) ] ||
		fail "$(wc -l < "$LOG") records in the log, but: $(cat "$WORK/said")"
}

# numbers KEY: which opens are in the log with that key, in order, as decimal numbers
numbers() {
	sed -n "s/^.*type=SYSCALL .* syscall=2 .* a2=\([0-9a-f]*\) .* key=\"$1\".*/0x\1/p" "$LOG" | xargs -r printf '%d\n'
}

# Records of one event stand together, serials count up by one, a process's times do not go back. (What is
# between the two clocks that a time is made of is measured again each time that the rings are read: a few
# milliseconds may come of that.)
ordered() {
	awk '
	{ match($0, /msg=audit\([0-9.]+:[0-9]+\)/); split(substr($0, RSTART + 10, RLENGTH - 11), stamp, ":") }
	NR > 1 && stamp[2] != serial && stamp[2] != serial + 1 { print "serial " stamp[2] " after " serial; bad = 1 }
	NR > 1 && stamp[2] == serial && stamp[1] != time { print "two times in event " serial; bad = 1 }
	NR > 1 && (stamp[2] == serial) != !/type=(SYSCALL|CONFIG_CHANGE|DAEMON_[A-Z]*) / {
		print "an event does not begin with SYSCALL: " $0
		bad = 1
	}
	{ serial = stamp[2]; time = stamp[1] }
	/type=SYSCALL / {
		match($0, / pid=[0-9]+/)
		pid = substr($0, RSTART + 5, RLENGTH - 5)
		if (time < last[pid] && ++slips && time + 0.010 < last[pid]) {
			print "process " pid ": " time " after " last[pid]
			bad = 1
		}
		last[pid] = time
		if (time < before) back++
		before = time
		events++
	}
	END {
		if (NR < 2) bad = 1
		printf "%d events in order; %d began before the one above them began; %d times went back by some milliseconds\n",
			events, back, slips
		exit bad
	}' "$LOG"
}

# Before the daemon, after it, a long time before; the file's mode; both ways to end.
first_steps() {
	umask 022
	mkfifo "$WORK/gate"
	"$STEPS" open "$WORK/conf" 71 < "$WORK/gate" &
	early=$!
	exec 5> "$WORK/gate"
	start "-a always,exit -F arch=b64 -S open -F exe=$STEPS -k first" 'log_format = RAW'
	echo go >&5
	exec 5>&-
	wait $early || fail "the process that was there before"
	echo | "$STEPS" open "$WORK/conf" 72
	[ "$(stat -c %a:%u:%g "$LOG")" = 600:0:0 ] || fail "the log's mode: $(stat -c %a:%u:%g "$LOG")"
	[ "$(stat -c %a "$WORK/logs")" = 700 ] ||
		fail "the mode of the log's folder: $(stat -c %a "$WORK/logs")"
	stop TERM
	[ "$(numbers first | xargs)" = "71 72" ] ||
		fail "opens before and after the start: $(numbers first | xargs)"
	start "-a always,exit -F arch=b64 -S open -F exe=$STEPS -k first"
	stop INT
}

# format NODE SETTING…: what each line begins with, and what enriched lines have
format() {
	node=$1
	shift
	start "-a always,exit -F arch=b64 -S open -F exe=$STEPS -k format" "$@"
	echo | "$STEPS" open "$WORK/conf" 1
	stop TERM
	[ "$(grep -c "^${node}type=[A-Z_]* msg=audit([0-9]*\.[0-9]\{3\}:[0-9]*): " "$LOG")" = "$(wc -l < "$LOG")" ] ||
		fail "$*: lines that do not begin with '$node': $(cat "$LOG")"
	enriched=$(printf '\035')
	case $* in
	*RAW*) ! grep -q "$enriched" "$LOG" || fail "$*: a RAW log has what ENRICHED adds" ;;
	*) grep -q "type=SYSCALL .*key=\"format\"${enriched}ARCH=x86_64 SYSCALL=open AUID=\"[a-z]*\" UID=\"root\"" "$LOG" ||
		fail "$*: the SYSCALL record lacks what ENRICHED adds: $(grep type=SYSCALL "$LOG")" ;;
	esac
}

formats() {
	format '' 'log_format = RAW' 'name_format = NONE'
	format '' 'log_format = enriched' 'name = unused'
	format "node=$(uname -n) " 'log_format = RAW' 'name_format = hostname'
	format 'node=other ' 'name = other' 'log_format = ENRICHED' 'name_format = USER'
}

resident_kib() {
	awk '/^VmRSS/ { print $2 }' /proc/$daemon/status
}

# The watched file is replaced all the time: each new one is recorded from its first open on, soon also by
# another name; who gets its inode is not; and the daemon stays as small as it was.
replaced_files() {
	mkdir "$WORK/files"
	echo > "$WORK/files/watched"
	start "-w $WORK/files/watched -p r -k watch" 'log_format = RAW'
	"$STEPS" replace "$WORK/files" 1 1000 || fail "replace"
	until_true 5 in_log " a2=$(printf %x 1000) " ||
		fail "the last open of a replaced file is not in the log"
	"$STEPS" follow "$WORK/files" 20 "$LOG" ||
		fail "a new file is not recorded when it is opened by another name"
	memory=$(resident_kib)
	descriptors=$(ls /proc/$daemon/fd | wc -l)
	"$STEPS" follow "$WORK/files" 100 "$LOG" ||
		fail "a new file is not recorded when it is opened by another name"
	grown=$(($(resident_kib) - memory))
	case $LAF in *sanitize*) most=4096 ;; *) most=256 ;; esac # a thread's own memory is kept, too
	[ $grown -lt $most ] || fail "after 100 more replaced files the daemon is $grown KiB larger"
	[ "$(ls /proc/$daemon/fd | wc -l)" -le $((descriptors + 2)) ] ||
		fail "the daemon has $(ls /proc/$daemon/fd | wc -l) descriptors, not $descriptors"
	reused=$("$STEPS" reuse "$WORK/files" 200) || fail "reuse"
	stop TERM
	numbers watch | awk '$1 < 983040' > "$WORK/got"
	seq 1 1000 | cmp -s - "$WORK/got" ||
		fail "opens of replaced files: $(seq 1 1000 | diff - "$WORK/got" | grep -c '^[<>]') are missing or wrong"
	! grep -q stranger "$LOG" ||
		fail "a file that was given the inode of the watched one: $(grep -c stranger "$LOG") records"
	echo "1000 replaced files opened at once, $(wc -l < "$WORK/got") in the log; 100 followed, the daemon grew by $grown KiB;" \
		"an inode was used again $reused times"
}

# Nothing that the daemon does is recorded, though a rule asks for all that its program does.
own_calls() {
	start "-a always,exit -F arch=b64 -S all -F exe=$WORK/laf -k own" 'log_format = RAW'
	"$WORK/laf" --version > /dev/null
	pid=$daemon
	until_true 5 in_log 'syscall=231 .*key="own"' ||
		fail "another process of the same program is not recorded"
	stop TERM
	! grep -q "type=SYSCALL .* pid=$pid " "$LOG" ||
		fail "the daemon's own: $(grep -m 3 "type=SYSCALL .* pid=$pid " "$LOG")"
}

in_time() {
	start "-a always,exit -F arch=b64 -S open -F exe=$STEPS -k time" 'log_format = RAW'
	"$STEPS" latency "$LOG" 50 > "$WORK/took"
	stop TERM
	echo "in the log after $(sed -n 25p "$WORK/took") ms (median of 50), at the latest after $(tail -n 1 "$WORK/took") ms"
	[ "$(sed -n 45p "$WORK/took")" -le 100 ] ||
		fail "one in ten took longer than $(sed -n 45p "$WORK/took") ms"
}

in_order() {
	start "-a always,exit -F arch=b64 -S getpgid,fork,vfork,clone,clone3,execve,exit_group -F exe=$TREE -k order" \
		'log_format = RAW' 'ring_kib = 65536'
	"$TREE" tree /dev/null 0x1afe 10
	"$TREE" tree /dev/null 0x1afe 10 &
	"$TREE" tree /dev/null 0x1afe 10
	wait $!
	stop TERM
	ordered || fail "the order"
}

first_steps
formats
replaced_files
own_calls
in_time
in_order
exit $failed
