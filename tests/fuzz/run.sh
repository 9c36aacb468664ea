#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Searches a reader by coverage for SECONDS (60): tests/fuzz/run.sh READER [SECONDS]. Needs clang and its
# libFuzzer, which nothing else does: apt-get install clang-19 libclang-rt-19-dev. The readers are built once,
# with the address and undefined-behavior sanitizers, into build/fuzz; findings stay in FUZZ_FOLDER
# (a new one), and are printed. Without arguments it builds, and lists the readers.
set -euo pipefail
cd "$(dirname "$0")/../.."
clang=$(command -v clang++-19 || command -v clang++) || {
  echo "there is no clang: apt-get install clang-19 libclang-rt-19-dev" >&2
  exit 2
}
cmake -S tests/fuzz/coverage -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER="$clang" >/dev/null
cmake --build build/fuzz >&2
program=$PWD/build/fuzz/fusebench-fuzz
[ $# -gt 0 ] || {
  cd "$(mktemp -d)"  # where libFuzzer leaves what it ended with
  "$program" -runs=0 2>&1 | sed -n 's/.*they are: *//p'
  exit 0
}
reader=$1
work=${FUZZ_FOLDER:-$(mktemp -d)}
mkdir -p "$work/corpus"
cd "$work"
export FUSEBENCH_FUZZ_READER=$reader FUSEBENCH_FUZZ_CORPUS=$work/corpus
# Writes the corpus; libFuzzer reads the folder only after that, in the search itself.
"$program" -runs=0 2>/dev/null
options=()
# It would see the digest that it should have, in what it is compared with.
if [ "$reader" = object ]; then options+=(-use_cmp=0); fi
exec "$program" "${options[@]}" -max_total_time="${2:-60}" -max_len=16384 -timeout=20 -rss_limit_mb=3000 \
  -print_final_stats=1 corpus
