#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What holds for every file of the tree: a licence line in each source file, no path of a developer's machine anywhere.
cd "$(dirname "$0")/.." || exit 1
failed=0

files() {
	git ls-files 2> /dev/null | grep . || find . -type f ! -path './build/*' ! -path './.git/*' | sed 's,^\./,,'
}

# By their names, and scripts by their first line.
sources() {
	{
		files | grep -E '\.([chS]|sh|awk|rules|conf)$|^(Makefile|packaging/debian-packages)$'
		files | xargs -d '\n' awk 'FNR == 1 { if (/^#!/) print FILENAME; nextfile }'
	} | sort -u
}

for file in $(sources); do
	head -3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || {
		echo "$file: no SPDX line among the first three"
		failed=1
	}
done

# Folders that are only somebody's: a home, a checkout, a scratch folder.
places='(^|[^[:alnum:]_.@}$/~-])/(wor[k]|roo[t]|hom[e]/[a-z]+|tm[p]/(build|ks)[^ ]*)(/|$)'
if files | xargs -d '\n' grep -aInE "$places" /dev/null; then
	echo "the lines above name places of one machine"
	failed=1
fi

# Of the audit of a kernel only one can be the daemon: a test says whether its daemon may be the one.
for file in $(files | grep -E '^(tests|bench)/.*\.sh$' | xargs -d '\n' grep -lE '(LAF|laf)"? daemon '); do
	grep -q 'kernel_records = ' "$file" || {
		echo "$file: starts a daemon whose configuration does not say kernel_records = no (or another value)"
		failed=1
	}
done
echo "$(sources | wc -l) source files, $(files | wc -l) in all"
exit $failed
