#!/usr/bin/env bash
# Makes the Python wheel: packaging/make_wheel.sh [--cli PROGRAM] [OUT]
# Without --cli it first builds the program that the wheel holds (preset wheel, LLVM inside), which takes a while. With
# --cli it takes a program that is there already; the wheel then needs the libraries of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
cli=
if [ "${1:-}" = --cli ]; then
  [ $# -ge 2 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
  cli=$(realpath "$2")
  shift 2
fi
out=${1:-build/wheel-out}
if [ -z "$cli" ]; then
  cmake --preset wheel -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=8 >/dev/null
  cmake --build --preset wheel -j "${JOBS:-$(nproc)}"
  cli=build/wheel/bin/fusebench-cli
fi
mkdir -p "$out"
exec python3 packaging/wheel.py "$cli" "$out"
