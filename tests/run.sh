#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The tests, one after the other; a line each, and at the end how many passed, failed and were skipped.
#
#   run.sh [BUILD-FOLDER [NAME…]]    only tests whose name begins with one of these: unit/, sanitize/system/oracle, …
#
# A test is a command: exit 0 = passed, 77 = skipped for the reason in its last line, else failed. What each wrote is kept in
# BUILD-FOLDER/check. Limits of time are for hangs only: 600 s, or what a script says in a line '# timeout: SECONDS'.
# ALL_KERNELS: if it is not empty, every VM test runs on every kernel, not only on those of its line '# kernels: …'.
# FUZZ_SECONDS: how long each fuzz target runs (60).
cd "$(dirname "$0")/.." || exit 1
B=${1:-build}
[ $# = 0 ] || shift
names=$*
logs=$B/check
FUZZ_SECONDS=${FUZZ_SECONDS:-60}
passed=0 failed=0 skipped=0 running= lanes=
unset MAKEFLAGS MFLAGS MAKELEVEL
export B LAF LC_ALL=C
export UBSAN_OPTIONS=print_stacktrace=1

chosen() {
	[ -n "$names" ] || return 0
	for begin in $names; do
		case $1 in "$begin"*) return 0 ;; esac
	done
	return 1
}

# Is any test of a group asked for?
group_chosen() {
	[ -n "$names" ] || return 0
	for begin in $names; do
		case $begin in "$1"*) return 0 ;; esac
	done
	return 1
}

stop() {
	[ -z "$running$lanes" ] || kill -TERM $running $lanes 2> /dev/null
	wait
	echo "interrupted"
	exit 130
}
trap stop INT TERM HUP

# timeout in the background and a wait: only so does a signal reach the trap at once.
run_limited() {
	timeout -k 10 "$@" > "$log" 2>&1 < /dev/null &
	running=$!
	wait "$running"
	status=$?
	running=
}

say() {
	printf '%-4s %s (%d s)%s\n' "$1" "$name" $(($(date +%s) - start)) "${2:+: $2}"
}

# one NAME SECONDS COMMAND…
one() {
	chosen "$1" || return 0
	always "$@"
}

always() {
	name=$1 limit=$2
	shift 2
	log=$logs/$(echo "$name" | tr '/ ' '--').log
	start=$(date +%s)
	run_limited "$limit" "$@"
	case $status in
	0) passed=$((passed + 1)) && say ok ;;
	77) skipped=$((skipped + 1)) && say skip "$(tail -n 1 "$log" | sed 's/^skipped: //')" ;;
	*)
		failed=$((failed + 1))
		[ $status != 124 ] || echo "stopped: it ran for longer than $limit s" >> "$log"
		say FAIL "exit status $status; the end of $log:"
		tail -n 100 "$log" | sed 's/^/    /'
		;;
	esac
	return $status
}

build() {
	built=$1
	shift
	always "$built" 900 make -j"$(nproc)" B="$B" "$@"
}

units() {
	for test in tests/unit/test_*.c; do
		test=$(basename "$test" .c)
		one "$1unit/$test" "$2" "$3/tests/unit/$test"
	done
}

limit_of() {
	limit=$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$1")
	echo "${limit:-$2}"
}

systems() {
	for test in tests/system/*.sh; do
		[ -x "$test" ] || continue
		one "$1system/$(basename "$test" .sh)" "$(limit_of "$test" 600)" "$test"
	done
}

# Is this kernel one that the test is for?
is_for() {
	kernels=$(sed -n 's/^# kernels: //p' "$2")
	[ -z "$kernels" ] || [ -n "$ALL_KERNELS" ] || case " $kernels " in *" $1 "*) ;; *) return 1 ;; esac
}

# Every second of the tests in the machine of each kernel.
machine_lane() {
	n=0 passed=0 failed=0 skipped=0
	for kernel in $(awk '/^[0-9]/ { print $1 }' tests/vm/kernels); do
		for test in tests/vm/*.sh; do
			[ -x "$test" ] && is_for "$kernel" "$test" || continue
			n=$((n + 1))
			[ $((n % 2)) = "$1" ] || continue
			one "vm/$kernel/$(basename "$test" .sh)" "$(limit_of "$test" 1200)" env KERNEL="$kernel" "$test"
		done
	done
	echo "$passed $failed $skipped" > "$logs/lane-$1"
}

# Two machines at a time: each takes one processor.
machines() {
	for lane in 0 1; do
		machine_lane $lane &
		lanes="$lanes $!"
	done
	# shellcheck disable=SC2086 # words
	wait $lanes
	lanes=
	while read -r p f s; do
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	done <<-END
		$(cat "$logs"/lane-*)
	END
}

# The corpus without libFuzzer: every input that once mattered.
replay() {
	for target in tests/fuzz/fuzz_*.c; do
		target=$(basename "$target" .c)
		target=${target#fuzz_}
		one "$1replay/$target" 120 "$2/tests/fuzz/replay_$target" "tests/fuzz/corpus/$target"
	done
}

can_fuzz() {
	printf 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return 0; }' |
		"${CLANG:-clang}" -fsanitize=fuzzer,address,undefined -x c - -o "$logs/can-fuzz" 2> /dev/null
}

# What is found goes to $B/fuzz/found: only a person adds to the corpus in the tree.
fuzz() {
	for target in tests/fuzz/fuzz_*.c; do
		target=$(basename "$target" .c)
		target=${target#fuzz_}
		found=$B/fuzz/found/$target dictionary=
		mkdir -p "$found"
		[ ! -f "tests/fuzz/$target.dict" ] || dictionary=-dict=tests/fuzz/$target.dict
		one "fuzz/$target" $((FUZZ_SECONDS + 60)) "$B/fuzz/tests/fuzz/fuzz_$target" \
			-max_total_time="$FUZZ_SECONDS" -max_len=16384 -timeout=20 -rss_limit_mb=2048 \
			-error_exitcode=1 -print_final_stats=1 $dictionary -artifact_prefix="$logs/" \
			"$found" "tests/fuzz/corpus/$target"
	done
}

rm -rf "$logs"
mkdir -p "$logs"
case $B in /*) ;; *) B=$PWD/$B ;; esac
LAF=$B/laf

one lint 60 tests/lint.sh
build build all man tests replayers
units '' 120 "$B"
replay '' "$B"
systems ''
machines

if group_chosen sanitize/; then
	build sanitize/build SANITIZE=1 all tests replayers
	units sanitize/ 300 "$B/sanitize"
	replay sanitize/ "$B/sanitize"
	LAF=$B/sanitize/laf
	systems sanitize/
fi

if group_chosen fuzz/ && can_fuzz; then
	build fuzz/build FUZZ=1 fuzzers
	fuzz
elif group_chosen fuzz/; then
	always fuzz/all 10 sh -c 'echo "clang has no libFuzzer here (Debian: libclang-rt-14-dev)"; exit 77'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
