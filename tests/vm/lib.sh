# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers of the VM tests; a test sources this file first. It is started here with KERNEL in its environment, and
# starts itself again in the machine: what stands behind in_machine runs there, as root, in /laf. ENGINE goes with
# it (tracepoint).
#
# A test's own options for the machine are in MACHINE, its settings in SETTINGS (N=100). SECONDS_MAX: it is ended after so
# many seconds (1,170). That is for what hangs, never for what is slow: a loaded host makes the machine many times slower.

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	echo "FAILED: $*"
	failed=1
}

# in_machine "$@": the test and its arguments, in the machine
in_machine() {
	[ -z "$IN_MACHINE" ] || return 0
	cd "$(dirname "$0")/../.." || exit 1
	[ -n "$KERNEL" ] || { echo "$0: KERNEL is not set: one of tests/vm/kernels" && exit 2; }
	# shellcheck disable=SC2086 # words
	exec tests/vm/run "$KERNEL" --timeout "${SECONDS_MAX:-1170}" $MACHINE -- env IN_MACHINE=1 KERNEL="$KERNEL" \
		ENGINE="${ENGINE:-tracepoint}" ${KNOWN:+KNOWN=$KNOWN} $SETTINGS B=build LAF=build/laf LC_ALL=C "tests/vm/${0##*/}" "$@"
}

# Nothing that went wrong in the kernel goes unseen.
kernel_is_well() {
	dmesg | grep -E 'WARNING:|BUG:|Oops|Call Trace|blocked for more than|stall' && fail "the kernel complains"
}
