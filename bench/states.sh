# SPDX-License-Identifier: GPL-2.0-or-later
# What the machine is in while something is measured: no audit, the kernel's audit with auditd, laf. Sourced by run.sh.
#
# What stays behind of the kernel's audit: once it has been enabled, every process that is forked gets an audit context and takes
# the slow way into each call, also when audit is off again (audit_alloc() looks at audit_ever_enabled). The rule `never,task`
# keeps new processes free of it; it is what "no audit" and laf are measured with, and every workload is a fresh process.
# The state `was-on` is the machine without that rule: off again, and paying.
#
# Each state leaves in $daemons the processes whose time counts, in $log their log: /dev/null with writes=no, with which the
# daemons do all but writing it.

give_up() {
	echo "bench: $*" >&2
	exit 1
}

quiet() {
	"$@" > /dev/null 2>&1
}

# wait_for SECONDS COMMAND…
wait_for() {
	deadline=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt $deadline ] || return 1
		sleep 0.05
	done
}

audit_status() {
	auditctl -s | awk -v name="$1" '$1 == name { print $2 }'
}

remember_audit() {
	[ "$(audit_status pid)" = 0 ] || give_up "an audit daemon is running; stop it first (service auditd stop)"
	[ "$(audit_status enabled)" != 2 ] || give_up "audit is locked until the machine restarts"
	[ "$(auditctl -l)" = "No rules" ] || give_up "there are audit rules loaded; auditctl -D takes them out"
	former="-e $(audit_status enabled) -f $(audit_status failure) -b $(audit_status backlog_limit)
		--backlog_wait_time $(audit_status backlog_wait_time)"
}

# Whatever happens: no daemon of ours, no rules, the settings as they were.
leave() {
	for pid in $started; do
		kill -TERM "$pid" 2> /dev/null && wait "$pid" 2> /dev/null
	done
	started= daemons=
	[ -n "$former" ] || return 0
	quiet auditctl -D
	set_former $former
}

set_former() {
	while [ $# -gt 1 ]; do
		quiet auditctl "$1" "$2"
		shift 2
	done
}

enter_none() {
	quiet auditctl -e 0
	quiet auditctl -D
	auditctl -a never,task > /dev/null || give_up "the rule never,task could not be loaded"
	log=/dev/null daemons=
}

enter_was_on() {
	quiet auditctl -e 1
	quiet auditctl -D
	quiet auditctl -e 0
	log=/dev/null daemons=
}

# enter_laf RULES RING-KIB
enter_laf() {
	enter_none
	log=$work/laf.log
	rm -f "$log"
	cat > "$work/laf.conf" <<-END
		log_file = $log
		log_format = ENRICHED
		write_logs = ${writes:-yes}
		ring_kib = $2
		kernel_records = no
		rules_file = $1
		engine = ${engine:-auto}
	END
	"$laf" daemon -c "$work/laf.conf" 2> "$work/laf.err" &
	started=$! daemons=$!
	wait_for 120 quiet "$laf" status || give_up "laf daemon did not start: $(cat "$work/laf.err")"
	[ "$writes" != no ] || log=/dev/null
}

# Debian's auditd.conf, but a folder of its own, no rotation, and no fsync: laf does not call it either.
auditd_conf() {
	mkdir -p "$work/auditd/plugins"
	cat > "$work/auditd/auditd.conf" <<-END
		log_file = $log
		log_format = ENRICHED
		write_logs = ${writes:-yes}
		log_group = root
		flush = NONE
		priority_boost = 4
		max_log_file_action = IGNORE
		space_left = 75
		admin_space_left = 50
		space_left_action = IGNORE
		admin_space_left_action = IGNORE
		disk_full_action = IGNORE
		disk_error_action = IGNORE
		q_depth = 2000
		plugin_dir = $work/auditd/plugins
	END
	chmod 640 "$work/auditd/auditd.conf"
}

auditd_is_ready() {
	[ "$(audit_status pid)" = "$started" ]
}

# enter_kernel RULES WAIT: Debian's settings; WAIT 0 = callers do not wait for room in the backlog.
enter_kernel() {
	log=$work/kernel.log
	rm -f "$log"
	auditd_conf
	quiet auditctl -D
	auditd -n -s nochange -c "$work/auditd" > "$work/auditd.err" 2>&1 &
	started=$!
	wait_for 120 auditd_is_ready || give_up "auditd did not start: $(cat "$work/auditd.err")"
	quiet auditctl -b 8192
	quiet auditctl --backlog_wait_time "$2"
	quiet auditctl -f "$([ "$2" = 0 ] && echo 0 || echo 1)" # without waiting it would fill the kernel's log
	quiet auditctl -R "$1"
	[ "$(auditctl -l)" != "No rules" ] || give_up "auditctl -R $1 loaded nothing"
	quiet auditctl --reset-lost
	quiet auditctl -e 1
	daemons="$started $(pgrep -x kauditd)"
	[ "$writes" != no ] || log=/dev/null
}

# drain SECONDS: wait until the log holds the workload's last act, but not for longer: that may be lost, and waiting for the
# log to rest is no way, for other processes are recorded too. Sets $written_at.
drain() {
	from=1 until=$(($(date +%s) + $1))
	while [ "$(date +%s)" -lt $until ]; do
		size=$(stat -c %s "$log")
		tail -c "+$from" "$log" | head -c $((size + 1 - from)) | grep -aq "$end_mark" && break
		from=$((size > 4096 ? size - 4096 : 1))
		sleep 0.1
	done
	written_at=$(date +%s.%N)
}

# Seconds of processor time that the daemons have had.
daemon_cpu() {
	for pid in $daemons; do
		cat /proc/"$pid"/task/*/schedstat
	done 2> /dev/null | awk '{ ns += $1 } END { printf "%.6f\n", ns / 1e9 }'
}
