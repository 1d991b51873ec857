#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Measure laf beside no audit and the kernel's audit with auditd, and write docs/benchmarks.md.
#
#   run.sh [BUILD-FOLDER [ROW…]]    rows: getppid uname uname-always neo23x0 stream small opens compile-idle compile-discard compile-all records;
#                                   with rows named the report goes to standard output instead
#
# BENCH_ROUNDS=7       runs of each state; they alternate: no audit, laf, kernel, no audit, laf, kernel, …
# BENCH_PERCENT=100    the size of the workloads
# BENCH_RULES=FOLDER   where bench/uname.rules, bench/uname-always.rules and neo23x0/audit.rules are
cd "$(dirname "$0")/.." || exit 1
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C
B=$(realpath "${1:-build}")
rows=${*:2}
laf=$B/laf
rounds=${BENCH_ROUNDS:-7}
percent=${BENCH_PERCENT:-100}
shared=${BENCH_RULES:-../shared/rules}
default_ring_kib=16384
end_mark=laf-bench-end # a name in the last call of `calls opens`
started='' former='' work=''

. bench/states.sh

note() {
	echo "bench: $*" >&2
}

# put ROW STATE ROUND METRIC VALUE
put() {
	echo "$@" >> "$data"
}

# skip ROW REASON
skip() {
	note "$1: skipped: $2"
	echo "$*" >> "$work/skipped"
}

chosen() {
	[ -z "$rows" ] || [[ " $rows " == *" $1 "* ]]
}

scaled() {
	echo $(($1 * percent / 100))
}

# enter STATE RULES
enter() {
	case $1 in
	none) enter_none ;;
	was-on) enter_was_on ;;
	laf) enter_laf "$2" "$ring_kib" ;;
	kernel) enter_kernel "$2" 60000 ;;
	kernel-lossy) enter_kernel "$2" 0 ;;
	esac
}

# Does this row's log count, in the state that the machine is in?
is_recorded() {
	[ "$log" != /dev/null ] && [[ " opens compile-all " == *" $1 "* ]]
}

# Measure the command in the state that the machine is in.
measure() {
	local row=$1 state=$2 round=$3 wall cpu before start
	shift 3
	before=$(daemon_cpu)
	start=$(date +%s.%N)
	read -r wall cpu < <("$B/bench/timed" "$@")
	[ -n "$wall" ] || give_up "the workload failed: $*"
	if is_recorded "$row"; then
		drain $([ "$state" = kernel-lossy ] && echo 2 || echo 200)
		put "$row" "$state" "$round" written "$(awk "BEGIN { print $written_at - $start }")"
	fi
	put "$row" "$state" "$round" wall "$wall"
	put "$row" "$state" "$round" cpu "$cpu"
	put "$row" "$state" "$round" daemons "$(awk "BEGIN { printf \"%.6f\", $(daemon_cpu) - $before }")"
}

# Events of the workload in the log, and bytes of all their records.
count_events() {
	awk 'match($0, /audit\([^)]*\)/) { id = substr($0, RSTART, RLENGTH) }
		/^type=SYSCALL/ && / comm="calls" / { mine[id] = 1; n++ }
		id in mine { bytes += length($0) + 1 }
		END { print n + 0, bytes + 0 }' "$1"
}

# What each side itself says that it lost, and what the log has of the workload. Of laf when it has ended.
count_log() {
	local row=$1 state=$2 round=$3 lost events bytes
	case $state in
	none | was-on) return ;;
	laf) lost=$(sed -n 's/^laf: .* \([0-9]*\) lost.*, engine .*/\1/p' "$work/laf.err") ;;
	*) lost=$(audit_status lost) ;;
	esac
	[ -n "$lost" ] || give_up "$row: $state does not say what it lost"
	put "$row" "$state" "$round" lost "$lost"
	is_recorded "$row" || return 0
	if [ "$row" = opens ]; then
		read -r events bytes < <(count_events "$log")
	else
		events=$(grep -ac '^type=SYSCALL' "$log") bytes=$(stat -c %s "$log")
	fi
	put "$row" "$state" "$round" events "$events"
	put "$row" "$state" "$round" bytes "$bytes"
}

# round ROW ROUND RULES "STATES" COMMAND…: nobody else may use the kernel's audit meanwhile.
round() {
	local row=$1 round=$2 rules=$3 states=$4 state
	shift 4
	exec 9> "${LAF_KAUDIT_LOCK:-/run/lock/laf-kaudit.lock}"
	flock 9
	remember_audit
	for state in $states; do
		[[ $row != compile-* ]] || bench/compile.sh clean "$B"
		enter "$state" "$rules" 9>&-
		measure "$row" "$state" "$round" "$@"
		if [ "$state" = laf ]; then # its last words are the loss
			kill -TERM "$started" && wait "$started"
			started=
		fi
		count_log "$row" "$state" "$round"
		leave
	done
	exec 9>&-
}

# row NAME RULES "STATES" COMMAND…
row() {
	local name=$1 rules=$2 n
	chosen "$name" || return 0
	if [ ! -f "$rules" ]; then
		skip "$name" "there is no $rules"
		return
	fi
	rule_lines "$rules" > "$work/rules"
	chmod 600 "$work/rules"
	for n in $(seq "$rounds"); do
		note "$name: round $n of $rounds"
		round "$name" "$n" "$work/rules" "${@:3}"
	done
}

# Only the rules of a file: the settings are ours, and a folder that this machine lacks must not end the loading.
rule_lines() {
	echo "-i"
	grep -E '^ *-[aAw] ' "$1"
}

# The smallest ring, from the default up, with which laf loses none of the workload.
find_ring() {
	for ring_kib in $((default_ring_kib)) $((default_ring_kib * 2)) $((default_ring_kib * 4)) \
		$((default_ring_kib * 8)) $((default_ring_kib * 16)); do
		rm -f "$work/data.ring"
		data=$work/data.ring
		round opens 0 "$work/rules" laf "$@"
		data=$work/data
		grep -q 'laf 0 lost 0$' "$work/data.ring" && break
		note "opens: a ring of $ring_kib KiB loses events; doubling it"
	done
	put opens laf 0 ring "$ring_kib"
}

opens() {
	local n=$(scaled 100000)
	chosen opens || return 0
	echo '-a always,exit -F arch=b64 -S openat,close -k bench' > "$work/opens.rules"
	rule_lines "$work/opens.rules" > "$work/rules"
	chmod 600 "$work/rules"
	find_ring "$B/bench/calls" opens "$n"
	put opens all 0 pairs "$n"
	row opens "$work/opens.rules" 'none laf kernel kernel-lossy' "$B/bench/calls" opens "$n"
	ring_kib=$default_ring_kib
}

# compile NAME RULES
compile() {
	local name=$1
	chosen "$name" || return 0
	bench/compile.sh prepare "$B" > "$work/prepare" 2>&1 || {
		skip "$name" "$(tail -n 1 "$work/prepare")"
		return
	}
	row "$name" "$2" 'none laf kernel' bench/compile.sh run "$B"
}

# Ten rules on calls that a compile makes again and again, for nobody that is there.
idle_rules() {
	for calls in open,openat execve,execveat unlink,unlinkat rename,renameat mkdir,rmdir chmod,fchmod,fchmodat chown,fchown \
		clone,fork,vfork connect,bind,accept kill,tkill; do
		echo "-a always,exit -F arch=b64 -S $calls -F uid=4242 -k idle"
	done
}

# lmbench's small ones, under a rule on another call: a row each, and one table.
small() {
	local rules=$shared/bench/uname-always.rules part
	chosen small || return 0
	[ -z "$rows" ] || rows="$rows $(echo small-{getppid,io,stat,opens,install,handle,fork,exec,sh})"
	for part in getppid:4000000 io:2000000 stat:1500000 opens:700000 install:4000000 handle:700000 fork:4000 exec:600 sh:400; do
		set -- "${part%:*}" "$(scaled "${part#*:}")"
		put "small-$1" all 0 n "$2"
		row "small-$1" "$rules" 'none laf kernel' "$B/bench/calls" "$1" "$2"
	done
}

clean_up() {
	leave
	[ -z "$work" ] || rm -rf "$work"
}

machine() {
	cat <<-END
		| | |
		|---|---|
		| date | $(date -u '+%Y-%m-%d %H:%M UTC') |
		| processor | $(nproc) × $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1) |
		| memory | $(awk '/^MemTotal/ { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo) |
		| kernel | $(uname -r) |
		| system | Debian $(cat /etc/debian_version) |
		| laf | $("$laf" --version | cut -d' ' -f2), $(git describe --always --dirty 2> /dev/null || echo 'no git') |
		| engine | $best |
		| auditd | $(dpkg-query -W -f='${Version}' auditd) |
		| libbpf, clang | $(dpkg-query -W -f='${Version}' libbpf1), $(dpkg-query -W -f='${Version}' clang) |
		| load before | $load |
	END
}

report() {
	awk -v rounds="$rounds" -v percent="$percent" -v default_ring="$default_ring_kib" -v machine="$(machine)" \
		-v engine="$best" -v skipped="$(cat "$work/skipped" 2> /dev/null)" -v formatting="$formatting" \
		-v busy="$(echo "$load" | awk '{ print ($1 > 0.7) }')" \
		-f bench/report.awk "$work/data"
}

# The sections that bench/vm.sh and bench/soak.sh have written stay.
others() {
	sed -n '/^<!-- [a-z]*: begin/,/^<!-- [a-z]*: end/p' docs/benchmarks.md
}

[ "$(id -u)" = 0 ] || give_up "needs root"
for program in auditctl auditd pgrep flock; do
	command -v $program > /dev/null || give_up "needs $program; make deps installs it"
done
work=$(mktemp -d "${TMPDIR:-/tmp}/laf-bench-XXXXXX") || exit 1
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
best=$("$laf" probe | awk '$1 == "engine" { sub(":", "", $3); print $3 }')
load=$(cut -d' ' -f1-3 /proc/loadavg)
ring_kib=$default_ring_kib
data=$work/data
: > "$data"

echo '-a always,exit -F arch=b64 -S uname -k uname' > "$work/getppid.rules"
row getppid "$work/getppid.rules" 'none was-on laf kernel' "$B/bench/calls" getppid "$(scaled 20000000)"
row uname "$shared/bench/uname.rules" 'none laf kernel' \
	dd if=/dev/zero of=/dev/null bs=1 count="$(scaled 5000000)"
row uname-always "$shared/bench/uname-always.rules" 'none laf kernel' \
	dd if=/dev/zero of=/dev/null bs=1 count="$(scaled 5000000)"
row neo23x0 "$shared/neo23x0/audit.rules" 'none laf kernel' \
	dd if=/dev/zero of=/dev/null bs=512 count="$(scaled 4000000)"
idle_rules > "$work/idle.rules"
row stream "$work/idle.rules" 'none laf kernel' "$B/bench/calls" stream "$(scaled 3000000)"
small
opens
echo '-a always,exit -F arch=b64 -S all -k all' > "$work/all.rules"
compile compile-idle "$work/idle.rules"
writes=no
compile compile-discard "$work/all.rules"
writes=yes
compile compile-all "$work/all.rules"
if chosen records; then
	formatting=$("$B/bench/records")
fi
if [ -n "$rows" ]; then
	report
else
	{ report && echo && others; } > "$work/report" && install -m 644 "$work/report" docs/benchmarks.md &&
		note "wrote docs/benchmarks.md"
fi
