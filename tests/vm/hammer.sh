#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Four processes make one audited call as fast as they can, on two processors, under each way in which the kernel
# preempts: by the engine that laf takes then, every call is in the log. The fexit engine, where it should not be
# taken, says how much it lost; the name hooks of the tracepoint engine lose no event, but names, and it says of
# how many.
# kernels: 6.1 6.18
. "$(dirname "$0")/lib.sh"
SETTINGS="COUNT=${COUNT:-2500}"
in_machine "$@"
. tests/system/lib.sh
make_work
failed=0
lossy=
MODEL=/sys/kernel/debug/sched/preempt
HAMMER=$(realpath "$BIN/hammer")
LOG=$WORK/log
made=$((4 * COUNT))
echo > "$WORK/file"

wait_for_line() {
	tries=0
	until grep -qs "$1" "$LOG"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		kill -0 "$daemon" 2> /dev/null || return 1
		sleep 0.1
	done
}

# hammer CALL [ENGINE]: what the daemon recorded is in $LOG, what it said in $WORK/said.
hammer() {
	rm -f "$LOG"
	printf '%s\n' "log_file = $LOG" 'log_format = RAW' 'kernel_records = no' "rules_file = $WORK/rules" \
		${2:+"engine = $2"} > "$WORK/conf"
	echo "-a always,exit -F arch=b64 -S $1 -F exe=$HAMMER" > "$WORK/rules"
	chmod 600 "$WORK/conf" "$WORK/rules"
	"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
	daemon=$!
	wait_for_line '^type=DAEMON_START ' || fail "the daemon does not start: $(cat "$WORK/said")"
	"$HAMMER" "$1" "$COUNT" 4 "$WORK/file" || fail "hammer $1: exit status $?"
	kill $daemon
	wait $daemon || fail "the daemon's exit status is $?: $(cat "$WORK/said")"
	said=$(tail -n 1 "$WORK/said")
	events=$(grep -c '^type=SYSCALL ' "$LOG")
	lost=$(echo "$said" | sed 's/.* \([0-9]*\) lost.*/\1/')
	partial=$(echo "$said" | sed -n 's/.* \([0-9]*\) events lack a detail.*/\1/p')
	inodes=$(grep -c '^type=PATH .* inode=' "$LOG")
	echo "$model, $1: $made calls; $said"
}

# all_there ENGINE: every call is in the log, by this engine
all_there() {
	case $said in
	*" engine $1") ;;
	*) fail "$model: the engine should be $1: $said" ;;
	esac
	[ "$events" = $made ] && [ "$lost" = 0 ] || fail "$model: $events of $made events, $lost said to be lost"
}

# Under a model that lets tasks be preempted inside programs.
preempted() {
	hammer getsid
	all_there tracepoint
	hammer stat
	all_there tracepoint
	case $KERNEL in
	6.1) [ "$inodes" = 0 ] || fail "$model: inodes, without a way to tell when one was missed" ;;
	*) [ $((inodes + ${partial:-0})) = $made ] ||
		fail "$model: $inodes names have their inode, ${partial:-0} are said to lack it" ;;
	esac
	hammer stat fexit
	[ $((events + lost)) -ge $made ] || fail "$model, fexit: $events events, and only $lost said to be lost"
	[ "$events" = $made ] || lossy=1
}

[ -w $MODEL ] || skip "the kernel's preemption can't be changed"
for model in $(tr -d '()' < $MODEL); do
	case $model in none) continue ;; esac
	echo "$model" > $MODEL
	if [ "$model" = voluntary ]; then
		hammer stat
		all_there fexit
		[ "$inodes" = $made ] || fail "$model: $inodes names have their inode"
	else
		preempted
	fi
done
[ -n "$lossy" ] || fail "the fexit engine lost nothing where it should: this tells nothing of what it counts"
kernel_is_well
exit $failed
