#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An audited task costs the kernel 4 KiB, and never 8: what 500 tasks take with their first audited call.
# kernels: 6.1 6.18
. "$(dirname "$0")/lib.sh"
in_machine "$@"
failed=0
tasks=500
limit=6144 # what is kept of slabs between two looks comes to it, or is missing
work=/run/memory
mkdir -p $work
echo '-a always,exit -F arch=b64 -S openat -k memory' > $work/rules
chmod 600 $work/rules

# daemon ENGINE
daemon() {
	rm -f $work/log
	printf '%s\n' "log_file = $work/log" "rules_file = $work/rules" 'kernel_records = no' "engine = $1" > $work/conf
	chmod 600 $work/conf
	"$LAF" daemon -c $work/conf 2> $work/said &
	daemon=$!
	until grep -qs DAEMON_START $work/log; do
		sleep 0.2
		kill -0 $daemon || break
	done
}

none=$("$B/tests/system/task_memory" $tasks)
echo "without audit: $none bytes a task"
for engine in tracepoint fexit; do
	daemon $engine
	bytes=$("$B/tests/system/task_memory" $tasks)
	kill $daemon
	wait $daemon || fail "$engine: the daemon's exit status is $?: $(cat $work/said)"
	echo "$engine: $bytes bytes a task; $(cat $work/said)"
	[ "$bytes" -gt $((none + 2048)) ] || fail "$engine: nothing was taken: the tasks were not audited"
	[ $((bytes - none)) -lt $limit ] || fail "$engine: not less than $limit"
done
kernel_is_well
exit $failed
