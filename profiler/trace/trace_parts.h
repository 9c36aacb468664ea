// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// One trace from several: each becomes a part of it, with separate processes. Their times are
/// unchanged: each begins at 0.
std::shared_ptr<const Trace> joinedTrace(std::span<const std::shared_ptr<const Trace>> traces,
                                         const std::string& title,
                                         const TraceProgress& progress = {});

/// A trace that ran together with others, by how much later it begins than they do, and which rank
/// it belongs to.
struct ShiftedTrace {
  std::shared_ptr<const Trace> trace;
  Nanoseconds shift = 0;
  std::string owner;  ///< "rank 3": put before the names of its processes
};
/// All of them in one trace and on one clock, with separate processes.
std::shared_ptr<const Trace> shiftedTraces(std::span<const ShiftedTrace> traces,
                                           const std::string& title, const std::string& note,
                                           const TraceProgress& progress = {});

/// One trace per part, because the parts never ran together; the trace itself if it has one part or
/// none, or too many to show. Losses are reported with the first part, because it is not known
/// which part they belong to.
std::vector<std::shared_ptr<const Trace>> partsOf(std::shared_ptr<const Trace> trace,
                                                  const TraceProgress& progress = {});

}  // namespace fusebench
