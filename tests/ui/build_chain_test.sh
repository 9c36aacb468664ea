#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# In a real window, with at most 40 actions: build a chain of 12 ops by hand, run it, drag the cursor along the
# chart, save, and open it again. Usage: build_chain_test.sh FUSEBENCH FUSEBENCH_CLI [PICTURE.png]
# Exits with 77 (skipped) where Xvfb, openbox or xdotool is missing.
set -u
source "$(dirname "$0")/window_driver.sh"
kMostActions=40
ops=(sigmoid mul exp tanh add sqrt abs gelu sin relu log1p square)
start_display
start_window "$1" --quick

press ctrl+n
press alt+3
for op in "${ops[@]}"; do
  write "$op"
  press Return
done
wait_for 20 is_modified || fail "the chain is not there: $(title)"

press ctrl+r
wait_for 120 a_run_is_kept || fail "the chain was not measured: $(title)"
wait_for 20 not_busy || fail "the study goes on: $(title)"
run=$(kept_runs)

# A click pins the cursor at the 7th statement; then it is dragged two on. The axis stays where it is.
kAxis=540x18+360+468
axis() { convert "$1" -crop "$kAxis" +repage "rgba:$scratch/axis" && cksum < "$scratch/axis"; }
wait_for 20 is_steady || fail "the window goes on changing"
mouse move 676 300
mouse down
mouse up
wait_for 20 is_steady || fail "the window goes on changing after a click"
picture "$scratch/before.png" || fail "no picture could be taken"
mouse down
mouse move 766 300
mouse up
wait_for 20 is_steady || fail "the window goes on changing after the drag"
picture "$scratch/after.png" || fail "no picture could be taken"
[ $# -lt 3 ] || cp "$scratch/after.png" "$3"
[ "$(pixels "$scratch/before.png")" != "$(pixels "$scratch/after.png")" ] || fail "dragging changed nothing"
[ "$(axis "$scratch/before.png")" = "$(axis "$scratch/after.png")" ] || fail "dragging moved the axis, not the cursor"

save_experiment "$scratch/twelve.json"

choose_file ctrl+o Open "$scratch/twelve.json"
reopened() { title | grep -q 'twelve.json' && is_saved; }
wait_for 20 reopened || fail "the experiment was not opened again: $(title)"
[ "$actions" -le "$kMostActions" ] || fail "it took $actions actions"
steps=$actions
quit_window

for op in "${ops[@]}"; do
  grep -q "torch\.$op\|F\.$op\|x \* \|x + " "$scratch/twelve.json" || fail "$op is not in the saved chain"
done
statements=$(grep -o 'x = ' "$scratch/twelve.json" | wc -l)
[ "$statements" -eq "${#ops[@]}" ] || fail "the saved chain has $statements statements, not ${#ops[@]}"
"$2" analyze "$run" > "$scratch/analysis" || fail "the run kept cannot be read"
grep -qi 'break-even' "$scratch/analysis" || fail "no break-even in the run kept"
echo "PASSED: ${#ops[@]} ops, measured, saved and opened again in $steps actions"
