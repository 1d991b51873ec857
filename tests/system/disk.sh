#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The daemon on a disk that gets full, fails, becomes read-only, is slow, and comes back: each action happens as configured, nothing that
# is written is damaged, recording goes on, and the count is right.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need unshare
if [ -z "$DISK_INSIDE" ]; then
	# a small file system that nobody else sees
	DISK_INSIDE=1 exec unshare --mount "$0"
fi
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
mkdir "$WORK/logs"
mount -t tmpfs -o size=8m,mode=700 laf-test "$WORK/logs" || skip "no tmpfs here"
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; umount -l "$WORK/logs"; end_work' EXIT
echo > "$WORK/file"
export SHIM_FOLDER="$WORK/logs" SHIM_FILE="$WORK/disk"
# a program that notes that it was run, with what, and what it read
cat > "$WORK/note" << END
#!/bin/sh
{ echo "ran \$*"; cat; } >> "$WORK/ran"
END
chmod 755 "$WORK/note"

fill() {
	dd if=/dev/zero of="$WORK/logs/filler" bs=64k count="$1" 2> /dev/null
}

# What is there for each case anew.
fresh() {
	rm -rf "$WORK/logs"/* "$WORK/ran"
	mount -o remount,size=8m "$WORK/logs"
	: > "$WORK/ran"
	echo fine > "$WORK/disk"
}

ran() {
	grep -q "^$1" "$WORK/ran"
}

more_room() {
	mount -o remount,size=400m "$WORK/logs"
}

ends_whole() {
	[ -z "$(tail -c 1 "$LOG")" ]
}

# The log so far is of whole lines, whatever the disk does, but for the moment in which it is tried again.
whole() {
	until_true 1 ends_whole || fail "$1: the log ends with: $(tail -c 100 "$LOG")"
}

# Full, with an action that lets the log go on: when there is room again, it goes on by itself.
full_and_back() {
	fresh
	start "disk_full_action = $1"
	fill 100
	flood 0.2
	whole "$1"
	"$LAF" rules add -a always,exit -F arch=b64 -S umask -F exe="$(realpath "$BIN/flood")" -k full > "$WORK/out" 2>&1 || fail "$1: $(cat "$WORK/out")"
	[ "$(wc -l < "$WORK/said")" -le 4 ] || fail "$1 is told again and again: $(cat "$WORK/said")"
	more_room
	until_true 5 in_log 'op=lost-events state=end' || fail "$1: the log does not say that loss ended"
	stop
	check "full, $1" gaps
	[ "$lost" -gt 0 ] || fail "$1: nothing was lost: this tells nothing"
	grep -q 'type=CONFIG_CHANGE .* op=add_rule key="full"' "$WORK/all" || fail "$1: the change of rules is not in the log"
	grep -q 'op=lost-events state=begin' "$WORK/all" || fail "$1: the log does not say that loss began"
}

# again SETTING…: the same daemon with other settings, an empty log and room
again() {
	until_true 5 is_idle
	rm -rf "$WORK/logs"/*
	: > "$WORK/ran"
	more_room
	configure "$@"
	kill -HUP $daemon
	until_true 5 in_log 'type=DAEMON_CONFIG .* res=success' || fail "$*: HUP: $(cat "$WORK/said")"
	mount -o remount,size=8m "$WORK/logs"
}

full() {
	full_and_back IGNORE
	! said 'log: there is no room\|writing to it' || fail "IGNORE is told: $(cat "$WORK/said")"
	full_and_back SYSLOG
	said 'there is no room\|writing to it: No space left' || fail "SYSLOG is not told: $(cat "$WORK/said")"

	# rotated: the old files go, and the log goes on
	fresh
	start 'disk_full_action = ROTATE' 'num_logs = 3'
	flood 0.5
	[ -e "$LOG.1" ] && [ ! -e "$LOG.3" ] || fail "ROTATE: $(ls "$WORK/logs")"
	for file in "$LOG.1" "$LOG.2"; do
		[ ! -s "$file" ] || [ -z "$(tail -c 1 "$file")" ] || fail "ROTATE: $file ends with half a line"
	done

	again 'disk_full_action = SUSPEND'
	fill 100
	flood 0.2
	said 'writing is suspended' || fail "SUSPEND: $(cat "$WORK/said")"
	whole SUSPEND
	more_room
	before=$(stat -c %s "$LOG")
	flood 0.1
	[ "$(stat -c %s "$LOG")" = "$before" ] || fail "SUSPEND: it is written to"
	kill -USR2 $daemon
	until_true 5 in_log 'type=DAEMON_RESUME' || fail "USR2 does not resume"

	again "disk_full_action = EXEC $WORK/note"
	fill 100
	flood 0.2
	until_true 5 ran 'ran $' || fail "EXEC does not run: $(cat "$WORK/said")"
	said "writing is suspended, $WORK/note is run" || fail "EXEC: $(cat "$WORK/said")"

	for action in SINGLE:1 HALT:0; do
		again "disk_full_action = ${action%:*}" "init_command = $WORK/note"
		fill 100
		flood 0.1
		until_true 5 ran "ran ${action#*:}" || fail "$action: $(cat "$WORK/ran" "$WORK/said")"
		[ "$(grep -c ^ran "$WORK/ran")" = 1 ] || fail "$action: $(grep -c ^ran "$WORK/ran") times"
	done

	# little room: each limit acts once
	again 'space_left = 6' 'space_left_action = EMAIL' "mail_command = $WORK/note" 'action_mail_acct = a@b.c' \
		'admin_space_left = 3' 'admin_space_left_action = SYSLOG'
	fill 40
	flood 0.01 20000
	until_true 5 ran 'To: a@b.c' || fail "EMAIL: $(cat "$WORK/ran" "$WORK/said")"
	ran 'ran -t -fa@b.c' && ran 'Subject: ' || fail "EMAIL: $(cat "$WORK/ran")"
	! said 'very little room' || fail "admin_space_left too early"
	fill 90
	flood 0.01 20000
	until_true 5 said 'very little room' || fail "admin_space_left is not told: $(cat "$WORK/said")"
	[ "$(grep -c ^ran "$WORK/ran")" = 1 ] || fail "EMAIL: $(grep -c ^ran "$WORK/ran") mails"

	for limit in space_left admin_space_left; do
		other=$([ $limit = space_left ] || echo 'space_left = 7')
		for action in "EXEC $WORK/note:ran \$" SINGLE:'ran 1' HALT:'ran 0'; do
			again ${other:+"$other"} "$limit = 6" "${limit}_action = ${action%:*}" "init_command = $WORK/note"
			fill 60
			flood 0.01 20000
			ran_once "${action#*:}" "$limit, ${action%:*}"
		done
		again ${other:+"$other"} "$limit = 6" "${limit}_action = ROTATE" 'num_logs = 3'
		fill 60
		flood 0.01 20000
		until_true 5 said 'little room is left on its disk: it is rotated' && until_true 5 test -e "$LOG.1" || fail "$limit, ROTATE: $(cat "$WORK/said")"
	done

	again 'space_left = 90%' 'space_left_action = SUSPEND'
	fill 40
	flood 0.01 20000
	until_true 5 said 'little room is left on its disk: writing is suspended' || fail "space_left = 90%: $(cat "$WORK/said")"
	more_room
	kill -USR2 $daemon
	stop
}

# shimmed SETTING…: the daemon on a disk that fails as $WORK/disk says
shimmed() {
	fresh
	BEFORE="env LD_PRELOAD=$BIN/disk_shim ASAN_OPTIONS=verify_asan_link_order=0:$ASAN_OPTIONS" start "$@"
	BEFORE=
	more_room
}

loses() {
	! "$LAF" status | grep -q '^lost unwritten  *0$'
}

told_often() {
	[ "$(grep -c 'writing to it: Input/output error$' "$WORK/said")" -ge 5 ]
}

# failing MODE ACTION [OPTION]: of disk_error_action, or another one
failing() {
	shimmed "${3:-disk_error_action} = $2" "init_command = $WORK/note"
	# the flood is to go on before, while and after
	"$BIN/flood" 600 2 "$WORK/file" 5000 > "$WORK/made" &
	flood=$!
	until_true 5 in_log 'type=SYSCALL'
	echo "$1" > "$WORK/disk"
	until_true 20 loses
	[ "$2" != SYSLOG ] || until_true 5 told_often
	[ "$1" = EROFS ] || until_true 5 said 'Input/output\|suspended\|the system' || [ "$2" = IGNORE ] || fail "$1: $(cat "$WORK/said")"
	[ "$1" = EROFS ] || whole "$1, $2"
	echo fine > "$WORK/disk"
	sleep 0.05
	kill -TERM $flood
	wait $flood || fail "the flood"
	case $2 in SUSPEND | EXEC*) kill -USR2 $daemon ;; esac
	until_true 5 in_log 'op=lost-events state=end' || fail "$1, $2: the log does not say that loss ended"
	stop
	check "$1, $2" gaps
	[ "$lost" -gt 0 ] || fail "$1, $2: nothing was lost: this tells nothing"
}

errors() {
	failing EIO SYSLOG
	[ "$(grep -c 'writing to it: Input/output error$' "$WORK/said")" = 5 ] || fail "SYSLOG tells of $(grep -c 'writing to it: ' "$WORK/said") errors"
	failing half SUSPEND
	said 'Input/output error: writing is suspended' || fail "SUSPEND: $(cat "$WORK/said")"
	failing EROFS IGNORE
	failing late SYSLOG
	failing stuck SUSPEND
	failing EDQUOT "EXEC $WORK/note"
	said "quota exceeded: writing is suspended, $WORK/note is run" || fail "EXEC: $(cat "$WORK/said")"
	ran_once 'ran $' 'EDQUOT, EXEC'
	failing half SINGLE
	ran_once 'ran 1' 'half, SINGLE'
	failing EIO HALT
	ran_once 'ran 0' 'EIO, HALT'
	failing ENOSPC SUSPEND disk_full_action
	said 'writing to it: No space left on device: writing is suspended' || fail "ENOSPC: $(cat "$WORK/said")"
}

# lacks_its_end TEXT: the daemon ends, and says so
lacks_its_end() {
	kill -TERM $daemon
	wait $daemon
	[ $? = 2 ] || fail "$1: exit status $?: $(cat "$WORK/said")"
	daemon=
	said "^laf: log: $1" || fail "it does not say: $1: $(cat "$WORK/said")"
	! said 'do not add up' || fail "$1: $(cat "$WORK/said")"
}

# The disk fails, and works no more before the end: what is lost then no record tells of.
to_the_end() {
	for action in IGNORE SUSPEND; do
		shimmed "disk_error_action = $action"
		flood 0.02 20000
		until_true 5 is_idle
		echo EIO > "$WORK/disk"
		[ $action = IGNORE ] || "$BIN/flood" 0 1 "$WORK/file" > "$WORK/out"
		[ $action = IGNORE ] || until_true 5 said 'writing is suspended' || fail "to the end: $(cat "$WORK/said")"
		lacks_its_end "$LOG lacks its end: [1-9][0-9]* lost of which it does not tell, 1 of them the daemon's own: "
		in_log 'type=DAEMON_END' && fail "to the end, $action: the log has its end"
	done
	said 'own: writing is suspended$' || fail "SUSPEND, to the end: $(cat "$WORK/said")"
	said ' 257 lost (unwritten 256, kernel-record 1), ' || fail "SUSPEND, to the end: $(cat "$WORK/said")"
}

started_again() {
	[ "$(grep -c 'type=DAEMON_START ' "$LOG")" = 2 ]
}

# While the disk fails the daemon is killed, or told to leave its recording to the next one: what it could not write is in the rings still.
left_to_the_next() {
	shimmed 'flush = NONE' 'disk_error_action = IGNORE'
	"$BIN/flood" 600 2 "$WORK/file" 3000 > "$WORK/made" &
	flood=$!
	until_true 5 in_log 'type=SYSCALL'
	echo EIO > "$WORK/disk"
	until_true 20 loses || fail "left, $1: nothing is lost: this tells nothing"
	kill -"$1" $daemon
	wait $daemon
	daemon=
	echo fine > "$WORK/disk"
	launch
	until_true 20 started_again || fail "left, $1: no second start: $(cat "$WORK/said")"
	kill -TERM $flood
	wait $flood
	until_true 5 is_idle
	stop
	join
	"$BIN/flood_check" "$WORK/all" "$WORK/made" $RECORDS gaps > "$WORK/found" || fail "left, $1: $(cat "$WORK/found")"
	set -- "$1" $(sed -n 's/^made \([0-9]*\), written \([0-9]*\), .* \([0-9]*\), lost \([0-9]*\)$/\1 \2 \4/p' "$WORK/found")
	[ "$3:$4" = "$2:0" ] && [ "$lost" = 0 ] || fail "left, $1: $(cat "$WORK/found" "$WORK/said")"
	echo "left to the next daemon, $1: $2 events made, $3 written"
}

# ran_once WHAT CASE: however long the disk failed
ran_once() {
	until_true 5 ran "$1" && [ "$(grep -c ^ran "$WORK/ran")" = 1 ] || fail "$2: $(cat "$WORK/ran" "$WORK/said")"
}

# harmless MODE FLUSH TEXT: it is told, and nothing is lost by it
harmless() {
	shimmed "flush = $2" 'freq = 10' 'disk_error_action = SYSLOG'
	flood 0.02 20000
	echo "$1" > "$WORK/disk"
	flood 0.02 20000
	[ -z "$3" ] || until_true 5 said "$3" || fail "$1, $2: $(cat "$WORK/said")"
	until_true 5 is_idle
	echo fine > "$WORK/disk"
	stop
	all_there "$1, $2"
	[ "$1" != fsync ] || grep -q '^type=DAEMON_ERR .* op=in-doubt events=[1-9][0-9]* ' "$WORK/all" || fail "$1, $2: the log does not say what is in doubt"
}

# What was made last is in $WORK/made; nothing is missing, of that or of what was before.
all_there() {
	join
	made=$(awk '{ n += $2 } END { print n }' "$WORK/made")
	pids=$(awk '{ printf "%s pid=%s ", sep, $1; sep = "\\|" }' "$WORK/made")
	[ "$lost" = 0 ] || fail "$1: $lost lost"
	for type in SYSCALL PROCTITLE; do
		[ "$(grep -c "^type=$type msg=audit([0-9.:]*): " "$WORK/all")" = "$events" ] || fail "$1: not $events records $type in the log"
	done
	grep -av '^type=[A-Z_]* msg=audit([0-9.]*:[0-9]*): ' "$WORK/all" > "$WORK/torn" && fail "$1: torn lines: $(head -n 2 "$WORK/torn")"
	[ "$(grep -c "type=SYSCALL .*\($pids\)" "$WORK/all")" = "$made" ] || fail "$1: of $made events not all are in the log"
	echo "$1: $events events, none lost"
}

no_loss() {
	harmless fsync INCREMENTAL 'bringing it to the disk: Input/output error'
	harmless fsync INCREMENTAL_ASYNC 'bringing it to the disk: Input/output error'
	harmless short NONE

	# what is only found at the end is told, too
	shimmed 'flush = NONE' 'disk_error_action = SYSLOG'
	flood 0.02 20000
	echo fsync > "$WORK/disk"
	lacks_its_end 'bringing .* failed: it may lack its end$'
	said 'bringing it to the disk: Input/output error' || fail "fsync at the end: $(cat "$WORK/said")"

	# the end of a file that is rotated is not forgotten
	for flush in INCREMENTAL INCREMENTAL_ASYNC; do
		shimmed "flush = $flush" 'freq = 1000000' 'max_log_file_action = ROTATE' 'num_logs = 3' 'disk_error_action = SYSLOG'
		flood 0.02 20000
		until_true 5 is_idle
		echo fsync > "$WORK/disk"
		kill -USR1 $daemon
		until_true 5 said 'bringing it to the disk: Input/output error' || fail "$flush, rotated: $(cat "$WORK/said")"
		echo fine > "$WORK/disk"
		until_true 10 in_log 'op=in-doubt events=' || fail "$flush, rotated: the log does not say what is in doubt"
		stop
		said "of the events written, $events may be missing" || fail "$flush, rotated: $events events, but: $(cat "$WORK/said")"
	done

	# no new file can be had: the old one goes on, and the next time is as good as the first
	shimmed 'max_log_file_action = ROTATE' 'num_logs = 3'
	echo open > "$WORK/disk"
	kill -USR1 $daemon
	until_true 5 said 'rotating it: Input/output error; it goes on in the same file' || fail "open: $(cat "$WORK/said")"
	flood 0.02 20000
	[ ! -e "$LOG.1" ] || fail "open: there is a rotated file"
	echo fine > "$WORK/disk"
	kill -USR1 $daemon
	until_true 5 test -e "$LOG.1" || fail "open: it is not rotated later: $(cat "$WORK/said")"
	stop
	all_there "no new file"
	grep -q 'type=DAEMON_ROTATE .* res=failed' "$WORK/all" && grep -q 'type=DAEMON_ROTATE .* res=success' "$WORK/all" ||
		fail "the log does not say which rotation failed: $(grep DAEMON_ROTATE "$WORK/all")"
}

# A flood ten times what the disk takes.
slow() {
	fresh
	echo slow > "$WORK/disk"
	BEFORE="env LD_PRELOAD=$BIN/disk_shim ASAN_OPTIONS=verify_asan_link_order=0:$ASAN_OPTIONS" \
		start 'ring_kib = 4096' 'flush = INCREMENTAL_ASYNC' 'freq = 50'
	BEFORE=
	more_room
	before=$(awk '/^RssAnon/ { print $2 }' /proc/$daemon/status)
	flood 3
	anon=$(awk '/^RssAnon/ { print $2 }' /proc/$daemon/status)
	echo fine > "$WORK/disk"
	stop
	check "a slow disk"
	[ "$lost" -gt "$events" ] || fail "a slow disk: only $lost of $events lost: this tells nothing"
	[ $((anon - before)) -lt 4096 ] || [ "$(echo "$LAF" | grep -c sanitize)" = 1 ] || fail "the daemon has grown from $before to $anon KiB"
	echo "a slow disk: memory of the daemon's own $before KiB before, $anon KiB in the flood"
}

full
errors
to_the_end
left_to_the_next KILL
left_to_the_next QUIT
no_loss
slow
exit $failed
