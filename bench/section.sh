# SPDX-License-Identifier: GPL-2.0-or-later
# Parts of docs/benchmarks.md that are measured apart from the rest; sourced by the scripts that make them.

# write_section NAME FILE: between the markers of that name stands what is in the file. $work is a folder of the caller's.
write_section() {
	begin="<!-- $1: begin -->" end="<!-- $1: end -->"
	grep -qxF -e "$begin" docs/benchmarks.md || { echo "bench: docs/benchmarks.md has no line '$begin'" >&2; exit 1; }
	awk -v begin="$begin" -v end="$end" -v section="$2" '
	$0 == end { hidden = 0 }
	!hidden { print }
	$0 == begin { hidden = 1; while ((getline line < section) > 0) print line }' docs/benchmarks.md > "$work/new" &&
		cat "$work/new" > docs/benchmarks.md
}
