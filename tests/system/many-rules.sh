#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 4,096 rules and 65,536 watches: they load, list as they are, match, and unload; one more is refused by name.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
daemon=
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; end_work' EXIT
LOG=$WORK/log
folders=256 # of 256 files each

ms() {
	echo $(($(date +%s%N) / 1000000))
}

touch "$WORK/rules"
printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" 'log_format = RAW' 'kernel_records = no' \
	${ENGINE:+"engine = $ENGINE"} > "$WORK/conf"
chmod 600 "$WORK/rules" "$WORK/conf"
seq 0 $((folders - 1)) | sed "s,^,$WORK/files/," | xargs mkdir -p
awk -v work="$WORK" -v folders=$folders 'BEGIN {
	for (i = 0; i < 4096; i++)
		printf "-a always,exit -F arch=b64 -S umask -F a0=0x%X -F key=rule%d\n", 256 + i, i
	for (i = 0; i < folders; i++)
		for (j = 0; j < 256; j++)
			printf "-w %s/files/%d/%d -p wa -k w%d\n", work, i, j, i * 256 + j
}' > "$WORK/list"
sed -n 's/^-w \([^ ]*\) .*/\1/p' "$WORK/list" | xargs touch
{ echo -D; cat "$WORK/list"; } > "$WORK/file"
"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
daemon=$!
for _ in $(seq 500); do
	! grep -qs '^type=DAEMON_START ' "$LOG" || break
	sleep 0.02
done
begin=$(ms)
"$LAF" rules load "$WORK/file" || fail "loading: $(cat "$WORK/said")"
loaded=$(($(ms) - begin))
"$LAF" rules list | cmp -s - "$WORK/list" || fail "the list is another one: $("$LAF" rules list | diff - "$WORK/list" | head -5)"
"$LAF" rules add -a always,exit -F arch=b64 -S umask -k more 2> "$WORK/out" && fail "4,097 rules"
grep -qx 'laf: a rule set holds at most 4096 rules beside watches' "$WORK/out" || fail "4,097 rules: $(cat "$WORK/out")"
"$LAF" rules add -w "$WORK/more" 2> "$WORK/out" && fail "65,537 watches"
grep -qx 'laf: a rule set holds at most 65536 watches' "$WORK/out" || fail "65,537 watches: $(cat "$WORK/out")"

touch_all() {
	for i in $(seq 0 251 65535); do
		: >> "$WORK/files/$((i / 256))/$((i % 256))"
	done
	(umask 0400)
	(umask 0777)
}

touch_all
sleep 0.2
{ seq -f w%.0f 0 251 65535; echo rule0; echo rule255; } > "$WORK/wanted"
sed -n 's/^type=SYSCALL .* key="\([rw].*\)"$/\1/p' "$LOG" > "$WORK/got"
cmp -s "$WORK/wanted" "$WORK/got" || fail "what matched: $(diff "$WORK/wanted" "$WORK/got" | head -5)"
begin=$(ms)
"$LAF" rules clear || fail "unloading"
cleared=$(($(ms) - begin))
[ "$("$LAF" rules list)" = "No rules" ] || fail "rules are left: $("$LAF" rules list | head -3)"
events=$(grep -c '^type=SYSCALL' "$LOG")
touch_all
sleep 0.2
[ "$(grep -c '^type=SYSCALL' "$LOG")" = "$events" ] || fail "something is recorded without rules"
resident=$(awk '/^VmRSS/ { print int($2 / 1024) }' /proc/$daemon/status)
kill $daemon
wait $daemon
daemon=
grep -q ' 0 lost, engine' "$WORK/said" || fail "it said: $(cat "$WORK/said")"
echo "$(wc -l < "$WORK/list") rules: loaded in $loaded ms, unloaded in $cleared ms, the daemon then holds $resident MiB"
exit $failed
