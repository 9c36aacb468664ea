#!/usr/bin/env bash
# How many tests were skipped and why, on one line: packaging/count_skips.sh LOG...
# The logs are CTest's (build/*/Testing/Temporary/LastTest.log). Fails, naming the test, where the reason
# is none of those in packaging/expected_skips.txt.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
expected_skips=$(dirname "$0")/expected_skips.txt
awk -v expected_skips="$expected_skips" '
  function note(reason, name,   which, i) {
    which = ""
    for (i = 1; i <= known; ++i) if (index(reason, expected[i])) { which = expected[i]; break }
    if (which == "") { print "unexpected skip: " name ": " reason > "/dev/stderr"; ++unexpected; which = reason }
    if (!(which in count)) order[++kinds] = which
    ++count[which]; ++all
  }
  FILENAME == expected_skips { if ($0 !~ /^(#|$)/) expected[++known] = $0; next }
  # A whole program or script says so in a line of its own.
  /Testing: / { test = $NF }
  /^(Skipped, for|SKIPPED:) / { note($0, test); next }
  # GoogleTest names the place, and gives the reason on the line after.
  /: Skipped$/ { awaits = 1; place = $0; sub(/: Skipped$/, "", place); next }
  awaits { note($0, place); awaits = 0; next }
  END {
    text = all + 0 " skipped"
    for (i = 1; i <= kinds; ++i) text = text (i == 1 ? ": " : "; ") count[order[i]] " " order[i]
    print text
    exit unexpected > 0
  }' "$expected_skips" "$@"
