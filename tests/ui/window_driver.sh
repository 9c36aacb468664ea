# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests in a real window: a virtual display with a window manager, folders of their own,
# and what a person does. Every press, typed text and move of the mouse counts as one action.
for tool in Xvfb openbox xdotool; do
  if ! command -v "$tool" > /dev/null; then
    echo "SKIPPED: $tool is not installed; the window was not tried on a real display"
    exit 77
  fi
done

scratch=$(mktemp -d)
export XDG_CONFIG_HOME=$scratch/config XDG_CACHE_HOME=$scratch/cache XDG_DATA_HOME=$scratch/data
export XDG_RUNTIME_DIR=$scratch QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
server= manager= window_process= window= actions=0
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

start_display() {
  Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3> "$scratch/display" 2> "$scratch/xvfb.log" &
  server=$!
  wait_for 20 test -s "$scratch/display" || fail "Xvfb did not start"
  DISPLAY=:$(cat "$scratch/display")
  export DISPLAY
  openbox > /dev/null 2>&1 &
  manager=$!
  # A window that is mapped while the window manager starts may be lost to it.
  wait_for 20 manager_ready || fail "openbox did not start"
}
manager_ready() { xdotool get_desktop > /dev/null 2>&1; }

# start_window PROGRAM ARGUMENT...
start_window() {
  "$@" > "$scratch/log" 2>&1 &
  window_process=$!
  wait_for 60 find_window || fail "no window appeared"
  xdotool windowactivate --sync "$window" 2> /dev/null || fail "the window could not be activated"
  sleep 0.5
}
find_window() {
  window=$(xdotool search --onlyvisible --pid "$window_process" --name Fusebench 2> /dev/null | head -n 1)
  [ -n "$window" ]
}
title() { xdotool getwindowname "$window"; }

press() { actions=$((actions + 1)); xdotool key --clearmodifiers "$1"; }
write() { actions=$((actions + 1)); xdotool type --delay 5 "$1"; }
# mouse ACTION...: one action of the mouse each: "move X Y" (in the window), "down", "up".
mouse() {
  actions=$((actions + 1))
  case $1 in
    move) xdotool mousemove --window "$window" "$2" "$3" ;;
    down) xdotool mousedown 1 ;;
    up) xdotool mouseup 1 ;;
  esac
  sleep 0.1
}
picture() { import -window "$window" "$1" && [ -s "$1" ]; }
# The pixels of a picture, without the time that is kept in its file.
pixels() { convert "$1" rgba:- | cksum; }
# Whether the window looks as it did when this was asked last.
seen=
is_steady() {
  picture "$scratch/steady.png" || return 1
  local before=$seen
  seen=$(pixels "$scratch/steady.png")
  [ "$seen" = "$before" ]
}

is_busy() { title | grep -q '%'; }
not_busy() { ! is_busy; }
is_modified() { title | grep -q '•'; }
is_saved() { ! is_modified; }
dialog_open() { xdotool search --onlyvisible --name "^$1" > /dev/null 2>&1; }
# choose_file KEYS DIALOG PATH: opens the dialog by its keys and names the file in it.
choose_file() {
  press "$1"
  wait_for 20 dialog_open "$2" || fail "$1 opened no dialog"
  sleep 0.5
  write "$3"
  press Return
}
save_experiment() {
  choose_file ctrl+s Save "$1"
  wait_for 20 test -s "$1" || fail "the experiment was not saved"
  wait_for 10 is_saved || fail "the window still calls the experiment changed: $(title)"
}
kept_runs() { find "$XDG_DATA_HOME" -name '*.jsonl' 2> /dev/null; }
a_run_is_kept() { [ -n "$(kept_runs)" ]; }
gone() { ! kill -0 "$window_process" 2> /dev/null; }

# A key that comes while a dialog is still going away is the dialog's: then it is pressed once more.
quit_window() {
  xdotool windowactivate --sync "$window"
  press ctrl+q
  if ! wait_for 15 gone; then
    xdotool windowactivate --sync "$window" 2> /dev/null
    press ctrl+q
    wait_for 20 gone || fail "Ctrl+Q did not close the window"
  fi
  wait "$window_process"
  local code=$?
  window_process=
  [ "$code" -eq 0 ] || fail "fusebench ended with $code"
}
