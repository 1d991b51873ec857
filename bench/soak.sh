#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A day's worth of events in an hour: the daemon's memory, sampled all the time, stays flat, and at the end what was made is what is in the log and
# what is counted lost. Writes the section of docs/benchmarks.md between its markers.
#
# MINUTES=60    at 1,200 events a second, that is 50 a second for a day; each minute a burst of two seconds comes to it, and five programs are
#               started a second. Fewer minutes are the same at the same rates, for a shorter time.
# REPORT=FILE   write the section there, and leave docs/benchmarks.md as it is
MINUTES=${MINUTES:-60}
STEADY=600 BURST=10000 # calls a second, of each of two processes
SAMPLE_S=5
DRIFT_KIB=1024 # from the third fifth of the time to the last, by medians; before that the first file is compressed, whose room is kept
PEAK_KIB=8192  # above the first sample: while a rotated file is compressed some 5 MiB are wanted
cd "$(dirname "$0")/.." || exit 1
. tests/system/lib.sh
. bench/section.sh
need_root
need_laf
need zstd
make_work
failed=0 work=$WORK helpers=
. tests/system/lib_daemon.sh
[ "$(df -k --output=avail "$WORK" | tail -n 1)" -gt $((1048576 + MINUTES * 20480)) ] || skip "needs $((1 + MINUTES / 50)) GiB for the log"
trap '[ -z "$daemon$helpers" ] || kill -9 $daemon $helpers 2> /dev/null; end_work' EXIT
echo > "$WORK/file"
for program in steady burst; do
	cp "$BIN/flood" "$WORK/$program"
done
cp /bin/true "$WORK/short"
RULE="-a always,exit -F arch=b64 -S open -F exe=$WORK/steady -k steady
-a always,exit -F arch=b64 -S open -F exe=$WORK/burst -k burst
-a always,exit -F arch=b64 -S execve -F success=1 -F exe=$WORK/short -k short"

# What the BPF maps take that the daemon has a descriptor of.
map_kib() {
	cat /proc/$daemon/fdinfo/* 2> /dev/null | awk '/^map_id:/ { id = $2 } /^memlock:/ { bytes = $2 }
		/^map_id:/ || /^memlock:/ { if (id && bytes) { sum[id] = bytes; id = bytes = 0 } } END { for (i in sum) n += sum[i]; print int(n / 1024) }'
}

# A line: seconds, own memory, resident memory, maps, unreclaimable slab of the machine (KiB), descriptors
sample() {
	echo "$(($(date +%s) - begun))" \
		"$(awk '/^VmRSS/ { rss = $2 } /^RssAnon/ { anon = $2 } END { print anon, rss }' /proc/$daemon/status)" \
		"$(map_kib)" "$(awk '/^SUnreclaim/ { print $2 }' /proc/meminfo)" "$(ls /proc/$daemon/fd | wc -l)"
}

bursts() {
	for minute in $(seq "$MINUTES"); do
		sleep 20
		"$WORK/burst" 2 2 "$WORK/file" $BURST
		sleep 38
	done > "$WORK/made-burst"
}

short_ones() {
	while [ -e "$WORK/go" ]; do
		"$WORK/short" && echo x >> "$WORK/made-short"
		sleep 0.2
	done
}

# How many lines of each key are in the log files.
count_keys() {
	log_files | while read -r file; do
		case $file in *.zst) zstd -qdc "$file" ;; *) cat "$file" ;; esac
	done | sed -n 's/^type=SYSCALL .* key="\([a-z]*\)".*/\1/p' | sort | uniq -c
}

# median COLUMN FROM TO: the median of a column of the samples between two parts of the time, in percent
median() {
	n=$(wc -l < "$WORK/samples")
	sed -n "$((n * $2 / 100 + 1)),$((n * $3 / 100))p" "$WORK/samples" | awk -v c="$1" '{ print $c }' | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

largest() {
	awk -v c="$1" '$c > max { max = $c } END { print max }' "$WORK/samples"
}

first() {
	awk -v c="$1" 'NR == 1 { print $c }' "$WORK/samples"
}

# row WHAT COLUMN
row() {
	echo "| $1 | $(first "$2") | $(median "$2" 40 60) | $(median "$2" 80 100) | $(largest "$2") |"
}

report() {
	cat <<-END
		## $([ "$MINUTES" -ge 60 ] && echo "A day's worth of events in $MINUTES minutes" || echo "A soak of $MINUTES minutes, at the rate of a day's events in an hour")

		Made by \`make soak\` (bench/soak.sh, MINUTES=$MINUTES) on $(date -u '+%Y-%m-%d'), kernel $(uname -r), engine $engine, laf
		$("$LAF" --version | cut -d' ' -f2): 1,200 recorded calls a second, each minute a burst of two seconds, five programs
		started a second; log files of 100 MiB, rotated and compressed. Sampled every $SAMPLE_S s, $(wc -l < "$WORK/samples") times.

		| of the daemon, KiB | first | median of the third fifth | of the last fifth | most |
		|---|---|---|---|---|
		$(row 'memory of its own (RssAnon)' 2)
		$(row 'resident, with the rings (VmRSS)' 3)
		$(row 'BPF maps (memlock)' 4)
		$(row 'slab of the whole machine (SUnreclaim)' 5)
		$(row 'descriptors (a number)' 6)

		$made events made, $written in the log, $lost counted lost$([ "$((written + lost))" = "$made" ] && echo ': it adds up.' || echo ': it does NOT add up.')
		Wanted: its own memory drifts by no more than $DRIFT_KIB KiB from the third fifth to the last, and is never more than $PEAK_KIB KiB above the
		first sample: $([ "$flat" = 1 ] && echo reached || echo MISSED).
	END
}

start 'max_log_file = 100' 'max_log_file_action = KEEP_LOGS' 'compress_from = 2' 'ring_kib = 16384'
engine=$("$LAF" status | sed -n 's/^engine   *//p')
begun=$(date +%s)
: > "$WORK/go" > "$WORK/made-short"
"$WORK/steady" $((MINUTES * 60)) 2 "$WORK/file" $STEADY > "$WORK/made-steady" &
steady=$!
bursts &
helpers="$steady $!"
short_ones &
helpers="$helpers $!"
sleep $SAMPLE_S
while kill -0 $steady 2> /dev/null; do
	sample >> "$WORK/samples"
	sleep $SAMPLE_S
done
rm "$WORK/go"
# shellcheck disable=SC2086 # words
wait $helpers
helpers=
stop
made=$(($(awk '{ n += $2 } END { print n }' "$WORK/made-steady" "$WORK/made-burst") + $(wc -l < "$WORK/made-short")))
written=$(count_keys | awk '{ n += $1 } END { print n }')
drift=$(($(median 2 80 100) - $(median 2 40 60)))
flat=$([ $drift -le $DRIFT_KIB ] && [ $(($(largest 2) - $(first 2))) -le $PEAK_KIB ] && [ $(($(median 6 80 100) - $(median 6 40 60))) -le 2 ] && echo 1)
[ $((written + lost)) = "$made" ] || fail "$made made, $written written, $lost lost: $(cat "$WORK/said")"
[ "$written" = "$events" ] || fail "$written events in the log, but: $(cat "$WORK/said")"
[ "$flat" = 1 ] || fail "memory is not flat: $(cat "$WORK/samples")"
report > "$WORK/section"
cat "$WORK/section"
if [ -n "$REPORT" ]; then
	cp "$WORK/section" "$REPORT"
else
	write_section soak "$WORK/section"
fi
exit $failed
