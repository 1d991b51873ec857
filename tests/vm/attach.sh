#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The fexit engine's programs come and go under load, by rules and with whole engines: nothing crashes, the kernel
# complains of nothing, and what was taken is given back.
#
# ATTACH_TIMES: how often the rules change (12).
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
ENGINE=fexit
MACHINE="--append preempt=voluntary"
SETTINGS="ATTACH_TIMES=${ATTACH_TIMES:-12}"
in_machine "$@"
failed=0
TEST=build/tests/unit/test_attach
export ENGINE

objects() {
	for kind in prog map link; do
		bpftool $kind show | grep -c '^[0-9]'
	done | tr '\n' ' '
}

# KiB of the kernel's own, and what is free
memory() {
	sync
	echo 3 > /proc/sys/vm/drop_caches
	awk '/^(Slab|VmallocUsed|Percpu):/ { used += $2 } /^MemAvailable:/ { free = $2 } END { print used, free }' /proc/meminfo
}

# given_back OBJECTS USED FREE: what the kernel frees late, it frees within seconds. What is free goes up or down by 25 MiB
# when nothing is kept; a bound on it is for pages that no counter of `memory` knows, as those of two rings that stay.
given_back() {
	tries=0
	while [ $tries -lt 20 ]; do
		now=$(objects)
		set -- "$1" "$2" "$3" $(memory)
		[ "$now" = "$1" ] && [ "$4" -le $(($2 + 1024)) ] && [ "$5" -ge $(($3 - 49152)) ] && return 0
		tries=$((tries + 1))
		sleep 1
	done
	return 1
}

times=$ATTACH_TIMES
ATTACH_TIMES=8 $TEST > /tmp/out 2>&1 || fail "$(cat /tmp/out)"
sleep 2
before=$(objects)
set -- $(memory)
start=$(date +%s)
ATTACH_TIMES=$times $TEST > /tmp/out 2>&1 || fail "$(cat /tmp/out)"
grep -q "^$times times" /tmp/out || fail "it was skipped"
took=$(($(date +%s) - start))
given_back "$before" "$1" "$2" || fail "programs, maps, links: $before before, $(objects) after"
echo "$times changes in $took s; programs, maps, links: $before; KiB used by the kernel, and free: $* before, $(memory) after"
kernel_is_well
exit $failed
