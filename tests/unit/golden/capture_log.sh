#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes enriched.log: what Debian's auditd writes, log_format = ENRICHED, of the calls in calls.c.
# As root, with nothing else at the kernel's audit: capture_log.sh > tests/unit/golden/enriched.log
set -eu

here=$(dirname "$0")
tmp=$(mktemp -d)
work=/tmp/laf-golden # the records show it

stop()
{
	test -z "${daemon:-}" || kill "$daemon" 2>/dev/null || :
	test -z "${daemon:-}" || wait "$daemon" || :
	daemon=
	auditctl -e 0 >/dev/null
	auditctl -D >/dev/null
}
trap 'stop; rm -rf "$tmp" "$work"' EXIT INT TERM

mkdir -p "$tmp/conf/plugins.d" "$work"
chmod 755 "$work"
cat >"$tmp/conf/auditd.conf" <<CONF
log_file = $tmp/audit.log
log_format = ENRICHED
log_group = root
flush = NONE
max_log_file = 200
space_left = 75
admin_space_left = 50
plugin_dir = $tmp/conf/plugins.d
CONF
chmod 640 "$tmp/conf/auditd.conf"
cc -w -o "$work/calls" "$here/calls.c"

auditd -n -c "$tmp/conf" >/dev/null 2>&1 &
daemon=$!
until auditctl -s | grep -q "^pid $daemon$"; do sleep 0.1; done
auditctl -D >/dev/null
auditctl -b 20000 >/dev/null
mkfifo "$tmp/go"
(cd "$work" && read -r _ <"$tmp/go" && exec ./calls) &
calls=$!
rule() { auditctl -a always,exit "$@" >/dev/null; }
rule -F arch=b64 -F "ppid=$calls" -F success=0 -S execve -k programs
rule -F arch=b64 -F "ppid=$calls" -S execve,execveat,exit_group
rule -F arch=b64 -F "ppid=$calls" -F exe="$work/calls" -S openat -k children
rule -F arch=b64 -F "pid=$calls" -S mkdir,connect,exit_group -k one
rule -F arch=b64 -F "pid=$calls" -S open,openat,rename,link,symlink,chmod,fchmod,fchown,unlink,rmdir,mknod -k one -k two
rule -F arch=b32 -F "pid=$calls" -S all
echo >"$tmp/go"
wait "$calls" || :
sleep 1
stop
grep -aE '^type=(SYSCALL|EXECVE|SOCKADDR|CWD|PATH|PROCTITLE) ' "$tmp/audit.log"
