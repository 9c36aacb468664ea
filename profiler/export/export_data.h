// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/run.h"

namespace fusebench {

/// A run to be written in another form, and its name among others. Must outlive its use.
struct ExportedRun {
  std::string name;
  const Run* run = nullptr;
  std::vector<Crossing> crossings;  ///< findCrossings(*run)
};

/// Comma-separated values by RFC 4180 with "\n": a header whose names end in their unit
/// (latency_ns, peak_bytes, speedup_ratio), then one row per cell. Figures that were not measured
/// are empty; numbers read back to the same number. With several runs the first column is `run`,
/// and an axis that a run does not sweep is empty.
std::string toCsv(std::span<const ExportedRun> runs);

/// One run: the result object of `fusebench-cli run --json`. Several: {"fusebench": "results",
/// "version": 1, "runs": [...]}, each with its "name".
std::string toJson(std::span<const ExportedRun> runs);

/// A heading, the table of latencies and speedups, and the break-evens in words, for each run.
/// GitHub's table syntax.
std::string toMarkdown(std::span<const ExportedRun> runs);

/// A table environment for each run: \usepackage{booktabs}. Plain LaTeX otherwise, UTF-8 input.
std::string toLatex(std::span<const ExportedRun> runs);

/// What google/benchmark 1.7 writes with --benchmark_out_format=json, so that its compare.py and
/// other readers of it work: one entry a sample (run_type "iteration", repetition_index) and the
/// mean, median, stddev and cv of each cell. Names are variant/axis:value/...; time_unit is ns;
/// cpu_time repeats real_time, for only wall time is measured.
std::string toBenchmarkJson(std::span<const ExportedRun> runs);

}  // namespace fusebench
