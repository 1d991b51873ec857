#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The real auditctl and the running kernel judge the same rule lines as laf does: the verdict on each line, the text of each
# fault, and the list of rules afterwards must be the same. Lines: Debian's example rules, those of $LAF_SHARED/rules, and
# RULES_LINES (600) generated ones from RULES_SEED (1). Settings (-b, -e, …) are left out: they would change the machine.
set -u -o pipefail
cd "$(dirname "$0")/../.." && . tests/system/lib.sh || exit 1
shared=${LAF_SHARED:-../shared}
lines=${RULES_LINES:-600} seed=${RULES_SEED:-1}
batch=200 # rules are deleted slowly: the kernel waits for a grace period after each

restore() {
	auditctl -D > /dev/null 2>&1
	auditctl -e 0 > /dev/null 2>&1
	[ -z "${WORK:-}" ] || rm -rf "$WORK"
}

status_of() {
	auditctl -s 2> /dev/null | awk -v name="$1" '$1 == name { print $2 }'
}

need_root
need auditctl
need_laf
case $(auditctl -v 2>&1) in *3.0.9*) ;; *) skip "auditctl is not 3.0.9: $(auditctl -v 2>&1)" ;; esac
exec 9> "$KAUDIT_LOCK" && flock 9
[ -n "$(status_of pid)" ] || skip "the kernel's audit does not answer"
[ "$(status_of pid)" = 0 ] || skip "an audit daemon is running"
[ "$(status_of enabled)" != 2 ] || skip "audit is locked until reboot"
[ "$(auditctl -l)" = "No rules" ] || skip "there are audit rules loaded"
make_work
trap restore EXIT
tmp=$WORK

# auditctl writes to the system log until it has sent a rule; hence the second line of each file.
make_file() {
	{ echo "-i"; echo "-a always,exit -S 2000 -k oracle-start"; cat; } > "$1"
}

# "line<TAB>text" of each fault. Warnings are not faults. auditctl says nothing at all about some; they stay empty.
kernel_faults() {
	awk -v OFS='\t' '
		/^WARNING - |^Warning - |^key .* has illegal character$|^Append rule - possible is deprecated$/ { next }
		/^Delete rule - possible is deprecated$/ { next }
		/^There was an error in line / { print $7, text; text = ""; next }
		{ sub(/ on line [0-9]+ is invalid/, " is invalid"); if (text == "") text = $0 }'
}

laf_faults() {
	"$LAF" rules check "$1" | awk -v OFS='\t' -v file="$1" '
		/^[^ ]*: warning: / { next }
		index($0, file ":") == 1 {
			s = substr($0, length(file) + 2); line = s + 0
			sub(/^[0-9]+:([0-9]+:)? /, "", s); sub(/; .*/, "", s); print line, s
		}'
}

# Take out what differs on purpose: texts where auditctl has none of its own.
same_words() {
	awk -F'\t' -v OFS='\t' 'NR == FNR { text[$1] = $2; next } { print $1, text[$1] == "" ? "" : $2 }' "$1" "$2"
}

# auditctl 3.0.9 names the calls of a rule without arch= by the machine of the last arch= that it printed, be it of another rule,
# and so wrongly behind one of b32 or of a foreign machine. laf names them as this machine does: names that may be wrong are taken
# out of both lists.
same_calls() {
	local foreign=0
	grep -qE 'arch=(ppc|s390|aarch|arm)' "$2" && foreign=1
	awk -v foreign=$foreign '{
		if (match($0, / -F arch!?=[^ ]+/)) { arch = substr($0, RSTART, RLENGTH); sub(/.*=/, "", arch) }
		else if ((arch == "b32" || arch && foreign) && / -S / && !/ -S all/) sub(/ -S [^ ]+/, " -S ...")
		print
	}' "$1"
}

total=0 refused=0 failed=0

# compare NAME FILE
compare() {
	auditctl -R "$2" 2>&1 >/dev/null | tr '\001-\010' '?' | kernel_faults | sort -n > "$tmp/kernel"
	auditctl -l | tr '\001-\010' '?' > "$tmp/kernel-list"
	auditctl -D >/dev/null 2>&1
	laf_faults "$2" | tr '\001-\010' '?' | sort -n > "$tmp/laf-all"
	"$LAF" rules list "$2" 2>&1 | tr '\001-\010' '?' > "$tmp/laf-list"
	same_words "$tmp/kernel" "$tmp/laf-all" > "$tmp/laf"
	total=$((total + $(wc -l < "$2") - 2)) refused=$((refused + $(wc -l < "$tmp/kernel")))
	if ! diff "$tmp/kernel" "$tmp/laf" > "$tmp/diff"; then
		echo "FAILED: $1: faults: < auditctl and kernel, > laf"
		grep '^[<>]' "$tmp/diff" | head -40
		sed -n 's/^[<>] \([0-9]*\).*/\1/p' "$tmp/diff" | sort -nu | head -20 |
			while read -r n; do echo "  line $n: $(sed -n "${n}p" "$2" | cut -c1-300)"; done
		failed=$((failed + 1))
	fi
	if ! diff <(same_calls "$tmp/kernel-list" "$2") <(same_calls "$tmp/laf-list" "$2") > "$tmp/diff"; then
		echo "FAILED: $1: list: < auditctl -l, > laf rules list"
		cut -c1-300 "$tmp/diff" | head -30
		failed=$((failed + 1))
	fi
}

# Only lines that make or delete rules, and nothing that -e 2 or the like could hide in.
rule_lines() {
	grep -hE '^ *-(a|A|w|W|d) ' "$@" | grep -vE ' -[efrbmqRtDlsvhic]| --'
}

compare_files() {
	local file
	for file in "$@"; do
		rule_lines "$file" | split -l $batch - "$tmp/part-"
		for part in "$tmp"/part-*; do
			[ -e "$part" ] || continue
			make_file "$tmp/rules" < "$part"
			compare "${file##*/}" "$tmp/rules"
			rm "$part"
		done
	done
}

compare_files /usr/share/doc/auditd/examples/rules/*.rules
if [ -d "$shared/rules" ]; then
	compare_files "$shared"/rules/*/*.rules
else
	echo "note: no $shared/rules; its lines are left out (LAF_SHARED names the folder)"
fi
[ -x "$BIN/rules_generate" ] || fail "$BIN/rules_generate is not built"
echo "generated lines: RULES_SEED=$seed RULES_LINES=$lines"
"$BIN/rules_generate" "$seed" "$lines" > "$tmp/generated.rules"
split -l $batch "$tmp/generated.rules" "$tmp/generated-"
for part in "$tmp"/generated-*; do
	make_file "$tmp/rules" < "$part"
	compare "seed $seed, ${part##*/}" "$tmp/rules"
done
echo "$total lines, $refused of them refused by auditctl or the kernel; $failed differences"
[ "$total" -gt 700 ] && [ "$failed" = 0 ]
