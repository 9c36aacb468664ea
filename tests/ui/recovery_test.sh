#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# In a real window: edit, kill the program with kill -9 in the middle of measuring, start it again: the edits and
# what was measured before and until then are there. Usage: recovery_test.sh FUSEBENCH FUSEBENCH-CLI
# Exits with 77 (skipped) where Xvfb, openbox or xdotool is missing.
set -u
source "$(dirname "$0")/window_driver.sh"
samples_under_way() { grep -q '"samples"' "$scratch"/data/*/*/runs/under-way/*.part 2> /dev/null; }
one_run_more() { [ "$(kept_runs | wc -l)" -gt "$(echo "$kept" | wc -l)" ]; }
start_display
start_window "$1" --quick

press ctrl+n
press alt+3
for op in cos tanh erf; do
  write "$op"
  press Return
done
press ctrl+r
wait_for 120 a_run_is_kept || fail "the chain was not measured: $(title)"
wait_for 20 not_busy || fail "the study goes on: $(title)"
kept=$(kept_runs | sort)

press alt+3
write log1p
press Return
is_modified || fail "the edit is not there: $(title)"
edit_is_on_disk() { find "$XDG_DATA_HOME" -name session.json -exec grep -q log1p {} + ; }
wait_for 20 edit_is_on_disk || fail "the edit was not written to the session"
press ctrl+r
wait_for 60 samples_under_way || fail "nothing of the study under way is on disk"
kill -9 "$window_process"
wait "$window_process" 2> /dev/null
window_process=

start_window "$1" --quick
is_modified || fail "the edits are not restored: $(title)"
[ "$(comm -23 <(echo "$kept") <(kept_runs | sort))" = "" ] || fail "a kept run is gone"
wait_for 20 one_run_more || fail "what was measured until the kill is not among the runs"
"$2" analyze "$(comm -13 <(echo "$kept") <(kept_runs | sort) | head -n 1)" > /dev/null || fail "it cannot be read"
save_experiment "$scratch/restored.json"
for op in cos tanh erf log1p; do
  grep -q "torch.*$op" "$scratch/restored.json" || fail "$op was lost"
done
quit_window
start_window "$1" --quick
is_saved || fail "a proper end left something to recover: $(title)"
title | grep -q restored.json || fail "the session is not the one that was left: $(title)"
quit_window
echo "PASSED: the edits and the runs outlived kill -9"
