#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With -f 2 the machine panics when events are lost, by the daemon that has given up its capabilities, and not before.
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
if [ -z "$IN_MACHINE" ]; then
	# the machine must go down, as the kernel says it when it panics
	said=$(in_machine "$@" 2>&1)
	status=$?
	[ $status != 77 ] || skip "$said"
	echo "$said" | head -n 60
	[ $status = 125 ] || { echo "FAILED: exit status $status: the machine did not go down" && exit 1; }
	for text in 'before: nothing is lost' 'laf: audit: [0-9]* events lost, .*; the machine panics, as -f 2 asks' \
		'Kernel panic - not syncing: sysrq triggered crash'; do
		echo "$said" | grep -q "$text" || { echo "FAILED: it did not say: $text" && exit 1; }
	done
	exit 0
fi
unset LAF_SYSRQ
export LAF_RUN=/tmp/run
echo > /tmp/file
printf '%s\n' '-f 2' "-a always,exit -F arch=b64 -S open -F exe=$(realpath build/tests/system/flood)" > /tmp/rules
printf '%s\n' 'log_file = /tmp/log' 'log_format = RAW' 'rules_file = /tmp/rules' 'kernel_records = no' 'ring_kib = 1024' > /tmp/conf
chmod 600 /tmp/rules /tmp/conf
build/laf daemon -c /tmp/conf &
until grep -qs 'type=DAEMON_START ' /tmp/log; do sleep 0.1; done
build/tests/system/flood 0.2 1 /tmp/file 100
sleep 1
build/laf status | grep '^lost total  *0$' && echo "before: nothing is lost"
kill -STOP $!
build/tests/system/flood 3 2 /tmp/file
kill -CONT $!
sleep 60
echo "the machine goes on"
