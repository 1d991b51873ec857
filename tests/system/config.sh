#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each setting with values that fit, do not, and are out of range: laf takes what auditd takes, and refuses in the same line what auditd
# refuses. auditd runs where it can't get hold of the kernel's audit: in a namespace of processes of its own.
. "$(dirname "$0")/lib.sh"
need_root
need_laf
need auditd unshare
cases=$(dirname "$0")/config_cases
make_work
failed=0
mkdir "$WORK/folder" "$WORK/none"
cp /bin/true "$WORK/exe"
cp /bin/true "$WORK/unsafe"
chmod 755 "$WORK/exe"
chmod 777 "$WORK/unsafe"

cat > "$WORK/auditd.sh" << 'END'
mount -t tmpfs none /run || exit 77
[ ! -d /etc/audit/plugins.d ] || mount --bind "$1/none" /etc/audit/plugins.d || exit 77
echo 'hosts: files' > "$1/nsswitch" # nobody is asked for the names in addresses
mount --bind "$1/nsswitch" /etc/nsswitch.conf || exit 77
for conf in "$1"/cases/*; do
	timeout -k 1 2 auditd -f -s nochange -c "$conf" < /dev/null > "$conf/auditd.out" 2> "$conf/auditd.said"
	echo $? > "$conf/auditd.status"
done
END

# A folder for each case, with a line of text or two in the file after four that are needed.
number=1000
while read -r who line; do
	[ "$who" != '#' ] && [ -n "$who" ] || continue
	number=$((number + 1))
	mkdir -p "$WORK/cases/$number"
	{
		printf '%s\n' "log_file = $WORK/folder/audit.log" 'space_left = 75' 'admin_space_left = 50' 'freq = 50'
		echo "$line" | sed "s,EXE,$WORK/exe,; s,UNSAFE,$WORK/unsafe,; s,FOLDER,$WORK/folder," | tr ';' '\n'
	} > "$WORK/cases/$number/auditd.conf"
	echo "$who" > "$WORK/cases/$number/who"
	echo "$line" > "$WORK/cases/$number/line"
done < "$cases"
unshare --pid --fork --mount --net sh "$WORK/auditd.sh" "$WORK" || skip "no namespaces here"

# The line that is named, or 0.
place() {
	case $1 in
	auditd) sed -n 's/.*line \([0-9]*\).*/\1/p' "$2/auditd.said" | tail -n 1 ;;
	laf) sed -n 's/^laf: [^:]*:\([0-9]*\):.*/\1/p' "$2/laf.said" ;;
	esac | grep . || echo 0
}

same=0 different=0
for case in "$WORK"/cases/*; do
	"$LAF" daemon --check -c "$case/auditd.conf" > "$case/laf.out" 2> "$case/laf.said"
	status=$?
	who=$(cat "$case/who") line=$(cat "$case/line")
	# auditd ends with 6 where the file is bad; else later, as it can't have the kernel's audit
	case $(cat "$case/auditd.status") in
	6) auditd=refuses ;;
	*) auditd=takes ;;
	esac
	case $status in
	0) laf=takes ;;
	1) laf=refuses ;;
	*) laf="ends with $status" ;;
	esac
	[ $laf = takes ] || [ -s "$case/laf.said" ] || fail "$line: refused without a word"
	case "$who $auditd $laf" in
	'= takes takes' | '= refuses refuses') same=$((same + 1)) ;;
	'laf refuses takes' | 'auditd takes refuses') different=$((different + 1)) ;;
	*) fail "'$line': auditd $auditd, laf $laf: $(tail -n 2 "$case/auditd.said" "$case/laf.said")" ;;
	esac
	# a fault that auditd places without naming its line has none to compare
	if [ $laf = refuses ] && [ "$auditd" = refuses ] && [ "$(place auditd "$case")" != 0 ]; then
		[ "$(place auditd "$case")" = "$(place laf "$case")" ] ||
			fail "'$line': auditd names line $(place auditd "$case"), laf line $(place laf "$case"): $(cat "$case/laf.said")"
	fi
done
[ $((same + different)) -gt 100 ] || fail "only $((same + different)) cases"
echo "$same lines with the same verdict, $different that differ as documented"

# Who else could write it.
refused() {
	"$LAF" daemon --check -c "$2" > "$WORK/out" 2>&1 && fail "$1 is taken"
	grep -q "$3" "$WORK/out" || fail "$1: $(cat "$WORK/out")"
}

mkdir "$WORK/open" "$WORK/closed"
echo 'kernel_records = no' | tee "$WORK/open/conf" > "$WORK/closed/conf"
"$LAF" daemon --check -c "$WORK/closed/conf" || fail "a good file is refused"
chmod 660 "$WORK/closed/conf"
refused "a file that a group can write" "$WORK/closed/conf" 'others can write this file'
chmod 606 "$WORK/closed/conf"
refused "a file that all can write" "$WORK/closed/conf" 'others can write this file'
chmod 600 "$WORK/closed/conf"
chown 65534 "$WORK/closed/conf"
refused "a file of another user" "$WORK/closed/conf" 'must belong to root'
chmod 777 "$WORK/open"
refused "a file in a folder that all can write" "$WORK/open/conf" 'others could replace this file'
chmod 755 "$WORK/open"
chown 65534 "$WORK/open"
refused "a file in another user's folder" "$WORK/open/conf" 'others could replace this file'
mkfifo "$WORK/fifo"
refused "a FIFO" "$WORK/fifo" 'not a regular file'
refused "no file" "$WORK/none/conf" 'No such file'
exit $failed
