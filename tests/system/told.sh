#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is told of a task once is told anew when it changes: its folder and its program in every record are those that the
# kernel shows in /proc at that moment, whatever is renamed, moved, removed, mounted or used again meanwhile.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
echo '-a always,exit -F arch=b64 -S openat,chdir -k told' > "$WORK/rules"
mkdir "$WORK/folder"
cp "$BIN/told" "$WORK/folder/copy"

"$LAF" run ${ENGINE:+--engine $ENGINE} -R "$WORK/rules" -o "$WORK/log" --format raw -- "$BIN/told" "$WORK/folder" \
	> "$WORK/said" 2> "$WORK/err" || fail "the workload: $(cat "$WORK/err")"
grep -q ' 0 lost, ' "$WORK/err" || fail "$(cat "$WORK/err")"

# Each mark stands in two events.
awk -F '\t' -v said="$WORK/said" '
function value(line, field,    v) {
	if (!match(line, " " field "=(\"[^\"]*\"|[0-9A-F]+)"))
		return "(none)"
	v = substr(line, RSTART + length(field) + 2, RLENGTH - length(field) - 2)
	return v ~ /^"/ ? substr(v, 2, length(v) - 2) : text(v)
}
function text(hex,    i, s) {
	for (i = 1; i < length(hex); i += 2)
		s = s sprintf("%c", 16 * digit(substr(hex, i, 1)) + digit(substr(hex, i + 1, 1)))
	return s
}
function digit(c) { return index("0123456789ABCDEF", c) - 1 }
BEGIN {
	while ((getline < said) > 0) {
		cwd[$1] = $2
		exe[$1] = $3
		marks++
	}
}
/^type=SYSCALL/ { program = value($0, "exe") }
/^type=CWD/ { folder = value(" " $0, "cwd") }
/^type=PATH/ {
	name = value($0, "name")
	if (name !~ /^mark-/)
		next
	seen[name]++
	if (folder != cwd[name])
		print name ": the folder is " cwd[name] ", told is " folder, bad++
	if (program != exe[name])
		print name ": the program is " exe[name] ", told is " program, bad++
}
END {
	for (name in cwd)
		if (seen[name] != 2)
			print name ": " seen[name] + 0 " events, not 2", bad++
	print marks " marks"
	exit (bad > 0 || marks < 100)
}' "$WORK/log" || fail "the log is wrong about some tasks"
exit $failed
