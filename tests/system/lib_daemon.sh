# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers of the tests that run a daemon with a flood beside it; sourced after lib.sh, when there is a $WORK.
daemon=
LOG=$WORK/logs/log
RULE="-a always,exit -F arch=b64 -S open -F exe=$(realpath "$BIN/flood")"
RECORDS=SYSCALL,CWD,PATH,PROCTITLE
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; end_work' EXIT

# said TEXT: the daemon has said so
said() {
	grep -q -- "$1" "$WORK/said"
}

# configure SETTING…: these beside the necessary
configure() {
	printf '%s\n' "log_file = $LOG" 'log_format = RAW' "rules_file = $WORK/rules" 'kernel_records = no' \
		'ring_kib = 65536' ${ENGINE:+"engine = $ENGINE"} "$@" > "$WORK/conf.new"
	chmod 600 "$WORK/conf.new"
	mv "$WORK/conf.new" "$WORK/conf"
}

# The daemon as it is configured, with $BEFORE in front of it.
launch() {
	$BEFORE "$LAF" daemon -c "$WORK/conf" > "$WORK/out" 2> "$WORK/said" &
	daemon=$!
}

# start SETTING…: the same, with its configuration, until it runs
start() {
	echo "$RULE" > "$WORK/rules"
	chmod 600 "$WORK/rules"
	configure "$@"
	launch
	until_true 20 in_log 'type=DAEMON_START ' || { fail "the daemon does not start: $(cat "$WORK/said")"; exit 1; }
}

# flood SECONDS [RATE]: of calls a second, of each of two; else as many as they can
flood() {
	"$BIN/flood" "$1" 2 "$WORK/file" $2 > "$WORK/made" || fail "the flood"
}

ticks() {
	awk '{ print $14 + $15 }' /proc/$daemon/stat
}

# The daemon has nothing more to do: what was made before is read out of the rings.
is_idle() {
	before=$(ticks)
	sleep 0.2
	[ $(($(ticks) - before)) -le 1 ]
}

# stop: it ends well, and what it counts adds up
stop() {
	kill -TERM $daemon
	wait $daemon
	status=$?
	daemon=
	[ $status = 0 ] || fail "exit status $status: $(cat "$WORK/said")"
	! said 'do not add up' || fail "$(cat "$WORK/said")"
	events=$(sed -n 's/^laf: \([0-9]*\) events, .*/\1/p' "$WORK/said")
	lost=$(sed -n 's/^laf: .* \([0-9]*\) lost.*, engine .*/\1/p' "$WORK/said")
}

# The log files, oldest first.
log_files() {
	for file in $(ls "$LOG".* 2> /dev/null | sed -n 's/.*\.\([0-9]*\)\(\.zst\)\{0,1\}$/\1/p' | sort -rnu); do
		if [ -e "$LOG.$file" ]; then echo "$LOG.$file"; else echo "$LOG.$file.zst"; fi
	done
	echo "$LOG"
}

# join: the text of all of them, in order, to $WORK/all
join() {
	log_files | while read -r file; do
		case $file in
		*.zst) zstd -qdc "$file" ;;
		*) cat "$file" ;;
		esac
	done > "$WORK/all"
}

# check WHAT [gaps]: what is in the files, what was made ($WORK/made) and what the daemon said at its end agree
check() {
	what=$1
	shift
	join
	"$BIN/flood_check" "$WORK/all" "$WORK/made" $RECORDS "$@" > "$WORK/found" || fail "$what: $(cat "$WORK/found")"
	set -- $(sed -n 's/^made \([0-9]*\), written \([0-9]*\), .* \([0-9]*\), lost \([0-9]*\)$/\1 \2 \3 \4/p' "$WORK/found")
	echo "$what: $1 events made, $2 in $(log_files | wc -l) files, $lost lost"
	[ "$2" = "$events" ] || fail "$what: $2 events in the log, but: $(cat "$WORK/said")"
	[ $(($2 + lost)) = "$1" ] || fail "$what: $1 made, $2 written, but: $(cat "$WORK/said")"
	[ "$4" = "$lost" ] || fail "$what: the log's DAEMON_ERR tell of $4 lost, but: $(cat "$WORK/said")"
}
