// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/trace/compiled_regions.h"
#include "profiler/trace/compiles_within.h"
#include "profiler/trace/trace_breakdown.h"
#include "profiler/trace/trace_classes.h"
#include "profiler/trace/trace_collectives.h"
#include "profiler/trace/trace_ranks.h"
#include "profiler/trace/trace_savings.h"

namespace fusebench {

/// All figures that are reported for a trace.
struct TraceReport {
  std::shared_ptr<const Trace> trace;
  std::string title;
  Work work = Work::device;
  RangeStatistics statistics;  ///< over everything recorded
  LaunchDelays delays;
  std::vector<SpanTotal> totals;
  std::vector<DeviceBreakdown> devices;
  std::vector<ClassTotal> classes;  ///< totals per class of kernels
  Savings savings;
  std::vector<CollectiveTotal> collectives;
  std::optional<CompiledRegions> compiled;  ///< calls of torch.compile
  std::optional<CompilesWithin> compiles;   ///< and its compilations
};
TraceReport reportOf(std::shared_ptr<const Trace> trace, const std::string& title);

// Tables for other programs: a line a row, times in whole nanoseconds, shares from 0 to 1. Texts
// are in quotes.

/// A row for each trace and device.
std::string breakdownCsv(std::span<const TraceReport> reports);
/// A row for each trace, name and kind: all of them.
std::string namesCsv(std::span<const TraceReport> reports);
/// A row for each trace and class of kernels.
std::string classesCsv(std::span<const TraceReport> reports);
/// A row for each kind of run of small kernels.
std::string savingsCsv(std::span<const TraceReport> reports);
/// A row for each trace and kind of collective.
std::string collectivesCsv(std::span<const TraceReport> reports);
/// A row for each rank: how late it came to collectives, and by how much its clock was shifted.
std::string ranksCsv(const TraceRanks& ranks);

/// The same as one object; `ranks` may be null.
nlohmann::ordered_json reportJson(std::span<const TraceReport> reports, const TraceRanks* ranks);

}  // namespace fusebench
