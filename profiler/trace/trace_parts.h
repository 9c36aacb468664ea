// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// One trace of several: each becomes a part of it, with processes of its own. Their times stay:
/// each begins at 0.
std::shared_ptr<const Trace> joinedTrace(std::span<const std::shared_ptr<const Trace>> traces,
                                         const std::string& title,
                                         const TraceProgress& progress = {});

/// A trace that ran together with others, by how much its begin comes later than theirs, and whose
/// it is.
struct ShiftedTrace {
  std::shared_ptr<const Trace> trace;
  Nanoseconds shift = 0;
  std::string owner;  ///< "rank 3": stands before the names of its processes
};
/// All of them in one trace and on one clock, with processes of their own.
std::shared_ptr<const Trace> shiftedTraces(std::span<const ShiftedTrace> traces,
                                           const std::string& title, const std::string& note,
                                           const TraceProgress& progress = {});

/// A trace for each part of one, that is for what never ran together; the trace itself if it has
/// none or one, or more than anybody could look at. What was lost is said with the first part, for
/// nobody knows of which it was.
std::vector<std::shared_ptr<const Trace>> partsOf(std::shared_ptr<const Trace> trace,
                                                  const TraceProgress& progress = {});

}  // namespace fusebench
