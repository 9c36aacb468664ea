#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Drives the real window on a virtual display: run with Ctrl+R, wait for the end, take a picture, save
# the experiment with Ctrl+S, quit with Ctrl+Q. Usage: real_window_test.sh FUSEBENCH FUSEBENCH_CLI [PICTURE.png]
# Exits with 77 (skipped) where Xvfb, openbox or xdotool is missing.
set -u
source "$(dirname "$0")/window_driver.sh"
start_display
start_window "$1" --quick
echo "opened: $(title)"

press ctrl+r
started() { is_busy || a_run_is_kept; }
wait_for 20 started || fail "Ctrl+R did not start the study: $(title)"
wait_for 120 a_run_is_kept || fail "the study did not finish, or was not kept: $(title)"
wait_for 20 not_busy || fail "the study goes on: $(title)"
echo "measured: $(wc -l < "$(kept_runs)") records"
if command -v import > /dev/null; then
  sleep 1
  picture "${3:-$scratch/window.png}" || fail "no picture could be taken"
fi

save_experiment "$scratch/study.json"
quit_window
echo "PASSED: ran, kept the run, saved the experiment, closed"
