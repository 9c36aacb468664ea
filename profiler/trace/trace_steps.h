// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

inline constexpr std::size_t kMostRowsAround = 1024;  ///< number of events examined around an event
/// The prefix of the names that PyTorch's profiler gives to its steps.
inline constexpr std::string_view kStepMark = "ProfilerStep";

/// Whether a wanted span, in a row above, contains this one's start.
template <typename Wanted>
bool liesWithin(const Trace& trace, EventId event, Wanted&& wanted) {
  const std::size_t own = trace.rowOf(event);
  std::size_t looked = 0;
  for (const TraceRow& row : trace.rowsOf(trace.rows()[own].lane)) {
    if (&row == &trace.rows()[own] || ++looked > kMostRowsAround) return false;
    const EventId around = trace.firstEndingAfter(row, trace.start(event));
    if (around < row.last && trace.start(around) <= trace.start(event) && wanted(around))
      return true;
  }
  return false;
}

/// The steps of a program: the profiler's, numbered in order of time, otherwise the outermost
/// ranges that the program named, each on its own thread.
class TraceSteps {
 public:
  explicit TraceSteps(const Trace& trace);

  /// The name of the step at a time on a thread; "outside of steps" if there is none.
  std::string_view at(Nanoseconds time, LaneId lane) const;

 private:
  struct Step {
    Nanoseconds from, to;
    LaneId lane;
    std::string name;
  };
  std::vector<Step> steps_;
  bool everywhere_ = false;  ///< they apply to all threads
};

}  // namespace fusebench
