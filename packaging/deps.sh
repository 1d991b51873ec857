#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Install what is missing of the packages in debian-packages.
#
#   deps.sh [GROUP…]    the groups that are wanted; all without any
list=$(dirname "$0")/debian-packages
policy=/usr/sbin/policy-rc.d

# The packages of the groups named.
wanted() {
	awk -v groups=" $* " '
		/^# [a-z]+:/ { group = substr($2, 1, length($2) - 1); next }
		/^[a-z0-9]/ && (groups == "  " || index(groups, " " group " ")) { print $1 }' "$list"
}

missing() {
	for package in $(wanted "$@"); do
		case $(dpkg-query -W -f='${db:Status-Status} ' "$package" 2> /dev/null) in
		*' installed '* | 'installed '*) ;;
		*) printf '%s ' "$package" ;;
		esac
	done
}

give_up() {
	echo "deps: $1" >&2
	echo "deps: wanted: $packages" >&2
	echo "deps: $2" >&2
	exit 1
}

# auditd is here for auditctl, ausearch and measurements: its service must neither start now nor with the machine.
install_all() {
	if [ ! -e $policy ]; then
		trap 'rm -f $policy' EXIT
		trap 'exit 130' INT TERM HUP
		printf '#!/bin/sh\nexit 101\n' > $policy && chmod 755 $policy
	fi
	apt-get update || echo "deps: apt-get update failed; trying with the lists that are there" >&2
	# shellcheck disable=SC2086 # words
	apt-get install -y --no-install-recommends $packages || return 1
	case " $packages" in
	*' auditd '*) [ ! -x /bin/systemctl ] || systemctl disable auditd > /dev/null 2>&1 || : ;;
	esac
}

if ! command -v dpkg-query > /dev/null; then
	packages="$(wanted "$@" | tr '\n' ' ')"
	give_up "this is not Debian: there is no dpkg to ask what is installed" \
		"install what corresponds to these packages of Debian 12, then 'make all'"
fi
packages=$(missing "$@")
[ -n "$packages" ] || exit 0
command -v apt-get > /dev/null ||
	give_up "packages are missing, and there is no apt-get to install them with" "install them, then try again"
[ "$(id -u)" = 0 ] ||
	give_up "packages are missing, and only root can install them" "as root: apt-get install ${packages% }"
echo "deps: installing $packages"
export DEBIAN_FRONTEND=noninteractive
install_all || give_up "apt-get could not install all packages" "its messages above say why"
[ -z "$(missing "$@")" ] || give_up "apt-get ended well, yet packages are missing: $(missing "$@")" "install them by hand"
