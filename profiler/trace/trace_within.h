// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// A range that the program named, by record_function or NVTX, with all of its occurrences.
struct NamedRange {
  std::string name;
  std::uint64_t count = 0;
  Nanoseconds total = 0;  ///< on the host
};
/// The longest total first.
std::vector<NamedRange> namedRangesOf(const Trace& trace);

/// The trace with only the events within the ranges of a name: the activity of their process in
/// that time, and the device work that it launched then. A name that ends with "*" is a prefix.
/// Times are unchanged; Trace::windows contains those that count: each occurrence from its
/// beginning until it and its work have ended. Throws InputError if there is none with that name.
std::shared_ptr<const Trace> traceWithin(const Trace& trace, std::string_view name);

/// How much of the range counts: all of it, or the part inside the trace's windows.
Nanoseconds countedIn(const Trace& trace, TimeRange range);
/// Whether all of the time from one moment to a later one counts.
bool countsThrough(const Trace& trace, Nanoseconds from, Nanoseconds to);

}  // namespace fusebench
