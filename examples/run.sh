#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make run` shows: a compile, the new program, a look into the accounts, a connection that is refused, audited by run.rules.
#
#   run.sh LAF
set -eu
laf=$(realpath "$1")
rules=$(realpath "$(dirname "$0")")/run.rules
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n' > hello.c
command='gcc -o hello hello.c; ./hello; id -un; (</dev/tcp/127.0.0.1/9) 2>/dev/null; rm hello'
echo "\$ laf run -R examples/run.rules -- bash -c '$command'"
"$laf" run -R "$rules" --format short -- bash -c "$command"
