#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make run` shows: a compile, a look into the accounts and the new program, audited by run.rules.
#
#   run.sh LAF
set -eu
laf=$(realpath "$1")
rules=$(realpath "$(dirname "$0")")/run.rules
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n' > hello.c
echo "\$ laf run -R examples/run.rules -- sh -c 'gcc -o hello hello.c; ./hello; id -un; getent hosts localhost; rm hello'"
"$laf" run -R "$rules" --format short -- sh -c 'gcc -o hello hello.c; ./hello; id -un; getent hosts localhost; rm hello'
