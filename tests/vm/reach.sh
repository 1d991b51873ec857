#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Under a large public rule set, the fexit engine has programs on the calls that a rule can match, and on no other:
# getppid(2) takes as many instructions as without laf, to the instruction. The rules are in force within seconds (8 on 6.1, 22 on 6.12,
# 31 on 6.18: nearly all of it is the kernel's verifier at work).
# kernels: 6.1
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
RULES=${LAF_SHARED:-../shared}/rules/neo23x0/audit.rules
[ -n "$IN_MACHINE" ] || [ -f $RULES ] || skip "needs $RULES"
ENGINE=fexit
MACHINE="--icount -smp 1 --append preempt=voluntary --in $RULES"
in_machine "$@"
. tests/system/lib.sh
make_work
failed=0
LOG=$WORK/log

wait_for_line() {
	tries=0
	until grep -qs "$1" "$LOG"; do
		tries=$((tries + 1))
		[ $tries -lt 1200 ] && kill -0 "$daemon" 2> /dev/null || return 1
		sleep 0.1
	done
}

# 64-bit calls of which a rule may say always: those that it names, or, of a rule on files, those of its classes (the
# kernel's include/asm-generic/audit_*.h), or all, that take a name or a file.
calls_reached() {
	"$LAF" rules list "$WORK/rules" | awk '
	BEGIN {
		class["r"] = "open openat openat2 readlink readlinkat quotactl listxattr llistxattr flistxattr getxattr " \
			"lgetxattr fgetxattr"
		class["w"] = "open openat openat2 rename mkdir rmdir creat link unlink symlink mknod mkdirat mknodat " \
			"unlinkat renameat linkat symlinkat renameat2 acct swapon quotactl truncate ftruncate bind"
		class["a"] = "chmod fchmod chown lchown fchown setxattr lsetxattr fsetxattr removexattr lremovexattr " \
			"fremovexattr fchownat fchmodat fchmodat2 link linkat setxattrat removexattrat file_setattr"
		class["x"] = "execve execveat"
		others = "stat lstat newfstatat statx access faccessat faccessat2 chdir chroot statfs utime utimes " \
			"futimesat utimensat mount umount2 pivot_root uselib mq_open mq_unlink connect sendto " \
			"sendmsg sendmmsg name_to_handle_at open_by_handle_at inotify_add_watch fanotify_mark " \
			"open_tree open_tree_attr move_mount mount_setattr fspick fsconfig getxattrat listxattrat " \
			"file_getattr swapoff fchmod fchown mq_timedsend mq_timedreceive"
		# its name is that of no file, which the table of calls does not say: one program too many
		others = others " sysfs"
	}
	function add(list, n, name, i) {
		n = split(list, name, /[ ,]/)
		for (i = 1; i <= n; i++)
			print name[i]
	}
	/never|,user|,exclude|,task|arch=b32/ { next }
	{
		perm = match($0, /(-p |perm=)[rwxa]+/) ? substr($0, RSTART, RLENGTH) : ""
		sub(/^(-p |perm=)/, "", perm)
		calls = match($0, / -S [^ ]+/) ? substr($0, RSTART + 4, RLENGTH - 4) : ""
		if (calls != "" && calls != "all")
			add(calls)
		else if (perm == "" && !/ (path|dir|obj_uid)=/)
			print "every call: " $0
		else if (perm == "")
			add(class["r"] " " class["w"] " " class["a"] " " class["x"] " " others)
		for (i = 1; (calls == "" || calls == "all") && i <= length(perm); i++)
			add(class[substr(perm, i, 1)])
	}' | sort -u
}

# 64-bit calls whose functions have programs.
calls_hooked() {
	bpftool btf dump file /sys/kernel/btf/vmlinux |
		sed -n "s/^\[\([0-9]*\)\] FUNC '\(__x64_sys_\|__do_sys_\)\([^']*\)' .*/\1 \3/p" |
		sed 's/ newuname$/ uname/; s/ umount$/ umount2/; s/ newstat$/ stat/; s/ newlstat$/ lstat/; s/ newfstat$/ fstat/' |
		sort > "$WORK/functions"
	"$BIN/links" | sort -u |
		join -o 2.2 - "$WORK/functions" | sort -u
}

cost() {
	"$BIN/ppid_cost"
}

cp /in/audit.rules "$WORK/rules"
# There is no place there at which all 32-bit calls pass, and some share their function with 64-bit ones.
[ "$KERNEL" != 6.18 ] || sed -i '/arch=b32 -S all -k/d' "$WORK/rules"
printf '%s\n' "log_file = $LOG" 'log_format = RAW' 'kernel_records = no' "rules_file = $WORK/rules" \
	"engine = $ENGINE" > "$WORK/conf"
chmod 600 "$WORK/conf" "$WORK/rules"
without=$(cost)
start=$(date +%s%N)
"$LAF" daemon -c "$WORK/conf" 2> "$WORK/said" &
daemon=$!
wait_for_line '^type=DAEMON_START ' || fail "the daemon does not start: $(cat "$WORK/said")"
took=$(($(date +%s%N) - start))
with=$(cost)
calls_reached > "$WORK/reachable"
calls_hooked > "$WORK/hooked"
[ "$(wc -l < "$WORK/hooked")" -gt 40 ] || fail "too few calls are hooked: $(cat "$WORK/hooked")"
comm -23 "$WORK/hooked" "$WORK/reachable" > "$WORK/more"
[ ! -s "$WORK/more" ] || fail "programs on calls that no rule can match: $(tr '\n' ' ' < "$WORK/more")"
comm -13 "$WORK/hooked" "$WORK/reachable" > "$WORK/less"
echo "$(wc -l < "$WORK/hooked") calls hooked; not: $(tr '\n' ' ' < "$WORK/less")"
echo "a hundred getppid: $without without laf, $with with it; in force after $((took / 1000000)) ms of this machine's time"
[ "$with" = "$without" ] || fail "getppid costs something"
[ "$KERNEL" = 6.1 ] && limit=10 || limit=40
[ $took -lt ${limit}000000000 ] || fail "it takes too long"
kernel_is_well
exit $failed
