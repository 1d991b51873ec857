#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every wrong use gets one sentence that says what is wrong and where, exit status 1, and nothing is done.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
LAF=$(realpath "$LAF")
cd "$WORK" || exit 1

# wrong TEXT WORD…: laf with these words ends with 1, one line on standard error that has TEXT, and nothing
# else.
wrong() {
	text=$1
	shift
	timeout 10 "$LAF" "$@" > out 2> err
	status=$?
	tests=$((tests + 1))
	[ $status = 1 ] || fail "laf $*: exit status $status, not 1"
	[ "$(wc -l < err)" = 1 ] || fail "laf $*: not one line on standard error: $(head -c 500 err)"
	[ ! -s out ] || fail "laf $*: something on standard output: $(head -c 500 out)"
	grep -q '^laf: ' err && grep -qF -- "$text" err ||
		fail "laf $*: '$text' is not in: $(head -c 500 err)"
	[ ! -e ran ] || { rm -f ran; fail "laf $*: the command was run"; }
	[ ! -e log ] || { rm -f log; fail "laf $*: a log was made"; }
}

run_wrong() {
	text=$1
	shift
	wrong "$text" run -o log "$@" -- touch ran
}

helps() {
	"$LAF" "$@" > out 2> err || fail "laf $*: exit status $?"
	[ -s out ] && [ ! -s err ] || fail "laf $*: not on standard output: $(cat err)"
	grep -qi '^usage: laf\|^ *laf [0-9]' out || fail "laf $*: $(head -3 out)"
	tests=$((tests + 1))
}

words() {
	helps --help
	helps -h
	helps help
	helps --version
	for command in run daemon rules probe; do
		helps $command --help
		helps $command -h
	done
	helps run -o x --help
	wrong "'laf --help'" frob
	wrong "'laf --help'" --frob
	for command in run daemon rules probe; do
		wrong "'laf $command --help'" $command --frob
		wrong "'laf $command --help'" $command -x
	done
	wrong "'--frob'" run --frob -- touch ran
	wrong "which command" run
	wrong "which command" run -q
	wrong "which command" run -a always,exit -S open --
	for option in -R -o --format --engine --ring-kib -a -A -w; do
		wrong "$option wants a value" run $option
	done
	for option in -S -F -C -k -p; do
		wrong "$option wants a value" run -a always,exit $option
		wrong "$option belongs to a rule" run $option x -- touch ran
	done
	wrong "-c wants a value" daemon -c
	wrong "'laf daemon --help'" daemon -c a b
	wrong "'laf rules --help'" rules
	wrong "'laf rules --help'" rules frob x
	wrong "'laf rules --help'" rules check
	wrong "not 'xml'" run --format xml -- touch ran
	wrong "'nosuch'" run --engine nosuch -- touch ran
	for kib in '' 0 8 17 15 16k -16 -18446744073709551600 ' 16' 2097152 99999999999999999999 x; do
		wrong "--ring-kib is a power of two from 16 to 1048576, not '$kib'" run --ring-kib "$kib" -- touch ran
	done
}

# On the command line the place is the rule and the column in it.
rules_in_words() {
	long=$(printf %0300d 0)
	run_wrong "rule '-a sometimes,exit', column 4:" -a sometimes,exit
	run_wrong "column 4:" -a exit
	run_wrong "rule '-a always,exit -S nosuch', column 19: Syscall name unknown: nosuch" -a always,exit -S nosuch
	run_wrong "column 19:" -a always,exit -F foo=1
	run_wrong "column 19:" -a always,exit -F uid
	run_wrong "column 19: Unknown user: nosuchuser" -a always,exit -F uid=nosuchuser
	run_wrong "column 19:" -a always,exit -F arch=b99 -S open
	run_wrong "column 19:" -a always,exit -C uid=foo
	run_wrong "column 4: The path must start with '/'" -w relative -p wa
	run_wrong "column 12: Permission z" -w /etc -p z
	run_wrong "column 41:" -a always,exit -F arch=b64 -S openat -k "$long"
	run_wrong "column 27:" -a always,exit -S open -S nosuch -S close
	# the second of two rules; nothing of the first may be done
	run_wrong "-S nosuch" -a always,exit -S open -a always,exit -S nosuch
	run_wrong "-S nosuch" -w /etc -p wa -a always,exit -S nosuch
}

# file_wrong TEXT FILE: with laf run, laf daemon and laf rules check alike
file_wrong() {
	wrong "$1" run -o log -R "$2" -- touch ran
	printf 'log_file = %s/log\nrules_file = %s\nkernel_records = no\n' "$WORK" "$(realpath -m "$2")" > conf
	wrong "$1" daemon -c conf
	timeout 10 "$LAF" rules check "$2" > out 2>&1
	status=$?
	tests=$((tests + 1))
	[ $status = 1 ] || fail "laf rules check $2: exit status $status"
	grep -qF -- "$1" out || fail "laf rules check $2: '$1' is not in: $(head -c 500 out)"
}

rule_files() {
	umask 077
	printf '# one\n-a always,exit -F arch=b64 -S open\n\n-a always,exit -F foo=1 -S open\n-w /etc -p wa\n' > bad
	file_wrong "bad:4:19: -F unknown field: foo" bad
	printf -- '-w /etc -p wa\n\t-a always,exit -S nosuch' > last
	file_wrong "last:2:20: Syscall name unknown: nosuch" last
	echo '-w /etc -p wa' > good
	cp good world
	chmod 622 world
	file_wrong "world is world writable" world
	cp good nobodys
	chown 65534 nobodys
	file_wrong "nobodys isn't owned by root" nobodys
	file_wrong "no/such doesn't exist" no/such
	mkdir folder
	file_wrong "folder is not a regular file" folder
	mkfifo fifo
	file_wrong "fifo is not a regular file" fifo
	awk 'BEGIN { for (i = 0; i < 300000; i++) print "-a always,exit -F arch=b64 -S open -F a1=" i }' > huge
	file_wrong "huge:4097:1: a rule set holds at most" huge
	rm huge
	{ printf -- '-a always,exit -S open -k '; head -c 1000000 /dev/zero | tr '\0' x; echo; } > long
	file_wrong "long:1:6144: the line is longer than 6143 bytes" long
	cat "$LAF" > binary
	file_wrong "binary:1:1: " binary
	tr '\0' '\377' < /dev/zero | head -c 100000 > ones
	file_wrong "ones:1:6144: " ones
	printf -- '-a always,exit -S open\r\n-a always,exit -S nosuch\r\n' > dos
	file_wrong "dos:1:" dos
	printf -- '-a always,exit -F key=\033[31mred -F \033]0;title\007=1\n' > escapes
	wrong "escapes:1:" run -o log -R escapes -- touch ran
	! grep -q "$(printf '[\033\007]')" err || fail "a rule file's bytes reach the terminal"
	# the good one before is not half a success
	wrong "bad:4:19" run -o log -R good -R bad -- touch ran
}

# conf_wrong TEXT LINE…: a configuration of these lines, as printf takes them
conf_wrong() {
	text=$1
	shift
	printf "$@" > conf
	wrong "$text" daemon -c conf
}

long_line() {
	printf 'log_file = /'
	head -c "$1" /dev/zero | tr '\0' x
	echo
}

configurations() {
	good="log_file = $WORK/log\nrules_file = $WORK/good\n"
	wrong "no/such: config: No such file" daemon -c no/such
	conf_wrong "conf:3:1: there is no setting 'frob'" "${good}frob = 1\n"
	conf_wrong "conf:3:3: a setting is 'name = value'" "$good  log_file\n"
	conf_wrong "conf:1:12: log_file is an absolute path with a folder, not 'x'" 'log_file = x\n'
	conf_wrong "conf:1:1: a setting is 'name = value'" 'log_file='
	conf_wrong "conf:1:14: log_format is RAW, ENRICHED or NOLOG, not 'XML'" 'log_format = XML\n'
	conf_wrong "name_format is NONE, HOSTNAME, FQD, NUMERIC or USER" 'name_format = DNS\n'
	conf_wrong "name_format = USER wants a setting 'name'" "${good}name_format = USER\n"
	conf_wrong "kernel_records is auto, seat, multicast or no, not 'yes'" "kernel_records = yes\n"
	conf_wrong "name is one word" "name = a b\n"
	conf_wrong "engine is" "engine = $(printf %0100d 0)\n"
	conf_wrong "no engine is called 'nosuch'" "rules_file = $WORK/good\nlog_file = $WORK/log.d\nengine = nosuch\n"
	conf_wrong "rules_file is an absolute path" 'rules_file = good\n'
	conf_wrong "conf:1:1: a setting is 'name = value'" 'ring_kib =\n'
	for kib in 0 17 -16 16k 2097152; do
		conf_wrong "ring_kib is a power of two from 16 to 1048576, not '$kib'" "ring_kib = $kib\n"
	done
	conf_wrong "conf:2:12: this is no text: there is a NUL" 'log_format = RAW\nlog_file = \0/x\n'
	i=0
	while [ $i -lt 65 ]; do i=$((i + 1)) && echo "rules_file = $WORK/good"; done > conf
	wrong "conf:65:14: rules_file is an absolute path, at most 64 times" daemon -c conf
	long_line 5000 > conf
	wrong "conf:1:12: log_file is an absolute path with a folder, not '/xxx" daemon -c conf
	long_line 1000000 > conf
	wrong "conf:1:8192: the line is longer than 8191 bytes" daemon -c conf
	cat "$LAF" > conf
	wrong "conf:1:" daemon -c conf
	printf "$good" > conf
	chmod 602 conf
	wrong "conf: config: others can write this file" daemon -c conf
	chmod 620 conf
	wrong "conf: config: others can write this file" daemon -c conf
	chmod 600 conf
	chown 65534 conf
	wrong "conf: config: the file must belong to root" daemon -c conf
	wrong "folder: config: this is not a regular file" daemon -c folder
	wrong "fifo: config: this is not a regular file" daemon -c fifo
}

tests=0
words
rules_in_words
rule_files
configurations
echo "$tests wrong uses and helps"
exit $failed
