#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The workload of a compile: kernel/ and lib/ of Debian's Linux 6.1, as small a kernel as there is.
#
#   compile.sh prepare BUILD-FOLDER    unpack and configure it, once
#   compile.sh clean BUILD-FOLDER      before each run
#   compile.sh run BUILD-FOLDER        and then a call by which the log shows that it is all there
source=/usr/src/linux-source-6.1.tar.xz
tree=$2/bench/linux

prepare() {
	[ ! -f "$tree/.ready" ] || return 0
	[ -f $source ] || { echo "there is no $source (Debian: linux-source-6.1)" && exit 77; }
	rm -rf "$tree" && mkdir -p "$tree" && tar -C "$tree" --strip-components=1 -xf $source &&
		make -s -C "$tree" tinyconfig && make -s -C "$tree" -j"$(nproc)" prepare && touch "$tree/.ready"
}

case $1 in
prepare) prepare ;;
clean) find "$tree/kernel" "$tree/lib" \( -name '*.o' -o -name '*.a' -o -name '.*.cmd' \) -delete ;;
run) make -s -C "$tree" -j"$(nproc)" kernel/ lib/ && "$2/bench/calls" opens 0 ;;
esac
