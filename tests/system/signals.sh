#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The records of signals: auditd and laf get the same ones from the same process, and write the same of them.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need auditd auditctl flock
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
exec 9> "$KAUDIT_LOCK"
flock -w 60 9 || skip "another test has the kernel's audit"
[ "$(auditctl -s 2> /dev/null | awk '/^pid/ { print $2 }')" = 0 ] || skip "another daemon has the kernel's audit"
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; auditctl -e 0 > /dev/null 2>&1; end_work' EXIT

# signals LOG: one after the other, each when the record of the one before is there
signals() {
	log=$1
	for step in HUP:CONFIG USR1:ROTATE USR2:RESUME; do
		kill -"${step%:*}" $daemon
		until_true 5 grep -qs "type=DAEMON_${step#*:} " "$log" "$log.1" || fail "SIG${step%:*}: no record in $log"
	done
	kill -TERM $daemon
	until_true 5 grep -qs 'type=DAEMON_END ' "$log" || fail "SIGTERM: no record in $log"
	until_true 5 sh -c "! kill -0 $daemon 2> /dev/null"
	daemon=
}

# The records without times, serials and what comes with the start.
bodies() {
	cat "$1.1" "$1" | grep 'type=DAEMON_' | grep -v DAEMON_START | sed 's/msg=audit([^)]*)/msg=audit()/'
}

settings() {
	printf '%s\n' "log_file = $1" 'num_logs = 3' 'space_left = 2' 'admin_space_left = 1' "plugin_dir = $WORK/none/" "$2"
}

for format in RAW ENRICHED; do
	rm -rf "$WORK/auditd" "$WORK/logs"
	mkdir -p "$WORK/auditd" "$WORK/none"
	settings "$WORK/auditd/log" "log_format = $format" > "$WORK/auditd/auditd.conf"
	auditd -n -s nochange -c "$WORK/auditd" 9>&- &
	daemon=$!
	until_true 10 sh -c 'auditctl -s | grep -q "^pid '$daemon'$"' || { fail "auditd does not start"; exit 1; }
	sleep 0.3 # it handles signals from a moment on that nothing shows
	signals "$WORK/auditd/log"

	start "log_format = $format" 'num_logs = 3' 9>&-
	signals "$LOG"
	bodies "$WORK/auditd/log" > "$WORK/want"
	bodies "$LOG" > "$WORK/have"
	diff "$WORK/want" "$WORK/have" || fail "$format: above, < auditd, > laf"
	[ "$(wc -l < "$WORK/want")" = 4 ] || fail "auditd wrote $(wc -l < "$WORK/want") records"
done
sed 's/\x1d/ | /' "$WORK/have"
exit $failed
