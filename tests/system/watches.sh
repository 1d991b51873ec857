#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What can happen to a watched file or folder (workload_watch.c), the kernel's audit beside it: the same events. With the fexit
# engine each step follows right after the one before; the tracepoint engine gets the time that it needs to look again.
cd "$(dirname "$0")/../.." || exit 1
. tests/system/lib.sh
need_root
need unshare
# Mounts of its own, which end with it.
[ $# -gt 0 ] || set -- follow-r
exec unshare -m --propagation private tests/system/oracle.sh "$@"
