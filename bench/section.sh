# SPDX-License-Identifier: GPL-2.0-or-later
# Parts of documents that are measured apart from the rest; sourced by the scripts that make them.

# write_section NAME FILE [DOCUMENT]: between the markers of that name, in docs/benchmarks.md or another, stands what is in the file. $work is a
# folder of the caller's.
write_section() {
	document=${3:-docs/benchmarks.md}
	begin="<!-- $1: begin -->" end="<!-- $1: end -->"
	grep -qxF -e "$begin" "$document" || { echo "bench: $document has no line '$begin'" >&2; exit 1; }
	awk -v begin="$begin" -v end="$end" -v section="$2" '
	$0 == end { hidden = 0 }
	!hidden { print }
	$0 == begin { hidden = 1; while ((getline line < section) > 0) print line }' "$document" > "$work/new" &&
		cat "$work/new" > "$document"
}
