# SPDX-License-Identifier: GPL-2.0-or-later
# Two audit systems, the kernel's with the real auditctl and laf's with its own, that get the same commands. Sourced.
#
# What may differ between the two, masked on both sides:
#   pid, lost, backlog, backlog_wait_time_actual   they are those of two systems
#   the numbers behind several settings at once    the kernel's answers to each race; the first is shown
#   the names of calls in a list                   see same_calls
#   -h, and no option at all                       laf has words of its own
total=0 said=
prefix=() # of the commands: as somebody else
REAL=$(command -v auditctl)

start_both() {
	need_root
	need auditctl unshare
	need_laf
	case $(auditctl -v 2>&1) in *3.0.9*) ;; *) skip "auditctl is not 3.0.9: $(auditctl -v 2>&1)" ;; esac
	# a /dev/log of our own
	[ -n "${AUDITCTL_ALONE:-}" ] || AUDITCTL_ALONE=1 exec unshare -m --propagation private "$BASH" "$0" "$@"
	exec 9> "$KAUDIT_LOCK" && flock 9
	failed=0
	make_work
	daemon=
	trap 'close_both; end_work' EXIT
	own_devices
	cp "$LAF" "$WORK/auditctl"
	RUN=$(realpath "$BIN/auditctl_run")
	read_initial || skip "the kernel's audit does not answer, or is in use"
	: > "$WORK/none.rules"
	printf '%s\n' "log_file = $WORK/log" "kernel_records = no" "rules_file = $WORK/none.rules" > "$WORK/conf"
	chmod 600 "$WORK/conf" "$WORK/none.rules"
	"$LAF" daemon -c "$WORK/conf" > "$WORK/daemon.out" 2>&1 9>&- &
	daemon=$!
	for _ in {1..500}; do
		"$WORK/auditctl" -s > /dev/null 2>&1 && break
		kill -0 $daemon || { cat "$WORK/daemon.out"; exit 1; }
		sleep 0.02
	done
	for setting in "${initial[@]}"; do
		"$WORK/auditctl" $setting > /dev/null
	done
}

# The kernel's settings, to be put back.
read_initial() {
	"$REAL" -s > "$WORK/status" 2> /dev/null && [ "$("$REAL" -l)" = "No rules" ] || return 1
	status() { awk -v name="$1" '$1 == name { print $2 }' "$WORK/status"; }
	[ "$(status pid)" = 0 ] && [ "$(status enabled)" != 2 ] || return 1
	initial=("-e $(status enabled)" "-f $(status failure)" "-r $(status rate_limit)" "-b $(status backlog_limit)"
		"--backlog_wait_time $(status backlog_wait_time)")
}

# finish_both COMMANDS: at least so many must have been compared
finish_both() {
	kill $daemon
	wait $daemon || fail "the daemon: exit status $?: $(cat "$WORK/daemon.out")"
	daemon=
	close_both
	end_work
	echo "$total commands, $failed differences"
	[ "$total" -gt "$1" ] && [ "$failed" = 0 ]
	exit
}

close_both() {
	trap - EXIT
	"$REAL" -e 0 > /dev/null 2>&1
	"$REAL" -D > /dev/null 2>&1
	for setting in "${initial[@]}"; do
		"$REAL" $setting > /dev/null 2>&1
	done
	[ -z "$daemon" ] || { kill $daemon; wait $daemon; } 2> /dev/null
}

mask() {
	sed -E -e 's/^(pid|lost|backlog|backlog_wait_time_actual) [0-9]+$/\1 -/' \
		-e 's/^(lost|backlog_wait_time_actual): [0-9]+$/\1: -/' \
		-e '/^laf: without effect here: /d' -e '/^audit: [0-9]* events lost/d' -e '/^this is laf /d' \
		-e '/^usage: auditctl /,/^--/{/^--/!d}' \
		${several:+-e 's/ [0-9]+$/ -/'}
}

# auditctl 3.0.9 names the calls of a rule without arch= by the machine of the last arch= that it printed, be it of another rule.
# laf names them as this machine does. Such names are taken out of both lists.
same_calls() {
	awk '{
		if (match($0, / -F arch!?=[^ ]+/)) { arch = substr($0, RSTART, RLENGTH); sub(/.*=/, "", arch) }
		else if (arch != "" && arch != "b64" && arch != "x86_64" && / -S / && !/ -S all/) sub(/ -S [^ ]+/, " -S ...")
		print
	}'
}

# Are they the same but for what may differ?
same() {
	local side
	cmp -s "$WORK/kernel" "$WORK/laf" && return
	for side in kernel laf; do
		mask < "$WORK/$side" | same_calls > "$WORK/$side.masked"
	done
	cmp -s "$WORK/kernel.masked" "$WORK/laf.masked"
}

# both WORDS…
both() {
	local several=
	[[ $* =~ -(e|b|f|r)\ .*-(e|b|f|r)\  ]] && several=yes
	"$RUN" "$WORK/kernel" "${prefix[@]}" "$REAL" "$@"
	"$RUN" "$WORK/laf" "${prefix[@]}" "$WORK/auditctl" "$@"
	said="$said
	auditctl$(printf " '%s'" "$@")"
	compare "$@"
}

# What both said is in the two files.
compare() {
	total=$((total + 1))
	same && return
	failed=$((failed + 1))
	echo "FAILED:$said"
	echo "	< auditctl and kernel, > laf"
	diff "$WORK/kernel.masked" "$WORK/laf.masked" | cut -c1-300 | head -20
	[ "${2:-}" != "$WORK/x.rules" ] || { echo "	the file:"; head -c 2000 "$2"; }
}

same_state() {
	both -s
	both -l
	said=
}

# Commands from standard input, a line each, in a shell's words.
commands() {
	local line
	said=
	while read -r line; do
		case $line in '' | '#'*) continue ;; esac
		set -f
		eval "set -- $(sed -E "s/([\$\`*?&<>!;|()])/\\\\\1/g" <<< "$line")"
		set +f
		both "$@"
		said=
	done
}

# Of a rule file: nothing that could not be undone, or that makes a kernel panic.
harmless() {
	grep -vE '^ *(-e *2|-f *2|--loginuid-immutable)'
}

pick() {
	local -n list=$1
	picked=${list[RANDOM % ${#list[@]}]}
}

settings=('-e 0' '-e 1' '-b 64' '-b 100' '-b 0' '-r 5' '-r 0' '-f 0' '-f 1' '--backlog_wait_time 100' '--reset-lost'
	'--backlog_wait_time 15000' '-b 64 -r 0' '-e 1 -b 70' '-b 70 -Z' '-e 7' '-b x' '-b 20 x' '-f' '-r 1 -e')
looks=('-l' '-s' '-l -i' '-s -i' '-l -k key' '-l -k a' '-l -k nokey' '-l x' '-s x')
clears=('-D' '-D -k key' '-D -k a' '-D -k nokey' '-D x')
faults=('-Z' 'x' '-i' '-c' '-k a' '-p wa' '-S open' '-q /,/' '-t' '-m text' '-R' '--nothing' '-F uid=0')

# One command of a sequence, into $picked.
make_command() {
	local n=$((RANDOM % 100))
	if [ $n -lt 50 ]; then
		pick rules
		made+=("$picked")
	elif [ $n -lt 62 ] && [ ${#made[@]} -gt 0 ]; then # once more, or taken out again
		pick made
		[ $((RANDOM % 3)) = 0 ] || picked=$(sed -E 's/(^| )-[aA] /\1-d /; s/(^| )-w /\1-W /' <<< "$picked")
	elif [ $n -lt 76 ]; then pick settings
	elif [ $n -lt 86 ]; then pick looks
	elif [ $n -lt 92 ]; then pick clears
	else pick faults
	fi
}

# sequences SEED COUNT
sequences() {
	local i n
	echo "generated sequences: AUDITCTL_SEED=$1 AUDITCTL_SEQUENCES=$2"
	mapfile -t rules < <("$BIN/rules_generate" "$1" $(($2 * 4)))
	for ((i = 0; i < $2; i++)); do
		RANDOM=$(($1 * 1000 + i))
		said="
	(sequence $i of seed $1)"
		made=()
		for ((n = RANDOM % 10 + 1; n > 0; n--)); do
			make_command
			set -f
			both $picked
			set +f
		done
		same_state
		"$REAL" -D > /dev/null 2>&1
		"$WORK/auditctl" -D > /dev/null 2>&1
	done
}
