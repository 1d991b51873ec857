#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A daemon takes over from one of another version, by turns killed and told to keep recording, while calls are made all the time: at the
# end the log holds each of them once, in order, but for those that it counts lost, and nothing of the other version is left. One whose
# events it could not read it leaves alone, and says what to do.
#
# The other version is a copy of the command in which a name within the BPF object is another one; or the number of the layout.
# A call that is under way then is in the log, too; but not from fexit to fexit, where the kernel runs no program at its end: the log says so.
# TURNS: how often (3). RATE: calls a second (4000). ENGINE, OTHER_ENGINE: of the two versions.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
daemon= flood= sleeper=
trap '[ -z "$flood" ] || kill -TERM $flood; [ -z "$sleeper" ] || kill $sleeper 2> /dev/null; [ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; end_work' EXIT
TURNS=${TURNS:-3} RATE=${RATE:-4000} OTHER_ENGINE=${OTHER_ENGINE:-$ENGINE}
LOG=$WORK/log
echo > "$WORK/file"
cp "$(command -v sleep)" "$WORK/sleeper"
printf '%s\n' "-a always,exit -F arch=b64 -S open -F exe=$(realpath "$BIN/flood") -k flood" \
	"-a always,exit -F arch=b64 -S clock_nanosleep -F exe=$WORK/sleeper -k sleeper" > "$WORK/rules"

# variant NAME FROM TO: a version in which each FROM is TO, as long
variant() {
	sed "s/$2/$3/g" "$LAF" > "$WORK/$1"
	chmod 755 "$WORK/$1"
	! cmp -s "$LAF" "$WORK/$1" || fail "there is no $2 in $LAF"
}

# configure NAME ENGINE
configure() {
	printf '%s\n' "log_file = $LOG" 'log_format = RAW' 'max_log_file_action = ignore' "rules_file = $WORK/rules" \
		'kernel_records = no' ${2:+"engine = $2"} > "$WORK/$1.conf"
	chmod 600 "$WORK/$1.conf" "$WORK/rules"
}

# start NAME: that version
start() {
	"$WORK/$1" daemon -c "$WORK/$1.conf" 2> "$WORK/said" &
	daemon=$!
	until_true 60 has_started || { fail "$1 does not start: $(cat "$WORK/said")"; exit 1; }
}

has_started() {
	grep -qa "^type=DAEMON_START .* pid=$daemon " "$LOG" 2> /dev/null || ! kill -0 $daemon 2> /dev/null
}

sets() {
	find "$LAF_RUN/bpf" -mindepth 1 -maxdepth 1 -name 'layout-*' | wc -l
}

has_one_set() {
	[ "$(sets)" = 1 ]
}

taken_over() {
	grep -ca "^type=DAEMON_CONFIG .*: op=take-over from=layout-.* under-way=$under_way " "$LOG"
}

# in its call, which has begun before what follows
sleeps() {
	grep -q nanosleep "/proc/$sleeper/wchan" "/proc/$sleeper/stack" 2> /dev/null
}

has_slept() {
	grep -qa "^type=SYSCALL .* pid=$sleeper .* key=\"sleeper\"" "$LOG"
}

# the log without the calls of sleepers, and without what belongs to them
flood_log() {
	sed -n 's/^type=SYSCALL msg=audit(\([^)]*\)).* key="sleeper".*/\1/p' "$LOG" > "$WORK/slept"
	grep -avFf "$WORK/slept" "$LOG" > "$WORK/flood.log"
}

# end TURN: by turns killed, and asked
end() {
	if [ $(($1 % 2)) = 1 ]; then
		kill -9 $daemon
	else
		"$WORK/new" daemon stop --keep || fail "stop --keep: exit status $?"
	fi
	wait $daemon 2> /dev/null
}

under_way=recorded most_missing=0
if [ "$ENGINE$OTHER_ENGINE" = fexitfexit ]; then
	under_way=missing most_missing=$((2 * TURNS)) # a call of each of the flood's two; while calls of anybody that no rule wants count as missed
fi
variant old laf_sights laf_eights
ln -s "$(realpath "$LAF")" "$WORK/new"
configure new "$ENGINE"
configure old "$OTHER_ENGINE"
configure foreign "$ENGINE"

start old
! grep -q 'pinning its programs' "$WORK/said" || skip "$(grep 'pinning its programs' "$WORK/said")"
"$BIN/flood" 100000 2 "$WORK/file" $((RATE / 2)) > "$WORK/made" &
flood=$!
for i in $(seq "$TURNS"); do
	"$WORK/sleeper" 300 &
	sleeper=$!
	until_true 60 sleeps
	sleep "0.$((RANDOM % 9))"
	end "$i"
	sleep "0.$((RANDOM % 5))"
	if [ $((i % 2)) = 1 ]; then start new; else start old; fi
	kill -0 $daemon 2> /dev/null || { fail "turn $i: $(cat "$WORK/said")"; exit 1; }
	kill -TERM $sleeper
	[ $under_way = missing ] || until_true 60 has_slept || fail "turn $i: a call that began before is not there"
done
[ "$(taken_over)" = "$TURNS" ] || fail "the log tells of $(taken_over) times, not $TURNS"
until_true 60 has_one_set || fail "$(sets) sets are there, not one"
kill -9 $daemon
wait $daemon 2> /dev/null

layout=$(basename "$LAF_RUN/bpf/layout-"*)
layout=${layout%-*}
variant foreign "$layout-" "${layout%?}0-"
"$WORK/foreign" daemon -c "$WORK/foreign.conf" 2> "$WORK/refused" && fail "a version of another layout starts"
grep -q "a version whose events this one can't read.*'laf daemon stop'.*'laf cleanup'" "$WORK/refused" ||
	fail "it says: $(cat "$WORK/refused")"
start new
kill -TERM $flood
wait $flood || fail "the flood: exit status $?"
flood=
"$LAF" daemon stop || fail "stop: exit status $?"
wait $daemon || fail "exit status $?: $(cat "$WORK/said")"
daemon=
! grep 'do not add up' "$WORK/said" || fail "the counts"
left=$(find "$LAF_RUN/bpf" -type f ! -name '*.debug' 2> /dev/null; find "$LAF_RUN" -name 'layout-*')
[ -z "$left" ] || fail "something is left: $left"
[ $under_way = missing ] || [ "$(grep -ca '^type=SYSCALL .* key="sleeper"' "$LOG")" = "$TURNS" ] || fail "not $TURNS calls that began before"
flood_log
"$BIN/flood_check" "$WORK/flood.log" "$WORK/made" SYSCALL,CWD,PATH,PROCTITLE gaps > "$WORK/found" || fail "$(cat "$WORK/found")"
cat "$WORK/found"
set -- $(sed -n 's/^made \([0-9]*\), written \([0-9]*\), .*, lost \([0-9]*\)$/\1 \2 \3/p' "$WORK/found")
missing=$(($1 - $2 - $3))
[ $under_way = missing ] && [ $missing -lt 0 ] && missing=0
[ $missing -ge 0 ] && [ $missing -le $most_missing ] || fail "of $1 calls $2 are in the log and $3 counted lost: $missing too few"
exit $failed
