#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The daemon's log on an ext4 whose disk (dm-flakey) refuses all writes for some seconds, and then takes them again, while calls are recorded: each is
# in the log once or counted lost, the log says so, what was written is whole, and the file has the same bytes when its disk is read anew.
#
#   flakey.sh [FLUSH|read-only…]    only these
#
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
in_machine "$@"
. tests/system/lib.sh
need dmsetup losetup mke2fs e2fsck
make_work
failed=0
. tests/system/lib_daemon.sh
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; umount -l "$WORK/logs" 2> /dev/null; end_work' EXIT
KIB=49152
FAILS_S=3
mkdir -m 700 "$WORK/logs"
echo > "$WORK/file"

# table TARGET…: the disk from now on; nothing is written to it first, and nothing that waits is held back
table() {
	dmsetup suspend --nolockfs --noflush --noudevsync laf-flakey &&
		echo "0 $((KIB * 2)) $1 $LOOP 0 $2" | dmsetup load laf-flakey && dmsetup resume --noudevsync laf-flakey || fail "dmsetup: $1"
}

disk_fails() {
	table flakey '0 3600 1 error_writes'
}

disk_works() {
	table linear
}

# new_disk [OPTION…]: of mke2fs
new_disk() {
	truncate -s 0 "$WORK/image"
	truncate -s "${KIB}K" "$WORK/image"
	LOOP=$(losetup -f --show "$WORK/image") || skip "no loop device"
	echo "0 $((KIB * 2)) linear $LOOP 0" | dmsetup create --noudevsync laf-flakey || skip "no device mapper"
	DISK=/dev/dm-$(dmsetup info -c --noheadings -o minor laf-flakey)
	mke2fs -q -t ext4 "$@" $DISK && mount -o errors=remount-ro $DISK "$WORK/logs" || fail "no ext4 on $DISK"
	chmod 700 "$WORK/logs"
}

no_disk() {
	umount "$WORK/logs"
	dmsetup remove --noudevsync laf-flakey
	losetup -d "$LOOP"
}

# Of two processes, until end_calls.
begin_calls() {
	"$BIN/flood" 3600 2 "$WORK/file" 300 > "$WORK/made" &
	flood=$!
}

end_calls() {
	kill -TERM $flood
	wait $flood || fail "the flood"
}

log_grows() {
	[ "$(stat -c %s "$LOG")" -gt "$size" ]
}

# It is written to from here on, by events that are made now.
until_written() {
	size=$(stat -c %s "$LOG")
	until_true 60 log_grows || fail "$1: nothing is written: $(cat "$WORK/said")"
}

# What a reader sees, and what it sees when the disk is read anew.
read_anew() {
	"$BIN/flood_check" "$LOG" "$WORK/made" $RECORDS gaps > "$WORK/found" || fail "$1: $(cat "$WORK/found")"
	cp "$LOG" "$WORK/seen"
	umount "$WORK/logs" && mount $DISK "$WORK/logs" || fail "$1: it can't be mounted anew"
	cmp "$WORK/seen" "$LOG" || fail "$1: on the disk the log is another"
	ausearch -if "$LOG" -m SYSCALL --raw 2> /dev/null | grep -c '^type=SYSCALL ' > "$WORK/n"
	[ "$(cat "$WORK/n")" = "$events" ] || fail "$1: ausearch sees $(cat "$WORK/n") of $events events"
}

# told CASE: that the disk fails, and not with each write
told() {
	until_true 120 said ': Input/output error' || fail "$1: the daemon does not say that the disk fails: $(cat "$WORK/said")"
	sleep $FAILS_S
	[ "$(grep -c ': Input/output error$' "$WORK/said")" -le 5 ] || fail "$1: it is told again and again: $(cat "$WORK/said")"
}

# What was believed written is counted when the kernel tells that it is not, or not at all where each write is waited for.
doubt() {
	case $1 in
	INCREMENTAL*)
		until_true 60 in_log 'type=DAEMON_ERR .* op=in-doubt events=[1-9][0-9]* ' || fail "$1: the log does not say what is in doubt"
		"$LAF" status | grep -q '^in doubt  *[1-9]' || fail "$1: $("$LAF" status)"
		;;
	*)
		until_true 60 in_log 'op=lost-events state=end' || fail "$1: the log does not say that loss ended"
		"$LAF" status | grep -q '^in doubt  *0$' || fail "$1: $("$LAF" status)"
		;;
	esac
}

# A file system without a journal goes on when its disk does.
seconds_of_failure() {
	new_disk -O ^has_journal
	start "flush = $1" 'freq = 20' 'disk_error_action = SYSLOG'
	begin_calls
	until_written "$1, before"
	disk_fails
	told "$1"
	disk_works
	until_written "$1, afterwards"
	doubt "$1"
	end_calls
	until_true 60 is_idle
	stop
	check "$1" gaps
	read_anew "$1"
	no_disk
}

# It is found when the journal is to be written.
is_read_only() {
	sync -f "$WORK/logs" 2> /dev/null
	! touch "$WORK/logs/x" 2> /dev/null
}

# One with a journal that can't be written becomes read-only, and is repaired.
read_only() {
	new_disk
	start 'flush = SYNC' 'disk_error_action = SUSPEND'
	begin_calls
	until_written "read-only, before"
	disk_fails
	until_true 120 said '\(Read-only file system\|Input/output error\): writing is suspended$' || fail "read-only: $(cat "$WORK/said")"
	until_true 60 is_read_only || fail "read-only: it is not: $(grep "$WORK" /proc/mounts)"
	disk_works
	umount "$WORK/logs" || fail "read-only: the file system is kept busy"
	e2fsck -fy $DISK > "$WORK/out" 2>&1
	[ $? -le 1 ] || fail "e2fsck: $(cat "$WORK/out")"
	mount $DISK "$WORK/logs" || fail "read-only: it can't be mounted again"
	kill -USR2 $daemon
	until_true 60 in_log 'type=DAEMON_RESUME .* res=success' || fail "read-only: it does not go on: $(cat "$WORK/said")"
	until_written "read-only, afterwards"
	doubt "read-only"
	end_calls
	until_true 60 is_idle
	stop
	check "read-only" gaps
	read_anew "read-only"
	no_disk
}

[ $# -gt 0 ] || set -- SYNC INCREMENTAL INCREMENTAL_ASYNC read-only
for case; do
	case $case in
	read-only) read_only ;;
	*) seconds_of_failure "$case" ;;
	esac
done
kernel_is_well
exit $failed
