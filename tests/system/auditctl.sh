#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# laf under the name auditctl, and its daemon, against the real auditctl and the running kernel: the same commands on both sides;
# exit status, standard output, standard error, the system log, and afterwards rules and settings must be the same.
# Rule files are Debian's and those of $LAF_SHARED/rules (with AUDITCTL_ALL also those that Debian has in another version).
# What can't be undone (-e 2, --loginuid-immutable) is left to tests/vm/auditctl.sh; generated commands: auditctl-sequences.sh.
set -u -o pipefail
cd "$(dirname "$0")/../.." && . tests/system/lib.sh || exit 1
. tests/system/auditctl-lib.sh
need setpriv
start_both "$@"

commands <<'END'
# every option alone
-l
-s
-s -i
-l -i
-D
-v
-t
-i
-c
-e 0
-e 1
-e 0
-f 0
-f 1
-b 8192
-b 0
-b 64
-r 10
-r 0
--backlog_wait_time 15001
--backlog_wait_time 0
--backlog_wait_time 15000
--backlog_wait_time 150000
--backlog_wait_time 150001
--backlog_wait_time 15000
--reset-lost
--reset_backlog_wait_time_actual
-m hello
-m
-m a b
-mhello
-q /,/
-q /
-q ,
-q /laf-absent,/
-q /,/laf-absent
-q /,/,/
--signal
--signal KILL
# values that are none
-e
-e 3
-e -1
-e x
-e 01
-e ''
-f 3
-f x
-b
-b x
-b -1
-b 99999999999999999999
-b 0x10
-b 010
-b 12x
-b 64
-r x
-r -1
-r 99999999999999999999
--backlog_wait_time
--backlog_wait_time x
--backlog_wait_time=15000
--backlog 15000
--reset
--reset-l
--nothing
--loginuid-immutable=1
-Z
-ZS
-a
-A
-d
-S
-F
-C
-k
-w
-W
-p
-q
-R
-R /laf-absent -i
- s
x
s -s
-i -s -i
-s x
-s -i x
-l x
-l -k
-l -k a b
-D x
-D -k
-D -k a b
-v x
-i x
-i -s
-c -s
# several settings in one command
-e 0 -b 100
-b 65 -b 64
-b 70 -Z
-b 64 -f 1 -r 0
-b 64 x
-b 71 -e 5
-b 64 -s
-b 64 -l
-b 64 -v
-e 0 -a always,exit -F arch=b64 -S open -k a
-D
-e 0 -k a
# rules
-a always,exit -F arch=b64 -S openat,open -F auid>=1000 -F auid!=unset -k one
-a always,exit -F arch=b64 -S openat,open -F auid>=1000 -F auid!=unset -k one
-A always,exit -F arch=b64 -S openat,open -F auid>=1000 -F auid!=unset -k one
-A never,exit -F arch=b32 -S open -F exit=-EACCES -F key=two
-a exit,always -F arch=b64 -S all -F dir=/etc -F perm=wa -k three -k four
-w /etc/passwd -p wa -k pass
-w /etc/passwd -p wa -k pass
-w /etc -k dir
-w /etc/ -k dir
-w /laf-absent/x -k none
-w /etc/laf-absent -p rwxa
-w etc
-w /etc/../etc/shadow
-w /etc/*.conf -p w
-w /etc/hosts -p q
-w /etc/hosts -p rwxar
-w /etc/hosts -p WA
-l
-l -k one
-l -k o
-l -k nokey
-l -i
-s
-D -k one
-D -k nokey
-l
-d always,exit -F arch=b64 -S openat,open -F auid>=1000 -F auid!=unset -k one
-d never,exit -F arch=b32 -S open -F exit=-EACCES -F key=two
-W /etc/passwd -p wa -k pass
-W /etc/passwd
-W /etc
-D
# -S
-a always,exit -S open
-a always,exit -S openat
-a always,exit -S 2
-a always,exit -S 0x3b
-a always,exit -S 2048
-a always,exit -S -1
-a always,exit -S nosuch
-a always,exit -S read,nosuch,write
-a always,exit -S read,,write
-a always,exit -S ,
-a always,exit -S all
-a always,exit -F arch=b64 -S read -S write -S all
-a always,exit -F arch=b32 -S socketcall -S 102
-a always,exit -S read -F arch=b64
-a always,task -S read
-a always,user -S read
-a never,exclude -S read
-a never,filesystem -S read
-S read
-S read -a always,task
-S read -A always,task
-S read -a always,exit -k late
-d always,exit -S open
-D
# -i puts words for arguments of one call
-a always,exit -F arch=b64 -S openat -F a2&0101 -F a1=0x7fff
-a always,exit -F arch=b64 -S openat,open -F a2=1
-a always,exit -F arch=b64 -S kill -F a1=9
-a always,exit -F arch=b64 -S socket -F a0=2 -F a1=1
-a always,exit -F arch=b64 -S ptrace -F a0=4
-a always,exit -F arch=b64 -S mmap -F a2=7 -F a3=0x22
-a always,exit -F arch=b64 -S clone -F a0&0x7C020000
-a always,exit -F arch=b32 -S open -F a1=2
-a always,exit -F arch=b64 -S all -F a0=1
-a always,exit -F arch=b64 -S openat -F a0=-100 -F sessionid=-1 -F auid=unset -F uid=0
-a always,exit -F arch=ppc64 -S open -F a1=2
-l -i
-l
-D
-a always,exit -F a0=5
-a always,exit -S chmod -F a1=0777
-l -i
-D
# all lists and kinds of fields
-a task,never
-a user,always -F uid=0
-a exclude,always -F msgtype=CWD
-a never,exclude -F msgtype=9999
-a filesystem,never -F fstype=tracefs
-a never,filesystem -F fstype=0x1234
-a always,exit -F path=/etc/passwd -F perm=r
-a always,exit -F exe=/bin/ls -F success=0
-a always,exit -F exe!=/bin/ls
-a always,exit -C uid!=euid -F filetype=dir -F inode=4294967295
-a always,exit -F subj_type=x_t -F obj_user!=u -F saddr_fam=2
-a always,exit -F exit!=13 -F exit=-1000 -F devmajor=8 -F pers=1
-a always,exit -F uid=unset
-a always,exit -F gid=unset
-a always,exit -F uid=nosuchuser
-a always,exit -F dir=/laf-absent
-a always,exit -F dir!=/etc
-a always,exit -F dir=/etc -F path=/etc/passwd
-w /etc -F inode=5
-a always,exit -F perm=wa
-a always,exit -F key=a
-a always,exit -k a
-a always,exit -F arch=b64 -k a
-a always,entry -S open
-a exit,possible
-d exit,possible
-A exit,possible x
-a always,exit -a always,exit
-A always,exit -A always,exit
-a always,exclude -F key=x -F nofield=1
-F uid=0
-C uid=euid
-p wa
-k x
-w /etc -a always,exit
-a always,exit -w /etc
-W /etc -W /bin
-l
-D
END

files=("$WORK/x.rules")
# file TEXT: its escapes as printf has them, then both read it
file() {
	printf -- "$1" > "$WORK/x.rules"
	both -R "$WORK/x.rules"
	same_state
}

file '-D\n-b 64\n-f 1\n-w /etc/passwd -p wa -k a\n'
file '-D\n-w /etc/passwd -k a'
file '-D\r\n-w /etc/passwd -p wa -k a\r\n'
file '# note\n\n   \n  # indented\n-D\n  -w   /etc/passwd   -p wa\n#-Z\n'
file '\t\n-D\n'
file '-D\n-Z\n-w /etc/passwd\n'
file '-D\n-w /etc/passwd\n-w /etc/passwd\n-w /etc/shadow\n'
file '-i\n-D\n-w /etc/passwd\n-w /etc/passwd\n-Z\n-w /etc/shadow\n'
file '-c\n-D\n-w /etc/passwd\n-w /etc/passwd\n-Z\n-w /etc/shadow\n'
file '-D\n-c\n-w /etc/passwd\n'
file '-D\n-w /etc/passwd\n-i\n-w /laf-absent/x\n-l\n-s\n'
file '-w /etc/x\\ y -p w\n-w /etc/x\\\\y -p w\n-a always,exit -S open -F path=/etc/z -k b\n-l -k a\n'
file '-R /etc/audit/audit.rules\n'
file '-e 0\n-b 65\n-b x\n-r 0\n'
file '-D\nx\n-w /etc/passwd\n'
file '-w /etc/hosts\n-D\n-a always,exit -F arch=b64 -S nosuch\n-l\n'
file "-D\n-a always,exit -F arch=b64 -S open$(printf ',open%.0s' {1..1300}) -k long\n-w /etc/passwd\n"
file "-i\n-a always,exit -F arch=b64 -S open$(printf ' -F a0=1%.0s' {1..800}) -k long\n-w /etc/passwd\n-Z\n"
file '-a a b c d e f g h i j k l m n o p q r s t u v w x y z\n'
file '-w /etc/passwd\0 -k a\n-w /etc/group\n'
file 'nothing'
file ''

chmod 666 "$WORK/x.rules"; both -R "$WORK/x.rules"; chmod 600 "$WORK/x.rules"
chown 1 "$WORK/x.rules"; both -R "$WORK/x.rules"; rm "$WORK/x.rules"
both -R "$WORK/x.rules"
both -R "$WORK"
both -R ''
both -R /dev/null
both -R /etc/passwd/x
ln -s "$WORK/x.rules" "$WORK/loop"; ln -s "$WORK/loop" "$WORK/x.rules"; both -R "$WORK/loop"; rm "$WORK/x.rules"

shopt -s nullglob
debian=/usr/share/doc/auditd/examples/rules
for name in $debian/*.rules "${LAF_SHARED:-../shared}"/rules/*/*.rules; do
	# the kernel takes its time to delete rules: of the same file in two versions one will do
	[ -n "${AUDITCTL_ALL:-}" ] || [ "${name%/*}" = $debian ] || [ ! -e "$debian/${name##*/}" ] || continue
	for option in -i '#'; do # past all its faults, then up to the first
		{ echo "$option"; echo -D; harmless < "$name"; } > "$WORK/${name##*/}"
		both -R "$WORK/${name##*/}"
		mv "$WORK/kernel" "$WORK/kernel.file"
		same_state
		grep -q '^There was an error' "$WORK/kernel.file" || break
	done
done
both -D

# augenrules, on top of either. A folder of the test's own lies over /etc/audit.
mkdir "$WORK/etc"
mount --bind "$WORK/etc" /etc/audit
augenrules() {
	mkdir -p /etc/audit/rules.d
	rm -f /etc/audit/audit.rules*
	printf -- "$1" > /etc/audit/rules.d/10-a.rules
	printf -- "$2" > /etc/audit/rules.d/9-b.rules
	for side in kernel laf; do
		[ $side = kernel ] || mount --bind "$WORK/auditctl" "$REAL"
		for option in --check --load --load --check; do
			"$RUN" "$WORK/$side" /sbin/augenrules $option
			cat "$WORK/$side"
		done > "$WORK/$side.all"
		cat /etc/audit/audit.rules >> "$WORK/$side.all"
		mv "$WORK/$side.all" "$WORK/$side"
		rm -f /etc/audit/audit.rules*
	done
	umount "$REAL"
	said="
	augenrules"
	compare
	same_state
}
augenrules '## comment\n-w /etc/passwd -p wa -k a\n-f 1\n\n' '-D\n-b 8192\n-a always,exit -F arch=b64 -S open -k b\n'
augenrules '-i\n-Z\n-w /etc/passwd\n' '-D\n'
augenrules '-w /etc/passwd\n-w /laf-absent/x\n' '-D\n-w /etc/shadow\n'
both -D
umount /etc/audit

# who may, and what is said when nobody is there
prefix=(setpriv --reuid 65534 --regid 65534 --clear-groups)
commands <<'END'
-s
-l
-D
-h
--help
-a always,exit -S open
-R /etc/audit/audit.rules
-Z
END
prefix=()
alone() {
	LAF_RUN=$WORK/nowhere "$RUN" "$WORK/laf" "$WORK/auditctl" "$@"
	{ head -n 1 "$WORK/laf"; grep -v '^--' "$WORK/laf" | sed -n 2p; } > "$WORK/alone"
	grep -q "^exit status $expected\$" "$WORK/laf" && grep -q "$told" "$WORK/laf" ||
		fail "without a daemon, auditctl $*: $(cat "$WORK/laf")"
}
expected=1 told='^control: no daemon is running'
alone -s
alone -l
alone -a always,exit -F arch=b64 -S open
alone -R /usr/share/doc/auditd/examples/rules/30-stig.rules
expected=255 told='^-F unknown field: nofield'
alone -a always,exit -F nofield=1
expected=0 told='^Auditd is not running'
alone --signal HUP

# what has no effect is told to the system log, and nowhere that a script would see
printf '%s\n' '-f 1' '--backlog_wait_time 15000' > "$WORK/x.rules"
for words in "--backlog_wait_time 15000" "-R $WORK/x.rules"; do
	"$RUN" "$WORK/laf" "$WORK/auditctl" $words
	[ "$(sed '1,/^-- system log/d' "$WORK/laf" | grep -c '^laf: without effect here: --backlog_wait_time')" = 1 ] &&
		[ "$(grep -c 'without effect' "$WORK/laf")" = 1 ] || fail "auditctl $words: $(cat "$WORK/laf")"
done

for signal in HUP USR1 USR2 CONT hup; do
	"$WORK/auditctl" --signal $signal || fail "--signal $signal"
done
"$WORK/auditctl" -s | grep -q "^pid $daemon\$" || fail "the daemon did not stand the signals"

finish_both 400
