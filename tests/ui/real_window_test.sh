#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Drives the real window on a virtual display: run with Ctrl+R, wait for the end, take a picture, save
# with Ctrl+S, quit with Ctrl+Q. Usage: real_window_test.sh FUSEBENCH [PICTURE.png]
# Exits with 77 (skipped) where Xvfb, openbox or xdotool is missing.
set -u
program=$1
for tool in Xvfb openbox xdotool; do
  if ! command -v "$tool" > /dev/null; then
    echo "SKIPPED: $tool is not installed; the window was not tried on a real display"
    exit 77
  fi
done

scratch=$(mktemp -d)
picture=${2:-$scratch/window.png}
export XDG_CONFIG_HOME=$scratch/config XDG_CACHE_HOME=$scratch/cache XDG_RUNTIME_DIR=$scratch
export QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
server= manager= window_process=
finish() {
  for process in $window_process $manager $server; do kill "$process" 2> /dev/null; done
  wait 2> /dev/null
  rm -rf "$scratch"
}
trap finish EXIT
fail() { echo "FAILED: $1"; cat "$scratch/log" 2> /dev/null; exit 1; }

# wait_for SECONDS COMMAND...: tries until the command succeeds.
wait_for() {
  local tries=$(($1 * 5))
  shift
  while ! "$@"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.2
  done
}

Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3> "$scratch/display" 2> "$scratch/xvfb.log" &
server=$!
wait_for 20 test -s "$scratch/display" || fail "Xvfb did not start"
DISPLAY=:$(cat "$scratch/display")
export DISPLAY
openbox > /dev/null 2>&1 &
manager=$!
# A window that is mapped while the window manager starts may be lost to it.
manager_ready() { xdotool get_desktop > /dev/null 2>&1; }
wait_for 20 manager_ready || fail "openbox did not start"

"$program" --quick > "$scratch/log" 2>&1 &
window_process=$!
find_window() { window=$(xdotool search --onlyvisible --pid "$window_process" --name Fusebench 2> /dev/null | head -n 1); [ -n "$window" ]; }
wait_for 60 find_window || fail "no window appeared"
title() { xdotool getwindowname "$window"; }
echo "opened: $(title)"
xdotool windowactivate --sync "$window" 2> /dev/null || fail "the window could not be activated"
sleep 0.5

xdotool key --clearmodifiers ctrl+r
is_busy() { title | grep -q '%'; }
has_results() { title | grep -q '•'; }
started() { is_busy || has_results; }
done_measuring() { has_results && ! is_busy; }
wait_for 20 started || fail "Ctrl+R did not start the study: $(title)"
wait_for 120 done_measuring || fail "the study did not finish: $(title)"
echo "measured: $(title)"
if command -v import > /dev/null; then
  sleep 1
  import -window "$window" "$picture" || fail "no picture could be taken"
  [ -s "$picture" ] || fail "the picture is empty"
fi

results=$scratch/results.jsonl
xdotool key --clearmodifiers ctrl+s
dialog_open() { xdotool search --onlyvisible --name '^Save' > /dev/null 2>&1; }
wait_for 20 dialog_open || fail "Ctrl+S opened no dialog"
sleep 0.5
xdotool type --delay 5 "$results"
xdotool key Return
wait_for 20 test -s "$results" || fail "the run was not saved"
is_saved() { ! title | grep -q '•'; }
wait_for 10 is_saved || fail "the window still calls the run unsaved: $(title)"

xdotool windowactivate --sync "$window"
xdotool key --clearmodifiers ctrl+q
gone() { ! kill -0 "$window_process" 2> /dev/null; }
wait_for 20 gone || fail "Ctrl+Q did not close the window"
wait "$window_process"
code=$?
window_process=
[ "$code" -eq 0 ] || fail "fusebench ended with $code"
echo "PASSED: ran, saved $(wc -l < "$results") records, closed"
