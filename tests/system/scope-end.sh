#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How laf run ends: with the command's status, after its last descendant; what ^C, SIGTERM and SIGHUP do
# before and after the command's own end.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need setsid env
make_work
failed=0
LAF=$(realpath "$LAF")
RULE='-a always,exit -F arch=b64 -S execve,exit_group'

laf_run() {
	"$LAF" run ${ENGINE:+--engine "$ENGINE"} -o "$WORK/log" $RULE -- "$@" 2> "$WORK/said"
}

# ends_with STATUS COMMAND…
ends_with() {
	want=$1
	shift
	laf_run "$@"
	status=$?
	[ $status = "$want" ] || fail "$*: exit status $status, not $want: $(cat "$WORK/said")"
	grep -q '^laf: ' "$WORK/said" || fail "$*: laf said nothing"
}

statuses() {
	echo 'exit 4' > "$WORK/plain"
	echo 'exit 5' > "$WORK/nobody"
	printf '#!/no/such/interpreter\n' > "$WORK/orphan"
	printf '\177ELFrubbish' > "$WORK/rubbish"
	chmod +x "$WORK/plain" "$WORK/orphan" "$WORK/rubbish"
	ends_with 0 true
	ends_with 3 sh -c 'exit 3'
	ends_with 255 sh -c 'exit 255'
	ends_with 4 "$WORK/plain" # no #!: a shell's script, as shells do
	ends_with 127 no-such-command
	ends_with 127 "$WORK/no/such/file"
	ends_with 127 "$WORK/orphan"
	ends_with 126 "$WORK/nobody" # not executable
	ends_with 126 "$WORK"
	for signal in 1 2 3 9 11 13 14 15; do
		ends_with $((128 + signal)) sh -c "ulimit -c 0; kill -$signal \$\$"
	done
}

deadline() {
	tries=0
}

# again CONDITION-TEXT: a short pause, false after 20 s
again() {
	tries=$((tries + 1))
	[ $tries -lt 1000 ] || { fail "$1: not within 20 s"; return 1; }
	sleep 0.02
}

# In the background as a terminal starts a job: a process group of its own, signals as usual. Sets $laf, its
# pid and group.
start() {
	rm -f "$WORK"/ready "$WORK"/pid "$WORK"/got
	(
		cd "$WORK" || exit 1
		exec setsid env --default-signal=INT,QUIT,TERM,HUP,PIPE "$LAF" run ${ENGINE:+--engine "$ENGINE"} \
			-o "$WORK/log" $RULE -- sh -c "$1" 2> "$WORK/said"
	) &
	laf=$!
	deadline
	while [ ! -e "$WORK/ready" ] && again "starting: $1"; do :; done
}

# end_is STATUS WHAT: laf ends by itself, with that status
end_is() {
	deadline
	while kill -0 $laf 2> /dev/null && again "$2: the end"; do :; done
	kill -9 $laf 2> /dev/null
	wait $laf
	status=$?
	[ $status = "$1" ] || fail "$2: exit status $status, not $1: $(cat "$WORK/said")"
	grep -q '^laf: .* 0 lost' "$WORK/said" || fail "$2: no closing line: $(cat "$WORK/said")"
	[ ! -e "$WORK/pid" ] || kill -9 "$(cat "$WORK/pid")" 2> /dev/null
}

# is_gone PID: it ended, though its parent may not have asked yet
is_gone() {
	[ ! -d "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2> /dev/null
}

before_the_end() {
	start 'echo > ready; exec sleep 60'
	kill -INT -$laf
	end_is 130 '^C on a command that does not care'
	start 'trap "echo > got; exit 5" INT; echo > ready; while :; do sleep 0.02; done'
	kill -INT -$laf
	end_is 5 '^C on a command that does'
	[ -e "$WORK/got" ] || fail "the command did not get ^C"
	start 'trap "" INT; echo > ready; while [ ! -e got ]; do sleep 0.02; done; exit 6'
	kill -INT -$laf
	kill -INT -$laf
	echo > "$WORK/got"
	end_is 6 '^C on a command that ignores it'
	for signal in TERM HUP; do
		start 'trap "echo > got; exit 7" TERM HUP; echo > ready; while :; do sleep 0.02; done'
		kill -$signal $laf
		end_is 7 "SIG$signal to laf"
		[ -e "$WORK/got" ] || fail "laf did not pass on SIG$signal"
	done
	start 'echo > ready; exec sleep 60'
	kill -TERM $laf
	end_is 143 'SIGTERM to laf'
}

# The command ends and leaves a process behind: laf waits for it, until it is told not to.
leave='sleep 60 & echo $! > pid; echo $$ > ready; exit 4'

after_the_end() {
	for signal in INT TERM HUP; do
		start "$leave"
		deadline
		while ! is_gone "$(cat "$WORK/ready")" && again "the command's end"; do :; done
		kill -0 $laf || fail "laf did not wait for what the command left behind"
		# it may not have seen the command's end yet
		deadline
		while kill -$signal $laf 2> /dev/null && again "SIG$signal after the command's end"; do :; done
		end_is 4 "SIG$signal after the command's end"
	done
	# one ^C ends the command; what it leaves behind is still waited for, and recorded
	start 'trap "exit 8" INT; (trap "" INT; while [ ! -e got ]; do sleep 0.02; done; exec sh -c "exit 77") &
		echo $! > pid; echo > ready; while :; do sleep 0.02; done'
	kill -INT -$laf
	deadline
	while ! grep -q 'syscall=231 a0=8 ' "$WORK/log" && again "the command's end in the log"; do :; done
	echo > "$WORK/got"
	end_is 8 "^C on a command with a descendant that ignores it"
	grep -q 'syscall=231 a0=4d ' "$WORK/log" || fail "laf did not wait after ^C"
}

statuses
before_the_end
after_the_end
exit $failed
