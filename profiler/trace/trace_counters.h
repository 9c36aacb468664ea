// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// A counter's name and its unit, if the name contains one: "SMs Active [%]" is "SMs Active" and
/// "%". Otherwise the unit is empty.
std::pair<std::string, std::string> nameAndUnit(std::string_view name);

/// The value that holds at a time; nothing before the first one.
std::optional<double> valueAt(const CounterTrack& counter, Nanoseconds time);

/// The figures of a counter in a range.
struct CounterFigures {
  std::uint64_t samples = 0;  ///< in the range; the one that holds at its begin may be before it
  double least = 0, most = 0;
  double mean = 0;  ///< weighted by time
  double last = 0;
};
/// Nothing where it has no value in the range.
std::optional<CounterFigures> figuresOf(const CounterTrack& counter, TimeRange range);

/// In all of the trace, or in what counts of it; see Trace::windows.
std::optional<CounterFigures> figuresOf(const Trace& trace, const CounterTrack& counter);

/// Whether counters are the content of the trace, and its slices only explain them.
bool isMadeOfCounters(const Trace& trace);

/// "1.5 GiB", "87.5 %", "1,200": for people.
std::string valueText(double value, std::string_view unit);

}  // namespace fusebench
