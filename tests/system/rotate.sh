#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The log files of the daemon under load: rotated by size, by age and by signal, compressed, configured anew; no line is cut, no event
# lost or twice; names, modes and numbers are as the settings say.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need zstd
if [ "$(df -k --output=avail /dev/shm 2> /dev/null | tail -n 1)" -gt 2097152 ] 2> /dev/null; then
	export TMPDIR=/dev/shm
fi
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
echo > "$WORK/file"

# Signals all the time, while the file $WORK/go is there.
disturb() {
	while [ -e "$WORK/go" ]; do
		kill -USR1 $daemon
		sleep 0.03
		configure "$@" "num_logs = $((10 + $(wc -l < "$WORK/turns")))"
		kill -HUP $daemon
		echo >> "$WORK/turns"
		kill -USR2 $daemon
		sleep 0.03
	done
}

# modes WANTED-CURRENT WANTED-ROTATED
modes() {
	[ "$(stat -c %a:%G "$LOG")" = "$1" ] || fail "the mode of $LOG: $(stat -c %a:%G "$LOG")"
	for file in "$LOG".[0-9]*; do
		[ "$(stat -c %a:%G "$file")" = "$2" ] || fail "the mode of $file: $(stat -c %a:%G "$file")"
	done
}

# An event's records stand in one file.
whole_events() {
	log_files | while read -r file; do
		case $file in *.zst) zstd -qdc "$file" ;; *) cat "$file" ;; esac | head -n 1
	done | grep -vE '^type=(SYSCALL|DAEMON_[A-Z]*) ' > "$WORK/torn"
	[ ! -s "$WORK/torn" ] || fail "files that begin in the middle of an event: $(cat "$WORK/torn")"
}

under_load() {
	set -- 'max_log_file = 1' 'max_log_file_action = KEEP_LOGS' 'compress_from = 3'
	start "$@"
	: > "$WORK/go" > "$WORK/turns"
	disturb "$@" &
	disturber=$!
	flood 2
	rm "$WORK/go"
	wait $disturber
	stop
	check "rotation by size, USR1, HUP and USR2"
	whole_events
	modes 600:root 400:root
	signals=$(wc -l < "$WORK/turns")
	for type in DAEMON_ROTATE DAEMON_CONFIG DAEMON_RESUME; do
		count=$(grep -c "^type=$type .* res=success" "$WORK/all")
		# signals that come while one of their kind waits are one
		[ "$count" -gt 0 ] && [ "$count" -le "$signals" ] || fail "$count records $type for $signals signals"
	done
	grep -q "^type=DAEMON_ROTATE msg=audit(.*): op=rotate-logs auid=[0-9]* uid=0 ses=[0-9]* pid=[0-9]* " "$WORK/all" ||
		fail "who rotated: $(grep -m 1 DAEMON_ROTATE "$WORK/all")"
	[ "$(log_files | wc -l)" -gt 10 ] || fail "only $(log_files | wc -l) files: this tells nothing"
	log_files | sed -n 's/.*\.\([0-9]*\)\(\.zst\)\{0,1\}$/\1/p' | sort -n > "$WORK/numbers"
	seq 1 "$(wc -l < "$WORK/numbers")" | cmp -s - "$WORK/numbers" || fail "the numbers of files have holes: $(xargs < "$WORK/numbers")"
	[ ! -e "$LOG.1.zst" ] && [ ! -e "$LOG.2.zst" ] || fail "a file below compress_from is compressed"
	ls "$LOG".*.zst > /dev/null 2>&1 || fail "nothing is compressed"
	echo "$signals signals of each kind, $(ls "$LOG".*.zst | wc -l) files compressed"
	rm -rf "$WORK/logs"
}

# Of three files two are rotated ones; what is beyond that at the start is removed; a file ends with the event that makes it a MiB.
three_files() {
	mkdir -m 700 "$WORK/logs"
	touch "$LOG.1" "$LOG.2" "$LOG.3" "$LOG.4.zst" "$LOG.6"
	start 'max_log_file = 1' 'max_log_file_action = ROTATE' 'num_logs = 3' 'log_group = adm'
	[ "$(cd "$WORK/logs" && echo *)" = "log log.1 log.2 log.6" ] || fail "at the start: $(ls "$WORK/logs")"
	rm "$LOG.6"
	flood 0.5
	stop
	[ "$(cd "$WORK/logs" && echo *)" = "log log.1 log.2" ] || fail "num_logs = 3: $(ls "$WORK/logs")"
	for file in "$LOG.1" "$LOG.2"; do
		size=$(stat -c %s "$file")
		[ "$size" -ge 1048576 ] && [ "$size" -lt $((1048576 + 2000)) ] || fail "$file has $size bytes"
	done
	whole_events
	modes 640:adm 440:adm
	[ "$(stat -c %a:%G "$WORK/logs")" = 750:adm ] || fail "the folder: $(stat -c %a:%G "$WORK/logs")"
	rm -rf "$WORK/logs"
}

by_age() {
	start 'num_logs = 9' 'max_log_age = 1s'
	flood 2.5
	stop
	check "rotation by age"
	[ "$(log_files | wc -l)" -ge 3 ] && [ "$(log_files | wc -l)" -le 5 ] || fail "max_log_age = 1s: $(log_files | wc -l) files in 2.5 s"
	rm -rf "$WORK/logs"
}

# Each of these is told once, and nothing of it stops the daemon.
other_actions() {
	start 'max_log_file = 1' 'max_log_file_action = SYSLOG' 'num_logs = 5'
	flood 0.3
	[ ! -e "$LOG.1" ] || fail "SYSLOG rotates"
	kill -USR1 $daemon
	until_true 5 test -e "$LOG.1" || fail "USR1 does not rotate"
	stop
	# the flood's last events may be in the second file
	[ "$(grep -c 'larger than max_log_file' "$WORK/said")" -le 2 ] && said 'larger than max_log_file' || fail "SYSLOG: $(cat "$WORK/said")"
	check "max_log_file_action = SYSLOG"
	rm -rf "$WORK/logs"

	start 'max_log_file = 1' 'max_log_file_action = SUSPEND' 'num_logs = 1'
	flood 0.3
	until_true 5 said 'writing is suspended' || fail "SUSPEND is not told"
	until_true 5 is_idle
	mv "$LOG" "$LOG.1"
	kill -USR2 $daemon
	until_true 5 in_log 'type=DAEMON_RESUME .* op=resume-logging .* res=success' || fail "USR2 does not resume"
	kill -USR1 $daemon
	until_true 5 in_log 'type=DAEMON_ROTATE .* res=failed' || fail "USR1 with num_logs = 1: $(tail -n 2 "$LOG")"
	stop
	check "max_log_file_action = SUSPEND" gaps
	[ "$(stat -c %s "$LOG.1")" -lt 1050000 ] || fail "SUSPEND: $(stat -c %s "$LOG.1") bytes"
	rm -rf "$WORK/logs"
}

# A configuration with a fault: all stays as it was. One that names another file: the log goes on there.
reconfigured() {
	start 'num_logs = 5'
	configure 'num_logs = x'
	kill -HUP $daemon
	until_true 5 in_log 'type=DAEMON_CONFIG .*op=reconfigure state=no-change .* res=failed' || fail "a fault: $(tail -n 1 "$LOG")"
	said 'conf:7:12: num_logs is a number up to 999' || said 'conf:6:12: num_logs is' || fail "a fault: $(cat "$WORK/said")"
	configure "log_file = $WORK/logs/other" 'num_logs = 5' 'log_format = ENRICHED' 'name_format = USER' 'name = node1'
	kill -HUP $daemon
	until_true 5 grep -qs '^node=node1 type=DAEMON_CONFIG .*op=reconfigure state=changed auid=[0-9]* pid=[0-9]* subj=.* res=success' \
		"$WORK/logs/other" || fail "another file: $(cat "$WORK/logs/other")"
	[ -z "$(tail -c 1 "$LOG")" ] || fail "the old file does not end with a whole line"
	kill -CONT $daemon
	until_true 5 test -s "$LAF_RUN/state" || fail "CONT writes no state"
	grep -q '^logging suspended = no$' "$LAF_RUN/state" || fail "the state: $(cat "$LAF_RUN/state")"
	stop
	[ ! -e "$LAF_RUN/state" ] || fail "the state is there after the end"
	rm -rf "$WORK/logs"
}

under_load
three_files
by_age
other_actions
reconfigured
exit $failed
