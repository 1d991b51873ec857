#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# laf run records every process of the command, however it was made, also those that outlive it, and no other
# process's.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
make_work
failed=0
LOG=$WORK/log
LAF=$(realpath "$LAF")

end_outside() {
	[ -z "$outside" ] || kill "$outside"
	wait
	outside=
}
trap 'end_outside 2> /dev/null; end_work' EXIT

# A process that is not ours makes the same calls and forks all the time; it is there before laf and after it.
start_outside() {
	"$BIN/scope_tree" outside 0x0ff &
	outside=$!
}

# No event of the log is lost, or of a process that could not be followed. $1: what laf said.
whole() {
	said=$(grep '^laf: [0-9]* events' "$1")
	case $said in
	*' 0 lost, engine '*) ;;
	*) fail "not everything was recorded: $said" ;;
	esac
	written=$(awk '{ print $2 }' "$LOG" | uniq | wc -l)
	[ "$said" != "${said#laf: "$written" events, }" ] || fail "$written events in the log, but: $said"
}

# Marked calls by process: what the log has against what the processes reported, both ways; whose else events
# are there.
compare_marks() {
	awk -v report="$1" '
	BEGIN {
		while ((getline line < report) > 0) {
			split(line, part, " ")
			want[part[1]] += part[2]
			kind[part[1]] = kind[part[1]] " " part[3]
		}
	}
	!/^type=SYSCALL / { next }
	{ match($0, / pid=[0-9]+/); pid = substr($0, RSTART + 5, RLENGTH - 5) }
	!(pid in want) { strange[pid] = $0 }
	/ syscall=121 / && / a0=0 a1=1afe / { got[pid]++ }
	/ syscall=121 / && / a1=ff / { outside++ }
	/ syscall=(60|231) / { ends[pid] = 1 }
	END {
		for (pid in want) {
			n++
			marks += want[pid]
			if (got[pid] != want[pid])
				print "process " pid " (" kind[pid] " ): " got[pid] + 0 " marked calls, not " want[pid], bad++
			if (!(pid in ends) && kind[pid] !~ /killed/)
				print "process " pid " (" kind[pid] " ): its end is not there", bad++
		}
		for (pid in strange)
			print "a process that is none of the command: " strange[pid], bad++
		if (outside)
			print outside " calls of the process outside", bad++
		print n " processes, " marks " marked calls"
		exit bad > 0 || n < 500
	}' "$LOG"
}

# The tree. Its main process ends with 3 a second before its last descendant does; laf must have waited for
# that.
tree() {
	start_outside
	"$LAF" run ${ENGINE:+--engine "$ENGINE"} --ring-kib 65536 -a always,exit -F arch=b64 -S all -o "$LOG" -- \
		"$BIN/scope_tree" tree "$WORK/report" 0x1afe 30 2> "$WORK/said"
	status=$?
	end_outside
	[ $status = 3 ] || fail "the tree: exit status $status, not 3: $(cat "$WORK/said")"
	[ "$(grep -c ' daemon$' "$WORK/report")" = 2 ] || fail "laf run did not wait for the daemons"
	whole "$WORK/said"
	compare_marks "$WORK/report" || fail "the tree"
}

# What configure scripts do: small programs, pipes, substitutions, subshells, background jobs, a script that
# writes a script. Every program that it starts by `run` is noted in $PIDS by its pid.
write_configure() {
	cat > "$WORK/configure" <<-'END'
		#!/bin/sh
		run() { sh -c 'echo $$ >> "$PIDS"; exec "$@"' - "$@"; }
		check() {
			printf 'checking for %s... ' "$1"
			value=$(run expr "x$1" : 'x\(.*\)' | sed 's/[^a-z]/_/g')
			cat > conftest.sh <<-CONF
				case $value in *_h) exit 0 ;; *) exit 1 ;; esac
			CONF
			if (run sh conftest.sh) > /dev/null 2>&1; then echo yes; else echo no; fi
			echo "s,@$value@,1,g" | run tr a-z A-Z >> conftest.sed
		}
		for name in stdio stdlib string unistd fcntl errno signal poll sched time spawn wchar; do
			check $name.h
			check $name
		done
		for i in 1 2 3 4 5 6 7 8 9 10; do
			run uname -m > /dev/null &
			(exec env LC_ALL=C sh -c 'true; true | cat' > /dev/null) &
		done
		wait
		{ echo '#!/bin/sh'; echo 'sort -u "$1" | run_no_such_program 2> /dev/null || cat "$1" | wc -l'; } > config.status
		chmod +x config.status
		run ./config.status conftest.sed
	END
	cat > "$WORK/Makefile" <<-'END'
		.RECIPEPREFIX = >
		objects = a.o b.o c.o d.o
		program: $(objects)
		> gcc -o $@ $(objects) && ./$@
		a.c:
		> echo 'int b(int), c(int), d(int); int main(void) { return b(1) + c(1) + d(1) != 9; }' > $@
		%.c:
		> echo 'int $*(int x) { return x * 3; }' > $@
		%.o: %.c
		> gcc -O1 -c -o $@ $<
	END
	chmod +x "$WORK/configure"
}

# build COMMAND…: the command in a folder of its own, under laf; then what its script noted against the log.
build() {
	rm -rf "$LOG" "$WORK/build" "$WORK/pids"
	mkdir "$WORK/build"
	(
		cd "$WORK/build" && cp ../Makefile . || exit 1
		PIDS=$WORK/pids exec "$LAF" run ${ENGINE:+--engine "$ENGINE"} --ring-kib 65536 -o "$LOG" \
			-a always,exit -F arch=b64 -S execve,execveat,fork,vfork,clone,clone3,exit_group -- "$@"
	) > "$WORK/out" 2> "$WORK/said" || fail "$*: exit status $?: $(tail -3 "$WORK/said")"
	whole "$WORK/said"
}

noted_programs() {
	build sh ../configure
	awk '/^type=SYSCALL / && / syscall=59 / && / success=yes / {
		match($0, / pid=[0-9]+/)
		print substr($0, RSTART + 5, RLENGTH - 5)
	}' "$LOG" | sort > "$WORK/execs"
	# each noted itself as `sh -c` and then became another program: two execs
	sort "$WORK/pids" "$WORK/pids" > "$WORK/noted"
	comm -13 "$WORK/execs" "$WORK/noted" > "$WORK/missing"
	[ ! -s "$WORK/missing" ] ||
		fail "programs that the script started and the log lacks: $(uniq "$WORK/missing" | wc -l)"
	echo "a configure script: $(wc -l < "$WORK/pids") programs noted, $(wc -l < "$WORK/execs") in the log"
	[ "$(wc -l < "$WORK/pids")" -gt 70 ] || fail "the script noted too few programs"
}

# Programs started, processes made and ended, by process: a line each.
by_laf() {
	awk '
	!/^type=SYSCALL / || / exe="[^"]*\/strace"/ { next }
	{ match($0, / pid=[0-9]+/); pid = substr($0, RSTART + 5, RLENGTH - 5) }
	/ syscall=(59|322) / && / success=yes / { print pid, "exec" }
	/ syscall=(56|57|58|435) / && / success=yes / {
		match($0, / exit=[0-9]+/)
		print pid, "fork", substr($0, RSTART + 6, RLENGTH - 6)
	}
	/ syscall=231 / { match($0, / a0=[0-9a-f]+/); print pid, "exit", substr($0, RSTART + 4, RLENGTH - 4) }
	' "$LOG" | sort
}

by_strace() {
	for file in "$WORK"/strace.*; do
		pid=${file##*.}
		sed -n "s/^execve.* = 0\$/$pid exec/p
			s/^\\(fork\\|vfork\\|clone\\|clone3\\)(.* = \\([0-9][0-9]*\\)\$/$pid fork \\2/p" "$file"
		sed -n 's/^exit_group(\([0-9]*\)).*/\1/p' "$file" | while read -r status; do
			printf '%d exit %x\n' "$pid" "$status"
		done
	done | sort
}

# A program that follows processes by other means must have seen the very same.
against_strace() {
	rm -f "$WORK"/strace.*
	build strace -ff -qq -o "$WORK/strace" -e signal=none \
		-e trace=execve,execveat,fork,vfork,clone,clone3,exit_group -- "$@"
	by_laf > "$WORK/by-laf"
	by_strace > "$WORK/by-strace"
	cmp -s "$WORK/by-laf" "$WORK/by-strace" ||
		fail "$*: laf (<) and strace (>): $(diff "$WORK/by-laf" "$WORK/by-strace" | head -20)"
	echo "$*: $(grep -c fork "$WORK/by-strace") processes made, $(grep -c exec "$WORK/by-strace") programs started"
	[ "$(grep -c fork "$WORK/by-strace")" -gt 10 ] || fail "$*: that was too little"
}

tree
write_configure
noted_programs
if command -v strace > /dev/null; then
	against_strace sh ../configure
	against_strace make -s -j2
else
	echo "without strace there is nobody to compare with"
fi
exit $failed
