#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What laf says where the machine does not let it: no root, no BPF, no BTF, no descriptors, nowhere to write
# to. One sentence that says what would help; and what could not be written is counted.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need setpriv unshare prlimit mount
make_work
failed=0
LAF=$(realpath "$LAF")
DENY=$(realpath "$BIN/input_deny")
TREE=$(realpath "$BIN/scope_tree")
cd "$WORK" || exit 1
RULE='-a always,exit -F arch=b64 -S execve,exit_group'
cp "$LAF" laf # where anybody can reach it
chmod 755 laf
echo "$RULE" > rules
printf 'log_file = %s/log\nrules_file = %s/rules\nkernel_records = no\n' "$WORK" "$WORK" > conf
chmod 644 rules conf

# says TEXT COMMAND…: it ends with 1, and all it says is one line with TEXT
says() {
	text=$1
	shift
	timeout 20 "$@" > out 2> err
	status=$?
	[ $status = 1 ] || fail "$*: exit status $status, not 1"
	[ "$(wc -l < err)" = 1 ] && [ ! -s out ] || fail "$*: not one line: $(head -c 500 out err)"
	grep -q '^laf: ' err && grep -q -- "$text" err || fail "$*: '$text' is not in: $(head -c 500 err)"
	[ ! -e ran ] || { rm -f ran; fail "$*: the command was run"; }
}

# refused TEXT COMMAND…: laf run and laf daemon (which may not take the kernel's audit), started by this command, alike; laf
# probe says what is missing, and whether the kernel's audit could do instead
refused() {
	text=$1
	shift
	says "$text" "$@" ./laf run $RULE -- touch ran
	says "$text" "$@" ./laf daemon -c conf
	rm -f log
	timeout 20 "$@" ./laf probe > out 2> err
	if "$@" auditctl -s 2> /dev/null | grep -q ^enabled; then
		grep -q '^engine  *yes  *kernel: ' out || fail "$*: laf probe does not fall back on the kernel's audit: $(cat out err)"
	else
		grep -q '^engine  *no ' out || fail "$*: laf probe: $(cat out err)"
	fi
}

without_rights() {
	nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
	chmod 777 .
	refused "[Rr]un it as root\|run as root, or with CAP_BPF" $nobody
	chmod 755 .
	mkdir run
	chown 65534 run
	says "run .*for nobody else to write" ./laf daemon -c conf
	rm -rf run
	says "run as root" $nobody ./laf run -o log $RULE -- touch ran
	chmod 600 rules
	says "rules (Permission denied).*as root" $nobody ./laf run -R rules -- touch ran
	chmod 644 rules
	caps=-bpf,-sys_admin,-perfmon
	refused "CAP_BPF" setpriv --bounding-set $caps --inh-caps $caps
	unshare -U -r true 2> /dev/null && refused "CAP_BPF" unshare -U -r
	refused "Operation not permitted.*CAP_BPF" "$DENY" 321 1
	refused "no BPF (CONFIG_BPF_SYSCALL)" "$DENY" 321 38
	for most in 8 12 13 20 48; do # whatever libbpf would stumble over
		poor="prlimit --nofile=$most setpriv --bounding-set -sys_resource --inh-caps -sys_resource"
		says "Too many open files.*ulimit" $poor ./laf run $RULE -- touch ran
		says "Too many open files.*ulimit" $poor ./laf daemon -c conf
	done
	! prlimit --nofile=12 sh -c 'ulimit -Hn 8192' 2> err || # who may raise the limit
		prlimit --nofile=12 ./laf run $RULE -- true 2> err || fail "root does not raise its limit: $(head -c 500 err)"
}

# In mounts of our own: /sys/kernel/btf empty, or not readable as BTF.
without_btf() {
	cat > no-btf <<-'END'
		if [ "$1" = gone ]; then
			mount -t tmpfs none /sys/kernel/btf
		else
			: > empty && mount --bind empty /sys/kernel/btf/vmlinux
		fi || exit 77
		shift
		exec "$@"
	END
	# libbpf looks for a kernel image too
	for image in "/boot/vmlinux-$(uname -r)" "/lib/modules/$(uname -r)/build/vmlinux" \
		"/usr/lib/debug/boot/vmlinux-$(uname -r)"; do
		[ ! -e "$image" ] || { echo "$image has BTF as well: not tried without"; return; }
	done
	refused "/sys/kernel/btf/vmlinux" unshare -m sh no-btf gone
	refused "/sys/kernel/btf/vmlinux" unshare -m sh no-btf empty
}

nowhere_to_write() {
	says "log: opening no/such/log: No such file" ./laf run $RULE -o no/such/log -- touch ran
	says "log: opening .: Is a directory" ./laf run $RULE -o . -- touch ran
	ln -s elsewhere link
	says "log: opening link: it is a symbolic link" ./laf run $RULE -o link -- touch ran
	[ ! -e elsewhere ] || fail "laf run wrote through a symbolic link"
	printf 'log_file = %s/rules/log\nrules_file = %s/rules\nkernel_records = no\n' "$WORK" "$WORK" > bad-conf
	says "log: opening .*/rules/log: Not a directory" ./laf daemon -c bad-conf
}

# lost_is_said NAME STATUS: laf ended with STATUS, wrote nothing, and counts every event as unwritten
lost_is_said() {
	[ $status = "$2" ] || fail "$1: exit status $status, not $2"
	grep -q '^laf: log: writing to .*: No space left on device' err || fail "$1: not said why: $(cat err)"
	grep -q '^laf: 0 events, 0 records, 2 lost (unwritten 2)' err || fail "$1: not counted: $(cat err)"
}

full_devices() {
	./laf run $RULE -o /dev/full -- sh -c 'exit 3' 2> err
	status=$?
	lost_is_said "laf run -o /dev/full" 3
	./laf run -q $RULE -o /dev/full -- true 2> err
	[ "$(cat err)" = "laf: log: writing to /dev/full: No space left on device" ] || fail "-q: $(cat err)"
	./laf run $RULE -- sh -c 'exit 3' 2> /dev/full
	status=$?
	[ $status = 3 ] || fail "standard error on a full device: exit status $status, not 3"
	for words in --help "rules check rules" "rules list rules" probe; do
		./laf $words > /dev/full 2> err
		status=$?
		[ $status = 1 ] && grep -q '^laf: writing to standard output: No space left' err ||
			fail "laf $words to a full device: status $status, $(cat err)"
	done
}

# A device that fills up: what is there is whole, what is not is counted.
fills_up() {
	mount -t tmpfs -o size=128k none small || { echo "no tmpfs: a device that fills up is not tried"; return; }
	./laf run -a always,exit -F arch=b64 -S getpgid -F a1=0x1afe -o small/log -- \
		"$TREE" marks "" 0x1afe 2000 2> err
	status=$?
	cp small/log filled
	umount small
	[ $status = 0 ] || fail "a device that fills up: exit status $status: $(cat err)"
	written=$(grep -c '^type=SYSCALL' filled)
	set -- $(sed -n 's/^laf: \([0-9]*\) events, \([0-9]*\) records, \([0-9]*\) lost (unwritten \([0-9]*\)).*/\1 \2 \3 \4/p' err)
	[ "$1" = "$written" ] || fail "a device that fills up: $written events in the log, but: $(cat err)"
	[ "$2" = "$(wc -l < filled)" ] ||
		fail "a device that fills up: $(wc -l < filled) records in the log, but: $(cat err)"
	[ $(($1 + $3)) = 2000 ] && [ "$3" = "$4" ] ||
		fail "a device that fills up: written and lost are not 2000: $(cat err)"
	tail -n 1 filled | grep -q '^type=PROCTITLE .*proctitle=[^ ]*$' && [ -z "$(tail -c 1 filled)" ] ||
		fail "a device that fills up: the log does not end with a whole event: $(tail -n 1 filled)"
}

closed_descriptors() {
	./laf run $RULE -o log -- sh -c 'exit 5' < /dev/null > /dev/null 2>&-
	status=$?
	[ $status = 5 ] || fail "without standard error: exit status $status"
	./laf run $RULE -o log -- sh -c 'exit 5' <&- >&- 2>&-
	status=$?
	[ $status = 5 ] || fail "without standard descriptors: exit status $status"
	grep -vq '^type=[A-Z_]* msg=audit(' log &&
		fail "what laf says went to the log: $(grep -v '^type=' log)"
	# the command gets them as they were
	./laf run $RULE -o log -- sh -c 'ls /proc/$$/fd' 2>&- <&- > out
	! grep -qx '[02]' out || fail "the command was given descriptors that were closed: $(cat out)"
	./laf --help >&- 2> err && fail "--help without standard output succeeds"
}

# reader_leaves WORD…: laf run with $WORK/pipe as the place that it writes to; who reads that goes away while
# the command runs.
reader_leaves() {
	"$@" &
	exec 4< pipe
	exec 4<&-
	echo > gate
	wait $!
	status=$?
	[ $status = 6 ] || fail "$*: the reader went away: exit status $status, not 6"
}

writes_to_file() {
	exec ./laf run $RULE -o pipe -- sh -c 'read x < gate; exit 6' 2> err
}

writes_to_stderr() {
	exec ./laf run $RULE -- sh -c 'read x < gate; exit 6' 2> pipe
}

broken_pipes() {
	mkfifo pipe gate
	reader_leaves writes_to_file
	grep -q '^laf: log: writing to pipe: Broken pipe' err || fail "not said why: $(cat err)"
	grep -q '^laf: .*(unwritten [1-9])' err || fail "a broken pipe: not counted: $(cat err)"
	reader_leaves writes_to_stderr
	# the command's SIGPIPE is as it was for laf
	./laf run $RULE -o log -- sh -c 'kill -PIPE $$; exit 7' 2> err
	status=$?
	[ $status = 141 ] || fail "the command ignores SIGPIPE: exit status $status"
	env --ignore-signal=PIPE ./laf run $RULE -o log -- sh -c 'kill -PIPE $$; exit 7' 2> err
	status=$?
	[ $status = 7 ] ||
		fail "the command does not ignore SIGPIPE, which laf was told to: exit status $status"
}

without_rights
without_btf
nowhere_to_write
full_devices
mkdir small
fills_up
closed_descriptors
broken_pipes
exit $failed
