#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Plugins by auditd's protocol: what they get is what the log gets; slow, dying and dead ones never delay it; configuration anew;
# laurel, where it is installed, works unchanged.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
. "$(dirname "$0")/lib_daemon.sh"
echo > "$WORK/file"
PLUGINS=$WORK/plugins.d
READ=$(realpath "$BIN/plugin_read")
mkdir "$PLUGINS"

# script NAME: a program of standard input's
script() {
	{ echo '#!/bin/sh'; cat; } > "$WORK/$1"
	chmod 755 "$WORK/$1"
}

# plugin NAME LINE…: its configuration
plugin() {
	plugin=$1
	shift
	printf '%s\n' 'active = yes' 'direction = out' "$@" > "$PLUGINS/$plugin.conf"
	chmod 640 "$PLUGINS/$plugin.conf"
}

fresh() {
	rm -rf "$WORK/logs" "$PLUGINS"/* "$WORK"/got*
}

as_log() {
	grep -v 'type=EOE ' "$1" | cmp -s - "$LOG" ||
		fail "$2 got other lines than the log: $(grep -v 'type=EOE ' "$1" | diff - "$LOG" | head -n 4)"
}

formats() {
	fresh
	script string << END
exec cat > "$WORK/got-\$1-\$2"
END
	script binary << END
exec "$READ" binary > "$WORK/got-binary"
END
	plugin string "path = $WORK/string" 'type = always' 'args = one two' 'format = string'
	plugin binary "path = $WORK/binary" 'type = always' 'format = binary'
	plugin socket 'path = builtin_af_unix' 'type = builtin' "args = 0640 $WORK/socket" 'format = string'
	plugin inactive "path = $WORK/none"
	sed -i 's/active = yes/active = no/' "$PLUGINS/inactive.conf"
	plugin fault "path = $WORK/string" 'format = text'
	plugin other.rpmsave "path = $WORK/none"
	start 'q_depth = 99999' "plugin_dir = $PLUGINS" "$1"
	"$READ" string "$WORK/socket" > "$WORK/got-socket" &
	reader=$!
	[ "$(stat -c %a "$WORK/socket")" = 640 ] || fail "the socket's mode: $(stat -c %a "$WORK/socket")"
	said 'fault.conf:4:10: format is string or binary' || fail "a fault in a plugin's file: $(cat "$WORK/said")"
	sleep 0.1
	flood 0.02 100000
	stop
	wait $reader || fail "the socket's reader"
	[ ! -e "$WORK/socket" ] || fail "the socket is there after the end"
	until_true 5 grep -qs DAEMON_END "$WORK/got-one-two"
	as_log "$WORK/got-one-two" "the plugin"
	# its reader came after the first records
	grep -v 'type=\(EOE\|DAEMON_START\|CONFIG_CHANGE\) ' "$WORK/got-socket" > "$WORK/most"
	grep -v 'type=\(DAEMON_START\|CONFIG_CHANGE\) ' "$LOG" | cmp -s - "$WORK/most" || fail "$1: the socket's reader got other lines than the log"
	# by each event's last line
	[ "$(grep -c 'type=EOE ' "$WORK/got-one-two")" = "$events" ] || fail "$(grep -c 'type=EOE ' "$WORK/got-one-two") EOE, $events events"
	awk '/type=EOE/ { split($0, a, /[()]/); if (a[2] != last) bad = 1 } { split($0, a, /[()]/); last = a[2] } END { exit bad }' \
		"$WORK/got-one-two" || fail "EOE does not stand behind its event"
	case $1 in
	*RAW) sed 's/^type=\([A-Z_]*\) msg=/0 \1 /' "$LOG" ;;
	*) sed 's/^type=\([A-Z_]*\) /1 \1 type=\1 /' "$LOG" ;;
	esac | sed 's/ SYSCALL / 1300 /; s/ PATH / 1302 /; s/ CWD / 1307 /; s/ PROCTITLE / 1327 /; s/ CONFIG_CHANGE / 1305 /; s/ DAEMON_START / 1200 /; s/ DAEMON_END / 1201 /' \
		> "$WORK/want"
	until_true 5 grep -qs terminate "$WORK/got-binary"
	grep -v '^[01] 1320 ' "$WORK/got-binary" | cmp -s - "$WORK/want" ||
		fail "$1, binary: $(grep -v '^[01] 1320 ' "$WORK/got-binary" | diff - "$WORK/want" | head -n 4)"
	[ "$events" -gt 100 ] || fail "only $events events"
	echo "$1: $events events to a string, a binary and a socket's reader"
}

# One that reads nothing: the log has all, and the daemon ends in time.
slow() {
	fresh
	script slow << END
trap '' TERM
sleep 1000 & echo \$! > "$WORK/sleeper"
wait
END
	plugin slow "path = $WORK/slow"
	start "plugin_dir = $PLUGINS" 'q_depth = 1000'
	flood 0.3
	begin=$(date +%s)
	stop
	[ $(($(date +%s) - begin)) -le 60 ] || fail "a plugin that does not end held the daemon up for $(($(date +%s) - begin)) s"
	kill "$(cat "$WORK/sleeper")" 2> /dev/null
	check "a plugin that reads nothing"
	[ "$lost" = 0 ] || fail "$lost lost"
	[ "$(grep -c 'its queue is full' "$WORK/said")" = 1 ] || fail "overflow: $(cat "$WORK/said")"
}

dying() {
	fresh
	script dying << END
echo x >> "$WORK/got-starts"
exec head -n 2 > /dev/null
END
	plugin dying "path = $WORK/dying"
	plugin missing "path = $WORK/none"
	start "plugin_dir = $PLUGINS" 'max_restarts = 3'
	said "starting $WORK/none: No such file" || fail "a program that is missing: $(cat "$WORK/said")"
	flood 0.3
	until_true 5 said 'max_restarts is 3' || fail "restarts: $(cat "$WORK/said")"
	stop
	check "a plugin that dies"
	[ "$(wc -l < "$WORK/got-starts")" = 4 ] || fail "started $(wc -l < "$WORK/got-starts") times with max_restarts = 3"
}

# HUP: one goes, one comes, one stays and is told.
anew() {
	fresh
	script stays << END
trap 'echo hup >> "$WORK/got-hup"' HUP
echo start >> "$WORK/got-hup"
exec 3<&0
cat <&3 > "$WORK/got-stays" &
wait
wait
END
	script goes << END
cat > /dev/null
echo end >> "$WORK/got-goes"
END
	plugin stays "path = $WORK/stays"
	plugin goes "path = $WORK/goes"
	start "plugin_dir = $PLUGINS"
	until_true 5 test -s "$WORK/got-hup" || fail "it does not start"
	rm "$PLUGINS/goes.conf"
	plugin comes "path = $WORK/string" 'args = new one'
	kill -HUP $daemon
	until_true 5 grep -qs DAEMON_CONFIG "$WORK/got-new-one" || fail "a new plugin: $(cat "$WORK/said")"
	until_true 5 grep -qs hup "$WORK/got-hup" || fail "the one that stays is not told"
	kill -CONT $daemon
	until_true 5 grep -qs '^plugin comes.conf = running' "$LAF_RUN/state" || fail "the state: $(cat "$LAF_RUN/state")"
	[ "$(grep -c '^plugin ' "$LAF_RUN/state")" = 2 ] || fail "the state: $(cat "$LAF_RUN/state")"
	stop
	[ "$(grep -c start "$WORK/got-hup")" = 1 ] || fail "the one that stays was started again"
}


laurel() {
	[ -x /usr/sbin/laurel ] || return 0
	fresh
	mkdir -p "$WORK/laurel"
	printf '%s\n' "directory = \"$WORK/laurel\"" '[auditlog]' 'file = "out"' 'size = 500000000' > "$WORK/laurel.toml"
	plugin laurel 'path = /usr/sbin/laurel' "args = --config $WORK/laurel.toml"
	start "plugin_dir = $PLUGINS" 'q_depth = 99999'
	flood 0.02 100000
	sleep 0.3
	stop
	[ "$(grep -c '"SYSCALL":' "$WORK/laurel/out")" = "$events" ] ||
		fail "laurel: $(wc -l < "$WORK/laurel/out") lines for $events events; $(tail -n 1 "$WORK/laurel/out")"
	echo "laurel: $events events"
}

formats 'log_format = RAW'
formats 'log_format = ENRICHED'
slow
dying
anew
laurel
exit $failed
