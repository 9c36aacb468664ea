#!/usr/bin/env bash
# Fuzzes the importers of traces for SECONDS (60): tests/fuzz/run.sh [SECONDS]. Needs clang++. Builds
# what it needs into a folder of its own, with the address and undefined-behaviour sanitizers; what is
# found stays there, and is printed.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${FUZZ_FOLDER:-$(mktemp -d)}
sources=(tests/fuzz/trace_fuzz.cpp profiler/files/{byte_source,files,json_text,mapped_column,output_file}.cpp engine/base/shown_text.cpp
         profiler/statistics/distribution.cpp profiler/machine/occupancy.cpp
         profiler/trace/{chrome_events,chrome_fields,launches,trace_builder,trace_builder_join,trace_categories}.cpp
         profiler/trace/{trace_export,trace_flows,trace_import,trace_import_nsys,trace_scanner,trace_statistics}.cpp)
clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I. \
  "${sources[@]}" -lsimdjson -lsqlite3 -lz -lfmt -o "$work/trace-fuzz"
mkdir -p "$work/corpus"
cp tests/fuzz/corpus/* "$work/corpus/"
cd "$work"
exec ./trace-fuzz -max_total_time="${1:-60}" -max_len=16384 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 corpus
