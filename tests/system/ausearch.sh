#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The distribution's ausearch and aureport read laf's log without a complaint and find in it what they find in the kernel's.
. "$(dirname "$0")/lib.sh"
need_root
[ "$LAF" = kernel ] || need_laf # LAF=kernel: ask the kernel's log twice, a test of this test
need auditctl ausearch aureport
make_work
failed=0
ENGINE=${ENGINE:-tracepoint}

cat > "$WORK/rules" <<-END
	-a always,exit -F arch=b64 -S open,openat,openat2,creat -F auid=4242 -k files
	-a always,exit -F arch=b64 -S execve,execveat -F auid=4242 -k programs -k second
	-a always,exit -F arch=b64 -S connect,bind,sendto -F auid=4242 -k net_work
	-a always,exit -F arch=b64 -S mkdir,unlink,rename -F auid=4242
	-a always,exit -F arch=b32 -S all -F auid=4242 -k narrow
END
chmod 600 "$WORK/rules"

workload() {
	"$@" "$BIN/workload" open names socket process exec call_32 > "$WORK/out" 2>&1
	case $? in
	0) ;;
	77) skip "$(cat "$WORK/out")" ;;
	*) fail "the workload: $(tail -3 "$WORK/out")" ;;
	esac
}

# take FORMAT: both logs of one run
take() {
	rm -f "$WORK/laf"
	if [ "$LAF" = kernel ]; then
		workload "$BIN/oracle_kaudit" -o "$WORK/kernel" -2 "$WORK/laf" -R "$WORK/rules" --
	else
		workload "$BIN/oracle_kaudit" -o "$WORK/kernel" -R "$WORK/rules" -- \
			"$LAF" run --engine "$ENGINE" -R "$WORK/rules" -o "$WORK/laf" --format "$1" --
	fi
	rules_only "$WORK/kernel" > "$WORK/kernel.rules" && mv "$WORK/kernel.rules" "$WORK/kernel"
}

# Leave out events that the kernel wrote for records of its own (LOGIN, ANOM_LINK), not for a rule.
rules_only() {
	awk '{ id = $2 } FNR == NR { if (/^type=(LOGIN|ANOM_)/) own[id] = 1; next } !(id in own)' "$1" "$1"
}

# Odd socket addresses get a complaint whoever wrote the log; there must be no other.
complaints() {
	grep -v '<no matches>\|^sockaddr len too short$\|^sun_path len too short$' "$WORK/complaint"
}

# count LOG QUERY…: events found, or what ausearch complains of.
count() {
	log=$1
	shift
	ausearch -if "$log" --raw "$@" -ul 4242 > "$WORK/found" 2> "$WORK/complaint"
	complaints || grep -a -c '^type=SYSCALL' "$WORK/found"
}

# same QUERY…: as many events in both logs, and some.
same() {
	a=$(count "$WORK/kernel" "$@") b=$(count "$WORK/laf" "$@")
	queries=$((queries + 1))
	[ "$a" = "$b" ] && [ "$a" != 0 ] || fail "$format: ausearch $*: $a events in the kernel's log, $b in ours"
}

# A process of the workload, taken from the log: the one with most events.
busiest() {
	grep -a '^type=SYSCALL.* auid=4242 ' "$WORK/laf" | grep -ao ' pid=[0-9]*' | sort | uniq -c | sort -rn |
		sed -n '1s/.*=//p'
}

search() {
	same -k files
	same -k programs
	same -k second
	same -k net_work
	same -k narrow
	same -p "$(busiest)"
	same -pp "$(busiest)"
	same -ui 0
	same -ui 65534
	same -ue 202
	same -gi 0
	same -sc openat
	same -sc execve
	same -sc rename
	same -sc connect
	same -f new2
	same -f /dev/null
	same -f secret
	same -f true
	same -x workload_open
	same -x workload_call_32
	same -x true
	same -c open.read
	same -sv no
	same -sv yes
	same -e -13
	same -m EXECVE
	same -m SOCKADDR
	same -m PATH -k files
	same -m SYSCALL
	same --arch i386
	same -hn 127.0.0.1
}

# report OPTION…: no complaint, and something to read.
report() {
	queries=$((queries + 1))
	aureport -if "$WORK/laf" "$@" > "$WORK/report" 2> "$WORK/complaint" || fail "$format: aureport $*: exit status $?"
	complaints && fail "$format: aureport $*"
	grep -q . "$WORK/report" || fail "$format: aureport $*: nothing"
	grep -q '<no events of interest were found>' "$WORK/report" && fail "$format: aureport $*: no events"
}

reports() {
	report
	report --summary
	report -s
	report -s --summary
	report -f
	report -f --summary
	report -x
	report -x --summary
	report -p
	report -p --summary
	report -k
	report -k --summary
	report -u --summary
	report -e
	report -e --summary
	report --failed
	report --comm
}

queries=0
for format in raw enriched; do
	take $format
	[ $failed = 0 ] || exit 1
	search
	reports
done
ausearch -if "$WORK/laf" -i > /dev/null 2> "$WORK/complaint" || fail "ausearch -i: exit status $?"
complaints && fail "ausearch -i"
echo "$queries questions asked of the log"
exit $failed
