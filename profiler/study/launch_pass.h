// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/measure/recorded_calls.h"
#include "profiler/study/study.h"
#include "profiler/trace/trace.h"

namespace fusebench {

/// Some calls of one cell.
struct CellCalls {
  CellKey cell;
  std::string variant;
  RecordedCalls calls;                  ///< with several ranks, those of the first rank
  bool simulated = false;               ///< on a device whose times come from a model
  std::vector<RecordedCalls> others{};  ///< those of the other ranks
  /// The calls of all ranks.
  std::vector<const RecordedCalls*> all() const;
};

/// Records some calls of each of these cells, in a separate worker: for the timeline, never for a
/// latency. Cells that cannot be recorded are left out. Throws std::runtime_error with one line if
/// none can, and StopRequested on a stop.
std::vector<CellCalls> recordCalls(const Experiment& experiment, std::span<const CellKey> cells,
                                   const StudyOptions& options, std::stop_token stop);

/// One trace of all of them, with one process for each variant and rank. All variants begin at time
/// 0; ranks share one clock.
std::shared_ptr<const Trace> traceOf(std::span<const CellCalls> cells, const std::string& title);

/// The cells at the last value of every axis, variant by variant.
std::vector<CellKey> cellsAtTheEnd(const Experiment& experiment);

}  // namespace fusebench
