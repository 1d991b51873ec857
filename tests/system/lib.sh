# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers shared by the system tests; a test sources this file first.
#
# From the environment: B, the build folder; LAF, the command under test.
B=${B:-build}
LAF=${LAF:-$B/laf}
BIN=$B/tests/system
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C
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

# A folder of the test's own in $WORK, removed at the end whatever happens.
make_work() {
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/laf-test-XXXXXX") || exit 1
	chmod 755 "$WORK"
	export LAF_RUN=$WORK/run # daemons of this test and their clients meet there
	trap 'rm -rf "$WORK"' EXIT
	trap 'exit 130' INT TERM HUP
}
