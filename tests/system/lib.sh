# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers shared by the system tests; a test sources this file first.
#
# From the environment: B, the build folder; LAF, the command under test.
B=${B:-build}
LAF=${LAF:-$B/laf}
BIN=$B/tests/system
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C
# What -f 2 asks is not for the machine that the tests run on.
export LAF_SYSRQ=${LAF_SYSRQ:-/dev/null}
# A test that must not run beside a user of the kernel's audit takes the same lock as oracle_kaudit.
KAUDIT_LOCK=${LAF_KAUDIT_LOCK:-/run/lock/laf-kaudit.lock}

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	echo "FAILED: $*"
	failed=1
}

need_root() {
	[ "$(id -u)" = 0 ] || skip "needs root"
}

# Programs that come with the machine, and ours.
need() {
	for program; do
		command -v "$program" > /dev/null || skip "needs $program"
	done
}

need_laf() {
	[ -x "$LAF" ] || skip "$LAF is not built"
}

# With what a daemon that was killed left in the kernel; it may take a moment to die.
end_work() {
	tries=0
	while [ -S "$LAF_RUN/control" ] && ! "$LAF" cleanup > /dev/null 2>&1 && [ $tries -lt 50 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	umount "$LAF_RUN/bpf" 2> /dev/null
	rm -rf "$WORK"
}

# A folder of the test's own in $WORK, removed at the end whatever happens.
make_work() {
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/laf-test-XXXXXX") || exit 1
	chmod 755 "$WORK"
	export LAF_RUN=$WORK/run # daemons of this test and their clients meet there
	trap end_work EXIT
	trap 'exit 130' INT TERM HUP
}

# A /dev of our own: that of others may have a system log.
own_devices() {
	mount -t tmpfs tmpfs /dev
	mknod -m 666 /dev/null c 1 3
	mknod -m 666 /dev/zero c 1 5
	mknod -m 666 /dev/urandom c 1 9
	ln -s /proc/self/fd /dev/fd
}

# until_true SECONDS COMMAND…: again and again, until it succeeds
until_true() {
	tries=$(($1 * 50))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.02
	done
}

# Is there such a line in the daemon's log, $LOG?
in_log() {
	grep -qs -- "$1" "$LOG"
}

# make_auditd FORMAT LOG: the configuration of an auditd that only writes, in $WORK/auditd. One that is kept from reading for half a second
# gets what the kernel put aside meanwhile behind the last record, or never: hence its priority.
make_auditd() {
	mkdir -p "$WORK/auditd/plugins"
	cat > "$WORK/auditd/auditd.conf" <<-END
		log_file = $2
		log_format = $1
		log_group = root
		flush = NONE
		priority_boost = 19
		max_log_file_action = IGNORE
		space_left = 3
		space_left_action = IGNORE
		admin_space_left = 2
		admin_space_left_action = IGNORE
		disk_full_action = IGNORE
		plugin_dir = $WORK/auditd/plugins
	END
	chmod 640 "$WORK/auditd/auditd.conf"
}
