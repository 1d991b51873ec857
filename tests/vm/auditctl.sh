#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# As tests/system/auditctl.sh, with what can't be undone before the machine ends: -e 2 and all that is refused behind it,
# --loginuid-immutable; and -f 2. (-q and -t, which have no effect in laf, are refused by some kernels then, by others not.)
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
in_machine "$@"
. tests/system/lib.sh
. tests/system/auditctl-lib.sh
start_both "$@"

commands <<'END'
-f 2
-s -i
-f 1
--loginuid-immutable
--loginuid-immutable
-s
-s -i
-a always,exit -F arch=b64 -S open -k a
-w /etc/passwd -p wa -k b
-e 1
END
printf '%s\n' -i '-w /etc/group -p wa -k c' '-e 2' '-w /etc/shadow -k d' '-b 5' '-D' '-D -k c' \
	'-b 5 -a always,exit -S open' '-a always,exit -S open -b 5' > "$WORK/x.rules"
both -R "$WORK/x.rules"
commands <<'END'
-s
-s -i
-l
-l -k a
-l -i
-e 0
-e 1
-e 2
-e 3
-f 0
-b 5
-b x
-r 1
--backlog_wait_time 5
-a always,exit -F arch=b64 -S open -k a
-a always,exit -F arch=b64 -S close -k a
-A always,exit -F arch=b64 -S close -k a
-a always,exit -F nofield=1
-a always,entry
-d always,exit -F arch=b64 -S open -k a
-w /etc/passwd -p wa -k b
-w /etc/laf-absent/x
-W /etc/passwd -p wa -k b
-D
-D -k a
-D -k nokey
-l
--loginuid-immutable
--reset-lost
--reset_backlog_wait_time_actual
-m text
-b 5 -a always,exit -S open
-b 5 -a always,exit -F nofield=1
-b 5 -e 1 -w /etc/passwd
-a always,exit -S open -b 5
-a always,exit -b 5 -F nofield=1
-a always,exit -F nofield=1 -b 5
-w /etc/passwd -b 5 -r 3
-b 5 -D -k a
-r 5 -l
-e 0 -Z
END
both -R "$WORK/x.rules"
both -R /laf-absent
same_state
finish_both 40
