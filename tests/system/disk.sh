#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 120
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
	[ "$(wc -l < "$WORK/said")" -le 4 ] || fail "$1 is told again and again: $(cat "$WORK/said")"
	more_room
	until_true 5 in_log 'op=lost-events state=end' || fail "$1: the log does not say that loss ended"
	stop
	check "full, $1" gaps
	[ "$lost" -gt 0 ] || fail "$1: nothing was lost: this tells nothing"
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

	again 'space_left = 90%' 'space_left_action = SUSPEND'
	fill 40
	flood 0.01 20000
	until_true 5 said 'little room is left on its disk: writing is suspended' || fail "space_left = 90%: $(cat "$WORK/said")"
	more_room
	kill -USR2 $daemon
	stop
}

# failing MODE ACTION
failing() {
	fresh
	BEFORE="env LD_PRELOAD=$BIN/disk_shim ASAN_OPTIONS=verify_asan_link_order=0:$ASAN_OPTIONS" start "disk_error_action = $2"
	BEFORE=
	more_room
	# the flood is to go on before, while and after
	"$BIN/flood" 0.3 2 "$WORK/file" > "$WORK/made" &
	flood=$!
	sleep 0.02
	echo "$1" > "$WORK/disk"
	sleep 0.05
	[ "$1" = EROFS ] || until_true 5 said 'Input/output\|suspended' || [ "$2" = IGNORE ] || fail "$1: $(cat "$WORK/said")"
	[ "$1" = EROFS ] || whole "$1, $2"
	sleep 0.15
	echo fine > "$WORK/disk"
	wait $flood || fail "the flood"
	[ "$2" != SUSPEND ] || kill -USR2 $daemon
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
slow
exit $failed
