#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The oracle: the kernel's own audit and laf run at once with the same rules over the same workload; every event
# and every record must be the same, but for times, serials and what compare_known.c lists.
#
#   oracle.sh [SET…]    the rule sets to try, all without any; SET+enriched compares with auditd, SET+daemon a daemon that sees the whole
#                       machine; a path is a rule file
#
# LAF=kernel ENGINE=none compares the kernel's audit with itself: a test of this test. KEEP=DIR keeps the logs. APART: seconds
# by which the kernel's clock may lag behind (0.1). LIMIT: seconds for one set, for hangs only (500). ENGINE says which engine laf is to use, KNOWN
# (ENGINE) of which engine the known differences hold. SKIPS, if it is not empty: the kernel may skip the hooks of the engine; as many events may differ as laf
# says lack a detail.
. "$(dirname "$0")/lib.sh"
need_root
[ "$LAF" = kernel ] || need_laf
need auditctl auditd
make_work
. tests/system/lib_daemon.sh
ENGINE=${ENGINE:-tracepoint}
KNOWN=${KNOWN:-$ENGINE}
KEEP=${KEEP:-$WORK}
W=$WORK/w # where the workload's folders are
failed=0

mkdir -p "$KEEP"

# Rules of a set, by its name. (The never rule before saddr_fam: of an address of one byte the kernel compares two.) @W is the workload's folder; M marks its processes.
rules() {
	M='-F auid=4242'
	case $1 in
	all) cat <<-END ;;
		-a always,exit -F arch=b64 -S all $M -k all
		-a always,exit -F arch=b32 -S all $M -k all
		END
	unset) cat <<-END ;;
		-a always,exit -F arch=b64 -S all -F gid=4321 -F auid=-1
		-a always,exit -F arch=b32 -S all -F egid=4321 -F sessionid=unset
		END
	failed) cat <<-END ;;
		-a always,exit -F arch=b64 -S all $M -F success=0 -k failed
		-a always,exit -F arch=b32 -S all $M -F success!=1 -k failed32
		END
	succeeded) cat <<-END ;;
		-a always,exit -S all $M -F success=1
		END
	errno) cat <<-END ;;
		-a always,exit -F arch=b64 -S open,openat,openat2,creat,truncate,ftruncate -F exit=-EACCES $M -k access
		-a always,exit -F arch=b64 -S open,openat,openat2,creat,truncate,ftruncate -F exit=-EPERM $M -k access
		-a always,exit -F arch=b64 -S mkdir,rmdir,unlink,rename,link -F exit!=0 $M -k names
		-a always,exit -F arch=b64 -S stat -S lstat -S access -F exit=-ENOENT -F exit=-2 $M -k missing
		-a always,exit -F arch=b64 -S chmod,chown -F exit<10 $M -k low
		-a always,exit -F arch=b64 -S setxattr,getxattr -F exit>=-61 $M -k high
		END
	nameless) cat <<-END ;;
		-a always,exit -F arch=b64 -S read,write,close,wait4,clock_nanosleep,getpid,getuid,setresuid,kill,tgkill,umask,setpgid,dup,fcntl $M -k none
		-a always,exit -F arch=b32 -S read,write,close,waitpid,nanosleep,getpid,getuid32,kill $M -k none
		END
	prompt) cat <<-END ;;
		-a always,exit -F arch=b64 -S getpid,getppid,getuid,setresuid,setuid,setpgid,setsid,kill,tgkill,umask,uname,capset,prlimit64 $M -k prompt
		-a always,exit -F arch=b32 -S getpid,getuid32,setuid32,kill,umask,uname $M -k prompt
		END
	keys) cat <<-END ;;
		-a always,exit -F arch=b64 -S open -S openat $M -k first -k second
		-a always,exit -F arch=b64 -S mkdir,rmdir $M -k with_underscore-dash.dot
		-a always,exit -F arch=b64 -S unlink $M -F key=a/slash
		-a always,exit -F arch=b64 -S rename $M
		-a always,exit -F arch=b32 -S open,execve $M -k 32
		END
	order) cat <<-END ;;
		-a never,exit -F arch=b64 -S open -F success=0 $M
		-a always,exit -F arch=b64 -S open,stat,mkdir $M -k late
		-A never,exit -F arch=b64 -S stat -F success=1 $M
		-a never,exit -F arch=b64 -S mkdir $M
		-a always,exit -F arch=b64 -S rmdir,mkdir $M -k later
		-A always,exit -F arch=b64 -S rmdir -F success=0 $M -k earlier
		-a never,exit -S all $M
		-a always,exit -S all $M -k unreachable
		END
	ids) cat <<-END ;;
		-a always,exit -F arch=b64 -S open,openat -F uid=65534 $M -k uid
		-a always,exit -F arch=b64 -S open -F euid=202 $M -k euid
		-a always,exit -F arch=b64 -S open -F fsgid=104 $M -k fsgid
		-a always,exit -F arch=b64 -S access -F suid>200 $M -k suid
		-a always,exit -F arch=b64 -S access -F gid=101 $M -k gid
		-a always,exit -F arch=b64 -S access -F gid=20 $M -k supplementary
		-a always,exit -F arch=b64 -S setresuid -C uid!=euid $M -k uid-euid
		-a always,exit -F arch=b64 -S all -C uid!=suid $M -k uid-suid
		-a always,exit -F arch=b64 -S setresgid,setfsgid,open -C gid!=egid $M -k gid-egid
		-a always,exit -F arch=b64 -S exit_group -C auid!=uid $M -k auid-uid
		END
	arguments) cat <<-END ;;
		-a always,exit -F arch=b64 -S open -F a1&0100 $M -k creat
		-a always,exit -F arch=b64 -S open -F a1&=01001 $M -k trunc-write
		-a always,exit -F arch=b64 -S openat -F a0!=0xffffff9c $M -k dirfd
		-a always,exit -F arch=b64 -S openat -F a2=0 $M -k read
		-a always,exit -F arch=b64 -S mkdir -F a1=0755 $M -k mode
		-a always,exit -F arch=b64 -S kill -F a1=9 $M -k kill
		-a always,exit -F arch=b64 -S socket -F a0=1 $M -k unix
		-a always,exit -F arch=b64 -S clone -F a0&0x4000 $M -k vfork
		-a always,exit -F arch=b64 -S personality,open -F pers=0x40000 $M -k pers
		-a always,exit -F arch=b64 -S all -F pers&0x8 $M -k pers32
		-a never,exit -F arch=b64 -S connect -F a2=1
		-a always,exit -F arch=b64 -S bind,connect -F saddr_fam=1 $M -k af-unix
		-a always,exit -F arch=b64 -S all -F saddr_fam=2 $M -k af-inet
		-a always,exit -F arch=b64 -S all -F saddr_fam>9 $M -k af-other
		END
	labels) cat <<-END ;; # AppArmor alone has them here, in the machine: --lsm
		-a always,exit -F arch=b64 -S openat,mkdir -F success=0 $M -k failed
		-a always,exit -F arch=b64 -S open,stat -F subj_role=unconfined $M -k unconfined
		-a always,exit -F arch=b64 -S mkdir,openat -F subj_role!=unconfined $M -k confined
		-a always,exit -F arch=b64 -S rename,unlink -F subj_type=unconfined $M -k type
		-a always,exit -F arch=b64 -S rmdir -F obj_role!=unconfined $M -k object
		-a always,exit -F arch=b64 -S access -F path=@W/open/file -F subj_role=unconfined $M -k watch
		END
	exec) cat <<-END ;;
		-a always,exit -F arch=b64 -S execve,execveat $M -k exec
		-a always,exit -F arch=b32 -S execve,execveat $M -k exec
		-a always,exit -F arch=b64 -S fork,vfork,clone,clone3,exit,exit_group $M -k life
		END
	exe) cat <<-END ;;
		-a always,exit -F arch=b64 -S open,openat,access -F exe=@BIN/workload_open $M -k exe
		-a always,exit -F arch=b64 -S stat,mkdir -F exe!=@BIN/workload_names $M -k not-exe
		-a always,exit -F arch=b64 -S rename -F exe=/usr/bin/true $M -k other-exe
		END
	watch-file) cat <<-END ;;
		-w @W/open/file -p r -k watch-read
		-w @W/open/new -p wa -k watch-write
		-w @W/names/file -p rwxa -k watch-all
		-w @W/exec/true -p x -k watch-exec
		END
	watch-dir) cat <<-END ;;
		-w @W/open/ -p w -k watch-w
		-w @W/names -p wa -k watch-wa
		-w @W/attr -p a -k watch-a
		-w @W/exec -p x -k watch-x
		END
	files) cat <<-END ;;
		-a always,exit -F arch=b64 -S open,openat -F path=@W/open/file $M -k path
		-a always,exit -F arch=b64 -S all -F dir=@W/open/ -F perm=r $M -k dir-r
		-a always,exit -F arch=b64 -S mkdir,rmdir,unlink,rename -F dir=@W/names $M -F success=1 -k dir
		-a always,exit -F arch=b64 -F perm=a $M -k perm-a
		-a always,exit -F arch=b32 -F perm=w $M -k perm-w32
		END
	tasks) cat <<-END ;;
		-a never,task $M -F uid=65534
		-a never,task $M -F a0=0
		-a never,task $M -F exe=@BIN/workload
		-a always,task $M -F egid=101 -F exe!=/usr/bin/true -F key=task
		-a always,task $M -F gid=20
		-a never,task $M -F saddr_fam=0
		-a always,exit -F arch=b64 -S all $M -k all
		-a never,exit -F arch=b32 -S all $M
		END
	filesystem) cat <<-END ;;
		-a always,filesystem -F fstype=@FS
		-a never,filesystem -F fstype=0x9fa0 -k proc
		-a never,filesystem -F fstype=@FS
		-a always,exit -F arch=b64 -S open,openat -F success=1 -F path=@W/open/file $M -k watch
		-a always,exit -F arch=b64 -S open,openat -F success=1 -F dir=@W/open $M -k dir
		-a always,exit -F arch=b64 -S all $M -k all
		-a always,exit -F arch=b32 -S all $M -k all
		END
	other-filesystems) cat <<-END ;;
		-a never,filesystem -F fstype!=@FS
		-a always,exit -F arch=b64 -S all $M -k all
		END
	left-out) cat <<-END ;;
		-a never,filesystem -F fstype!=@FS
		-a always,exit -F arch=b64 -S umount2,mq_open,mq_unlink,open,stat,mkdir,rename $M -k left-out
		END
	exclude) cat <<-END ;;
		-a always,exclude -F msgtype=PROCTITLE -F uid=65534
		-a always,exclude -F msgtype=SYSCALL -F gid=101
		-a always,exclude -F exe=@BIN/workload_process -F msgtype>1322 -F msgtype<1324
		-a always,exclude -F exe!=@BIN/workload_open -F auid=4242 -F msgtype=FD_PAIR
		-a always,exclude -F auid!=4242 -F msgtype=EXECVE
		-a always,exit -F arch=b64 -S all $M -k all
		-a always,exit -F arch=b32 -S all $M -k all
		END
	exclude-names) cat <<-END ;;
		-a never,exclude -F msgtype=CWD
		-a always,exclude -F exe=@BIN/workload_open -F msgtype>1301 -F msgtype<1303
		-a always,exclude -F auid=4242 -F pid!=1 -F msgtype=PROCTITLE
		-a never,exit -F arch=b64 -S open -F a1&0100 $M
		-a never,exit -F arch=b64 -S openat -F exe=@BIN/workload_process $M
		-a always,exit -F arch=b64 -S open,openat -F success=1 $M
		END
	opened) cat <<-END ;;
		-a always,exit -F arch=b64 -S open,openat -F success=1 -F obj_uid=65534 $M -k obj-uid
		-a always,exit -F arch=b64 -S open,openat -F success=1 -F filetype=fifo $M -k fifo
		-a always,exit -F arch=b64 -S open,openat -F success=1 -F filetype=dir $M -k dir
		-a always,exit -F arch=b64 -S open,openat -F success=1 -F devmajor=1 $M -k dev
		-a always,exit -F arch=b64 -S fchmod,fchown -F filetype=file $M -k fd
		END
	follow-all) followed "-a always,exit -F arch=b64 -S all $M" ;;
	follow-r) followed "-a always,exit -F arch=b64 -F perm=r $M" ;;
	follow-wa) followed "-a always,exit -F arch=b64 -F perm=wa $M" ;;
	follow-objects) cat <<-END ;;
		-a always,exit -F arch=b64 -S all -F inode=@INODE $M -k inode
		-a always,exit -F arch=b64 -S open,stat -F obj_uid=1 -F obj_gid=2 $M -k obj
		-a always,exit -F arch=b64 -S open -F obj_uid=3 -F obj_gid!=2 $M -k obj2
		-a always,exit -F arch=b64 -S open,stat -F devmajor=1 -F devminor=3 $M -k null
		-a always,exit -F arch=b64 -S stat,mknod -F devmajor=1 -F devminor>4 $M -k zero
		-a always,exit -F arch=b64 -S all -F filetype=fifo $M -k fifo
		-a always,exit -F arch=b64 -S all -F filetype=link $M -k symlink
		-a always,exit -F arch=b64 -S all -F filetype=dir -F success=1 -F obj_gid=7 $M -k dir
		-a always,exit -F arch=b64 -S fchmod -F filetype=file $M -k file
		END
	esac
}

# Watches for what workload_watch does, as rules that begin so.
followed() {
	for name in hard soft link ren rep row swap vim emacs sed del late late2 folder bind/f above/p/f own/f; do
		echo "$1 -F path=@W/watch/d/$name -k $name"
	done
	echo "$1 -F dir=@W/watch/d/tree -k tree"
	echo "$1 -F dir=@W/watch/d/root/ -k root"
}

# What is there when the rules are loaded.
make_watched() (
	mkdir -p "$W/watch/d" "$W/watch/o" && cd "$W/watch" || exit
	mkdir -p d/folder/sub d/tree/sub/sub d/tree/mnt d/tree/mnt2 d/tree2 d/bind d/above/p d/own d/root \
		o/dir o/bound o/bound2 o/outer
	for name in hard soft ren rep row swap vim emacs sed del folder/in folder/sub/in path.x bind/f above/p/f own/f \
		tree/a tree/sub/c tree/sub/sub/b tree2/a root/in; do
		echo x > "d/$name"
	done
	for name in target obj inode file dir/in outer/in; do
		echo x > "o/$name"
	done
	chmod 600 o/* d/* 2> /dev/null
	chown 1:2 o/obj
	ln -s ../o/target d/link
	mount -t tmpfs none d/tree/mnt 2> /dev/null
	echo x > d/tree/mnt/in
	[ "$ENGINE" = fexit ] || : > pause
)

# A rule file of somebody's, without what is no rule.
rules_of() {
	case $1 in
	/*) grep '^-[aAw]' "$1" ;;
	*) rules "$1" ;;
	esac
}

sets='all unset failed succeeded errno keys order tasks filesystem other-filesystems exclude exclude-names ids arguments exec exe watch-file watch-dir files opened all+enriched unset+enriched all+daemon nameless+daemon prompt+daemon'

# What a set needs beside the defaults: the mark of the processes, the workloads.
options() {
	mark=auid=4242 marking= names= by=
	case $1 in
	watch-*|files|/*) by=text ;;
	follow-*) by=text names=watch ;;
	arguments) by=saddr_fam ;;
	unset) mark=gid=4321 marking='-g 4321' ;;
	esac
}

prepare() {
	umount "$W/watch/d/tree/mnt" 2> /dev/null
	rm -rf "$W"
	mkdir -p "$W/open" "$W/names" "$W/attr" "$W/exec"
	case $1 in follow-*) make_watched ;; esac
	inode=$(stat -c %i "$W/watch/o/inode" 2> /dev/null)
	rules_of "$1" | sed "s,@W,$W,g; s,@FS,0x$(stat -f -c %t "$W"),; s,@BIN,$(realpath "$BIN"),g; s,@INODE,$inode,g" > "$WORK/rules"
	chmod 600 "$WORK/rules"
}

# record SET FORMAT RECORDER-OPTION…: run the workload under both.
record() {
	set=${1##*/} format=$2 kernel=$KEEP/${1##*/}.$2.kernel ours=$KEEP/${1##*/}.$2.laf
	shift 2
	rm -f "$kernel" "$ours"
	if [ -n "$whole" ]; then
		LOG=$ours
		configure
		launch
		until_true 200 in_log '^type=DAEMON_START ' || { cat "$WORK/said"; return 1; }
		"$BIN/oracle_kaudit" -t "${LIMIT:-500}" "$@" -o "$kernel" -R "$WORK/rules" -- "$BIN/workload" -d "$W" $marking $names
		status=$?
		kill "$daemon"
		wait "$daemon" || status=1
		daemon=
		cat "$WORK/said"
		return $status
	elif [ "$LAF" = kernel ]; then
		"$BIN/oracle_kaudit" -t "${LIMIT:-500}" "$@" -o "$kernel" -2 "$ours" -R "$WORK/rules" -- \
			"$BIN/workload" -d "$W" $marking $names
	else
		"$BIN/oracle_kaudit" -t "${LIMIT:-500}" "$@" -o "$kernel" -R "$WORK/rules" -- \
			"$LAF" run --engine "$ENGINE" -R "$WORK/rules" -o "$ours" --format "$format" -- \
			"$BIN/workload" -d "$W" $marking $names
	fi > "$WORK/out" 2>&1
}

# Which entries of the table of known differences no set has used so far.
note_unused() {
	grep '^unused ' "$WORK/diff" > "$WORK/unused.new"
	[ -f "$WORK/unused" ] || cp "$WORK/unused.new" "$WORK/unused"
	grep -Fxf "$WORK/unused.new" "$WORK/unused" > "$WORK/unused.both"
	mv "$WORK/unused.both" "$WORK/unused"
}

# The events that differ are no more than those of which laf says that they lack a detail.
are_told() {
	different=$(sed -n 's/.* \([0-9]*\) different, 0 missing, 0 extra (.*, 0 scattered, 0 late, .*/\1/p' "$WORK/diff" | tail -n 1)
	[ "${different:-1}" -le "${partial:-0}" ]
}

# one SET FORMAT RECORDER-OPTION…: run both, compare.
one() {
	prepare "$1"
	options "$1"
	record "$@"
	case $? in
	0) ;;
	77) skip "$(cat "$WORK/out")" ;;
	*) fail "$set $format: the workload: $(tail -5 "$WORK/out")"; return ;;
	esac
	"$BIN/compare" ${SHOW:+-n $SHOW} ${APART:+-t $APART} -u -e "$KNOWN" -c "$mark" -s "$by" "$kernel" "$ours" > "$WORK/diff"
	status=$?
	note_unused
	partial=$(sed -n 's/^laf: .* \([0-9]*\) events lack a detail.*/\1/p' "$WORK/out")
	printf '%s %s: %s%s\n' "$set" "$format" "$(tail -1 "$WORK/diff")" "${partial:+; $partial lack a detail}"
	[ $status = 0 ] || { [ -n "$SKIPS" ] && are_told; } || { grep -v '^known \|^unused ' "$WORK/diff"; fail "$set $format"; }
}

# The same with auditd as the reader: what it adds to records.
enriched() {
	make_auditd ENRICHED "$KEEP/$1.enriched.kernel"
	one "$1" enriched -A "$WORK/auditd"
}

for set in ${*:-$sets}; do
	whole=
	case $set in
	*+daemon) whole=1 && one "${set%+daemon}" raw ;;
	*+enriched) enriched "${set%+enriched}" ;;
	*) one "$set" raw ;;
	esac
done
[ $# != 0 ] || [ ! -f "$WORK/unused" ] || sed 's/^unused /never used by any rule set: /' "$WORK/unused"
exit $failed
