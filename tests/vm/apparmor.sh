#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tasks under profiles of AppArmor, stacked ones, and those of another namespace: subj= of their records is what the kernel's audit
# writes (tests/system/oracle.sh, run under each label). Needs Debian's package apparmor, which make deps does not install.
# kernels: 6.1
MACHINE='--lsm --append preempt=voluntary'
ENGINE=${ENGINE:-fexit}
. "$(dirname "$0")/lib.sh"
in_machine "$@"
failed=0
ALL='capability, network, mount, umount, remount, pivot_root, ptrace, signal, unix, file, change_profile,'
FLAGS='flags=(attach_disconnected, mediate_deleted)'
SET=exec

# profile NAME [OPTION…]: one that allows everything, with a hat that does
profile() {
	name=$1
	shift
	echo "profile $name $FLAGS { $ALL ^hat $FLAGS { $ALL } }" | apparmor_parser --quiet --replace --skip-cache "$@" ||
		fail "the profile $name can't be loaded"
}

# under LABEL ORDER…: the oracle, with the label that these orders to AppArmor lead to
under() (
	label=$1
	shift
	for order; do
		echo "$order" > /proc/self/attr/current || fail "AppArmor refuses: $order"
	done
	APART=60 LIMIT=1000 KEEP=/tmp/kept tests/system/oracle.sh $SET || fail "under the label $label"
	grep -qF " subj=$label " "/tmp/kept/$SET.raw.kernel" || fail "no record of the kernel's has subj=$label"
	exit $failed
)

mount -t securityfs securityfs /sys/kernel/security 2> /dev/null
command -v apparmor_parser > /dev/null || skip "needs apparmor_parser"
[ "$(cat /sys/module/apparmor/parameters/enabled)" = Y ] || fail "AppArmor is not active"
profile laf-a
profile laf-b --namespace laf
under laf-a//hat 'changeprofile laf-a//hat' || failed=1
under :laf:laf-b 'changeprofile :laf:laf-b' || failed=1
under 'laf-a//&:laf:laf-b' 'changeprofile laf-a' 'stack :laf:laf-b' || failed=1
kernel_is_well
exit $failed
