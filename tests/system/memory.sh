#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the daemon takes is what docs/scaling.md says by its formula, whatever the size of the rings, and with the defaults under 64 MiB on
# two processors. What the kernel says of each map is compared, and what is the daemon's own.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
. tests/system/lib_daemon.sh
failed=0
processors=$(awk -F '[,-]' '{ print $NF + 1 }' /sys/devices/system/cpu/possible)
kernel=$(uname -r)
case $kernel in [0-5].* | 6.[0-3].*) skip "before 6.4 the kernel does not say what maps take" ;; esac

# The formula: bytes of maps, of the daemon, of its files.
maps_take() {
	echo $((processors * ($1 * 1024 + $1 * 4 + 113 * 1024) + 582 * 1024))
}
files_take() {
	echo $((processors * 508 * 1024))
}
daemon_takes() {
	echo $((processors * 600 * 1024 + 5 * 1024 * 1024))
}

begin() {
	printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" 'kernel_records = no' ${ENGINE:+"engine = $ENGINE"} "$@" > "$WORK/conf"
	echo '-a always,exit -F arch=b64 -S getsid' > "$WORK/rules"
	chmod 600 "$WORK/conf" "$WORK/rules"
	rm -f "$LOG"
	launch
	until_true 20 in_log 'type=DAEMON_START ' || { fail "the daemon does not start: $(cat "$WORK/said")"; exit 1; }
}

# of KIND: bytes of all maps, or programs, that the daemon has, each once
of() {
	for file in /proc/$daemon/fdinfo/*; do
		awk -v id="$1_id:" '$1 == id { n = $2 } $1 == "memlock:" { bytes = $2 } END { if (n) print n, bytes }' "$file" 2> /dev/null
	done | sort -u | awk '{ bytes += $2 } END { print bytes + 0 }'
}

# A sanitizer's own memory is more than the daemon's: with one only maps and files are compared.
own() {
	case $LAF in *sanitize*) echo 0; return ;; esac
	awk '$1 == "RssAnon:" { print $2 * 1024 }' /proc/$daemon/status
}

files() {
	find "$LAF_RUN" -name "told-*" -exec cat {} + | wc -c
}

# near WHAT MEASURED SAID: within 3 percent
near() {
	echo "$1: $2 bytes, $3 by the formula"
	[ $(($2 * 100)) -ge $(($3 * 97)) ] && [ $(($2 * 100)) -le $(($3 * 103)) ] || fail "$1: more than 3 percent apart"
}

# compare RING-KIB [SETTING]
compare() {
	ring=$1
	shift
	begin "$@"
	maps=$(of map) own=$(own) files=$(files)
	all=$((maps + $(of prog) + own + files))
	near "maps with rings of $ring KiB" "$maps" "$(maps_take "$ring")"
	near 'files' "$files" "$(files_take)"
	[ "$own" -le "$(daemon_takes)" ] || fail "the daemon has $own bytes of its own, at most $(daemon_takes) by the formula"
	stop
}

compare 64 'ring_kib = 64'
compare 4096 'ring_kib = 4096'
compare 16384
echo "with the defaults, on $processors processors: $((all / 1024)) KiB"
[ $all -lt $((32 * 1024 * 1024 * (processors < 2 ? 2 : processors))) ] || fail "more than 32 MiB a processor"
exit $failed
