#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The CONFIG_CHANGE records of laf are those that the kernel's audit writes when auditctl gives it the same commands.
# With LOCK=1 also of what is refused behind -e 2, which only a machine that is thrown away afterwards can stand.
cd "$(dirname "$0")/../.." && . tests/system/lib.sh || exit 1
need_root
need auditctl
need_laf
case $(auditctl -v 2>&1) in *3.0.9*) ;; *) skip "auditctl is not 3.0.9: $(auditctl -v 2>&1)" ;; esac
make_work
failed=0
daemon=
trap '[ -z "$daemon" ] || kill -9 $daemon 2> /dev/null; end_work' EXIT
LOG=$WORK/log

cat > "$WORK/commands" <<'END'
-f 1
-b 64
--reset-lost
-a always,exit -F arch=b64 -S uname -k begin
-a always,exit -F arch=b64 -S uname -k begin
-a always,exit -F arch=b64 -S setdomainname
-A never,exit -F arch=b64 -S setdomainname -F uid=3
-d always,exit -F arch=b64 -S sethostname -k none
-w /etc/laf-no-such-file -p wa -k one -k two
-w /etc/laf-no-such-file -p wa -k one -k two
-w /laf/no/such/folder/file -p wa -k lost
-a always,exit -F arch=b64 -F dir=/laf/no/such/folder -S open -k lost
-a always,exit -F arch=b64 -F exe=/laf/no/such/folder/file -S open -k lost
-a always,exit -F arch=b64 -S open -F uid=-1 -k wrong
-a always,exit -S no_such_call -k wrong
-w /etc/laf-other -p x -k with\ space
-w /etc/laf-other -p x -k "quoted"
-a always,task -F uid=54321
-a never,user -F uid=54321 -k user
-a never,exclude -F msgtype=MMAP -F uid=54321
-a never,filesystem -F fstype=debugfs -k fs
-f 0
-b 4444
-b 5555 -f 1
-f 7
-r 5000
-r 0
--backlog_wait_time 1234
--backlog_wait_time 15000
--reset-lost
--reset_backlog_wait_time_actual
-W /etc/laf-no-such-file -p wa -k one -k two
-W /etc/laf-no-such-file -p wa -k one -k two
-D -k begin
-e 0
-a always,exit -F arch=b64 -S vhangup -k while-off
-d always,exit -F arch=b64 -S vhangup -k while-off
-b 6666
--reset-lost
-e 1
-e 1
-D
-a always,exit -F arch=b64 -S uname -k end
-d always,exit -F arch=b64 -S uname -k end
END
[ -z "$LOCK" ] || cat >> "$WORK/commands" <<'END'
-a always,exit -F arch=b64 -S uname -k kept
-e 2
-e 0
-e 1
-e 2
-f 0
-b 1
-r 1
--backlog_wait_time 1
--reset-lost
-D
-D -k nothing
END

# each COMMAND…: every line of the commands as a file of its own, which COMMAND loads. Who does it is somebody. Behind -e 2
# auditctl would not even open a file.
cat > "$WORK/each" <<END
#!/bin/bash
echo 4242 > /proc/self/loginuid
while IFS= read -r line; do
	echo "\$line" > "$WORK/one"
	if [ "\$1\$locked" = auditctlyes ]; then
		auditctl \$line
	else
		"\$@" "$WORK/one"
	fi < /dev/null > /dev/null 2>> "$WORK/said"
	[ "\$line" != "-e 2" ] || locked=yes
done < "$WORK/commands"
exit 0
END
chmod 755 "$WORK/each"

# What stands in the records of one log. Sessions are numbered by the kernel; no command says who is somebody's process.
bodies() {
	grep '^type=CONFIG_CHANGE ' "$1" | sed -n '/begin/,$p' | grep -v 'audit_pid=' |
		sed 's/^[^)]*): //; s/ ses=[0-9]*/ ses=N/; s/^pid=[0-9]*/pid=N/'
}

touch "$WORK/rules"
printf '%s\n' "log_file = $LOG" "rules_file = $WORK/rules" 'log_format = RAW' 'kernel_records = no' > "$WORK/conf"
chmod 600 "$WORK/rules" "$WORK/conf"
"$LAF" daemon -c "$WORK/conf" 2> "$WORK/daemon-said" &
daemon=$!
until_true 10 in_log '^type=DAEMON_START ' || { fail "the daemon does not start: $(cat "$WORK/daemon-said")"; exit 1; }
"$WORK/each" "$LAF" rules load
kill $daemon
wait $daemon
daemon=
auditctl --reset_backlog_wait_time_actual > /dev/null 2>&1 # what floods before this test made
"$BIN/oracle_kaudit" -t 300 -o "$WORK/kernel.log" -- "$WORK/each" auditctl -R > "$WORK/oracle-said" 2>&1
status=$?
[ $status != 77 ] || skip "$(cat "$WORK/oracle-said")"
bodies "$WORK/kernel.log" > "$WORK/kernel"
bodies "$LOG" > "$WORK/laf"
diff "$WORK/kernel" "$WORK/laf" > "$WORK/diff" || fail "< kernel, > laf
$(cat "$WORK/diff")"
[ "$(wc -l < "$WORK/kernel")" -gt 35 ] || fail "the kernel wrote too little: $(cat "$WORK/kernel.log" "$WORK/oracle-said")"
grep -q 'auid=4242' "$WORK/laf" || fail "nobody did it"
echo "$(wc -l < "$WORK/commands") commands, $(wc -l < "$WORK/kernel") records alike"
exit $failed
