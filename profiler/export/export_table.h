// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// A table for people: the measurements of a run, in one unit of time.
struct ExportTable {
  std::vector<std::string> header;
  std::vector<bool> numeric;  ///< one per column: whether it is right-aligned
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;  ///< the meanings of its marks
};

/// One row per point: for each variant the median latency with its interval in brackets, then the
/// speedups of the others over the baseline. With more than `most` variants, one row per cell.
/// Marks: * stopped before the interval was narrow enough, ~ drifted, ! fell back to eager.
ExportTable latencyTable(const Run& run, std::size_t most = 4);

/// One row per cell: launches, compile times (no cache, from disk, in memory), peak memory,
/// relative error, samples, and why sampling stopped.
ExportTable cellTable(const Run& run);

}  // namespace fusebench
