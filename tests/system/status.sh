#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# laf status in its three forms: they say the same, each in its own grammar; rates, log, plugins and the last error are what they are.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
echo > "$WORK/file"
PLUGINS=$WORK/plugins.d
mkdir "$PLUGINS"
ODD=$(printf 'q"u\\o}=\377te') # a name that has to be quoted, and is no UTF-8

# plugin NAME COMMANDS…: a program of that name, and its configuration
plugin() {
	printf '%s\n' '#!/bin/sh' "$2" > "$WORK/$3"
	chmod 755 "$WORK/$3"
	printf '%s\n' 'active = yes' 'direction = out' "path = $WORK/$3" > "$PLUGINS/$1.conf"
	chmod 640 "$PLUGINS/$1.conf"
}

# of_now NAME: its line in the text form that was printed last
of_now() {
	begin=$(printf '%-24s .' "$1")
	sed -n "s/^${begin%.}//p" "$WORK/now"
}

# value NAME: the same, asked for anew
value() {
	"$LAF" status > "$WORK/now"
	of_now "$1"
}

has_value() {
	[ "$(value "$1")" = "$2" ]
}

# The names of numbers in the three forms are the same, and so are those that do not change.
agree() {
	"$LAF" status > "$WORK/text"
	"$LAF" status --json > "$WORK/json"
	"$LAF" status --prometheus > "$WORK/metrics"
	if command -v python3 > /dev/null; then
		python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$WORK/json" || fail "no JSON: $(cat "$WORK/json")"
	fi
	sed -n 's/^  "\([a-z_-]*\)": .*/\1/p' "$WORK/json" | tr _ ' ' > "$WORK/names"
	while read -r name; do
		grep -q "^$name" "$WORK/text" || fail "'$name' is in the JSON alone"
	done < "$WORK/names"
	[ "$(grep -c '"' "$WORK/json")" -ge "$(wc -l < "$WORK/text")" ] || fail "the JSON lacks something: $(cat "$WORK/json")"
	grep -aqF '"q\"u\\o}=?te.conf": "running"' "$WORK/json" || fail "an odd name: $(cat "$WORK/json")"
	grep -aqF 'laf_plugin_state_info{plugin="q\"u\\o}=?te.conf",plugin_state="running"} 1' "$WORK/metrics" || fail "an odd name: $(cat "$WORK/metrics")"
}

# Every line is a HELP, a TYPE or a sample; each metric's samples stand together behind its one HELP and TYPE; counters are named so.
metrics() {
	label='[a-z_]+="([^"\\]|\\["\\n])*"'
	grep -avE "^(# HELP laf_[a-z_]+ [^ ].*|# TYPE laf_[a-z_]+ (counter|gauge)|laf_[a-z_]+(\{$label(,$label)*\})? [0-9.]+)\$" "$WORK/metrics" &&
		fail "the lines above are no metrics"
	awk '$1 == "#" && $2 == "HELP" { if (seen[$3]++) print "twice: " $3; next }
		$1 == "#" { now = $3; if (($4 == "counter") != ($3 ~ /_total$/)) print "its name: " $0; next }
		{ sub(/[{ ].*/, ""); if ($0 != now) print "without a TYPE: " $0 }' "$WORK/metrics" > "$WORK/found"
	[ ! -s "$WORK/found" ] || fail "metrics: $(cat "$WORK/found")"
	# everything is in the table: what is not told to Prometheus is one sum
	[ $(($(grep -acv '^#' "$WORK/metrics") + 1)) = "$(wc -l < "$WORK/text")" ] ||
		fail "$(grep -acv '^#' "$WORK/metrics") metrics for $(wc -l < "$WORK/text") lines"
	grep -q '^laf_lost_total{cause="ring-full"} 0$' "$WORK/metrics" || fail "losses: $(cat "$WORK/metrics")"
}

# A flood of two of the ten seconds that are looked at; four records an event.
rates() {
	has_value 'events per second' 0.0 || fail "a rate before all: $("$LAF" status)"
	flood 2 1000
	until_true 5 is_idle
	made=$(awk '{ n += $2 } END { print n }' "$WORK/made")
	has_value events "$made" || fail "$made events, but $(value events)"
	set -- "$(of_now 'events per second')" "$(of_now 'records per second')" "$(of_now 'uptime seconds')"
	awk -v made="$made" -v events="$1" -v records="$2" -v up="$3" 'BEGIN {
		least = made / (up < 10 ? up + 1 : 11); exit !(events >= least * 0.95 && events <= made / 1.5 && records >= 3.9 * events && records <= 4.1 * events)
	}' || fail "$made events in a daemon's $3 seconds: $1 a second, $2 records"
	echo "$made events in the $3 s since the start: $1 events, $2 records a second"
	[ "$(value 'log bytes')" = "$(stat -c %s "$LOG")" ] || fail "the log has $(stat -c %s "$LOG") bytes, not $(value 'log bytes')"
	kill -USR1 $daemon
	until_true 5 has_value 'log rotations' 1 || fail "rotations: $(value 'log rotations')"
}

queues() {
	until_true 10 has_value 'plugin restarts dying.conf' 2 || fail "restarts: $("$LAF" status)"
	has_value 'plugin state dying.conf' 'given up' || fail "$("$LAF" status)"
	flood 0.3
	until_true 5 is_idle
	[ "$(value 'plugin waiting slow.conf')" -gt 0 ] && [ "$(value 'plugin lost slow.conf')" -gt 0 ] || fail "a slow plugin: $("$LAF" status)"
	has_value plugins 3 || fail "plugins: $("$LAF" status)"
	[ "$(value 'last error')" != - ] || fail "no error: $("$LAF" status)"
}

# write_logs = no from now on: what is recorded is counted, and no file grows
unwritten() {
	configure "plugin_dir = $PLUGINS" 'write_logs = no'
	kill -HUP $daemon
	until_true 5 has_value 'log state' off || fail "the log: $(value 'log state')"
	bytes=$(cat "$WORK"/logs/* | wc -c)
	so_far=$(value events)
	flood 0.3
	until_true 5 is_idle
	made=$(awk '{ n += $2 } END { print n }' "$WORK/made")
	has_value events $((so_far + made)) || fail "$made events after $so_far, but $(value events)"
	[ "$(cat "$WORK"/logs/* | wc -c)" = "$bytes" ] && has_value 'log bytes' 0 || fail "the log has grown by $(($(cat "$WORK"/logs/* | wc -c) - bytes)), and says $(value 'log bytes')"
}

plugin "$ODD" 'exec cat > /dev/null' odd
plugin slow 'exec sleep 100' slow
plugin dying 'exit 1' dying
start "plugin_dir = $PLUGINS" 'max_restarts = 1' 'q_depth = 100' 'max_log_file_action = ROTATE' 'num_logs = 3'
rates
agree
metrics
queues
unwritten
stop
exit $failed
