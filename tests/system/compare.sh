#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The comparator sees what it is there to see: a log compared with damaged copies of itself.
. "$(dirname "$0")/lib.sh"
make_work
failed=0 tried=0

cat > "$WORK/log" <<-END
	type=SYSCALL msg=audit(1700000000.100:10): arch=c000003e syscall=2 success=yes exit=3 a0=1 a1=0 a2=0 a3=0 items=1 ppid=1 pid=100 auid=4242 uid=0 gid=0 euid=0 suid=0 fsuid=0 egid=0 sgid=0 fsgid=0 tty=(none) ses=1 comm="open.read" exe="/bin/x" key="k"
	type=CWD msg=audit(1700000000.100:10): cwd="/tmp"
	type=PATH msg=audit(1700000000.100:10): item=0 name="file" inode=5 dev=fe:00 mode=0100644 ouid=0 ogid=0 rdev=00:00 nametype=NORMAL cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0
	type=PROCTITLE msg=audit(1700000000.100:10): proctitle="x"
	type=SYSCALL msg=audit(1700000000.101:11): arch=c000003e syscall=83 success=yes exit=0 a0=1 a1=1ed a2=0 a3=0 items=2 ppid=1 pid=100 auid=4242 uid=0 gid=0 euid=0 suid=0 fsuid=0 egid=0 sgid=0 fsgid=0 tty=(none) ses=1 comm="mkdir.new" exe="/bin/x" key="k"
	type=CWD msg=audit(1700000000.101:11): cwd="/tmp"
	type=PATH msg=audit(1700000000.101:11): item=0 name="/tmp" inode=2 dev=fe:00 mode=040755 ouid=0 ogid=0 rdev=00:00 nametype=PARENT cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0
	type=PATH msg=audit(1700000000.101:11): item=1 name="made" inode=9 dev=fe:00 mode=040755 ouid=0 ogid=0 rdev=00:00 nametype=CREATE cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0
	type=PROCTITLE msg=audit(1700000000.101:11): proctitle="x"
	type=SYSCALL msg=audit(1700000000.102:12): arch=c000003e syscall=39 success=yes exit=100 a0=0 a1=0 a2=0 a3=0 items=0 ppid=1 pid=100 auid=4242 uid=0 gid=0 euid=0 suid=0 fsuid=0 egid=0 sgid=0 fsgid=0 tty=(none) ses=1 comm="getpid" exe="/bin/x" key="k"
	type=PROCTITLE msg=audit(1700000000.102:12): proctitle="x"
END

# differs WHAT SED-SCRIPT [ENGINE]
differs() {
	tried=$((tried + 1))
	sed "$2" "$WORK/log" > "$WORK/copy"
	"$BIN/compare" -e "${3:-none}" "$WORK/log" "$WORK/copy" > "$WORK/out" && fail "not seen: $1"
}

# equal WHAT SED-SCRIPT ENGINE
equal() {
	tried=$((tried + 1))
	sed "$2" "$WORK/log" > "$WORK/copy"
	"$BIN/compare" -e "$3" "$WORK/log" "$WORK/copy" > "$WORK/out" || fail "$1: $(cat "$WORK/out")"
}

given='5s/items=2/items=1/; 7d; 8s/item=1 .* nametype=CREATE/item=0 name="made" nametype=UNKNOWN/'

equal 'the same log' '' none
equal 'other serials' 's/:1\([0-9]\))/:9\1)/' none
equal 'times a little apart' 's/\.10\([0-9]\):/.15\1:/' none
equal 'a name as it was given' "$given" tracepoint
differs 'the same name with an engine that sees more' "$given" fexit
differs 'another name' "$given; s/name=\"made\"/name=\"mad\"/" tracepoint
differs 'an open without its inode' '3s/inode=.*rdev=00:00 //; 3s/NORMAL/UNKNOWN/' tracepoint
differs 'a field of SYSCALL' '1s/fsgid=0/fsgid=1/'
differs 'a return value' '1s/exit=3/exit=4/'
differs 'a comm' '5s/mkdir.new/mkdir.old/'
differs 'a key' '10s/key="k"/key=(null)/'
differs 'the last byte' '11s/"x"/"y"/'
differs 'a lost record' '2d'
differs 'a doubled record' '3p'
differs 'a lost event' '10,11d'
differs 'an event too many' '10{p;s/:12)/:13)/;}' tracepoint
differs 'an event without its call' '10d' tracepoint
differs 'a record of an event that is not there' '11{p;s/:12)/:13)/;}' tracepoint
differs 'records in another order' '6{h;d;}; 7G'
differs 'a time far off' '1,4s/000\.100/009.100/'
differs 'a record of another event between' '2{h;d;}; 5G' tracepoint
differs 'an empty log' 'd'
echo "$tried comparisons"
exit $failed
