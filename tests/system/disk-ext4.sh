#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The daemon's log on a real file system, of 24 MiB: it gets full and has room again; it finds an error in itself, becomes read-only, is repaired
# and comes back. Nothing written is damaged, recording goes on, and the count is right.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need unshare mkfs.ext4 e2fsck findmnt
if [ -z "$DISK_INSIDE" ]; then
	# mounted where nobody else sees it
	DISK_INSIDE=1 exec unshare --mount "$0"
fi
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
mkdir -m 700 "$WORK/logs"
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; umount -l "$WORK/logs" 2> /dev/null; end_work' EXIT
echo > "$WORK/file"

mount_image() {
	mount -o loop,errors=remount-ro "$WORK/image" "$WORK/logs"
}

new_image() {
	truncate -s 0 "$WORK/image"
	truncate -s 24M "$WORK/image"
	mkfs.ext4 -q "$WORK/image" && mount_image || skip "no ext4 on a loop device here"
	chmod 700 "$WORK/logs"
}

full() {
	new_image
	start 'disk_full_action = SYSLOG'
	dd if=/dev/zero of="$WORK/logs/filler" bs=64k 2> /dev/null
	flood 0.3 10000
	until_true 5 said 'No space left\|no room left' || fail "full: $(cat "$WORK/said")"
	rm "$WORK/logs/filler"
	until_true 10 in_log 'op=lost-events state=end' || fail "full: the log does not say that loss ended"
	flood_more
	stop
	check "full" gaps
	[ "$lost" -gt 0 ] || fail "full: nothing was lost: this tells nothing"
	umount "$WORK/logs" || fail "full: umount"
}

# One more flood beside those in $WORK/made.
flood_more() {
	cp "$WORK/made" "$WORK/made-before"
	flood 0.05 20000
	cat "$WORK/made-before" >> "$WORK/made"
}

# With flush = SYNC what was written is on the disk: what is in the file system's memory alone goes with it.
read_only() {
	new_image
	start 'flush = SYNC' 'disk_error_action = SUSPEND'
	flood 0.05 20000
	until_true 10 is_idle
	trigger=/sys/fs/ext4/$(basename "$(findmnt -no SOURCE "$WORK/logs")")/trigger_fs_error
	[ -w "$trigger" ] || { echo "no $trigger: not tried"; return; }
	echo a-test > "$trigger"
	flood_more
	until_true 10 said '\(Read-only file system\|Input/output error\): writing is suspended' || fail "read-only: $(cat "$WORK/said")"
	until_true 10 is_idle
	umount "$WORK/logs" || fail "the file system is kept busy"
	e2fsck -fp "$WORK/image" > "$WORK/out" 2>&1
	[ $? -le 1 ] || fail "e2fsck: $(cat "$WORK/out")"
	mount_image || fail "it can't be mounted again"
	kill -USR2 $daemon
	until_true 10 in_log 'type=DAEMON_RESUME .* res=success' || fail "it does not go on: $(cat "$WORK/said")"
	flood_more
	stop
	check "an error, read-only, and repaired" gaps
}

full
read_only
exit $failed
