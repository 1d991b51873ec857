#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# laf rules check warns of rules that can never decide anything, by line and cause, and does not count them as faults.
. "$(dirname "$0")/lib.sh"
need_laf
need_root # a file of rules must be root's
make_work
failed=0
file=$WORK/rules
printf '%s\n' '# note' '-D' '-a always,exit -F arch=b64 -S open,openat -k a' \
	'-a always,exit -F arch=b64 -S openat -F success=0 -k b' '-a always,exit -F arch=b32 -S open -k c' \
	'-a always,exit -S close -F auid>=1000 -F auid<500' '-a always,exit -F arch=ppc64 -S close' '-a never,exit -S ,' \
	'-w /etc/passwd -p wa -k d' > "$file"
never='warning: this rule can never decide anything:'
cat > "$WORK/want" << END
$file:4: $never line 3 comes before it, and matches all that it matches
$file:6: $never no event has such auid
$file:7: $never no call of this machine has such an arch
$file:8: $never it names no call
1 file: 7 rules, 1 setting, 0 faults, 4 warnings
END
"$LAF" rules check "$file" > "$WORK/got" || fail "exit status $?"
diff "$WORK/want" "$WORK/got" || fail "it says something else: < wanted"
exit $failed
